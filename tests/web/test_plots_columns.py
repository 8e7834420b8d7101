"""Upright bars: their axis is zero and two to four round numbers with their unit; of many days a bar is a week."""

import re
from dataclasses import replace
from datetime import date, timedelta
from decimal import Decimal

import pytest
from django.template import engines

from web.reporting import Column, Plot, Table
from web.templatetags.plots import axis, columns, plot_title, plotted, tick_text


@pytest.mark.parametrize(
    ("most", "is_whole", "ticks"),
    [
        (0, True, [0, 1, 2]), (1, True, [0, 1, 2]), (2, True, [0, 1, 2]), (3, True, [0, 1, 2, 3]),
        (4, True, [0, 2, 4]), (7, True, [0, 4, 8]), (9, True, [0, 3, 6, 9]), (1070, True, [0, 400, 800, 1200]),
        (1620, True, [0, 600, 1200, 1800]), (51, True, [0, 20, 40, 60]), (75, True, [0, 25, 50, 75]),
        (2835, True, [0, 1000, 2000, 3000]), (Decimal("0.07"), False, [0, Decimal("0.04"), Decimal("0.08")]),
        (Decimal("2000.01"), False, [0, 600, 1200, 1800, 2400]), (2040, True, [0, 600, 1200, 1800, 2400]),
    ],
)  # fmt: skip
def test_it_holds_the_highest_bar(most, is_whole, ticks):
    assert axis(most, is_whole=is_whole) == ticks
    assert axis(most, is_whole=is_whole)[-1] >= most


def test_its_numbers_have_their_unit_and_no_needless_decimals():
    texts = [tick_text(Decimal(value), kind) for value, kind in (("1000", "money"), ("0.5", "money"), ("20", "number"))]
    assert texts == ["€1,000", "€0.50", "20"]


def plot(days: int, before: int | None = 1) -> dict:
    rows = [[date(2026, 1, 1) + timedelta(days=number), 1, before] for number in range(days)]
    named = [Column("Day", "date"), Column("Orders", "number"), Column("Before", "number")]
    return columns(Table("Orders by day", named, rows), first=1, second=2)


def test_a_bar_is_a_day_or_a_week(written_in):
    assert [point["value"] for point in plot(62)["points"]] == ["1"] * 62
    weeks = plot(65)["points"]  # from Thursday on
    assert [point["value"] for point in weeks] == ["4", *["7"] * 8, "5"]
    assert [point["name"] for point in weeks][:3] == ["Thu 1 Jan", "Mon 5 Jan", "Mon 12 Jan"]
    assert [place for place, point in enumerate(weeks) if point["is_cut"]] == [0, 9]
    written_in("en-us")  # where it begins on a Sunday
    assert [point["value"] for point in plot(65)["points"]] == ["3", *["7"] * 8, "6"]


def test_a_week_is_in_part_where_its_last_day_is_not_over():
    rows = [[date(2026, 1, 5) + timedelta(days=number), 1] for number in range(70)]
    named = [Column("Day", "date"), Column("Orders", "number")]
    table = Table("Orders by day", named, rows, plot=Plot(by_week="Orders by week", running=69))
    assert [point["is_cut"] for point in columns(table)["points"]] == [*[False] * 9, True]
    assert not any(point["is_cut"] for point in columns(replace(table, plot=Plot()))["points"])
    assert (plot_title(table), plot_title(replace(table, rows=rows[:62]))) == ("Orders by week", "Orders by day")


def test_the_table_of_a_plot_has_its_rows():
    table = Table("Orders by hour", [], [[f"{hour:02}:00", 1] for hour in range(24)])
    assert plotted(table) == table
    assert [row[0] for row in plotted(replace(table, plot=Plot(rows=(12, 14)))).rows] == ["12:00", "13:00"]


def test_nothing_is_not_compared():
    assert plot(3)["name_before"] == "Before"
    assert plot(3, before=None)["name_before"] == plot(3, before=0)["name_before"] == ""


def test_seven_days_have_their_weekdays_below_and_an_empty_one_says_so():
    week = plot(7, before=None)["points"]
    assert [point["label"] for point in week] == ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
    assert [(point["is_minor"], point["empty"]) for point in week] == [(False, "")] * 7
    assert plot(8)["points"][0]["label"] == "1 Jan"
    named = [Column("Day", "date"), Column("Orders", "number"), Column("Before", "number")]
    numbers = [(0, 0), (0, 3), (1, 3), (2, None)]
    rows = [[date(2026, 1, day), *each] for day, each in enumerate(numbers, 1)]
    empty = columns(Table("Orders by day", named, rows), first=1, second=2)["points"]
    assert [point["empty"] for point in empty] == ["No orders", "", "", ""]
    rendered = engines["django"].from_string("{% load plots %}{% columns table 1 2 %}")
    table = Table("Orders by day", named, rows, plot=Plot(legend="The week before"))
    text = rendered.render({"table": table})
    assert text.count("No orders") == 1
    cut = replace(table, plot=Plot(cut=[0, 2]))  # of which only a part counts
    assert "No orders" not in rendered.render({"table": cut})
    # Not of a day without any, where it would lie on the axis; of the last day it is not known.
    assert re.findall(r'<rect class="before" [^>]* y="([0-9.]+)%"', text) == ["100.0", "100.0"]
    assert text.index('class="column') < text.index('class="before"')  # which lies over it
    more = [[date(2026, 1, day), 0, 1] for day in range(1, 9)]
    assert "column-empty" not in rendered.render({"table": replace(table, rows=more, plot=Plot(rows=(0, 8)))})
    assert "The week before</span>" in text.partition("</p>")[0]


@pytest.mark.parametrize(("running", "labelled"), [(None, [0, 4, 8, 12, 16, 20]), (22, [2, 6, 10, 14, 18, 22])])
def test_the_last_bar_has_its_label_where_it_is_not_over(running, labelled):
    named = [Column("Day", "date"), Column("Orders", "number")]
    rows = [[date(2026, 1, 1) + timedelta(days=number), 1] for number in range(23)]
    points = columns(Table("Orders by day", named, rows, plot=Plot(running=running)))["points"]
    assert [place for place, point in enumerate(points) if point["label"]] == labelled
    minor = [point["is_minor"] for point in points if point["label"]]
    assert minor[-1 if running else 0] is False
    assert sorted(minor) == [False] * 3 + [True] * 3


def test_hours_are_named_from_the_first_and_all_of_them_where_there_is_room():
    named = [Column("Hour"), Column("Scans", "number")]

    def places(hours: int) -> tuple[list[int], list[int]]:
        """Of those that have a label: on a phone, and where there is room."""
        rows = [[f"{hour:02}:00", 1] for hour in range(hours)]
        points = columns(Table("Scans by hour", named, rows), first=1)["points"]
        labelled = [place for place, point in enumerate(points) if point["label"]]
        return [place for place in labelled if not points[place]["is_between"]], labelled

    assert places(6) == ([0, 1, 2, 3, 4, 5], [0, 1, 2, 3, 4, 5])
    assert places(10) == ([0, 3, 6, 9], list(range(10)))  # and the last
    assert places(16) == ([0, 3, 6, 9, 12, 15], list(range(16)))
    assert places(18) == ([0, 4, 8, 12, 16], list(range(0, 18, 2)))


def test_days_that_are_cut_are_drawn_as_such_and_weeks_are_not():
    named = [Column("Day", "date"), Column("Orders", "number")]
    rendered = engines["django"].from_string("{% load plots %}{% columns table 1 %}")

    def text(days: int) -> str:
        rows = [[date(2026, 1, 1) + timedelta(days=number), 5] for number in range(days)]
        table = Table("Orders by day", named, rows, plot=Plot(cut=[0, days - 1]))
        return rendered.render({"table": table})

    eight = text(8)
    assert eight.count("column-running") == 2
    assert "Thu 1 Jan, part of the day" in eight
    assert "Thu 8 Jan, part of the day" in eight
    assert "Part of the day</span>" in eight.partition("</p>")[0]
    assert "so far" not in eight
    weeks = text(70)
    assert weeks.count("column-running") == weeks.count(", in part") == 2  # from Thursday to Wednesday
    assert "part of the day" not in weeks


def test_both_bars_of_a_day_that_is_not_over_are_drawn_as_such():
    named = [Column("Day", "date"), Column("Earned", "number"), Column("Used", "number")]
    rows = [[date(2026, 1, day), 5, 3] for day in (1, 2, 3)]
    table = Table("Points by day", named, rows, plot=Plot(running=2))
    text = engines["django"].from_string("{% load plots %}{% columns table 1 2 beside=True %}").render({"table": table})
    assert (text.count("column-second-running"), text.count("column-running")) == (1, 1)
    assert "So far</span>" in text.partition("</p>")[0]
