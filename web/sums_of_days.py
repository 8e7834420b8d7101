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

# More than a write takes from reading the clock until others see it.
LATENESS = timedelta(hours=1)
# A day counts as over only after this, in case the clock is ahead.
OVER_FOR = DAY
QUARTER = 15 * 60  # seconds

# Returns the days, in a window or in all, of which a line was changed since a moment.
ChangedDays = Callable[[datetime, Window | None], set[date]]


@dataclass(frozen=True, slots=True)
class Comparison:
    """Compares the stored sums of a day with its lines: how many differ, and by name the totals of both."""

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
    """Return the days from the first line's that have been over for OVER_FOR."""
    if first is None:
        return []
    start, end = day_of(first), day_of(now - OVER_FOR)
    return [start + number * DAY for number in range((end - start).days)]


def whole_days(window: Window) -> tuple[date, date] | None:
    """Return the first and the last day that the window contains from beginning to end."""
    first, last = day_of(window.start - TICK) + DAY, day_of(window.until + TICK) - DAY
    return (first, last) if first <= last else None


def _trusted(summed: QuerySet[Any]) -> QuerySet[Any]:
    """Leave out days that were summed up in the future: the clock was ahead, so they may not have been over."""
    return summed.filter(summed_at__lte=Now())


def right_days(summed: QuerySet[Any], window: Window, changed: ChangedDays) -> list[date]:
    """Return the whole days of the window whose sums are right. Rows of `summed` have a `day` and `summed_at`."""
    whole = whole_days(window)
    rows = _trusted(summed).filter(day__range=whole) if whole else summed.none()
    days = dict(rows.order_by("day").values_list("day", "summed_at"))
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
    """Sum up the days that are over and have no sums, or of which a line was changed since. Return how many.

    Days that were summed up after `now`, by a clock that was ahead, are summed up again, and so are those from
    `again_since` on. Days that are not over lose their sums. `sum_day` replaces the sums of a day in one transaction,
    because reports read which days have sums, and then the sums.
    """
    days_over = over(first, now)
    summed.exclude(day__in=days_over).delete()
    days = _missing(summed.filter(summed_at__lte=now), days_over, changed, again_since or date.max)
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
    """Return the days whose sums reports trust and that differ. One that is summed up meanwhile is compared twice."""
    days = dict(_trusted(summed).order_by("day").values_list("day", "summed_at"))
    wrong = [day for day in days if compare(day).differing]
    # Read after the lines, to leave out days that have changed meanwhile.
    left_out = changed(min(days.values()), None) if wrong else set()
    again = {day: compare(day) for day in wrong if day not in left_out}
    return {day: comparison for day, comparison in again.items() if comparison.differing}


def by_quarter(rows: Iterable[tuple[Any, ...]]) -> dict[int, tuple[Any, ...]]:
    """Add up the figures of rows by quarter hour; each row begins with a second since 1970."""
    sums: dict[int, tuple[Any, ...]] = {}
    for second, *figures in rows:
        quarter = second // QUARTER
        sums[quarter] = tuple(map(add, figures, sums.get(quarter, repeat(0))))
    return sums


def compared(
    names: Iterable[str], stored: Mapping[Any, tuple[Any, ...]], counted: Mapping[Any, tuple[Any, ...]]
) -> Comparison:
    """Compare `stored` and `counted`: by key, figures in the order of `names`."""
    totals = {
        name: (sum(row[index] for row in stored.values()), sum(row[index] for row in counted.values()))
        for index, name in enumerate(names)
    }
    return Comparison(sum(stored.get(key) != counted.get(key) for key in stored.keys() | counted.keys()), totals)


def others(window: Window, days: Iterable[date], name: str) -> Q:
    """Return a condition for times of the window outside of these days, which are in order."""
    gaps, start = Q(pk__in=[]), window.start
    for day in days:
        began = beginning_of(day)
        if start < began:
            gaps |= Q((f"{name}__gte", start), (f"{name}__lt", began))
        start = began + DAY
    return gaps | Q((f"{name}__range", (start, window.until)))
