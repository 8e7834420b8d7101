"""The signed cookie that the redirect of a table's code sets: it shows that the phone has scanned the code."""

from django.conf import settings
from django.core.signing import BadSignature, TimestampSigner

SCAN_COOKIE = "tableScan"
SCAN_COOKIE_LIFETIME = 4 * 60 * 60  # seconds
CODE_TYPE = "restaurant_table"  # `type` in the metadata of the codes that set the cookie

_SALT = "qrservice.proofs"  # as when the first cookies were set


def signed_scan(analytics_id: str) -> str:
    """Return the cookie's value for a scan of this code now."""
    return TimestampSigner(salt=_SALT).sign(analytics_id)


def scanned_code(value: str) -> str:
    """Return the analytics id in a cookie's value; "" if it has expired or is not valid."""
    try:
        return TimestampSigner(salt=_SALT).unsign(value, max_age=SCAN_COOKIE_LIFETIME)
    except BadSignature:
        return ""


def header(analytics_id: str) -> str:
    """Return a value of the `Set-Cookie` header."""
    options = f"Max-Age={SCAN_COOKIE_LIFETIME}; Path=/; HttpOnly; SameSite=Lax"
    secure = "; Secure" if settings.SESSION_COOKIE_SECURE else ""
    return f"{SCAN_COOKIE}={signed_scan(analytics_id)}; {options}{secure}"
