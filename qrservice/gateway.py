"""THE door to QR codes: what the other apps may call, and the types and errors that cross it.

Behind it stands the hosted service of QR_SERVICE_URL, or the built-in one, called in-process (decision 3.1).
It is never called inside a database transaction and refuses to be: a call may be a network call, and a lock must
not wait for a network.
"""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from django.conf import settings
from django.core.signals import setting_changed
from django.db import connection

from qrservice.backends.base import (
    Analytics,
    Backend,
    BadRequest,
    BadResponse,
    NewCode,
    QRServiceError,
    RefusedKey,
    ScanCounts,
    ScanKeys,
    ScanRecord,
    ScanSummary,
    Unavailable,
    UnknownCode,
)

__all__ = [
    "Analytics",
    "BadRequest",
    "BadResponse",
    "NewCode",
    "QRServiceError",
    "RefusedKey",
    "ScanCounts",
    "ScanRecord",
    "ScanSummary",
    "Unavailable",
    "UnknownCode",
    "analytics",
    "count_scans",
    "create_code",
    "image_url",
    "scan_summary",
    "scans",
    "update_code",
]

_chosen: Backend | None = None


def _backend() -> Backend:
    global _chosen  # noqa: PLW0603 (one pooled session for the process)
    if _chosen is None:
        _chosen = _choose()
    return _chosen


def _choose() -> Backend:
    if settings.QR_SERVICE_URL:
        from qrservice.backends.http import HTTPBackend

        return HTTPBackend(base_url=settings.QR_SERVICE_URL, api_key=settings.QR_SERVICE_API_KEY)
    from qrservice.backends.embedded import EmbeddedBackend

    return EmbeddedBackend()


def _choose_again(*, setting: str, **kwargs: Any) -> None:
    global _chosen  # noqa: PLW0603
    if setting in {"QR_SERVICE_URL", "QR_SERVICE_API_KEY"} and _chosen is not None:
        _chosen.close()
        _chosen = None


setting_changed.connect(_choose_again)


def _refuse_in_transaction() -> None:
    # The blocks in which a TestCase wraps a test are not the caller's.
    if any(not getattr(block, "_from_testcase", False) for block in connection.atomic_blocks):
        raise RuntimeError("qrservice.gateway was called inside a database transaction. Call it before or after.")


def create_code(*, redirect_url: str, metadata: Mapping[str, Any] | None = None) -> NewCode:
    """Make a dynamic code that leads to `redirect_url` (absolute, http or https). Raises QRServiceError."""
    _refuse_in_transaction()
    return _backend().create_code(redirect_url=redirect_url, metadata=dict(metadata or {}))


def analytics(*, analytics_id: str) -> Analytics:
    """All scans of a code, oldest first. Raises QRServiceError."""
    _refuse_in_transaction()
    return _backend().analytics(analytics_id=analytics_id)


def scans(*, analytics_id: str, since: datetime) -> Iterator[ScanRecord]:
    """The scans after `since` (aware), oldest first. Raises QRServiceError when it is called."""
    _refuse_in_transaction()
    return _backend().scans(analytics_id=analytics_id, since=since)


def scan_summary(*, analytics_id: str) -> ScanSummary:
    """How often a code was scanned, and from which cities. Raises QRServiceError."""
    _refuse_in_transaction()
    return _backend().scan_summary(analytics_id=analytics_id)


def count_scans(*, analytics_ids: Sequence[str], by: ScanKeys, edges: Sequence[datetime], zone: ZoneInfo) -> ScanCounts:
    """The scans of these codes together, counted by period and by the keys `by`.

    `edges`: at least two aware moments, rising. A period begins after its edge and ends with the next one. `by`: of
    `weekday` (0 is Sunday), `hour` (both of `zone`'s local time) and `device_type`; a key in the answer's counts is a
    tuple of them. Codes that the service does not know are named in the answer. Raises QRServiceError.
    """
    _refuse_in_transaction()
    return _backend().count_scans(analytics_ids=analytics_ids, by=by, edges=edges, zone=zone)


def update_code(
    *,
    analytics_id: str,
    redirect_url: str | None = None,
    metadata: Mapping[str, Any] | None = None,
    status: str | None = None,
) -> None:
    """Change where a code leads, its metadata, or its status (`active`, `disabled`). Raises QRServiceError."""
    _refuse_in_transaction()
    new_metadata = None if metadata is None else dict(metadata)
    _backend().update_code(analytics_id=analytics_id, redirect_url=redirect_url, metadata=new_metadata, status=status)


def image_url(qr_code_url: str, *, size: int | None = None) -> str:
    """The address of a code's image as it is now, from the one stored at its creation; `size` is its edge in pixels."""
    return _backend().image_url(qr_code_url, size=size)
