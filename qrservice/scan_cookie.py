"""The signed cookie that the redirect of a table's code sets: it shows that the phone has scanned the code."""

from datetime import UTC, datetime
from typing import NamedTuple

from django.conf import settings
from django.core.signing import BadSignature, TimestampSigner, b62_decode

SCAN_COOKIE = "tableScan"
SCAN_COOKIE_LIFETIME = 4 * 60 * 60  # seconds
CODE_TYPE = "restaurant_table"  # `type` in the metadata of the codes that set the cookie

_SALT = "qrservice.proofs"  # as when the first cookies were set


class Scan(NamedTuple):
    code: str  # its analytics id
    at: datetime  # the second in which it began


def signed_scan(analytics_id: str) -> str:
    """Return the cookie's value for a scan of this code now."""
    return TimestampSigner(salt=_SALT).sign(analytics_id)


def scan_in(value: str) -> Scan | None:
    """Return the scan in a cookie's value; None if it has expired or is not valid."""
    try:
        code = TimestampSigner(salt=_SALT).unsign(value, max_age=SCAN_COOKIE_LIFETIME)
    except BadSignature:
        return None
    # Django has no public way to the time of what it has signed.
    return Scan(code, datetime.fromtimestamp(b62_decode(value.split(":")[-2]), UTC))


def header(analytics_id: str) -> str:
    """Return a value of the `Set-Cookie` header."""
    options = f"Max-Age={SCAN_COOKIE_LIFETIME}; Path=/; HttpOnly; SameSite=Lax"
    secure = "; Secure" if settings.SESSION_COOKIE_SECURE else ""
    return f"{SCAN_COOKIE}={signed_scan(analytics_id)}; {options}{secure}"
