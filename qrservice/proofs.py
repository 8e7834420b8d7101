"""Proof that a phone has scanned a table's code: a signed cookie that the redirect sets."""

from django.conf import settings
from django.core.signing import BadSignature, TimestampSigner

COOKIE = "tableScan"
CODE_TYPE = "restaurant_table"  # `type` in the metadata of the codes whose scans are proven
LIFETIME = 4 * 60 * 60  # seconds

_SALT = "qrservice.proofs"


def proof(analytics_id: str) -> str:
    """The cookie's value for a scan of this code, now."""
    return TimestampSigner(salt=_SALT).sign(analytics_id)


def proven_code(value: str) -> str:
    """The analytics id of the code that was scanned within LIFETIME; empty if the cookie's value is no proof."""
    try:
        return TimestampSigner(salt=_SALT).unsign(value, max_age=LIFETIME)
    except BadSignature:
        return ""


def header(analytics_id: str) -> str:
    """A value of the `Set-Cookie` header."""
    secure = "; Secure" if settings.SESSION_COOKIE_SECURE else ""
    return f"{COOKIE}={proof(analytics_id)}; Max-Age={LIFETIME}; Path=/; HttpOnly; SameSite=Lax{secure}"
