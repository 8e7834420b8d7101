"""The day's sales by hour on the start page, beside those of the same weekday a week ago."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal
from zoneinfo import ZoneInfo

from django.utils.translation import gettext as _

from restaurant.reports.today import sales_by_hour
from web.reporting import bounds_of, clock
from web.templatetags.money import format_money

WEEK = timedelta(days=7)
STEP = 10  # of an hour, in the picture's units
NOTHING = Decimal(0)


@dataclass(frozen=True, slots=True)
class Bar:
    """Of an hour: `x` and heights in percent of the highest, which stand on the ground; and both sums in words."""

    x: int
    height: int
    height_before: int
    title: str

    @property
    def y(self) -> int:
        return 100 - self.height

    @property
    def y_before(self) -> int:
        return 100 - self.height_before


@dataclass(frozen=True, slots=True)
class Hours:
    """`first` and `until`: clock times. `now`: where the day has come to, as the bars' `x`."""

    bars: list[Bar]
    first: str
    until: str
    best: str
    now: int

    @property
    def width(self) -> int:
        return len(self.bars) * STEP

    @property
    def now_percent(self) -> float:
        return 100 * self.now / self.width

    @property
    def now_anchor(self) -> str:
        """Which part of the word "now" stands at the line: at both ends it must not leave the picture."""
        return "start" if self.now_percent < 10 else "end" if self.now_percent > 90 else "middle"


def read(now: datetime, zone: ZoneInfo) -> Hours | None:
    """From the first hour with sales to the last, of both days; last week's to its end. None without sales today."""
    today = now.astimezone(zone).date()
    sold, before = (sales_by_hour(*bounds_of(day, zone), zone) for day in (today, today - WEEK))
    return _hours(sold, before, now.astimezone(zone)) if sold else None


def _hours(sold: Mapping[int, Decimal], before: Mapping[int, Decimal], now: datetime) -> Hours:
    hours = [*sold, *before]
    first, last = min(hours), max(now.hour, *hours)
    highest = max([*sold.values(), *before.values()])
    best = max(sold, key=lambda hour: sold[hour])
    bars = [
        _bar(position, hour, sold.get(hour, NOTHING), before.get(hour, NOTHING), highest)
        for position, hour in enumerate(range(first, last + 1))
    ]
    reached = round((now.hour - first + now.minute / 60) * STEP)
    return Hours(bars, clock(first), clock(last + 1), _in_words(best, sold[best]), reached)


def _bar(position: int, hour: int, sold: Decimal, before: Decimal, highest: Decimal) -> Bar:
    return Bar(position * STEP, _percent(sold, highest), _percent(before, highest), _in_words(hour, sold))


def _in_words(hour: int, sold: Decimal) -> str:
    return _("%(hour)s: %(sales)s") % {"hour": clock(hour), "sales": format_money(sold)}


def _percent(amount: Decimal, highest: Decimal) -> int:
    """At least 1 of what is not nothing."""
    return max(1, round(100 * amount / highest)) if amount else 0
