"""The backend that calls the built-in service in-process."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo

from qrservice import addresses, queries
from qrservice.backends.base import (
    Analytics,
    Backend,
    BadRequest,
    CodeToCreate,
    NewCode,
    NewCodes,
    ScanCounts,
    ScanKeys,
    ScanSummary,
    UnknownCode,
)
from qrservice.models import Account, Code
from qrservice.services import codes


class EmbeddedBackend(Backend):
    def create_code(self, *, redirect_url: str, metadata: dict[str, Any]) -> NewCode:
        try:
            [code] = codes.create_built_in([(redirect_url, metadata)])
        except codes.InvalidCode as error:
            raise BadRequest(str(error)) from error
        return _new_code(code)

    def create_codes(self, to_create: Sequence[CodeToCreate]) -> NewCodes:
        """Create all codes in one statement, or none."""
        try:
            created = codes.create_built_in([(values.redirect_url, values.metadata) for values in to_create])
        except codes.InvalidCode as error:
            return NewCodes([], BadRequest(str(error)))
        return NewCodes([_new_code(code) for code in created])

    def analytics(self, *, analytics_id: str) -> Analytics:
        scans = queries.scans(self._code(analytics_id))
        return Analytics(total_scans=len(scans), scans=scans)

    def scan_summary(self, *, analytics_id: str) -> ScanSummary:
        summary = queries.scan_summary(analytics_id, account_name=Account.BUILT_IN)
        if summary is None:
            raise _unknown(analytics_id)
        return summary

    def count_scans(
        self, *, analytics_ids: Sequence[str], by: ScanKeys, edges: Sequence[datetime], zone: ZoneInfo
    ) -> ScanCounts:
        return queries.count_scans(analytics_ids, account_name=Account.BUILT_IN, by=by, edges=edges, zone=zone)

    def update_code(
        self, *, analytics_id: str, redirect_url: str | None, metadata: dict[str, Any] | None, status: str | None
    ) -> None:
        code = self._code(analytics_id)
        try:
            codes.update(code=code, redirect_url=redirect_url, metadata=metadata, status=status)
        except codes.InvalidCode as error:
            raise BadRequest(str(error)) from error

    def image_url(self, qr_code_url: str, *, size: int | None) -> str:
        # The slug never changes; the address before it does when the installation moves.
        slug = urlsplit(qr_code_url).path.rpartition("/")[2]
        return addresses.image_url(slug) + (f"?size={size}" if size else "")

    def _code(self, analytics_id: str) -> Code:
        code = queries.code_of_account(analytics_id, account_name=Account.BUILT_IN)
        if code is None:
            raise _unknown(analytics_id)
        return code


def _new_code(code: Code) -> NewCode:
    return NewCode(analytics_id=code.analytics_id, qr_code_url=code.image_url, short_url=code.short_url)


def _unknown(analytics_id: str) -> UnknownCode:
    return UnknownCode(f"There is no code with the analytics id {analytics_id!r}.")
