"""A table's scans in the latest days (document 3, "Table analytics")."""

from collections import Counter
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import ROUND_HALF_UP, Decimal
from typing import Any
from zoneinfo import ZoneInfo

from django.utils.translation import gettext as _

from qrservice import gateway
from restaurant import queries
from restaurant.reports import scans

PEAK_HOURS = 3


@dataclass(frozen=True)
class Details:
    """What only the page shows. `by_hour`: scans by local hour. `before`: those of as many days before, if known."""

    section: str
    has_code: bool
    by_hour: dict[int, int]
    before: int | None


def read(*, table_number: int, days: int, now: datetime, zone: ZoneInfo) -> dict[str, Any]:
    """The JSON body. Raises TableUnknown."""
    table = queries.table(table_number)
    counted, warnings = _count(table, [now - timedelta(days=days), now], zone)
    return _body(table, days, counted.periods[-1] if counted else None, warnings)


def read_for_page(*, table_number: int, days: int, now: datetime, zone: ZoneInfo) -> tuple[dict[str, Any], Details]:
    """The body, and what the page shows besides. Raises TableUnknown."""
    table = queries.table(table_number)
    edges = [now - timedelta(days=2 * days), now - timedelta(days=days), now]
    counted, warnings = _count(table, edges, zone)
    before, latest = counted.periods if counted else (None, None)
    shown = Details(
        section=table.section,
        has_code=bool(table.qr_analytics_id),
        by_hour=_by_hour(latest or {}),
        before=None if before is None else sum(before.values()),
    )
    return _body(table, days, latest, warnings), shown


def _count(table: queries.Table, edges: list[datetime], zone: ZoneInfo) -> tuple[gateway.ScanCounts | None, list[str]]:
    """A table without a code was never scanned; of one whose code the service does not know, nobody can tell."""
    code = table.qr_analytics_id
    counted, warnings = scans.count([code] if code else [], by=("hour", "device_type"), edges=edges, zone=zone)
    if counted and counted.unknown:
        return None, [_("The QR code service does not know this table's code, so the scans are not known.")]
    return counted, warnings


def _body(
    table: queries.Table, days: int, counts: dict[tuple[Any, ...], int] | None, warnings: list[str]
) -> dict[str, Any]:
    body: dict[str, Any] = {"tableNumber": table.table_number}
    if counts is None:
        unknown = ("totalScans", "avgScansPerDay", "peakHours", "deviceBreakdown")
        return body | dict.fromkeys(unknown) | {"warnings": warnings}
    total = sum(counts.values())
    by_hour = sorted(_by_hour(counts).items(), key=lambda each: (-each[1], each[0]))
    return body | {
        "totalScans": total,
        "avgScansPerDay": (Decimal(total) / days).quantize(Decimal("0.1"), ROUND_HALF_UP),
        "peakHours": [{"hour": hour, "count": count} for hour, count in by_hour[:PEAK_HOURS]],
        "deviceBreakdown": _by_device(counts),
    }


def _by_hour(counts: dict[tuple[Any, ...], int]) -> dict[int, int]:
    hours: Counter[int] = Counter()
    for (hour, _device), count in counts.items():
        hours[hour] += count
    return dict(hours)


def _by_device(counts: dict[tuple[Any, ...], int]) -> dict[str, int]:
    """Document 3 looks for the name in the device's (decision 3.6): an iPad's is `iOS (iPad)`."""
    devices = {"ios": 0, "android": 0, "other": 0}
    for (_hour, device), count in counts.items():
        devices[next((name for name in ("ios", "android") if name in device.lower()), "other")] += count
    return devices
