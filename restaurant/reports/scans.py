"""Scans of tables' codes, as far as the QR code service tells (decision 3.12)."""

import logging
from collections.abc import Sequence
from datetime import datetime
from typing import Literal
from zoneinfo import ZoneInfo

from django.utils.translation import gettext as _

from qrservice import gateway

log = logging.getLogger(__name__)

Keys = tuple[Literal["weekday", "hour", "device_type"], ...]


def count(
    codes: Sequence[str], *, by: Keys, edges: Sequence[datetime], zone: ZoneInfo
) -> tuple[gateway.ScanCounts | None, list[str]]:
    """`gateway.count_scans`, and no warning; or None, and a sentence that says why. No codes have no scans."""
    if not codes:
        return gateway.ScanCounts(periods=[{} for _edge in edges[1:]], unknown=frozenset()), []
    try:
        return gateway.count_scans(analytics_ids=codes, by=by, edges=edges, zone=zone), []
    except gateway.QRServiceError as error:
        # Whoever runs this can mend it: the log says what it is, the report goes without.
        log.error("The QR code service failed: %s: %s", type(error).__name__, error)
        return None, [_why(error)]


def _why(error: gateway.QRServiceError) -> str:
    if isinstance(error, gateway.Unavailable):
        return _("The QR code service can't be reached at the moment, so the scans are not known.")
    if isinstance(error, gateway.RefusedKey):
        return _("The QR code service does not accept this installation's key, so the scans are not known.")
    return _("The QR code service answered what this installation can't use, so the scans are not known.")
