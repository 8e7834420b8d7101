"""The backend that calls a hosted service over HTTP."""

import json
import logging
import math
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from time import monotonic
from typing import Any, TypeVar
from urllib.parse import quote
from zoneinfo import ZoneInfo

from qrservice.backends.base import (
    Analytics,
    Backend,
    BadRequest,
    NewCode,
    QRServiceError,
    ScanCounts,
    ScanKeys,
    ScanRecord,
    ScanSummary,
    Unavailable,
    UnknownCode,
)
from qrservice.backends.client import Call, Client, Limits
from qrservice.backends.counting import count_together
from qrservice.v1 import wire

logger = logging.getLogger(__name__)

T = TypeVar("T")


class HTTPBackend(Backend):
    """Repeats reads and updates, which are idempotent, but not creations, which could make two codes."""

    def __init__(self, base_url: str, api_key: str, *, limits: Limits | None = None) -> None:
        self._limits = limits or Limits()
        self._client = Client(base_url, api_key, self._limits)

    def create_code(self, *, redirect_url: str, metadata: dict[str, Any]) -> NewCode:
        body = _as_json({"redirect_url": redirect_url, "metadata": metadata})
        return self._send(self._call("POST", "generate/dynamic", body), wire.new_code)

    def analytics(self, *, analytics_id: str) -> Analytics:
        return self._analytics(analytics_id)

    def scan_summary(self, *, analytics_id: str) -> ScanSummary:
        record = self._analytics(analytics_id)
        return ScanSummary(record.total_scans, sorted({scan.city for scan in record.scans if scan.city}))

    def count_scans(
        self, *, analytics_ids: Sequence[str], by: ScanKeys, edges: Sequence[datetime], zone: ZoneInfo
    ) -> ScanCounts:
        """Read several codes at a time; all share the deadline of one analytics call."""
        deadline = monotonic() + self._limits.analytics_deadline

        def scans(analytics_id: str) -> list[ScanRecord]:
            return self._analytics(analytics_id, since=edges[0], until=deadline).scans

        return count_together(scans, analytics_ids, by=by, edges=edges, zone=zone)

    def update_code(
        self, *, analytics_id: str, redirect_url: str | None, metadata: dict[str, Any] | None, status: str | None
    ) -> None:
        values = {"redirect_url": redirect_url, "metadata": metadata, "status": status}
        changes = {name: value for name, value in values.items() if value is not None}
        if not changes:
            return
        call = self._call("PATCH", _path("codes", analytics_id), _as_json(changes))
        self._send(call, lambda body: wire.check_changed(body, analytics_id=analytics_id))

    def image_url(self, qr_code_url: str, *, size: int | None) -> str:
        return wire.with_size(qr_code_url, size) if size else qr_code_url

    def _analytics(self, analytics_id: str, *, since: datetime | None = None, until: float = math.inf) -> Analytics:
        """Return the scans, those after `since` alone if the service knows it; `until` is by `time.monotonic`."""
        deadline = min(self._limits.analytics_deadline, until - monotonic())
        if deadline <= 0:
            raise Unavailable("The QR code service did not respond for all codes in time.")
        call = Call(
            method="GET",
            path=_path("analytics", analytics_id),
            deadline=deadline,
            max_size=self._limits.max_analytics_size,
            query={"since": since.astimezone(UTC).isoformat()} if since else None,
        )
        return self._send(call, wire.analytics)

    def _call(self, method: str, path: str, body: bytes) -> Call:
        return Call(method, path, deadline=self._limits.deadline, max_size=self._limits.max_size, body=body)

    def _send(self, call: Call, parse: Callable[[bytes], T]) -> T:
        try:
            return parse(self._client.send(call))
        except BadRequest:
            raise  # the caller's mistake, not the service's
        except QRServiceError as error:
            logger.warning("%s /v1/%s: %s", call.method, call.path, error)
            raise


def _as_json(value: Any) -> bytes:
    try:
        return json.dumps(value, allow_nan=False).encode()
    except (ValueError, TypeError, RecursionError) as error:
        raise BadRequest("metadata can't be written as JSON.") from error


def _path(collection: str, analytics_id: str) -> str:
    # None of these is an id, and the last two would lead to another path.
    if analytics_id in {"", ".", ".."}:
        raise UnknownCode(f"There is no code with the analytics id {analytics_id!r}.")
    return f"{collection}/{quote(analytics_id, safe='', errors='replace')}"
