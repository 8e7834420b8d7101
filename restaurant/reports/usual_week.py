"""What an hour of the week has on average: a period may have five Saturdays and four Thursdays."""

from collections import Counter
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from itertools import pairwise
from math import ceil
from typing import Any
from zoneinfo import ZoneInfo

from restaurant.ordering.queries import counted
from restaurant.reports.peak_hours import Opening, PeakHours, WeekHour
from web.windows import DAY, TICK, Period, Window

ONCE = Decimal(1)
NONE = Decimal(0)
SECOND = timedelta(seconds=1)


@dataclass(frozen=True, slots=True)
class UsualHour:
    """The averages, not rounded. `scans` is None if they are not known."""

    weekday: int
    hour: int
    orders: Decimal
    revenue: Decimal
    scans: Decimal | None

    @property
    def rank(self) -> tuple[Any, ...]:
        return (-self.orders, -self.revenue, -(self.scans or NONE), self.weekday, self.hour)


@dataclass(frozen=True, slots=True)
class UsualWeek:
    """`hours`: those with any order or scan, the busiest first. `whole`: those that the period has, and that are over.
    `weekdays`: those of which it has any part; 0 is Sunday. `weeks`: how many have any part of each of `hours`."""

    hours: list[UsualHour]
    weeks: dict[WeekHour, int]
    whole: frozenset[WeekHour]
    weekdays: frozenset[int]
    is_average: bool  # False if no hour of the week was in the period more than once: averages are sums


def read(report: PeakHours) -> UsualWeek:
    """Only the page shows it."""
    times = occurrences(_window(report.period), report.period.zone)
    hours = []
    for each in report.hours:
        count = max(times[each.weekday, each.hour], ONCE)  # what an hour has so far is not extrapolated
        scans = None if each.scans is None else each.scans / count
        hours.append(UsualHour(each.weekday, each.hour, each.orders / count, each.revenue / count, scans))
    return UsualWeek(
        hours=sorted(hours, key=lambda each: each.rank),
        weeks={key: max(ceil(times[key]), 1) for key in ((each.weekday, each.hour) for each in hours)},
        whole=frozenset(each for each, count in times.items() if count >= ONCE),
        weekdays=frozenset(day.isoweekday() % 7 for day in report.period.window.dates),
        is_average=max(times.values(), default=ONCE) > ONCE,
    )


def _window(period: Period) -> Window:
    """Without the days before the very first order, which would make the averages of a new restaurant small."""
    window = period.window
    first = counted.orders().order_by("created_at").values_list("created_at", flat=True).first()
    if first is None or not window.start < first <= window.until:
        return window
    day = first.astimezone(period.zone).date()
    return replace(window, start=max(window.start, datetime.combine(day, time.min, tzinfo=period.zone)), first=day)


def occurrences(window: Window, zone: ZoneInfo) -> dict[WeekHour, Decimal]:
    """How often each hour of the week was in the window. Of an hour that was in it in part, that part counts.

    An hour that clocks leave out does not count, and one that they repeat counts once.
    """
    whole = Counter(day.isoweekday() % 7 for day in window.dates if _is_whole(day, window, zone))
    times = {(weekday, hour): Decimal(whole[weekday]) for weekday in range(7) for hour in range(24)}
    for day in window.dates:
        if _is_whole(day, window, zone):
            continue
        marks = [_moment(day, hour, zone) for hour in range(25)]
        for hour, (begin, end) in enumerate(pairwise(marks)):
            times[day.isoweekday() % 7, hour] += _part(begin, end, window)
    return times


def _is_whole(day: date, window: Window, zone: ZoneInfo) -> bool:
    """A day in the window whose clocks don't change: nearly all of a year's."""
    begin, end = _moment(day, 0, zone), _moment(day, 24, zone)
    return window.start <= begin and end <= window.until and end - begin == DAY


def _moment(day: date, hour: int, zone: ZoneInfo) -> datetime:
    local = datetime.combine(day + DAY * (hour // 24), time(hour % 24), tzinfo=zone)
    return local.astimezone(UTC)  # two times of the same zone would be compared by their clock time


def _part(begin: datetime, end: datetime, window: Window) -> Decimal:
    """How much of it is in the window, from 0 to 1."""
    # A window of so many times 24 hours begins a tick after the moment, one of the calendar ends a tick before it.
    since, until = window.start - TICK, window.until + TICK
    if since <= begin and end <= until:
        return ONCE if begin < end else NONE
    inside = min(end, until) - max(begin, since)
    return max(Decimal(inside // SECOND) / Decimal((end - begin) // SECOND), NONE) if begin < end else NONE


def slow_times(week: UsualWeek, opening: Opening | None) -> list[UsualHour]:
    """The hours that were open, the slowest first.

    Without opening hours: of those with a tenth of the busiest hour's orders.
    Of all hours, one with a single order after closing time would be the slowest.
    """
    if opening is None:
        least = max((each.orders for each in week.hours), default=NONE) / 10
        usual = [each for each in week.hours if each.orders and each.orders >= least]
    else:
        known = {(each.weekday, each.hour): each for each in week.hours}
        scans = None if any(each.scans is None for each in week.hours) else NONE
        there = opening.hours & week.whole if known else frozenset()
        usual = [known.get(each, UsualHour(*each, NONE, NONE, scans)) for each in there]
    return sorted(usual, key=lambda each: (each.orders, each.revenue, each.weekday, each.hour))
