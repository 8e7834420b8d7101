"""The window of a report, and the one that it is compared with. See "Report windows" in docs/behaviour/common.md."""

from calendar import monthrange
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import Generic, NamedTuple, TypeVar
from zoneinfo import ZoneInfo

from django.db.models import Q

TICK = timedelta(microseconds=1)  # the least that the database tells apart
DAY = timedelta(days=1)
WEEK = timedelta(weeks=1)
YEAR = timedelta(weeks=52)  # a Saturday is compared with a Saturday
PREVIOUS, YEAR_BEFORE, DAY_BEFORE = "previous", "year", "day"

Figures = TypeVar("Figures")


@dataclass(frozen=True, slots=True)
class Window:
    """From `start` until `until`, both included. `first` and `last` are its days by the clocks of the zone."""

    start: datetime
    until: datetime
    first: date
    last: date
    days: int
    is_calendar: bool
    is_month: bool = False  # a whole month, or one so far

    @property
    def since(self) -> datetime:
        """As people read it. So many times 24 hours begin just after it."""
        return self.start if self.is_calendar else self.start - TICK

    @property
    def is_one_day(self) -> bool:
        return self.is_calendar and self.first == self.last and not self.is_month

    @property
    def is_short(self) -> bool:
        """Of a few weekdays, which are compared with the same ones a week before."""
        return self.days < WEEK.days and not self.is_month

    @property
    def dates(self) -> list[date]:
        return [self.first + DAY * number for number in range((self.last - self.first).days + 1)]

    def within(self, name: str) -> Q:
        return Q(**{f"{name}__range": (self.start, self.until)})


@dataclass(frozen=True, slots=True)
class Period:
    """A window, and the one before. `compare`: PREVIOUS, YEAR_BEFORE or DAY_BEFORE."""

    window: Window
    before: Window
    compare: str
    now: datetime
    zone: ZoneInfo

    @property
    def today(self) -> date:
        return self.now.astimezone(self.zone).date()

    @property
    def is_today(self) -> bool:
        return self.window.is_one_day and self.window.last == self.today

    @property
    def is_beside_last_week(self) -> bool:
        return self.is_today and self.compare == PREVIOUS

    @property
    def is_running(self) -> bool:
        """Whether its last day is not over."""
        return self.window.is_calendar and self.window.last == self.today

    @property
    def last_year(self) -> Window:
        return _before(self.window, YEAR_BEFORE, self.now, self.zone)

    @property
    def slug(self) -> str:
        """For a file's name."""
        window = self.window
        return f"{window.first}-{window.last}" if window.is_calendar else f"{window.days}-days"


class Compared(NamedTuple, Generic[Figures]):
    """Figures of a period, and of the one before."""

    now: Figures
    before: Figures


def rolling(days: int, now: datetime, zone: ZoneInfo, compare: str = PREVIOUS) -> Period:
    """The latest `days` times 24 hours."""
    window = _rolling(days, now, zone)
    return Period(window, _before(window, compare, now, zone), compare, now, zone)


def calendar(first: date, last: date, now: datetime, zone: ZoneInfo, compare: str = PREVIOUS) -> Period:
    """From midnight of the first day to the end of the last, or until now."""
    end = _end_of_month(first)
    is_month = first.day == 1 and first < last <= end and last in (now.astimezone(zone).date(), end)
    window = _calendar(first, last, min(now, _end(last, zone)), zone, is_month=is_month)
    return Period(window, _before(window, compare, now, zone), compare, now, zone)


def today(now: datetime, zone: ZoneInfo, compare: str = PREVIOUS) -> Period:
    day = now.astimezone(zone).date()
    return calendar(day, day, now, zone, compare)


def latest_days(days: int, now: datetime, zone: ZoneInfo, compare: str = PREVIOUS) -> Period:
    """This many days of the calendar, until now: also on the 7th they are a week, and no month so far."""
    last = now.astimezone(zone).date()
    window = _calendar(last - DAY * (days - 1), last, now, zone, is_month=False)
    return Period(window, _before(window, compare, now, zone), compare, now, zone)


def this_month(now: datetime, zone: ZoneInfo, compare: str = PREVIOUS) -> Period:
    """Until now; also on its first day compared with the month before."""
    day = now.astimezone(zone).date()
    window = _calendar(day.replace(day=1), day, now, zone, is_month=True)
    return Period(window, _before(window, compare, now, zone), compare, now, zone)


def _rolling(days: int, until: datetime, zone: ZoneInfo) -> Window:
    start = until - timedelta(days=days) + TICK
    first, last = start.astimezone(zone).date(), until.astimezone(zone).date()
    return Window(start, until, first, last, days, is_calendar=False)


def _calendar(first: date, last: date, until: datetime, zone: ZoneInfo, *, is_month: bool) -> Window:
    start = datetime.combine(first, time.min, tzinfo=zone)
    return Window(start, until, first, last, (last - first).days + 1, is_calendar=True, is_month=is_month)


def _end(day: date, zone: ZoneInfo) -> datetime:
    # In UTC, because two times of the same zone are compared by their clock time.
    return datetime.combine(day + DAY, time.min, tzinfo=zone).astimezone(UTC) - TICK


def _end_of_month(day: date) -> date:
    return day.replace(day=monthrange(day.year, day.month)[1])


def _before(window: Window, compare: str, now: datetime, zone: ZoneInfo) -> Window:
    """Of a window that is running: until the same time of its last day, if it has such a day."""
    if not window.is_calendar:
        return _rolling(window.days, window.until - _distance(window, compare), zone)
    local = now.astimezone(zone)
    is_running = window.last == local.date()
    distance = _distance(window, compare)
    first = _month_before(window.first, compare) if window.is_month else window.first - distance
    last = _month_before(window.last, compare) if window.is_month else window.last - distance
    if window.is_month and not is_running:
        last = _end_of_month(first)
    until = _end(last, zone)
    if is_running and (not window.is_month or last.day == window.last.day):
        until = min(datetime.combine(last, on_the_minute(local).timetz()).astimezone(UTC), until)
    return _calendar(first, last, until, zone, is_month=window.is_month)


def on_the_minute(moment: datetime) -> datetime:
    """As pages print it: those that were opened seconds apart compare with the same figures."""
    return moment.replace(second=0, microsecond=0)


def _distance(window: Window, compare: str) -> timedelta:
    """How long before: a Saturday is compared with a Saturday."""
    distances = {YEAR_BEFORE: YEAR, DAY_BEFORE: DAY}
    return distances.get(compare, max(DAY * window.days, WEEK))


def _month_before(day: date, compare: str) -> date:
    """The same day of it, or its last."""
    year, month = divmod(day.year * 12 + day.month - 1 - (12 if compare == YEAR_BEFORE else 1), 12)
    return date(year, month + 1, min(day.day, monthrange(year, month + 1)[1]))
