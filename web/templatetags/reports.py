"""Values and tables of reports. Plots of the tables are in `web.templatetags.plots`."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, datetime
from decimal import ROUND_HALF_UP, Decimal
from typing import TYPE_CHECKING, Any

from babel.dates import format_date
from babel.numbers import format_decimal, format_percent
from django import template
from django.core.paginator import Paginator
from django.http import QueryDict
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from web.formats import locale, together
from web.templatetags.money import clock, format_money

if TYPE_CHECKING:
    from web.reporting import Table

register = template.Library()

MINUS = "\u2212"  # as wide as a plus
REPORTS = "/reports/"
SLIGHT = 3  # whole percent: less is neither good nor bad
TENTH = Decimal("0.1")
FEW = 100  # of fewer, one more is a percent or several


@register.filter
def shown(value: Any, kind: str = "text") -> str:
    """A value as people read it. `kind`: text, number, decimal, signed, change, money, percent (of 100), minutes, time,
    clock, date. "" is an empty cell of whatever kind."""
    if value is None or value == "":
        return "–" if value is None else ""
    if kind in NUMERIC:
        return NUMERIC[kind](value)
    if isinstance(value, datetime):
        return _moment(value, kind)
    return format_date(value, "medium", locale=locale()) if isinstance(value, date) else str(value)


def _moment(value: datetime, kind: str) -> str:
    if kind == "clock":
        return clock(value)
    day = format_date(timezone.localtime(value), "medium", locale=locale())
    return day if kind == "date" else together(day, clock(value))


def _places(value: Any) -> str:
    """The decimals of a pattern, as many as a Decimal has, zeros too: 1.20 below 1.15. Nothing has none."""
    if not value:
        return ""
    exponent = value.as_tuple().exponent if isinstance(value, Decimal) else 0
    return "." + "0" * -exponent if isinstance(exponent, int) and exponent < 0 else ""


def _number(value: Any) -> str:
    return format_decimal(value, format=f"#,##0{_places(value)}" if _places(value) else None, locale=locale())


def _percent(value: Any) -> str:
    """As the language writes it: `12.5%`, or `12,5 %` with a no-break space."""
    pattern = locale().percent_formats[None].pattern.replace("0", f"0{_places(value)}", 1)
    return format_percent(value / 100, format=pattern, locale=locale())


def _minutes(value: Any) -> str:
    return ngettext("%(number)s min", "%(number)s mins", 1 if value == 1 else 2) % {"number": _number(value)}


@register.filter
def signed(number: int) -> str:
    """With its sign, as points that were given or taken."""
    return f"{'+' if number > 0 else ''}{_number(number)}".replace("-", MINUS)


def _change(percent: Decimal) -> str:
    """Of `web.reporting.change`."""
    if not percent.is_finite():
        return _("new")
    return f"{'+' if percent > 0 else ''}{_percent(percent)}".replace("-", MINUS)


@register.filter
def direction(percent: Decimal | None) -> str:
    """Of `web.reporting.change`; empty where it is slight."""
    return "" if percent is None or abs(percent) < SLIGHT else "up" if percent > 0 else "down"


NUMERIC: dict[str, Callable[[Any], str]] = {
    "number": _number, "decimal": _number, "signed": signed, "money": format_money, "percent": _percent,
    "minutes": _minutes, "change": _change,
}  # fmt: skip


@register.filter
def is_numeric(kind: str) -> bool:
    return kind in NUMERIC


@register.filter
def item(values: Any, number: int) -> Any:
    """The value at this place; None where there are no values."""
    return values[number] if values else None


def may_be_chance(value: Any, before: Any) -> bool:
    """Whether two counts differ by no more than those of two like days would: by the root of their sum."""
    return bool((value - before) ** 2 <= value + before)


def difference(value: Any, before: Any) -> tuple[str, str]:
    """`up`, `down`, `same`, `new` or `unknown`, and by how many percent it went up or down."""
    direction = _direction(value, before)
    return direction, _difference(value, before) if direction in {"up", "down"} else ""


def _direction(value: Any, before: Any) -> str:
    if value is None or before is None:
        return "unknown"
    if value == before:
        return "same"
    if not before:
        return "new"  # no percentage of nothing
    return "up" if value > before else "down"


def is_slight(value: Any, before: Any) -> bool:
    return bool(value is not None and before and _whole(percent_between(value, before)) < SLIGHT)


def percent_between(value: Any, before: Any) -> Decimal:
    return abs(100 * (Decimal(value) - Decimal(before)) / Decimal(before))


def _whole(percent: Decimal) -> Decimal:
    return percent.quantize(Decimal(1), ROUND_HALF_UP)


def _difference(value: Any, before: Any) -> str:
    """Whole percent of `before`, half up, and below one percent tenths; what is left of it is never rounded away."""
    exact = percent_between(value, before)
    rounded = _whole(exact)
    if exact < 1:
        tenths = exact.quantize(TENTH, ROUND_HALF_UP)
        rounded = max(tenths, TENTH) if tenths < 1 else Decimal(1)
    if rounded == 100 and value and value < before:
        rounded = Decimal(99)
    return _percent(rounded)


@dataclass(frozen=True, slots=True)
class Head:
    """Of a column: `query` sorts by it, figures the most first; `order`: as `aria-sort` has it."""

    label: str
    kind: str
    query: str
    order: str


@register.inclusion_tag("web/_report_table.html", takes_context=True)
def report_table(context: dict[str, Any], table: "Table") -> dict[str, Any]:
    """The table, `rows_of_a_page` at a time: `?page=`. A page that doesn't exist is the nearest one."""
    return table_page(context, table)


@register.simple_tag(takes_context=True)
def table_page(context: dict[str, Any], table: "Table") -> dict[str, Any]:
    """What `report_table` shows, for a page that writes the rows itself."""
    request = context["request"]
    pages = Paginator(_order(table, request.GET.get("sort", "")), table.rows_of_a_page)
    shown_page = pages.get_page(request.GET.get("page"))
    other = request.GET.copy()
    other.pop("page", None)
    kept = context.get("kept", "")
    return {
        "table": table,
        "page": shown_page,
        "heads": _heads(table, request.GET),
        "rows": [
            (
                table.rows[place],
                with_period(table.links[place], kept) if table.links else "",
                item(table.chips, place),
                item(table.mails, place),
                item(table.asides, place),
                item(table.ages, place),
            )
            for place in shown_page.object_list
        ],
        "has_total": table.has_total and not shown_page.has_next(),
        "other": f"{other.urlencode()}&" if other else "",
    }


def _order(table: "Table", sort: str) -> list[int]:
    """The places of the rows, sorted as `?sort=revenue` or `?sort=-revenue` says; what is not known comes last."""
    places = list(range(len(table.rows)))
    names = [column.sort for column in table.columns]
    name = sort.removeprefix("-")
    if not name or name not in names:
        return places
    values = [row[names.index(name)] for row in table.rows]
    known = [place for place in places if values[place] is not None]
    known.sort(key=lambda place: _comparable(values[place]), reverse=sort.startswith("-"))
    return known + [place for place in places if values[place] is None]


def _comparable(value: Any) -> Any:
    return value.casefold() if isinstance(value, str) else value


def _heads(table: "Table", parameters: QueryDict) -> list[Head]:
    sort = parameters.get("sort", "")
    if sort.removeprefix("-") not in {column.sort for column in table.columns if column.sort}:
        sort = table.sort
    heads = []
    for column in table.columns:
        up, down, other = column.sort, f"-{column.sort}", parameters.copy()
        first, second = (down, up) if is_numeric(column.kind) else (up, down)
        other["sort"] = second if sort == first else first
        other.pop("page", None)
        order = {up: "ascending", down: "descending"}.get(sort, "") if up else ""
        heads.append(Head(column.label, column.kind, other.urlencode() if up else "", order))
    return heads


def with_period(link: str, kept: str) -> str:
    return f"{link}?{kept}" if kept and link.startswith(REPORTS) else link
