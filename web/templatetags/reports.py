"""Tiles, tables and charts of reports.

The tables `{title, columns: [{label, kind}], rows}` and tiles `{label, value, kind, before?, period?}` are the ones
that `?format=csv` gives. Plots of the tables are in `web.templatetags.plots`.
"""

from collections.abc import Callable
from datetime import date, datetime
from decimal import ROUND_HALF_UP, Decimal
from typing import Any

from babel.dates import format_date, format_time
from babel.numbers import format_decimal, format_percent
from django import template
from django.core.paginator import Paginator
from django.http import QueryDict
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from web.formats import locale
from web.templatetags.money import format_money

register = template.Library()

ROWS_OF_A_PAGE = 50
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
    local, language = timezone.localtime(value), locale()
    if kind == "clock":
        return format_time(local, "short", locale=language)
    day = format_date(local, "medium", locale=language)
    return day if kind == "date" else f"{day}, {format_time(local, 'short', locale=language)}"


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


@register.inclusion_tag("web/_change.html")
def change(tile: dict[str, Any]) -> dict[str, Any]:
    """How a tile's figure differs from the one of the period before."""
    value, before = tile.get("value"), tile.get("before")
    direction, percent = difference(value, before)
    return {
        "direction": direction,
        "by": _units(tile) or percent,
        "is_count": tile["kind"] == "number",
        "tone": _tone(tile, direction),
        "before": before,
        "kind": tile["kind"],
        "period": tile.get("period", ""),
        "is_first": tile.get("is_first", False),
    }


def _tone(tile: dict[str, Any], direction: str) -> str:
    """As `direction`, but for what is neither good nor bad, and where it may well be chance."""
    value, before = tile.get("value"), tile.get("before")
    if direction not in {"up", "down"}:
        return direction
    if _is_slight(value, before):
        return "same"
    is_chance = _is_told_in_number(tile) and may_be_chance(value, before)
    return "neutral" if tile.get("is_neutral") or is_chance else direction


def may_be_chance(value: Any, before: Any) -> bool:
    """Whether two counts differ by no more than those of two like days would: by the root of their sum."""
    return bool((value - before) ** 2 <= value + before)


def _is_told_in_number(tile: dict[str, Any]) -> bool:
    """Whether a percentage would say less of these counts: of few, or where it is less than one."""
    value, before = tile.get("value"), tile.get("before")
    if tile["kind"] != "number" or value is None or not before:
        return False
    return bool(before < FEW or _percent_between(value, before) < 1)


def _units(tile: dict[str, Any]) -> str:
    return shown(abs(tile["value"] - tile["before"]), "number") if _is_told_in_number(tile) else ""


def difference(value: Any, before: Any) -> tuple[str, str]:
    """`up`, `down`, `same`, `new` or `unknown`, and by how many percent it went up or down."""
    direction = _direction(value, before)
    return direction, _difference(value, before) if direction in {"up", "down"} else ""


@register.simple_tag
def tile_difference(tile: dict[str, Any]) -> dict[str, Any] | None:
    """`direction` (up or down) and `by` how much, of a tile whose figure before is not 0; None without a difference."""
    direction, percent = difference(tile["value"], tile["before"])
    if not percent:
        return None
    return {
        "direction": direction,
        "by": _units(tile) or percent,
        "is_count": tile["kind"] == "number",
        "is_grey": _tone(tile, direction) != direction,
    }


def _direction(value: Any, before: Any) -> str:
    if value is None or before is None:
        return "unknown"
    if value == before:
        return "same"
    if not before:
        return "new"  # no percentage of nothing
    return "up" if value > before else "down"


def _is_slight(value: Any, before: Any) -> bool:
    return bool(value is not None and before and _whole(_percent_between(value, before)) < SLIGHT)


def _percent_between(value: Any, before: Any) -> Decimal:
    return abs(100 * (Decimal(value) - Decimal(before)) / Decimal(before))


def _whole(percent: Decimal) -> Decimal:
    return percent.quantize(Decimal(1), ROUND_HALF_UP)


def _difference(value: Any, before: Any) -> str:
    """Whole percent of `before`, half up, and below one percent tenths; what is left of it is never rounded away."""
    exact = _percent_between(value, before)
    rounded = _whole(exact)
    if exact < 1:
        tenths = exact.quantize(TENTH, ROUND_HALF_UP)
        rounded = max(tenths, TENTH) if tenths < 1 else Decimal(1)
    if rounded == 100 and value and value < before:
        rounded = Decimal(99)
    return _percent(rounded)


@register.inclusion_tag("web/_report_table.html", takes_context=True)
def report_table(context: dict[str, Any], table: dict[str, Any]) -> dict[str, Any]:
    """The table, `rows_of_a_page` at a time: `?page=`. A page that doesn't exist is the nearest one."""
    return table_page(context, table)


@register.simple_tag(takes_context=True)
def table_page(context: dict[str, Any], table: dict[str, Any]) -> dict[str, Any]:
    """What `report_table` shows, for a page that writes the rows itself."""
    request = context["request"]
    pages = Paginator(_order(table, request.GET.get("sort", "")), table.get("rows_of_a_page", ROWS_OF_A_PAGE))
    shown_page = pages.get_page(request.GET.get("page"))
    links = table.get("links")
    other = request.GET.copy()
    other.pop("page", None)
    kept = context.get("kept", "")
    return {
        "table": table,
        "page": shown_page,
        "heads": _heads(table, request.GET),
        "rows": [
            (
                table["rows"][place],
                with_period(links[place], kept) if links else "",
                item(table.get("chips"), place),
                item(table.get("mails"), place),
                item(table.get("asides"), place),
                item(table.get("ages"), place),
            )
            for place in shown_page.object_list
        ],
        "has_total": table.get("has_total", False) and not shown_page.has_next(),
        "other": f"{other.urlencode()}&" if other else "",
    }


def _order(table: dict[str, Any], sort: str) -> list[int]:
    """The places of the rows, sorted as `?sort=revenue` or `?sort=-revenue` says; what is not known comes last."""
    places = list(range(len(table["rows"])))
    name = sort.removeprefix("-")
    if not name or name not in table.get("sorts", ()):
        return places
    values = [row[table["sorts"].index(name)] for row in table["rows"]]
    known = [place for place in places if values[place] is not None]
    known.sort(key=lambda place: _comparable(values[place]), reverse=sort.startswith("-"))
    return known + [place for place in places if values[place] is None]


def _comparable(value: Any) -> Any:
    return value.casefold() if isinstance(value, str) else value


def _heads(table: dict[str, Any], parameters: QueryDict) -> list[dict[str, str]]:
    """Of columns that can be sorted, where they lead: figures show the most first. `order`: as `aria-sort` has it."""
    heads = []
    sort = parameters.get("sort", "")
    if sort.removeprefix("-") not in filter(None, table.get("sorts", ())):
        sort = table.get("sort", "")
    for place, column in enumerate(table["columns"]):
        name = table["sorts"][place] if table.get("sorts") else ""
        down, other = f"-{name}", parameters.copy()
        first, second = (down, name) if is_numeric(column["kind"]) else (name, down)
        other["sort"] = second if sort == first else first
        other.pop("page", None)
        order = {name: "ascending", down: "descending"}.get(sort, "") if name else ""
        heads.append({**column, "query": other.urlencode() if name else "", "order": order})
    return heads


def with_period(link: str, kept: str) -> str:
    return f"{link}?{kept}" if kept and link.startswith(REPORTS) else link
