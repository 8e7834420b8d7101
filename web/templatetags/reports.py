"""Tiles, tables and charts of reports.

Charts are SVG and tables from templates: they need no script and no inline style, which the Content-Security-Policy
forbids, and they take the page's colours in dark mode and on paper.
The tables `{title, columns: [{label, kind}], rows}` and tiles `{label, value, kind, before?, period?}` are the ones
that `?format=csv` gives.
"""

from datetime import datetime
from decimal import ROUND_HALF_UP, Decimal
from typing import Any

from babel.dates import format_date, format_time
from babel.numbers import format_decimal, format_percent
from django import template
from django.utils import timezone

from web.templatetags.money import format_money, locale

register = template.Library()

LEVELS = 7  # of a heat map's one hue, besides none


@register.filter
def shown(value: Any, kind: str = "text") -> str:
    """A value as people read it. `kind`: text, number, decimal, money, percent (of 100), time, date."""
    if value is None:
        return "–"
    if kind in NUMERIC:
        return NUMERIC[kind](value)
    return _moment(value, kind) if isinstance(value, datetime) else str(value)


def _moment(value: datetime, kind: str) -> str:
    local, language = timezone.localtime(value), locale()
    day = format_date(local, "medium", locale=language)
    return day if kind == "date" else f"{day}, {format_time(local, 'short', locale=language)}"


def _places(value: Any) -> str:
    """The decimals of a pattern, as many as a Decimal has, zeros too: 1.20 below 1.15."""
    exponent = value.as_tuple().exponent if isinstance(value, Decimal) else 0
    return "." + "0" * -exponent if isinstance(exponent, int) and exponent < 0 else ""


def _number(value: Any) -> str:
    return format_decimal(value, format=f"#,##0{_places(value)}" if _places(value) else None, locale=locale())


def _percent(value: Any) -> str:
    """As the language writes it: `12.5%`, or `12,5 %` with a no-break space."""
    pattern = locale().percent_formats[None].pattern.replace("0", f"0{_places(value)}", 1)
    return format_percent(value / 100, format=pattern, locale=locale())


NUMERIC = {"number": _number, "decimal": _number, "money": format_money, "percent": _percent}


@register.filter
def is_numeric(kind: str) -> bool:
    return kind in NUMERIC


@register.filter
def item(values: Any, number: int) -> Any:
    """The value at this place; None where there are no values."""
    return values[number] if values else None


@register.filter
def zone_name(moment: datetime) -> str:
    """The name of the time zone in which times are shown, such as `Europe/Vienna`."""
    return str(timezone.get_current_timezone())


@register.inclusion_tag("web/_change.html")
def change(tile: dict[str, Any]) -> dict[str, Any]:
    """How a tile's figure differs from the one of the period before."""
    value, before = tile.get("value"), tile.get("before")
    direction = _direction(value, before)
    return {
        "direction": direction,
        "percent": _difference(value, before) if direction in {"up", "down"} else "",
        "before": before,
        "kind": tile["kind"],
        "period": tile.get("period", ""),
    }


@register.simple_tag
def difference(tile: dict[str, Any]) -> dict[str, str] | None:
    """`direction` (up or down) and `percent` of a tile whose figure before is not 0; None without a difference."""
    direction = _direction(tile["value"], tile["before"])
    if direction not in {"up", "down"}:
        return None
    return {"direction": direction, "percent": _difference(tile["value"], tile["before"])}


def _direction(value: Any, before: Any) -> str:
    if value is None or before is None:
        return "unknown"
    if value == before:
        return "same"
    if not before:
        return "new"  # no percentage of nothing
    return "up" if value > before else "down"


def _difference(value: Any, before: Any) -> str:
    """Whole percent of `before`, half up; what is left of it is never rounded away."""
    exact = abs(100 * (Decimal(value) - Decimal(before)) / Decimal(before))
    if exact < 1:
        return f"< {_percent(Decimal(1))}"
    rounded = exact.quantize(Decimal(1), ROUND_HALF_UP)
    if rounded == 100 and value and value < before:
        rounded = Decimal(99)
    return _percent(rounded)


def _height(value: Any, most: Any) -> str:
    """Percent of `most`, at least 1 for what is not 0, so that it can be seen."""
    return f"{max(Decimal(value) * 100 / Decimal(most), Decimal(1)):.1f}" if value and most else "0"


@register.inclusion_tag("web/_bars.html")
def bars(table: dict[str, Any], label: int = 0, value: int = 1, mark: int = -1) -> dict[str, Any]:
    """A bar for each row. `label`, `value`: numbers of columns; that of `mark` stands beside the value."""
    kind = table["columns"][value].get("kind", "number")
    most = max((row[value] or 0 for row in table["rows"]), default=0)
    rows = [
        {
            "label": shown(row[label], table["columns"][label].get("kind", "text")),
            "value": shown(row[value], kind),
            "width": _height(row[value], most),
            "mark": row[mark] if mark >= 0 else "",
        }
        for row in table["rows"]
    ]
    return {"rows": rows, "title": table["title"]}


@register.inclusion_tag("web/_columns.html")
def columns(table: dict[str, Any], first: int = 1, second: int = 0, every: int = 3) -> dict[str, Any]:
    """An upright bar for each row: column number `first`, and beside it `second` if it is not 0.

    `every`: how many bars share one label, which is column 0.
    """
    series = [first, second] if second else [first]
    most = max((row[each] or 0 for row in table["rows"] for each in series), default=0)
    groups = [
        {
            "label": row[0] if number % every == 0 else "",
            "bars": [{"height": _height(row[each], most)} for each in series],
        }
        for number, row in enumerate(table["rows"])
    ]
    kind = table["columns"][first].get("kind", "number")
    names = [table["columns"][each]["label"] for each in series]
    return {"groups": groups, "most": shown(most, kind), "names": names, "title": table["title"], "two": bool(second)}


@register.inclusion_tag("web/_heat_map.html")
def heat_map(table: dict[str, Any]) -> dict[str, Any]:
    """A table whose first column is the hour and whose others are days: one hue, darker for more."""
    most = max((value or 0 for row in table["rows"] for value in row[1:]), default=0)
    rows = [
        {"hour": row[0], "cells": [{"value": value, "level": _level(value or 0, most)} for value in row[1:]]}
        for row in table["rows"]
    ]
    return {"rows": rows, "columns": table["columns"], "title": table["title"], "levels": range(LEVELS + 1)}


def _level(value: int, most: int) -> int:
    return -(-value * LEVELS // most) if most else 0
