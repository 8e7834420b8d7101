"""The day's sales by hour on the start page, beside those of the same weekday a week ago."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal
from zoneinfo import ZoneInfo

from django.utils.translation import gettext as _

from restaurant.reports.today import sales_by_hour
from web.reporting import bounds_of, clock
from web.templatetags.money import format_money
from web.templatetags.plots import axis, tick_text

WEEK = timedelta(days=7)
TIMES = 4
STEP = 20  # of an hour, in the picture's units
NOTHING = Decimal(0)


@dataclass(frozen=True, slots=True)
class Bar:
    """Of an hour: where it begins, heights in percent of the scale, which stand on the ground; today's sum in words."""

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
class Mark:
    """A text on the scale or at a time: where, in percent from the left or from above."""

    percent: float
    text: str


@dataclass(frozen=True, slots=True)
class Hours:
    """Without bars where a single hour had sales, which lasted from `first` until `until`.

    `now`: an `x`, as the running hour is over in part. `scale`: the sums that heights are compared with.
    """

    bars: list[Bar]
    first: str
    until: str
    best: str
    now: float
    scale: list[Mark]
    times: list[Mark]

    @property
    def width(self) -> int:
        return len(self.bars) * STEP

    @property
    def now_mark(self) -> Mark:
        return Mark(100 * self.now / self.width, _("now"))

    @property
    def has_before(self) -> bool:
        return any(bar.height_before for bar in self.bars)


def read(now: datetime, zone: ZoneInfo) -> Hours | None:
    """From the first hour with sales to the last, of both days; last week's to its end. None without sales today."""
    today = now.astimezone(zone).date()
    sold, before = (sales_by_hour(*bounds_of(day, zone), zone) for day in (today, today - WEEK))
    return _hours(sold, before, now.astimezone(zone)) if sold else None


def _hours(sold: Mapping[int, Decimal], before: Mapping[int, Decimal], now: datetime) -> Hours:
    hours = [*sold, *before]
    best = max(sold, key=lambda hour: sold[hour])
    in_words = _in_words(best, sold[best])
    if len(set(hours)) == 1:
        return Hours([], clock(best), clock(best + 1), in_words, 0, [], [])
    first, last = min(hours), max(now.hour, *hours)
    ticks = axis(max([*sold.values(), *before.values()]))
    highest = ticks[-1]
    bars = [
        Bar(
            position * STEP,
            _percent(sold.get(hour, NOTHING), highest),
            _percent(before.get(hour, NOTHING), highest),
            _in_words(hour, sold.get(hour, NOTHING)),
        )
        for position, hour in enumerate(range(first, last + 1))
    ]
    running = (now.hour - first + now.minute / 60) * STEP
    scale = [Mark(float(100 - 100 * tick / highest), tick_text(tick, "money")) for tick in ticks[1:]]
    return Hours(bars, clock(first), clock(last + 1), in_words, running, scale, _times(first, last + 1))


def _times(first: int, until: int) -> list[Mark]:
    """Where hours begin; at most four."""
    step = math.ceil((until - first) / TIMES)
    return [Mark(100 * (hour - first) / (until - first), clock(hour)) for hour in range(first, until, step)]


def _in_words(hour: int, sold: Decimal) -> str:
    return _("%(hour)s: %(sales)s") % {"hour": clock(hour), "sales": format_money(sold)}


def _percent(amount: Decimal, highest: Decimal) -> int:
    """At least 1 of what is not nothing."""
    return max(1, round(100 * amount / highest)) if amount else 0
