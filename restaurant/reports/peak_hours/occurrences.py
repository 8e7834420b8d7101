"""How often a window has each hour of the week: a period may have five Saturdays and four Thursdays."""

from collections import Counter
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from itertools import pairwise
from zoneinfo import ZoneInfo

from web.windows import DAY, TICK, Window

ONCE = Decimal(1)
NONE = Decimal(0)
SECOND = timedelta(seconds=1)

WeekHour = tuple[int, int]  # weekday, of which 0 is Sunday, and hour


def occurrences(window: Window, zone: ZoneInfo) -> dict[WeekHour, Decimal]:
    """Count how often each hour of the week was in the window. A part of an hour counts as a part.

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
    """Return how much of it is in the window, from 0 to 1."""
    # A window of so many times 24 hours begins a tick after the moment, one of the calendar ends a tick before it.
    since, until = window.start - TICK, window.until + TICK
    if since <= begin and end <= until:
        return ONCE if begin < end else NONE
    inside = min(end, until) - max(begin, since)
    return max(Decimal(inside // SECOND) / Decimal((end - begin) // SECOND), NONE) if begin < end else NONE
