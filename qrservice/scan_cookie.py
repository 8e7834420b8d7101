"""The signed cookie that the redirect of a table's code sets: it shows that the phone has scanned the code."""

from django.conf import settings
from django.core.signing import BadSignature, TimestampSigner

NAME = "tableScan"
CODE_TYPE = "restaurant_table"  # `type` in the metadata of the codes that set the cookie
LIFETIME = 4 * 60 * 60  # seconds

_SALT = "qrservice.proofs"  # as when the first cookies were set


def sign(analytics_id: str) -> str:
    """Return the cookie's value for a scan of this code now."""
    return TimestampSigner(salt=_SALT).sign(analytics_id)


def read(value: str) -> str:
    """Return the analytics id of the code that was scanned within LIFETIME; "" if the value is not valid."""
    try:
        return TimestampSigner(salt=_SALT).unsign(value, max_age=LIFETIME)
    except BadSignature:
        return ""


def header(analytics_id: str) -> str:
    """Return a value of the `Set-Cookie` header."""
    secure = "; Secure" if settings.SESSION_COOKIE_SECURE else ""
    return f"{NAME}={sign(analytics_id)}; Max-Age={LIFETIME}; Path=/; HttpOnly; SameSite=Lax{secure}"
