"""When guests come: orders and scans by weekday and hour (document 3, "Peak hour analysis")."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any, NamedTuple
from zoneinfo import ZoneInfo

from django.db import connection
from django.utils.translation import ngettext

from restaurant.reports import scans

PEAK_TIMES = 10
SLOWEST_TIMES = 5
DAYS = ("Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat")  # document 3's, whatever the language

# Orders are summed by quarter hours first: no clock in use stands between them, and working out the local time of
# each order would take longer than all the rest.
_ORDERS = """
WITH quarters AS (
    SELECT date_bin('15 minutes', created_at, '2000-01-01T00:00Z') AS quarter, count(*) AS orders, sum(total) AS revenue
      FROM restaurant_order
     WHERE created_at > %(since)s AND created_at <= %(until)s
     GROUP BY quarter
), hours AS (
    SELECT extract(dow FROM local)::integer AS weekday, extract(hour FROM local)::integer AS hour,
           sum(orders)::integer AS orders, sum(revenue) AS revenue
      FROM quarters CROSS JOIN LATERAL (SELECT quarter AT TIME ZONE %(zone)s) AS clock (local)
     GROUP BY 1, 2
)
SELECT (SELECT coalesce(json_agg(json_build_array(weekday, hour, orders, revenue)), '[]') FROM hours)::text,
       ARRAY(SELECT qr_analytics_id FROM restaurant_table WHERE qr_analytics_id <> ''),
       {before}
"""
_BEFORE = """(SELECT ARRAY[count(*), coalesce(sum(total), 0.00)]
                FROM restaurant_order WHERE created_at > %(before)s AND created_at <= %(since)s)"""
ORDERS = _ORDERS.format(before="NULL")
ORDERS_COMPARED = _ORDERS.format(before=_BEFORE)


class Hour(NamedTuple):
    """One hour of a week, all weeks of the window together. `weekday`: 0 is Sunday. `scans`: None if not known."""

    weekday: int
    hour: int
    scans: int | None
    orders: int
    revenue: Decimal

    @property
    def rank(self) -> tuple[Any, ...]:
        """Decision 5.9: most orders first; ties by revenue, then scans, then day and hour."""
        return (-self.orders, -self.revenue, -(self.scans or 0), self.weekday, self.hour)


@dataclass(frozen=True)
class Details:
    """What only the page shows. `hours`: those with any order or scan, the first by `rank` first."""

    hours: list[Hour]
    orders_before: int
    revenue_before: Decimal
    scans_before: int | None


class _Orders(NamedTuple):
    by_hour: dict[tuple[int, int], tuple[int, Decimal]]
    codes: list[str]
    before: list[Decimal] | None


def read(*, days: int, now: datetime, zone: ZoneInfo) -> dict[str, Any]:
    """The JSON body."""
    since = now - timedelta(days=days)
    orders = _orders(ORDERS, {"since": since, "until": now, "zone": zone.key})
    hours, warnings, _before = _with_scans(orders, [since, now], zone)
    return _body(hours, warnings)


def read_for_page(*, days: int, now: datetime, zone: ZoneInfo) -> tuple[dict[str, Any], Details]:
    """The body, and what the page shows besides: all hours, and the figures of as many days before."""
    since, before = now - timedelta(days=days), now - timedelta(days=2 * days)
    orders = _orders(ORDERS_COMPARED, {"before": before, "since": since, "until": now, "zone": zone.key})
    hours, warnings, scans_before = _with_scans(orders, [before, since, now], zone)
    count, revenue = orders.before or [Decimal(0), Decimal(0)]
    shown = Details(hours=hours, orders_before=int(count), revenue_before=revenue, scans_before=scans_before)
    return _body(hours, warnings), shown


def _body(hours: list[Hour], warnings: list[str]) -> dict[str, Any]:
    body: dict[str, Any] = {
        "peakTimes": [_face(each) for each in hours[:PEAK_TIMES]],
        "slowestTimes": [_face(each) for each in reversed(hours[-SLOWEST_TIMES:])],
    }
    return body | ({"warnings": warnings} if warnings else {})


def _face(hour: Hour) -> dict[str, Any]:
    return {
        "day": DAYS[hour.weekday],
        "hour": hour.hour,
        "scans": hour.scans,
        "orders": hour.orders,
        "revenue": hour.revenue,
    }


def _orders(statement: str, values: Mapping[str, Any]) -> _Orders:
    with connection.cursor() as cursor:
        cursor.execute(statement, values)
        hours, codes, before = cursor.fetchone()
    found = json.loads(hours, parse_float=Decimal)
    return _Orders({(weekday, hour): (orders, revenue) for weekday, hour, orders, revenue in found}, codes, before)


def _with_scans(orders: _Orders, edges: list[datetime], zone: ZoneInfo) -> tuple[list[Hour], list[str], int | None]:
    """The hours in their order, warnings, and the number of scans in the first period, if they are known."""
    counted, warnings = scans.count(orders.codes, by=("weekday", "hour"), edges=edges, zone=zone)
    if counted and counted.unknown:
        warnings = [_unknown(len(counted.unknown))]
        if counted.unknown == frozenset(orders.codes):
            counted = None  # nobody can tell
    latest = counted.periods[-1] if counted else {}
    hours = [
        Hour(key[0], key[1], latest.get(key, 0) if counted else None, *orders.by_hour.get(key, (0, Decimal("0.00"))))
        for key in orders.by_hour.keys() | latest.keys()
    ]
    before = sum(counted.periods[0].values()) if counted else None
    return sorted(hours, key=lambda hour: hour.rank), warnings, before


def _unknown(count: int) -> str:
    return ngettext(
        "The QR code service does not know the code of %(count)s table, so its scans are not counted.",
        "The QR code service does not know the codes of %(count)s tables, so their scans are not counted.",
        count,
    ) % {"count": count}
