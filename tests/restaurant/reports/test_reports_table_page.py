"""The page of a table: its sales, how long parties stay and its scans."""

import re
from datetime import timedelta

import pytest

from tests.conftest import make_table
from tests.reading import read
from tests.restaurant.reports.making import NOW, order, scan, start_session

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("saturday")]


def test_a_table_shows_its_sales_beside_its_scans(report_page, table, soup):
    other = make_table(8)
    for place, days in ((table, 0), (table, 6), (table, 8), (other, 0)):
        order(place, NOW - timedelta(days=days), (soup, 2))
        start_session(place, NOW - timedelta(days=days))
    order(table, NOW, (soup, 1), status="cancelled")
    shown = report_page("/tables/7?days=7")
    sales = {each.label: (each.value, each.before) for each in shown.context["sales_tiles"]}
    assert sales == {
        "Sales": (38, 19), "Orders": (2, 1), "Table sessions": (2, 1), "Average order": (19, 19),
    }  # fmt: skip
    page = read(shown)
    assert [row[1:3] for row in shown.context["sales"].rows if row[3]] == [[19, 0], [19, 0]]
    assert sum(row[2] for row in shown.context["sales"].rows) == 19
    assert "Sales by day" in page.names("heading")
    assert "Sales by day" not in read(report_page("/tables/7?from=2026-01-01&to=2026-01-07"))
    assert "€38.00" in page
    assert "Sales are €38.00, up 100% on the 7 days before, number 1 of 2 tables. No scans in this period." in page
    table.section = "Main room"
    table.save()
    assert "Table 7 · Main room" in read(report_page("/tables/7?days=7")).names("heading")
    assert "Sales" not in report_page("/tables/7?days=7&format=csv").text


def test_seven_days_of_the_calendar_have_a_bar_each(report_page, table, soup):
    order(table, NOW - timedelta(days=2), (soup, 1))
    shown = report_page("/tables/7?from=2026-03-01&to=2026-03-07")
    sales, text = shown.context["sales"], read(shown).text
    assert [row[0].day for row in sales.rows] == [1, 2, 3, 4, 5, 6, 7]
    assert (sales.plot.cut, sales.plot.running, shown.context["period_name"]) == ((), 6, "This month")
    assert (text.count(", so far"), "part of the day" in text) == (1, False)


def test_a_tables_revenue_is_ranked_among_all_tables(report_page, table, soup):
    better, equal, _silent = (make_table(number) for number in (8, 9, 10))
    for place, portions in ((table, 2), (better, 3), (equal, 2)):
        order(place, NOW - timedelta(days=1), (soup, portions))
    order(equal, NOW - timedelta(days=20), (soup, 9))  # in neither period

    def note(number: int) -> str:
        return re.sub(".*(number . of 4 tables).*", r"\1", report_page(f"/tables/{number}").context["sentence"])

    ranks = ["number 2 of 4 tables", "number 1 of 4 tables", "number 2 of 4 tables", "No scans in this period."]
    assert [note(number) for number in (7, 8, 9, 10)] == ranks
    assert "Sales are €19.00, number 2 of 4 tables. No scans" in read(report_page("/tables/7"))


def test_the_days_that_a_tables_period_begins_and_ends_in_are_marked_as_parts(report_page, table, soup):
    order(table, NOW - timedelta(days=2), (soup, 1))
    week = report_page("/tables/7?days=7")
    assert week.context["sales"].plot.cut == (0, 7)
    assert read(week).text.count(", part of the day") == 2
    assert "Hours are in UTC." in read(week)
    whole = report_page("/tables/7?from=2026-02-20&to=2026-03-06")
    assert (whole.context["sales"].plot.cut, "part of the day" in read(whole)) == ((), False)


def test_how_long_parties_stay_and_what_a_seat_brings(report_page, table, soup):
    for days, minutes in ((1, 60), (2, 91), (2, 241), (9, 30)):  # one was closed only after its time
        began = NOW - timedelta(days=days)
        start_session(table, began, ended_at=began + timedelta(minutes=minutes))
    moved = start_session(make_table(8), NOW - timedelta(days=1))
    start_session(table, NOW - timedelta(days=1), ended_at=NOW - timedelta(hours=23, minutes=50), merged_into=moved)
    start_session(table, NOW)  # sits there still
    order(table, NOW, (soup, 2))
    scan(table, NOW)

    def facts() -> dict:
        return {each.label: (each.value, each.before) for each in report_page("/tables/7").context["facts"]}

    assert facts()["Average stay"] == (76, 30)
    assert [*facts()] == ["Average stay", "Scans", "Scans per day", "Busiest hour"]
    table.capacity = 4
    table.save()
    assert facts()["Sales per seat"] == (soup.price / 2, 0)
    assert [*facts()] == ["Average stay", "Sales per seat", "Scans", "Busiest hour"]
    text = read(report_page("/tables/7")).text
    assert "Average stay 76 mins 30 mins before" in text
    assert "Scans 1 0.1 per day" in text


def test_a_table_stands_beside_the_average_of_all(report_page, table, soup):
    began = NOW - timedelta(days=1)
    start_session(table, began, ended_at=began + timedelta(minutes=90))
    order(table, began, (soup, 4))

    def measures() -> dict:
        found = report_page("/tables/7").context["measures"]
        return {each.title: [row[1] for row in each.rows] for each in found}

    assert measures() == {}  # there is no other
    other, quiet = make_table(8), make_table(9)
    other.capacity = 2
    other.save()
    start_session(other, began, ended_at=began + timedelta(minutes=30))
    order(other, began, (soup, 1))
    order(quiet, NOW - timedelta(days=8), (soup, 9))  # before the period
    assert measures() == {"Average stay": [90, 60], "Average order": [4 * soup.price, 5 * soup.price / 2]}
    table.capacity = 4
    table.save()
    assert measures()["Sales per seat"] == [soup.price, (5 * soup.price / 6).quantize(soup.price)]
    assert "Compared with all tables" in read(report_page("/tables/7")).names("heading")


def test_hours_with_as_many_scans_are_named_together(report_page, table):
    def busiest() -> tuple:
        shown = report_page("/tables/7")
        hours = shown.context["tiles"][2]
        assert hours.label == ("Busiest hours" if "each" in hours.note else "Busiest hour")
        return hours.value, hours.note, shown.context["sentence"]

    assert busiest() == (None, "", "No scans in this period.")
    morning = NOW.replace(hour=8, minute=30)
    scan(table, morning, morning)
    assert busiest() == ("08:00", "2 scans", "Scanned 2 times, most often at 08:00.")
    scan(table, *[morning + timedelta(hours=2)] * 2)
    assert busiest() == ("08:00 and 10:00", "2 scans each", "Scanned 4 times, most often at 08:00 and 10:00.")
    scan(table, *[morning + timedelta(hours=hours) for hours in (1, 1, 3, 3)])
    assert busiest() == ("Several", "2 scans each", "Scanned 8 times.")
