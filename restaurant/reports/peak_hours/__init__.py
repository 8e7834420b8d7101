"""Orders and scans by weekday and hour. See "Sales reports" in docs/behaviour/restaurant.md."""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime, time, timedelta
from decimal import ROUND_HALF_UP, Decimal
from math import ceil
from typing import Any
from zoneinfo import ZoneInfo

from django.utils.translation import ngettext

from restaurant.menu.models import OpeningHours
from restaurant.ordering.queries import counted
from restaurant.reports import scans
from restaurant.reports.peak_hours.occurrences import ONCE, WeekHour, occurrences
from restaurant.reports.queries.placed import NO_ORDERS, OrderSums, by_quarter, total
from restaurant.reports.scans import Scans
from restaurant.tables.models import Table
from web.money import NOTHING, rounded
from web.windows import Period, Window

PEAK_TIMES = 10
SLOWEST_TIMES = 5
USUAL_TIMES = 5  # of the averages; the map has all
DAYS = ("Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat")  # in JSON, whatever the language
TENTH = Decimal("0.1")


@dataclass(frozen=True, slots=True)
class Hour:
    """An hour of the week: the sums of all weeks of the window, or their averages. `scans` is None if not known.

    `weeks`: how many have any part of it.
    """

    weekday: int
    hour: int
    orders: int | Decimal
    revenue: Decimal
    scans: int | Decimal | None
    weeks: int = 0

    @property
    def day(self) -> str:
        return DAYS[self.weekday]

    @property
    def key(self) -> WeekHour:
        return self.weekday, self.hour

    @property
    def rank(self) -> tuple[Any, ...]:
        return (-self.orders, -self.revenue, -(self.scans or 0), *self.key)

    @property
    def slowness(self) -> tuple[Any, ...]:
        return (self.orders, self.revenue, *self.key)


@dataclass(frozen=True, slots=True)
class Opening:
    """`closed`: weekdays, of which 0 is Sunday; `hours`: those that are open throughout."""

    closed: frozenset[int]
    hours: frozenset[WeekHour]


@dataclass(frozen=True, slots=True)
class Averages:
    """`hours`: those with any order or scan, the busiest first; `slowest`: of those that were open, the slowest first.

    `is_average` is False if no hour of the week was in the period more than once: then they are the sums.
    """

    hours: list[Hour]
    slowest: list[Hour]
    is_average: bool


@dataclass(frozen=True, slots=True)
class PeakHours:
    """`hours`: those with any order or scan, the busiest first. Scans are None if they are not known.

    `opening` is None without opening hours.
    """

    period: Period
    hours: list[Hour]
    averages: Averages
    totals: OrderSums
    before: OrderSums
    scans: int | None
    scans_before: int | None
    opening: Opening | None
    warnings: list[str]

    @property
    def peak_times(self) -> list[Hour]:
        return self.hours[:PEAK_TIMES]

    @property
    def slowest_times(self) -> list[Hour]:
        return self.hours[-SLOWEST_TIMES:][::-1]


def read(*, period: Period) -> PeakHours:
    scanned, opening = _scans(period), _opening()
    sums = _orders(period.window, period.zone)
    hours = _hours(sums, scanned.counts)
    return PeakHours(
        period=period,
        hours=hours,
        averages=_averages(hours, opening, occurrences(_since_the_first_order(period), period.zone)),
        totals=sum(sums.values(), NO_ORDERS),
        before=total(period.before),
        scans=scanned.total,
        scans_before=scanned.before,
        opening=opening,
        warnings=scanned.warnings,
    )


def _orders(window: Window, zone: ZoneInfo) -> dict[WeekHour, OrderSums]:
    sums: defaultdict[WeekHour, OrderSums] = defaultdict(lambda: NO_ORDERS)
    for second, orders, revenue in by_quarter(window):
        local = datetime.fromtimestamp(second, zone)
        sums[local.isoweekday() % 7, local.hour] += OrderSums(orders, revenue)
    return sums


def _scans(period: Period) -> Scans:
    codes = list(Table.objects.exclude(qr_analytics_id="").values_list("qr_analytics_id", flat=True))
    scanned = scans.count(codes, by=("weekday", "hour"), period=period)
    if not scanned.unknown:
        return scanned
    warnings = [_unknown(len(scanned.unknown))]
    return Scans(warnings=warnings) if scanned.unknown == set(codes) else replace(scanned, warnings=warnings)


def _unknown(count: int) -> str:
    return ngettext(
        "The QR code service does not know the code of %(count)s table, so its scans are not counted.",
        "The QR code service does not know the codes of %(count)s tables, so their scans are not counted.",
        count,
    ) % {"count": count}


def _hours(orders: Mapping[WeekHour, OrderSums], counts: Mapping[WeekHour, int] | None) -> list[Hour]:
    hours = []
    for key in orders.keys() | (counts or {}).keys():
        sums = orders.get(key, NO_ORDERS)
        scanned = None if counts is None else counts.get(key, 0)
        hours.append(Hour(*key, sums.orders, sums.revenue, scanned))
    return sorted(hours, key=lambda hour: hour.rank)


def _opening() -> Opening | None:
    windows = [hours.window for hours in OpeningHours.objects.all()]
    if not windows:
        return None
    sunday = datetime(2023, 1, 1, tzinfo=UTC)  # any: windows look at weekday and time alone
    quarters = {
        (day, hour): [any(window.contains(sunday + timedelta(days=day, hours=hour, minutes=m)) for window in windows)
                      for m in (0, 15, 30, 45)]
        for day in range(7)
        for hour in range(24)
    }  # fmt: skip
    open_days = {day for (day, _hour), are_open in quarters.items() if any(are_open)}
    return Opening(
        closed=frozenset(range(7)) - open_days,
        hours=frozenset(week_hour for week_hour, are_open in quarters.items() if all(are_open)),
    )


# --- averages -------------------------------------------------------------------------------------------


def _averages(hours: list[Hour], opening: Opening | None, times: Mapping[WeekHour, Decimal]) -> Averages:
    """`times`: how often each hour of the week was in the period."""
    is_average = max(times.values(), default=ONCE) > ONCE
    usual = sorted((_average(hour, times[hour.key]) for hour in hours), key=lambda hour: hour.rank)
    slowest = _slowest(usual, opening, times)
    return Averages(
        hours=[_rounded(hour, is_average=is_average) for hour in usual],
        slowest=[_rounded(hour, is_average=is_average) for hour in slowest[:USUAL_TIMES]],
        is_average=is_average,
    )


def _average(hour: Hour, times: Decimal) -> Hour:
    count = max(times, ONCE)  # what an hour has so far is not extrapolated
    return replace(
        hour,
        orders=hour.orders / count,
        revenue=hour.revenue / count,
        scans=None if hour.scans is None else hour.scans / count,
        weeks=max(ceil(times), 1),
    )


def _slowest(hours: list[Hour], opening: Opening | None, times: Mapping[WeekHour, Decimal]) -> list[Hour]:
    """Without opening hours, take hours with at least a tenth of the busiest hour's orders.

    Of all hours, one with a single order after closing time would be the slowest.
    """
    if opening is None:
        least = max((hour.orders for hour in hours), default=NOTHING) / 10
        usual = [hour for hour in hours if hour.orders and hour.orders >= least]
    else:
        known = {hour.key: hour for hour in hours}
        scanned = None if any(hour.scans is None for hour in hours) else 0
        over = {key for key, count in times.items() if count >= ONCE} if known else set()
        usual = [known.get(key, Hour(*key, Decimal(0), NOTHING, scanned)) for key in opening.hours & over]
    return sorted(usual, key=lambda hour: hour.slowness)


def _rounded(hour: Hour, *, is_average: bool) -> Hour:
    return replace(
        hour,
        orders=_tenths(hour.orders, is_average),
        revenue=rounded(hour.revenue),
        scans=None if hour.scans is None else _tenths(hour.scans, is_average),
    )


def _tenths(figure: int | Decimal, is_average: bool) -> Decimal:
    """Round an average to one decimal, half up, but never to nothing. Other figures are whole."""
    if not is_average or not figure:
        return Decimal(figure).quantize(ONCE)
    return max(Decimal(figure).quantize(TENTH, ROUND_HALF_UP), TENTH)


def _since_the_first_order(period: Period) -> Window:
    """Leave out days before the very first order, which would make the averages of a new restaurant small."""
    window = period.window
    first = counted.orders().order_by("created_at").values_list("created_at", flat=True).first()
    if first is None or not window.start < first <= window.until:
        return window
    day = first.astimezone(period.zone).date()
    return replace(window, start=max(window.start, datetime.combine(day, time.min, tzinfo=period.zone)), first=day)
