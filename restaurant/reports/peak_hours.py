"""Orders and scans by weekday and hour. See "Sales reports" in docs/behaviour/restaurant.md."""

from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any
from zoneinfo import ZoneInfo

from django.utils.translation import ngettext

from restaurant.menu.models import OpeningHours
from restaurant.reports import scans
from restaurant.reports.queries import placed
from restaurant.reports.scans import Scans
from restaurant.tables.models import Table
from web.windows import Period, Window

PEAK_TIMES = 10
SLOWEST_TIMES = 5
DAYS = ("Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat")  # in JSON, whatever the language
NOTHING = Decimal("0.00")

WeekHour = tuple[int, int]  # weekday, of which 0 is Sunday, and hour


@dataclass(frozen=True, slots=True)
class Totals:
    orders: int
    revenue: Decimal


@dataclass(frozen=True, slots=True)
class Hour:
    """An hour of the week, all weeks of the window together. `scans` is None if they are not known."""

    weekday: int
    hour: int
    orders: int
    revenue: Decimal
    scans: int | None

    @property
    def day(self) -> str:
        return DAYS[self.weekday]

    @property
    def rank(self) -> tuple[Any, ...]:
        return (-self.orders, -self.revenue, -(self.scans or 0), self.weekday, self.hour)


@dataclass(frozen=True, slots=True)
class PeakHours:
    """`hours`: those with any order or scan, the busiest first. Scans are None if they are not known."""

    period: Period
    hours: list[Hour]
    scans: int | None
    scans_before: int | None
    warnings: list[str]

    @property
    def peak_times(self) -> list[Hour]:
        return self.hours[:PEAK_TIMES]

    @property
    def slowest_times(self) -> list[Hour]:
        return self.hours[-SLOWEST_TIMES:][::-1]


def read(*, period: Period, with_scans_before: bool = False) -> PeakHours:
    """`with_scans_before`: also those of the period before, which only page and CSV show."""
    scanned = _scans(period, with_scans_before)
    return PeakHours(
        period=period,
        hours=_hours(_orders(period.window, period.zone), scanned.counts),
        scans=scanned.total,
        scans_before=scanned.before,
        warnings=scanned.warnings,
    )


def totals_before(report: PeakHours) -> Totals:
    """The orders of the period before. Only page and CSV show it."""
    return Totals(*placed.total(report.period.before))


@dataclass(frozen=True, slots=True)
class Opening:
    """By the opening hours: the weekdays on which it is closed, 0 is Sunday, and the hours that are open throughout."""

    closed: frozenset[int]
    hours: frozenset[WeekHour]


def opening() -> Opening | None:
    """None without opening hours. Only the page shows it."""
    windows = [each.window for each in OpeningHours.objects.all()]
    if not windows:
        return None
    sunday = datetime(2023, 1, 1, tzinfo=UTC)  # any: windows look at weekday and time alone
    quarters = {
        (day, hour): [any(each.contains(sunday + timedelta(days=day, hours=hour, minutes=m)) for each in windows)
                      for m in (0, 15, 30, 45)]
        for day in range(7)
        for hour in range(24)
    }  # fmt: skip
    open_days = {day for (day, _hour), parts in quarters.items() if any(parts)}
    return Opening(
        closed=frozenset(range(7)) - open_days,
        hours=frozenset(each for each, parts in quarters.items() if all(parts)),
    )


def _orders(window: Window, zone: ZoneInfo) -> dict[WeekHour, Totals]:
    totals: dict[WeekHour, Totals] = {}
    for second, orders, revenue in placed.by_quarter(window):
        local = datetime.fromtimestamp(second, zone)
        key = local.isoweekday() % 7, local.hour
        before = totals.get(key, Totals(0, NOTHING))
        totals[key] = Totals(before.orders + orders, before.revenue + revenue)
    return totals


def _scans(period: Period, with_before: bool) -> Scans:
    codes = list(Table.objects.exclude(qr_analytics_id="").values_list("qr_analytics_id", flat=True))
    scanned = scans.count(codes, by=("weekday", "hour"), period=period, with_before=with_before)
    if not scanned.unknown:
        return scanned
    warnings = [_unknown(len(scanned.unknown))]
    return Scans(warnings=warnings) if scanned.unknown == set(codes) else replace(scanned, warnings=warnings)


def _hours(orders: dict[WeekHour, Totals], counts: dict[WeekHour, int] | None) -> list[Hour]:
    hours = []
    for weekday, hour in orders.keys() | (counts or {}).keys():
        totals = orders.get((weekday, hour), Totals(0, NOTHING))
        scanned = None if counts is None else counts.get((weekday, hour), 0)
        hours.append(Hour(weekday, hour, totals.orders, totals.revenue, scanned))
    return sorted(hours, key=lambda each: each.rank)


def _unknown(count: int) -> str:
    return ngettext(
        "The QR code service does not know the code of %(count)s table, so its scans are not counted.",
        "The QR code service does not know the codes of %(count)s tables, so their scans are not counted.",
        count,
    ) % {"count": count}
