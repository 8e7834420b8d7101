"""What report pages are made of: tiles, tables, windows of days. `?format=csv` gives the same tiles and tables.

Kinds of values: text, number, decimal, signed, change, money, percent (of 100), minutes, time, date. Whatever is a
number, also one in a sentence, is written by `shown`.
"""

from collections.abc import Collection, Sequence
from dataclasses import KW_ONLY, dataclass
from datetime import date, datetime, timedelta
from decimal import ROUND_HALF_UP, Decimal
from typing import Any
from zoneinfo import ZoneInfo

from babel.dates import get_timezone_location
from django.utils import timezone
from django.utils.translation import gettext as _

from web import venue
from web.formats import locale
from web.money import rounded
from web.templatetags.reports import FEW, difference, is_slight, may_be_chance, percent_between, shown
from web.windows import Period

PageData = dict[str, Any]

BARS = 10  # of a chart; a longer list is a table
ROWS_OF_A_PAGE = 50


@dataclass(frozen=True, slots=True)
class Gain:
    """A difference in words of its own, where a percentage would be misread. `tone`: up, down or same."""

    words: str
    tone: str


@dataclass(frozen=True, slots=True)
class Tile:
    """A figure. `period` names what it is compared with; without a name the page shows no comparison.

    `url`: where the value leads; `more`: the report that says more of it. `is_neutral`: more of it is neither good nor
    bad. `is_first`: nothing at all was before, which the page says once.
    """

    label: str
    value: Any
    kind: str = "number"
    _: KW_ONLY
    before: Any = None
    period: str = ""
    gain: Gain | None = None
    note: str = ""
    tone: str = ""
    url: str = ""
    more: str = ""
    is_neutral: bool = False
    is_first: bool = False

    @property
    def is_count(self) -> bool:
        return self.kind == "number"

    @property
    def direction(self) -> str:
        """`up`, `down`, `same`, `new` or `unknown`."""
        return difference(self.value, self.before)[0]

    @property
    def by(self) -> str:
        """By how much it went up or down: in percent, or of few by a number. Empty where it did not."""
        if self._is_told_in_number:
            return shown(abs(self.value - self.before), "number")
        return difference(self.value, self.before)[1]

    @property
    def change_tone(self) -> str:
        """As `direction`, but for what is neither good nor bad, and where it may well be chance."""
        direction = self.direction
        if direction not in {"up", "down"}:
            return direction
        if is_slight(self.value, self.before):
            return "same"
        is_chance = self._is_told_in_number and may_be_chance(self.value, self.before)
        return "neutral" if self.is_neutral or is_chance else direction

    @property
    def _is_told_in_number(self) -> bool:
        """Whether a percentage would say less of these counts: of few, or where it is less than one."""
        if not self.is_count or self.value is None or not self.before or self.value == self.before:
            return False
        return bool(self.before < FEW or percent_between(self.value, self.before) < 1)


@dataclass(frozen=True, slots=True)
class Column:
    """`one`: its label on a phone where the value is 1. `sort`: its name in `?sort=`. `is_lead`: its figure stands
    beside the name on a phone, where the others are below."""

    label: str
    kind: str = "text"
    _: KW_ONLY
    one: str = ""
    sort: str = ""
    is_lead: bool = False


@dataclass(frozen=True, slots=True)
class Plot:
    """How a table is drawn. `rows`: those from one until before another; None is all.

    `running`: the row of the hour, day or month that is not over; `cut`: the days of which only a part counts.
    `legend`: the name of the period before; `labels`: below the bars; `by_week`: the title where a bar is a week;
    `nothing`: what stands where a day has no bar. Of a heat map, `used`: the hours that are not folded; `without`: what
    stands in each column that has nothing.
    """

    rows: tuple[int, int] | None = None
    running: int | None = None
    cut: Sequence[int] = ()
    legend: str = ""
    labels: Sequence[Any] = ()
    by_week: str = ""
    nothing: str = ""
    used: Collection[str] = ()
    without: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class Table:
    """`links`: the addresses of the first column, row by row; `asides`: what stands beside it; `ages`: beside a date.
    `chips`: the class of the second column's chip, or `mails`, where it leads. `sort`: the order of the rows.
    `has_total`: the last row is the sum of the others. `empty`: why there are no rows.
    """

    title: str
    columns: list[Column]
    rows: list[list[Any]]
    _: KW_ONLY
    note: str = ""
    empty: str = ""
    links: Sequence[str] = ()
    chips: Sequence[str] = ()
    mails: Sequence[str] = ()
    asides: Sequence[str] = ()
    ages: Sequence[str] = ()
    sort: str = ""
    anchor: str = ""
    has_total: bool = False
    rows_of_a_page: int = ROWS_OF_A_PAGE
    plot: Plot = Plot()

    @property
    def is_sortable(self) -> bool:
        return any(column.sort for column in self.columns)

    @property
    def has_lead(self) -> bool:
        return any(column.is_lead for column in self.columns)


def share(part: int | Decimal, whole: int | Decimal) -> Decimal:
    """Percent, to one decimal, half up; 0 of nothing."""
    return (Decimal(100 * part) / (whole or 1)).quantize(Decimal("0.1"), ROUND_HALF_UP)


def average(total: Decimal, count: int) -> Decimal:
    """An amount, half up; 0 of nothing."""
    return rounded(total / max(count, 1))


def with_figures(rows: list[list[Any]], *columns: int) -> tuple[int, int]:
    """The `rows` of a plot: from the first row to the last that has a figure in one of these columns."""
    places = [place for place, row in enumerate(rows) if any(row[column] for column in columns)]
    return (places[0], places[-1] + 1) if places else (0, len(rows))


def plot_of(
    period: Period, *, legend: str, by_week: str, nothing: str = "", rows: tuple[int, int] | None = None
) -> Plot:
    """Of its hours or days. So many times 24 hours begin and end within a day."""
    window, running = period.window, None
    if period.is_running:
        running = period.now.astimezone(period.zone).hour if window.is_one_day else len(window.dates) - 1
    cut = () if window.is_calendar else (0, len(window.dates) - 1)
    return Plot(rows=rows, running=running, cut=cut, legend=legend, by_week=by_week, nothing=nothing)


def top(count: int) -> str:
    """The note of a table that lists only the first."""
    return _("Top %(count)s") % {"count": count}


def clock(hour: int) -> str:
    return f"{hour:02}:00"


def zone_name() -> str:
    return str(timezone.get_current_timezone())


def zone_words() -> str:
    """As people say it: `New York time`."""
    name = zone_name()
    if "/" not in name or name.startswith("Etc/"):
        return name
    city = get_timezone_location(name, locale=locale(), return_city=True).rpartition("/")[2]
    return _("%(city)s time") % {"city": city}


def local_zone() -> ZoneInfo:
    """That of TIME_ZONE."""
    return ZoneInfo(zone_name())


# --- numbers in sentences -----------------------------------------------------------------------------


def with_count(words: str, count: int | Decimal) -> str:
    """`words`: of `ngettext`, with `%(count)s`."""
    return words % {"count": shown(count, "number")}


def compared(value: Any, before: Any, period: str) -> str:
    """`up 12% on the 7 days before`, to follow a figure in a sentence; empty where there is nothing to compare.

    `period`: from `web.choices.phrase_before`.
    """
    direction, percent = difference(value, before)
    phrases = {
        "up": _("up %(percent)s on %(period)s"),
        "down": _("down %(percent)s on %(period)s"),
        "same": _("the same as %(period)s"),
    }
    return phrases[direction] % {"percent": percent, "period": period} if direction in phrases else ""


def change(value: Any, before: Any) -> Decimal | None:
    """Whole percent; of what was nothing before it is infinite. None where one of them is not known."""
    direction, _percent = difference(value, before)
    if direction == "unknown":
        return None
    if not before:
        return Decimal("Infinity") if value else Decimal(0)
    return (100 * (Decimal(value) - Decimal(before)) / Decimal(before)).quantize(Decimal(1), ROUND_HALF_UP)


def clauses(*parts: str) -> str:
    """A sentence of those that are not empty."""
    said = [part for part in parts if part]
    while len(said) > 1:
        said[:2] = [_("%(clauses)s; %(next)s") % {"clauses": said[0], "next": said[1]}]
    return _("%(clauses)s.") % {"clauses": "".join(said)}


# --- time -----------------------------------------------------------------------------------------------


def bounds_of(day: date, zone: ZoneInfo) -> tuple[datetime, datetime]:
    """When it begins in `zone`, as the day before ends (`Venue.day_ends_at`), and the next one, which is not in it."""
    begins = venue.current().day_ends_at
    return (
        datetime.combine(day, begins, tzinfo=zone),
        datetime.combine(day + timedelta(days=1), begins, tzinfo=zone),
    )
