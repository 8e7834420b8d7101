"""The public interface of this app: the only module that the other apps import.

Calls go to the hosted service of QR_SERVICE_URL, or in-process to the built-in one. Inside a database transaction they
raise RuntimeError, because a call may use the network, and locks must not be held while it does.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from functools import lru_cache
from typing import Any
from zoneinfo import ZoneInfo

from django.conf import settings
from django.db import connection

from qrservice import devices
from qrservice.backends.base import (
    Analytics,
    Backend,
    BadRequest,
    CodeToCreate,
    NewCode,
    NewCodes,
    QRServiceError,
    ScanCounts,
    ScanKeys,
    ScanRecord,
    ScanSummary,
    Unavailable,
    UnknownCode,
)
from qrservice.scan_cookie import SCAN_COOKIE, SCAN_COOKIE_LIFETIME, Scan, scan_in, signed_scan

# What the modules of this app define and others use: functions, and the types and errors that cross the interface.
__all__ = [
    "SCAN_COOKIE",
    "SCAN_COOKIE_LIFETIME",
    "Analytics",
    "BadRequest",
    "CodeToCreate",
    "NewCode",
    "NewCodes",
    "QRServiceError",
    "Scan",
    "ScanCounts",
    "ScanRecord",
    "ScanSummary",
    "Unavailable",
    "UnknownCode",
    "scan_in",
    "signed_scan",
]


@lru_cache(maxsize=1)  # it holds a connection pool
def _backend_of(url: str, api_key: str) -> Backend:
    if url:
        from qrservice.backends.http import HTTPBackend

        return HTTPBackend(url, api_key)
    from qrservice.backends.embedded import EmbeddedBackend

    return EmbeddedBackend()


def _backend() -> Backend:
    return _backend_of(settings.QR_SERVICE_URL, settings.QR_SERVICE_API_KEY)


def _service() -> Backend:
    """Return the backend. Raises RuntimeError inside a transaction."""
    # Private to Django: `atomic_blocks`, and `_from_testcase`, which marks the blocks that TestCase puts around a test.
    # Every test that calls the gateway fails when they go. The public way, entering atomic(durable=True), would log a
    # BEGIN and a COMMIT for each call.
    if not all(block._from_testcase for block in connection.atomic_blocks):  # type: ignore[attr-defined]
        raise RuntimeError("qrservice.gateway was called inside a database transaction. Call it before or after.")
    return _backend()


def create_code(*, redirect_url: str, metadata: Mapping[str, Any] | None = None) -> NewCode:
    """Create a dynamic code for a target, an absolute http or https address. Raises QRServiceError."""
    return _service().create_code(redirect_url=redirect_url, metadata=dict(metadata or {}))


def create_codes(to_create: Sequence[CodeToCreate]) -> NewCodes:
    """Create several codes. A failure of the service is in the result, beside what was created before it."""
    return _service().create_codes(to_create)


def analytics(*, analytics_id: str) -> Analytics:
    """Return all scans of a code, oldest first. Raises QRServiceError."""
    return _service().analytics(analytics_id=analytics_id)


def scan_summary(*, analytics_id: str) -> ScanSummary:
    """Return the number and the cities of a code's scans. Raises QRServiceError."""
    return _service().scan_summary(analytics_id=analytics_id)


def count_scans(*, analytics_ids: Sequence[str], by: ScanKeys, edges: Sequence[datetime], zone: ZoneInfo) -> ScanCounts:
    """Count the scans of these codes together, by period and by the keys `by`.

    `edges`: two or more aware times in ascending order; a period begins after one edge and ends with the next. `by`:
    any of `weekday` (0 is Sunday) and `hour`, both in `zone`'s local time, and `device_type`; the keys of the counts
    are tuples of these. The result names the codes that the service does not know. Raises QRServiceError.
    """
    return _service().count_scans(analytics_ids=analytics_ids, by=by, edges=edges, zone=zone)


def update_code(
    *,
    analytics_id: str,
    redirect_url: str | None = None,
    metadata: Mapping[str, Any] | None = None,
    status: str | None = None,
) -> None:
    """Change a code's target, metadata or status (`active`, `disabled`). Raises QRServiceError."""
    new_metadata = None if metadata is None else dict(metadata)
    _service().update_code(analytics_id=analytics_id, redirect_url=redirect_url, metadata=new_metadata, status=status)


def is_bot(user_agent: str) -> bool:
    """Return whether the user agent is a link previewer or a crawler, whose requests are no scans."""
    return devices.detect(user_agent).is_bot


def sets_scan_cookie() -> bool:
    """Return whether redirects set SCAN_COOKIE: those of a hosted service can't."""
    return not settings.QR_SERVICE_URL


def image_url(qr_code_url: str, *, size: int | None = None) -> str:
    """Return the current address of an image whose address was `qr_code_url` at creation; `size` is in pixels."""
    return _backend().image_url(qr_code_url, size=size)


def symbol(text: str) -> str:
    """Return a QR symbol of this text as SVG. It is no code of the service: its scans are not counted."""
    from qrservice import images

    return images.svg(text).decode()
