"""The identifiers of a code, and the addresses made from them."""

import re
import secrets
from urllib.parse import unquote, urlsplit

from django.conf import settings
from django.http.request import validate_host

from web import hosts

ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"  # Crockford's base 32: no I, L, O, U
SLUG_LENGTH = 8

_LOOKALIKES = str.maketrans({"I": "1", "L": "1", "O": "0"})  # as Crockford's decoding does


def new_analytics_id() -> str:
    """Return 128 random bits as 22 URL-safe characters."""
    return secrets.token_urlsafe(16)


def new_slug() -> str:
    """Return 40 random bits as 8 characters."""
    return "".join(secrets.choice(ALPHABET) for _ in range(SLUG_LENGTH))


def is_slug(text: str) -> bool:
    return len(text) == SLUG_LENGTH and set(text) <= set(ALPHABET)


def normalise_slug(text: str) -> str:
    return text.upper().translate(_LOOKALIKES)


def short_url(slug: str) -> str:
    return f"{settings.APP_BASE_URL}/q/{slug}"


def slug_of(address: str) -> str:
    """Return the slug in a short address of this installation, by any of its host names; empty for other addresses."""
    own, parts = urlsplit(settings.APP_BASE_URL), urlsplit(hosts.with_host_in_dns(address))
    match = re.fullmatch(rf"{re.escape(own.path)}/[qQ]/([^/]+)", unquote(parts.path))
    host = parts.hostname or ""
    if match is None or not (host == own.hostname or validate_host(host, settings.ALLOWED_HOSTS)):
        return ""
    slug = normalise_slug(match[1])
    return slug if is_slug(slug) else ""


def image_url(slug: str) -> str:
    return f"{settings.APP_BASE_URL}/qr/{slug}"


def text_of_code(slug: str) -> str:
    """Return the text of the QR symbol: the short address, in capitals where that means the same.

    QR's alphanumeric mode has capitals only and needs fewer modules. Scheme and host ignore case, and the path works as
    `/Q/`; a base address with a path of its own may not, and is left as it is.
    """
    base = settings.APP_BASE_URL
    scheme, _, rest = base.partition("://")
    if "/" in rest:
        return short_url(slug)
    return f"{scheme}://{rest}/Q/{slug}".upper()
