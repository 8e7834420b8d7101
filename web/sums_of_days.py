"""Sums of days that are over, which reports over many days add up. See "Sums of days" in docs/behaviour/common.md.

Days are those of UTC, and what is summed up by quarter hours has local days and hours in every zone.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from itertools import repeat
from operator import add
from typing import Any

from django.db.models import Q, QuerySet
from django.db.models.functions import Now

from web.windows import DAY, TICK, Window

# What a write may take from reading the clock until others see it, and much more.
LATENESS = timedelta(hours=1)
# A clock that is ahead by less takes no day for over that is not.
OVER_FOR = DAY
QUARTER = 15 * 60  # seconds

# The days, of a window or of all, of which a line was changed since a moment.
ChangedDays = Callable[[datetime, Window | None], set[date]]


@dataclass(frozen=True, slots=True)
class Comparison:
    """Of what is stored of a day with its lines: how many sums differ, and by name what all of either come to."""

    differing: int
    totals: dict[str, tuple[Any, Any]]

    def __add__(self, other: "Comparison") -> "Comparison":
        return Comparison(self.differing + other.differing, self.totals | other.totals)


def day_of(moment: datetime) -> date:
    return moment.astimezone(UTC).date()


def beginning_of(day: date) -> datetime:
    return datetime.combine(day, time.min, tzinfo=UTC)


def window_of(day: date) -> Window:
    began = beginning_of(day)
    return Window(began, began + DAY - TICK, day, day, days=1, is_calendar=True)


def over(first: datetime | None, now: datetime) -> list[date]:
    """The days from the first line's that have been over for OVER_FOR."""
    if first is None:
        return []
    start, end = day_of(first), day_of(now - OVER_FOR)
    return [start + number * DAY for number in range((end - start).days)]


def whole_days(window: Window) -> tuple[date, date] | None:
    """The first and the last day that are in the window from beginning to end."""
    first, last = day_of(window.start - TICK) + DAY, day_of(window.until + TICK) - DAY
    return (first, last) if first <= last else None


def _trusted(summed: QuerySet[Any]) -> QuerySet[Any]:
    """Without the days that were summed up in the future: the clock was ahead, so they need not have been over."""
    return summed.filter(summed_at__lte=Now())


def right_days(summed: QuerySet[Any], window: Window, changed: ChangedDays) -> list[date]:
    """Whole days of the window whose sums are right. `summed`: of a model with a `day` and when it was `summed_at`."""
    whole = whole_days(window)
    found = _trusted(summed).filter(day__range=whole) if whole else summed.none()
    days = dict(found.order_by("day").values_list("day", "summed_at"))
    if not days:
        return []
    wrong = changed(min(days.values()), window)
    return [day for day in days if day not in wrong]


def sum_up(
    summed: QuerySet[Any],
    first: datetime | None,
    changed: ChangedDays,
    sum_day: Callable[[date], None],
    *,
    now: datetime,
    again_since: date | None,
) -> int:
    """Sum up the days from the first line's that are over and not summed up, or of which a line was changed since.

    Those that were summed up after `now` too, by a clock that was ahead. Other days have no sums.

    `again_since`: this day and later ones are summed up again, each at once by `sum_day`: reports read which days are
    summed up, and then their sums. How many there were.
    """
    every = over(first, now)
    summed.exclude(day__in=every).delete()
    days = _missing(summed.filter(summed_at__lte=now), every, changed, again_since or date.max)
    for day in days:
        sum_day(day)
    # All of them are right by now: reports have only the changes since to look at.
    summed.exclude(summed_at=now).update(summed_at=now)
    return len(days)


def _missing(summed: QuerySet[Any], days: list[date], changed: ChangedDays, again_since: date) -> list[date]:
    known = dict(summed.values_list("day", "summed_at"))
    wrong = changed(min(known.values()), None) if known else set()
    return [day for day in days if day not in known or day in wrong or day >= again_since]


def wrong_days(
    summed: QuerySet[Any], changed: ChangedDays, compare: Callable[[date], Comparison]
) -> dict[date, Comparison]:
    """Of the days that reports take for right. A day that is summed up again meanwhile is compared twice."""
    days = dict(_trusted(summed).order_by("day").values_list("day", "summed_at"))
    wrong = [day for day in days if compare(day).differing]
    # Read after the lines: what has changed meanwhile is among them.
    left_out = changed(min(days.values()), None) if wrong else set()
    found = {day: compare(day) for day in wrong if day not in left_out}
    return {day: comparison for day, comparison in found.items() if comparison.differing}


def by_quarter(rows: Iterable[tuple[Any, ...]]) -> dict[int, tuple[Any, ...]]:
    """Rows that begin with a second since 1970, by the quarter hour in which it lies."""
    found: dict[int, tuple[Any, ...]] = {}
    for second, *figures in rows:
        quarter = second // QUARTER
        found[quarter] = tuple(map(add, figures, found.get(quarter, repeat(0))))
    return found


def compared(
    names: Iterable[str], stored: Mapping[Any, tuple[Any, ...]], counted: Mapping[Any, tuple[Any, ...]]
) -> Comparison:
    """`stored` and `counted`: figures with these names, by what they are of."""
    totals = {
        name: (sum(each[place] for each in stored.values()), sum(each[place] for each in counted.values()))
        for place, name in enumerate(names)
    }
    return Comparison(sum(stored.get(key) != counted.get(key) for key in stored.keys() | counted.keys()), totals)


def others(window: Window, days: Iterable[date], name: str) -> Q:
    """The times of the window outside of these days, which are in order."""
    gaps, start = Q(pk__in=[]), window.start
    for day in days:
        began = beginning_of(day)
        if start < began:
            gaps |= Q((f"{name}__gte", start), (f"{name}__lt", began))
        start = began + DAY
    return gaps | Q((f"{name}__range", (start, window.until)))
