"""Messages on their way to push services: encrypted for the phone (RFC 8291), signed by us (RFC 8292)."""

import json
import logging
import re
import time
from base64 import urlsafe_b64decode, urlsafe_b64encode
from email.utils import parseaddr
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import requests
from django.conf import settings

from web.push.models import Subscription

log = logging.getLogger(__name__)

TIMEOUT = 5.0  # seconds until there is a connection, and then until the answer
SIGNED_FOR = 12 * 3600  # seconds
_ENDPOINT = re.compile(r"https?://[a-z0-9.-]+(:[0-9]+)?/[\w.~:/?#\[\]@!$&'()*+,;=%-]*", re.ASCII)


class Answer(NamedTuple):
    """Of a push service. Status 0: there was none. `retry_after` in seconds."""

    status: int
    retry_after: int = 0

    @property
    def is_gone(self) -> bool:
        return self.status in (404, 410)

    @property
    def may_work_later(self) -> bool:
        return self.status in (0, 429) or self.status >= 500


def is_known(endpoint: str) -> bool:
    """Return whether it is of one of PUSH_HOSTS: clients name it, and this server calls no other host for them."""
    if not _ENDPOINT.fullmatch(endpoint):
        return False
    parts = urlsplit(endpoint)
    origin, host = f"{parts.scheme}://{parts.netloc}", parts.netloc
    is_usual = parts.scheme == "https" and any(f".{host}".endswith(f".{known}") for known in settings.PUSH_HOSTS)
    return is_usual or origin in settings.PUSH_HOSTS


# Cryptography is imported where it is needed: most processes never sign.


def new_key() -> str:
    """Return a private key as PEM."""
    from cryptography.hazmat.primitives import serialization as formats
    from cryptography.hazmat.primitives.asymmetric import ec

    key, secret = ec.generate_private_key(ec.SECP256R1()), formats.NoEncryption()
    return key.private_bytes(formats.Encoding.PEM, formats.PrivateFormat.PKCS8, secret).decode()


def public_key(private: str) -> str:
    """Return what browsers need to subscribe: the point, uncompressed, in base64url."""
    from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

    point = _vapid(private).public_key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
    return urlsafe_b64encode(point).rstrip(b"=").decode()


def are_keys(p256dh: str, auth: str) -> bool:
    """Return whether these are a browser's: a point of the curve, and 16 bytes."""
    from cryptography.hazmat.primitives.asymmetric import ec

    try:
        point, secret = (urlsafe_b64decode(f"{text}{'=' * (-len(text) % 4)}") for text in (p256dh, auth))
        ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), point)
    except ValueError:
        return False
    return len(point) == 65 and len(secret) == 16


def _vapid(private: str) -> Any:
    from cryptography.hazmat.primitives.serialization import load_pem_private_key
    from py_vapid import Vapid02

    # Its own check refuses senders at hosts without a dot.
    return Vapid02(load_pem_private_key(private.encode(), None), {"no-strict": True})


def send(subscription: Subscription, private: str, payload: dict[str, str], *, ttl: int, topic: str) -> Answer:
    """Send a message that is worth nothing after `ttl` seconds, in place of an earlier one of the same topic."""
    from pywebpush import WebPusher  # a third of a second, for the process that sends

    keys = {"p256dh": subscription.p256dh, "auth": subscription.auth}
    pusher = WebPusher({"endpoint": subscription.endpoint, "keys": keys})
    sender = parseaddr(settings.DEFAULT_FROM_EMAIL)[1]
    claims = {"aud": subscription.service, "exp": int(time.time()) + SIGNED_FOR, "sub": f"mailto:{sender}"}
    headers = {"TTL": str(ttl), "Urgency": "high", "Topic": topic, "Content-Encoding": "aes128gcm"}
    try:
        # Its own `send` follows redirects and reads whatever comes back.
        with requests.post(
            subscription.endpoint,
            data=pusher.encode(json.dumps(payload).encode())["body"],
            headers={**headers, **_vapid(private).sign(claims)},
            auth=lambda request: request,  # else a .netrc file would replace the signature
            timeout=TIMEOUT,
            allow_redirects=False,
            stream=True,
        ) as response:
            wait = response.headers.get("Retry-After", "")
            return Answer(response.status_code, int(wait) if re.fullmatch("[0-9]{1,5}", wait) else 0)
    except OSError as error:  # every error of requests is one
        log.info("A push service does not answer: %s: %s", subscription.service, type(error).__name__)
        return Answer(0)
