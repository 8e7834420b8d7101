"""Plots of a report's tables: bars, columns and heat maps.

They are SVG and tables from templates: they need no script and no inline style, which the Content-Security-Policy
forbids, and they take the page's colours in dark mode and on paper.
"""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from itertools import groupby
from math import ceil
from typing import TYPE_CHECKING, Any

from babel.dates import format_skeleton
from django import template
from django.conf import settings
from django.utils.formats import get_format
from django.utils.translation import gettext as _

from web.formats import locale
from web.money import unit
from web.templatetags.money import in_currency
from web.templatetags.reports import shown, with_period

if TYPE_CHECKING:
    from web.reporting import Table

register = template.Library()

LEAST_MARK = 50  # a fiftieth of the axis
LEVELS = 5  # of a heat map's one hue, besides none
INTERVALS = 4  # of an axis, at most
MOST_DAYS = 62
WEEK = 7
ROWS_FOR_WORDS = 5  # of a heat map: its words stand upright
LABELS = 6  # below the columns, at most
SHORT = 10  # letters of a bar's label that stands beside it also in a narrow panel
HOURS = 16  # of which a wide panel has room for all


@register.inclusion_tag("web/_bars.html", takes_context=True)
def bars(
    context: Mapping[str, Any],
    table: "Table",
    label: int = 0,
    value: int = 1,
    mark: int = -1,
    *,
    headed: bool = False,
) -> dict[str, Any]:
    """A bar for each row, the longest the most: they rank, so they have no track, which would say: of 100%.

    `label`, `value`: numbers of columns; that of `mark` stands beside the value.

    With a mark, or `headed`, heads say what the figures are. Links are kept in the period, as those of a table.
    """
    kind = table.columns[value].kind
    most = max((row[value] or 0 for row in table.rows), default=0)
    links = table.links or [""] * len(table.rows)
    rows = [
        {
            "label": shown(row[label], table.columns[label].kind),
            "link": with_period(link, context.get("kept", "")),
            "value": shown(row[value], kind),
            "width": _height(row[value], most),
            "mark": shown(row[mark], table.columns[mark].kind) if mark >= 0 else "",
        }
        for row, link in zip(table.rows, links, strict=True)
    ]
    shown_columns = (label, value, mark) if mark >= 0 else (label, value) if headed else ()
    heads = [table.columns[each].label for each in shown_columns]
    return {
        "rows": rows,
        "title": table.title,
        "heads": heads,
        "is_short": all(len(row["label"]) <= SHORT for row in rows),
    }


@register.inclusion_tag("web/_columns.html")
def columns(
    table: "Table",
    first: int = 1,
    second: int = 0,
    *,
    beside: bool = False,
    titled: bool = False,
    weekly: bool = False,
) -> dict[str, Any]:
    """An upright bar for each row: column number `first`, and across it a mark at `second` if it is not 0.

    `beside`: the second is a bar beside the first. `titled`: the heading above says what is counted.

    Column 0 is an hour or a day; of more than MOST_DAYS a bar is a week. `weekly`: so it is in this plot, which a phone
    shows in place of the one before it. The mark is one for each bar, and no line, which would fall to nothing on a
    closed day and look like bad business.
    """
    plot = table.plot
    begin, end = plot.rows or (0, len(table.rows))
    rows = table.rows[begin:end]
    is_weekly = weekly or len(rows) > MOST_DAYS
    running = None if is_weekly or plot.running is None else plot.running - begin
    cut = {place - begin for place in plot.cut}
    if is_weekly:
        unfinished = cut | {plot.running - begin} if plot.running is not None else cut
        weeks = _weeks(rows)
        cut = {place for place, each in enumerate(weeks) if len(each) < WEEK or unfinished & set(each)}
        rows = [_summed([rows[day] for day in each]) for each in weeks]
    if not any(row[second] for row in rows):
        second = 0  # nothing to compare with
    kind = table.columns[first].kind
    most = max((row[each] or 0 for row in rows for each in (first, second or first)), default=0)
    ticks = axis(most, is_whole=kind == "number")
    is_week = not is_weekly and len(rows) <= WEEK and all(isinstance(row[0], date) for row in rows)
    every = 1 if is_week else max(ceil(len(rows) / LABELS), 1)
    hourly = ceil(len(rows) / HOURS) if all(":" in str(row[0]) for row in rows) else 0
    if hourly:
        every = _hours_between(len(rows), hourly)
    # The day that is not over is the one that is looked for: labels are counted from it.
    labelled = len(rows) - 1 if not hourly and running == len(rows) - 1 else 0
    months = plot.labels
    words = (plot.nothing or _("No orders")) if is_week else ""
    points = [
        {
            "label": _label(row[0], is_week) if (labelled - place) % (hourly or every) == 0 else "",
            "month": months[place] if months else None,
            "is_last": place == len(rows) - 1 and not is_week,
            "is_minor": (labelled - place) // every % 2 == 1
            and len(rows) > (LABELS if is_weekly else WEEK)
            and not hourly,
            "is_between": (labelled - place) % every > 0,
            "empty": words if place not in cut and not row[first] and not (second and row[second]) else "",
            "name": long_name(row[0]),
            "height": _height(row[first], ticks[-1]),
            "value": shown(row[first], kind),
            "height_before": _height_before(row[second], ticks[-1]) if second else None,
            "before": shown(row[second], kind) if second else "",
            "side": _side(place, len(rows)),
            "is_running": place == running,
            "is_cut": place in cut,
        }
        for place, row in enumerate(rows)
    ]

    def has_bar(point: dict[str, Any]) -> bool:
        """What is not there needs no key."""
        return point["height"] != "0" or (beside and point["height_before"] not in {None, "0"})

    return {
        "points": points,
        "ticks": [{"text": tick_text(each, kind), "y": _percent_down(each, ticks[-1])} for each in reversed(ticks)],
        "beside": beside,
        "titled": titled,
        "is_weekly": is_weekly,
        "is_hourly": bool(hourly),
        "is_for_phones": weekly,
        "has_running": any(each["is_running"] and has_bar(each) for each in points),
        "has_cut": any(each["is_cut"] and has_bar(each) for each in points),
        "name": table.columns[first].label,
        "name_before": table.columns[second].label if second else "",
        "legend": plot.legend,
        "says_week": is_weekly and not plot.by_week,
        "title": table.title,
    }


@register.filter
def plotted(table: "Table") -> "Table":
    """Without the rows that its plot leaves out, such as the hours of the night."""
    begin, end = table.plot.rows or (0, len(table.rows))
    return replace(table, rows=table.rows[begin:end])


@register.filter
def plot_title(table: "Table") -> str:
    """`by_week` of its plot, where a bar is a week."""
    return table.plot.by_week if len(table.rows) > MOST_DAYS and table.plot.by_week else table.title


def _weeks(rows: list[list[Any]]) -> list[list[int]]:
    """The places of the days of each week, which begins as in a calendar of the active language."""
    first = int(get_format("FIRST_DAY_OF_WEEK"))  # 0 is Sunday

    def begins(place: int) -> date:
        day: date = rows[place][0]
        return day - timedelta(days=(day.isoweekday() - first) % WEEK)

    return [list(places) for _day, places in groupby(range(len(rows)), key=begins)]


def _summed(days: list[list[Any]]) -> list[Any]:
    """What is not known of a day is left out."""
    firsts, *figures = zip(*days, strict=True)
    return [firsts[0], *(sum(each or 0 for each in column) for column in figures)]


def axis(most: Any, *, is_whole: bool = False) -> list[Decimal]:
    """Zero and two to four round numbers, of which the last is not less than `most`, and as near to it as can be."""
    steps = _round_numbers(Decimal(1) if is_whole else unit())
    fitting = (step for step in steps if ceil(Decimal(most or 1) / step) <= INTERVALS)
    axes = [_ticks(most, next(fitting)) for _each in range(5)]  # 3, 6, 9, 12, or 4, 8, 12, or 5, 10, or 6, 12
    return min(axes, key=lambda ticks: (ticks[-1], abs(len(ticks) - 4), len(ticks)))


def _ticks(most: Any, step: Decimal) -> list[Decimal]:
    return [step * each for each in range(max(ceil(Decimal(most or 1) / step), 2) + 1)]


def _round_numbers(least: Decimal) -> Iterator[Decimal]:
    """1, 2, 2.5, 3, 4, 5 and 6 times powers of ten; as long as those are small, only whole times the least."""
    power = least
    while True:
        yield from (power * times for times in (1, 2))
        if power > least:
            yield power * 5 / 2
        yield from (power * times for times in (3, 4, 5, 6))
        power *= 10


def tick_text(value: Decimal, kind: str) -> str:
    """Without decimals that are all zero."""
    whole = value == value.to_integral_value()
    if kind == "money" and whole:
        pattern = locale().currency_formats["standard"].pattern.replace("0.00", "0")
        return in_currency(value, settings.CURRENCY, format=pattern, currency_digits=False, locale=locale())
    return shown(value.to_integral_value() if whole else value.normalize(), kind)


def _hours_between(count: int, step: int) -> int:
    """How far apart labels are where there is little room: so that the last hour has one, too, if that can be."""
    least = step * ceil(count / (step * LABELS))
    return least + step if (count - 1) % least and not (count - 1) % (least + step) else least


def _height_before(value: Any, most: Any) -> str | None:
    """None where the period before has no such day, and for a mark that would lie on the axis."""
    return _height(value, most) if value and Decimal(value) * LEAST_MARK >= Decimal(most) else None


def _height(value: Any, most: Any) -> str:
    """Percent of `most`, at least 1 for what is not 0, so that it can be seen."""
    return f"{max(Decimal(value) * 100 / Decimal(most), Decimal(1)):.1f}" if value and most else "0"


def _percent_down(value: Any, most: Any) -> str:
    return f"{100 - Decimal(value) * 100 / Decimal(most):.1f}"


def _label(value: Any, is_week: bool) -> str:
    return _dated(value, "E") if is_week else short_name(value)


def short_name(value: Any) -> str:
    return _dated(value, "MMMd") if isinstance(value, date) else shown(value, "text")


def long_name(value: Any) -> str:
    return _dated(value, "MMMEd") if isinstance(value, date) else shown(value, "text")


def _dated(value: date, skeleton: str) -> str:
    return format_skeleton(skeleton, datetime.combine(value, time.min), locale=locale())


def _side(place: int, count: int) -> str:
    """Where its value is shown, so that it stays beside the plot."""
    third = count / 3
    return "start" if place < third else "end" if place >= 2 * third else "middle"


@register.inclusion_tag("web/_heat_map.html")
def heat_map(table: "Table") -> dict[str, Any]:
    """A table whose first column is the hour and whose others are days: one hue, darker for more.

    Hours that nothing has are folded; `used` of its plot: those that have, where another map is to fold the same.
    """
    plot = table.plot
    begin, end = plot.rows or (0, len(table.rows))
    figures = [value for row in table.rows for value in row[1:] if value]
    most = max(figures, default=0)
    step = _step(most)
    used = plot.used or {row[0] for row in table.rows if any(row[1:])}
    plotted = list(_folded(table.rows[begin:end], used))
    words = _words(table, [row for row, is_gap in plotted if not is_gap])
    rows = [
        {
            "hour": row[0],
            "is_gap": is_gap,
            "cells": [
                {"value": value, "level": _level(value or 0, step), "words": word}
                for value, word in zip(row[1:], words, strict=True)
                if not word or place == 0
            ],
        }
        for place, (row, is_gap) in enumerate(plotted)
    ]
    levels = sorted({_level(each, step) for each in figures})
    return {
        "rows": rows, "columns": table.columns, "title": table.title, "most": most, "height": len(rows),
        "levels": [(level, tick_text(level * step, "number")) for level in levels],
    }  # fmt: skip


def _folded(rows: list[list[Any]], used: Collection[str]) -> Iterator[tuple[list[Any], bool]]:
    """Each row, and whether it stands for several hours that nothing has, such as those of an afternoon."""
    for is_used, hours in groupby(rows, key=lambda row: row[0] in used):
        run = list(hours)
        if is_used or len(run) == 1:
            yield from ((row, False) for row in run)
        else:
            last, _colon, minutes = run[-1][0].partition(":")
            yield [f"{run[0][0]}–\u200b{int(last) + 1:02}:{minutes}", *run[0][1:]], True


def _words(table: "Table", rows: list[list[Any]]) -> list[str]:
    """`without` of the plot, for each column that has nothing, one cell from the first row to the last."""
    count = len(table.columns) - 1
    if len(rows) < ROWS_FOR_WORDS:
        return [""] * count
    words = table.plot.without or [""] * count
    return ["" if any(row[place + 1] for row in rows) else words[place] for place in range(count)]


def _step(most: Any) -> Decimal:
    """Of the shades of a heat map, the round number by which each has more than the one before."""
    steps = _round_numbers(Decimal(1) if most == int(most) else Decimal("0.1"))
    return next(step for step in steps if step * LEVELS >= most)


def _level(value: Any, step: Decimal) -> int:
    return ceil(value / step)
