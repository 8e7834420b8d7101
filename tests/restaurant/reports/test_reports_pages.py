"""The pages: what is compared with what, what was cut, why there is nothing; and the CSV, which is what they show."""

import csv
import io
import re
from datetime import timedelta
from decimal import Decimal
from html import unescape

import pytest

from restaurant.models import MenuItem, Order, Table
from tests.conftest import make_item, make_table
from tests.reading import Part, read
from tests.restaurant.reports.making import NOW, order, scan, start_session
from web.templatetags.reports import shown as shown_as

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("saturday")]

PATHS = ["", "/peak-hours", "/menu", "/tables/7"]
SECOND = timedelta(seconds=1)


def tiles(page) -> dict:
    return {each.label: (each.value, each.before) for each in page.context["tiles"]}


@pytest.fixture
def busy(table):
    """Something of everything, in this period and in the one before."""
    items = [make_item(f"Dish {number:02}", "2.50") for number in range(12)]
    make_table(8, section="=1+1")
    for number, item in enumerate(items):
        order(table, NOW - timedelta(hours=number), (item, 1 + number % 3))
    for days in (1, 8, 40):
        order(table, NOW - timedelta(days=days), (items[0], 2))
        scan(table, NOW - timedelta(days=days), NOW - timedelta(days=days, hours=1), device="iOS")
    start_session(table, NOW)


# --- compared with the period before -----------------------------------------------------------------


def test_today_stands_beside_the_same_weekday_until_now(report_page, table, soup):
    week = NOW - timedelta(days=7)
    for moment in (NOW, week, week.replace(hour=0, minute=0), week + SECOND, NOW - timedelta(days=1)):
        order(table, moment, (soup, 1))
        start_session(table, moment)
    shown = report_page("")
    assert tiles(shown) == {
        "Sales": (Decimal("9.50"), 19), "Orders": (1, 2), "Table sessions": (1, 2),
        "Average order": (Decimal("9.50"), Decimal("9.50")),
    }  # fmt: skip
    assert shown.context["hours"].rows[14] == ["14:00", Decimal("9.50"), 19, 1, 2]
    assert len(shown.context["hours"].rows) == 24
    assert shown.context["hours"].plot.legend == "A week ago, all day"
    assert read(shown).text.count("14:00, so far") == 1
    assert "so far" not in read(report_page("?from=2026-02-28&to=2026-02-28"))
    assert sum(row[2] for row in shown.context["hours"].rows) == Decimal("28.50")
    assert "when nothing was ordered" not in read(shown)


def test_that_nothing_was_before_is_said_once(report_page, table, soup):
    friday = "?from=2026-03-06&to=2026-03-06"
    assert "Sat, 7 Mar 2026, compared with Sat, 28 Feb 2026, both until 14:30" in read(report_page(""))  # nor now
    order(table, NOW, (soup, 1))
    text = read(report_page("")).text
    line = "Sat, 7 Mar 2026 until 14:30, compared with Sat, 28 Feb 2026, when nothing was ordered by this time"
    assert text.count(line) == 1
    assert "None before" not in text
    assert "when nothing was ordered" not in read(report_page(friday))
    order(table, NOW - timedelta(days=1), (soup, 1))
    assert "compared with Fri, 27 Feb 2026, when nothing was ordered" in read(report_page(friday))


def test_a_window_stands_beside_the_one_before(report_page, table, soup, bread):
    edge = NOW - timedelta(days=7)
    for moment in (NOW, edge, edge - timedelta(days=7) + SECOND):
        order(table, moment, (soup, 2))
        scan(table, moment)
    order(table, edge - timedelta(days=7), (bread, 1))
    scan(table, edge - timedelta(days=7))
    orders = tiles(report_page("/peak-hours?days=7"))
    assert orders == {
        "Busiest time": ("Sat 14:00", None), "Orders": (1, 2), "Sales": (19, 38), "Scans": (1, 2),
    }  # fmt: skip
    assert tiles(report_page("/menu?days=7")) == {
        "Sales": (19, 38), "Items sold": (2, 4), "Menu items ordered": (1, 1), "Menu items not ordered": (1, None),
    }  # fmt: skip
    assert tiles(report_page("/tables/7?days=7"))["Scans"] == (1, 2)


# --- plots and their tables --------------------------------------------------------------------------


def heat_maps(page) -> list[Part]:
    """Of orders, sales and scans."""
    return [each for each in read(page).all("table") if each.rows()[0][:2] == ["Hour", "Mon"]]


def test_the_heat_maps_have_every_hour_of_the_week(report_page, table):
    order(table, NOW, total="5")
    scan(table, NOW, NOW - timedelta(days=6))
    shown = report_page("/peak-hours")
    for name, saturday, sunday in (("orders", 1, 0), ("revenue", 5, 0), ("scans", 1, 1)):
        rows = shown.context[name].rows
        assert [row[0] for row in rows] == [f"{hour:02}:00" for hour in range(24)]
        assert all(len(row) == 8 for row in rows)
        assert rows[14][1:] == [0, 0, 0, 0, 0, saturday, sunday]
        assert sum(sum(row[1:]) for row in rows) == saturday + sunday
    assert [each.label for each in shown.context["orders"].columns] == [
        "Hour", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun",
    ]  # fmt: skip
    # What is shown begins and ends with the hours that have any, the same in all; what is empty is empty.
    assert {shown.context[name].plot.rows for name in ("orders", "revenue", "scans")} == {(14, 15)}
    cells = [row[1:] for each in heat_maps(shown) for row in each.rows()[1:]]
    assert cells == [["", "", "", "", "", "1", ""], ["", "", "", "", "", "5", ""], ["", "", "", "", "", "1", "1"]]
    maps = [each for each in read(shown).all("radio") if each["name"] == "map"]
    assert len(maps) == 3  # one map, of which there are three


def test_hours_without_any_are_folded_the_same_in_all_maps(report_page, table):
    def hours() -> list[list[str]]:
        return [[row[0] for row in each.rows()[1:]] for each in heat_maps(report_page("/peak-hours"))]

    noon = NOW.replace(hour=12, minute=0) - timedelta(days=1)
    for later in (0, 2, 5):
        order(table, noon + timedelta(hours=later), total="5")
    scan(table, noon + timedelta(hours=3))
    shown = ["12:00", "13:00", "14:00", "15:00", "16:00", "17:00"]
    assert hours() == [shown] * 3  # one alone is not worth it
    order(table, noon + timedelta(hours=9), total="5")
    assert hours() == [[*shown, "18:00–\u200b21:00", "21:00"]] * 3


def test_a_week_begins_as_the_language_has_it(report_page, written_in, table):
    order(table, NOW, total="5")
    for language, first in (("en-de", "Mon"), ("en-us", "Sun")):
        written_in(language)
        shown = report_page("/peak-hours")
        assert shown.context["orders"].columns[1].label == first
        assert shown.context["tiles"][0].value == "Sat 14:00"
        assert next(row for row in shown.context["orders"].rows if any(row[1:]))[0] == "14:00"


def test_the_classes_stand_beside_their_thresholds(report_page, table):
    for name, price in (("a", "200"), ("b", "100.01"), ("c", "60"), ("d", "10"), ("e", "0")):
        item = make_item(name, price)
        order(table, NOW, (item, 1))
    shown = report_page("/menu")  # the mean is 74.002
    assert shown.context["classes"].rows == [
        ["Star", "Above 1.5 × average", Decimal("111.00"), 1, 200],
        ["Good", "Above average", Decimal("74.00"), 1, Decimal("100.01")],
        ["Fair", "Above 0.5 × average", Decimal("37.00"), 1, 60],
        ["Low", "Up to 0.5 × average", "", 0, 0],
        ["Underperforming", "Up to 0.5 × average, and below half its category's", "", 1, 10],
        ["Not selling", "No sales", "", 1, 0],
    ]
    page = read(shown)
    assert "€111.00" in page
    words = {cell for row in page.one("table", "All items").rows() for cell in row}
    assert ("Fair" in words, "Average" in words) == (True, False)
    file = report_page("/menu?format=csv").text
    assert "Average,Above 0.5 × average,37.00,1,60.00" in file  # as the JSON has it
    assert "Fair" not in file


def test_plots_of_the_menu_are_cut_and_say_so_and_its_table_is_not(report_page, table):
    items = [make_item(f"Dish {number:02}", "1") for number in range(11)]
    order(table, NOW, *((item, 30 - number) for number, item in enumerate(items)))
    MenuItem.objects.create(name="Never ordered", price=1)
    shown = report_page("/menu")
    for name, what in (("by_revenue", "with sales"), ("by_quantity", "that were ordered")):
        assert [row[0] for row in shown.context[name].rows] == [f"Dish {number:02}" for number in range(10)]
        assert shown.context[name].note == f"Top 10 of 11 items {what}."
    assert len(shown.context["everything"].rows) == 12
    MenuItem.objects.filter(name="Dish 10").update(name="Zuppa")
    assert "Zuppa" in read(report_page("/menu"))


def test_ten_items_are_not_cut(report_page, table):
    order(table, NOW, *((make_item(f"Dish {number}"), 1) for number in range(10)))
    assert report_page("/menu").context["by_revenue"].note == ""


def test_the_most_portions_need_not_bring_the_most_revenue(report_page, table):
    order(table, NOW, (make_item("Bread", "1"), 9), (make_item("Wine", "40"), 1))
    shown = report_page("/menu")
    assert [row[0] for row in shown.context["by_revenue"].rows] == ["Wine", "Bread"]
    assert [row[0] for row in shown.context["by_quantity"].rows] == ["Bread", "Wine"]


def test_many_tables_are_all_listed(report_page, soup):
    tables = [make_table(number) for number in range(1, 13)]
    order(tables[4], NOW, (soup, 1))
    shown = report_page("")
    assert [row[0] for row in shown.context["places"].rows] == [5, 1, 2, 3, 4, 6, 7, 8, 9, 10, 11, 12]
    assert [row[0] for row in shown.context["busiest_places"].rows] == ["Table 5"]  # the only one with revenue
    assert "Show all 12 tables" in read(shown)
    assert read(shown).one("link", "5")["href"] == "/reports/restaurant/tables/5"
    week = "?from=2026-03-01&to=2026-03-07"
    page = read(report_page(week))
    assert page.one("link", "Table 5")["href"] == f"/reports/restaurant/tables/5{week}"
    assert page.one("link", "Top items by quantity")["href"] == f"/reports/restaurant/menu{week}"


# --- nothing to show ---------------------------------------------------------------------------------


def test_an_empty_restaurant_says_why(report_page):
    sentences = {
        "": ["No orders yet today.", "No orders today or a week ago.", "No tables yet."],
        "/peak-hours": ["No orders or scans in this period.", "No orders in this period."],
        "/menu": ["No orders in this period.", "No menu items yet."],
    }
    pages = {path: read(report_page(path)) for path in sentences}
    assert [each for path, those in sentences.items() for each in those if each not in pages[path]] == []


def test_a_table_says_why_there_are_no_scans(report_page, table):
    Table.objects.create(table_number=9)
    assert "No scans in this period." in read(report_page("/tables/7"))
    assert "This table has no QR code yet" in read(report_page("/tables/9"))
    Table.objects.filter(table_number=9).update(qr_analytics_id="of-another-service")
    page = read(report_page("/tables/9"))
    assert "does not know this table's code" in page
    assert "Scans are not available right now." in page


# --- CSV ---------------------------------------------------------------------------------------------


def parsed(response) -> list[list[str]]:
    return list(csv.reader(io.StringIO(response.content.decode("utf-8-sig"))))


def as_csv(value, kind: str = "") -> str:
    if value is None:
        return ""
    if kind == "money" and isinstance(value, Decimal):
        return f"{value:.2f}"
    return f"'{value}" if isinstance(value, str) and value.startswith("=") else str(value)


def test_the_csv_is_what_the_page_shows(report_page, busy):
    for path in PATHS:
        shown = report_page(path)
        expected = [["Key figures"], ["Figure", "Value", "Before", "Compared with"]]
        for tile in shown.context["tiles"]:
            expected.append([as_csv(getattr(tile, name), tile.kind) for name in ("label", "value", "before", "period")])
        for table in shown.context["tables"]:
            expected += [[], [table.title], [column.label for column in table.columns]]
            expected += [
                [as_csv(*cell) for cell in zip(row, [column.kind for column in table.columns], strict=True)]
                for row in table.rows
            ]
        assert len(expected) > 20
        lines = parsed(report_page(f"{path}?format=csv"))
        assert lines[: len(expected)] == expected, path
        assert lines[len(expected) : len(expected) + 2] == [[], ["About this report"]], path
        texts = {line[1] for line in lines[len(expected) + 2 :]}
        assert ["Time zone", "UTC"] in lines, path
        notes = {table.note for table in shown.context["tables"] if table.note and table.rows}
        assert {*shown.context["notes"], *notes} <= texts, path


IN_BARS = (  # which have every figure beside them
    "Devices", "Top items by sales", "Top items by quantity", "Sales by category", "How guests ordered",
    "Sales by section",
)  # fmt: skip


def test_all_tables_of_the_csv_are_on_the_page(report_page, busy):
    missing = []
    for path in PATHS:
        shown = report_page(path)
        page = read(shown)
        captions = page.names("table")
        for table in shown.context["tables"]:
            assert table.rows, (path, table.title)
            if table.title not in IN_BARS:
                missing += [(path, table.title)] * (table.title not in captions)
                continue
            bars = {squeezed(item) for each in page.all("list", table.title) for item in each.texts("item")}
            kinds = [column.kind for column in table.columns][-2:]
            for name, *_class, value, mark in table.rows:
                expected = squeezed(f"{name} {shown_as(value, kinds[0])} {shown_as(mark, kinds[1])}")
                missing += [(path, table.title, expected)] * (expected not in bars)
    assert missing == []


def squeezed(text: str) -> str:
    return "".join(unescape(text).split())


def test_bars_with_two_figures_say_what_they_are(report_page, table):
    order(table, NOW, (make_item("Soup", "5"), 3))
    assert re.search(r">Sold</span>\s*<span[^>]*>Sales<", report_page("").text)


def test_the_file_says_what_it_is(report_page, table):
    names = {
        "?": "restaurant-2026-03-07", "/peak-hours?": "peak-hours-30-days-2026-03-07",
        "/menu?days=90&": "menu-90-days-2026-03-07", "/tables/7?": "table-7-7-days-2026-03-07",
        "/tables/7?from=2026-03-01&to=2026-03-07&": "table-7-2026-03-01-2026-03-07",
    }  # fmt: skip
    heads = {path: report_page(f"{path}format=csv")["Content-Disposition"] for path in names}
    assert heads == {path: f'attachment; filename="{name}.csv"' for path, name in names.items()}


# --- what costs nothing ------------------------------------------------------------------------------


def test_what_is_free_was_ordered_all_the_same(report_page, table):
    order(table, NOW, (make_item("Tap water", "0"), 3))
    assert "No orders" not in read(report_page(""))
    menu = report_page("/menu")
    assert menu.context["by_revenue"].empty == "No sales in this period."
    assert menu.context["by_quantity"].rows == [["Tap water", "Not selling", 3, 0]]
    assert {each.label: each.value for each in menu.context["tiles"]}["Menu items not ordered"] == 0


def test_a_plot_and_a_list_that_are_cut_say_at_how_many(report_page):
    tables = [Table.objects.create(table_number=number) for number in range(1, 12)]
    for hours, place in enumerate(tables):
        order(place, NOW - timedelta(hours=hours), total=str(20 + hours))
    sales = report_page("")
    assert "Show all 11 tables" in read(sales).names("details")
    plotted = [row[0] for row in sales.context["busiest_places"].rows]
    assert plotted == [f"Table {number}" for number in range(11, 1, -1)]
    shown = report_page("/peak-hours")
    assert (len(shown.context["peak"].rows), shown.context["peak"].note) == (5, "")
    assert shown.context["slowest"].note == "The 5 slowest hours with any orders or scans."
    Order.objects.filter(table=tables[0]).delete()
    tables[0].sessions.all().delete()
    tables[0].delete()
    assert "Show all" not in read(report_page(""))
