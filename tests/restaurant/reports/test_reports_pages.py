"""The pages: what is compared with what, what was cut, why there is nothing; and the CSV, which is what they show."""

import csv
import io
import re
from datetime import timedelta
from decimal import Decimal

import pytest

from restaurant.models import MenuItem, Order, Table
from tests.conftest import PAGE, make_item, make_table
from tests.restaurant.reports.conftest import NOW, order, scan, start_session
from tests.restaurant.reports.test_reports_access_and_days import PATHS, WITH_DAYS
from web.templatetags.reports import shown as shown_as

pytestmark = pytest.mark.django_db

SECOND = timedelta(seconds=1)


def tiles(page) -> dict:
    return {each["label"]: (each["value"], each.get("before")) for each in page.context["tiles"]}


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


def test_today_stands_beside_the_same_weekday_until_now(page, table, soup):
    week = NOW - timedelta(days=7)
    for moment in (NOW, week, week.replace(hour=0, minute=0), week + SECOND, NOW - timedelta(days=1)):
        order(table, moment, (soup, 1))
        start_session(table, moment)
    shown = page("")
    assert tiles(shown) == {
        "Sales": (Decimal("9.50"), 19), "Orders": (1, 2), "Table sessions": (1, 2),
        "Average order": (Decimal("9.50"), Decimal("9.50")),
    }  # fmt: skip
    assert shown.context["hours"]["rows"][14] == ["14:00", Decimal("9.50"), 19, 1, 2]
    assert len(shown.context["hours"]["rows"]) == 24
    assert shown.context["hours"]["legend"] == "A week ago, all day"
    text = shown.content.decode()
    assert (text.count("<strong>14:00, so far</strong>"), text.count('"column column-running"')) == (1, 1)
    assert "so far" not in page("?from=2026-02-28&to=2026-02-28").content.decode()
    assert sum(row[2] for row in shown.context["hours"]["rows"]) == Decimal("28.50")
    assert "when nothing was ordered" not in text


def test_that_nothing_was_before_is_said_once(page, table, soup):
    line = "Sat, 7 Mar 2026 until 14:30, compared with Sat, 28 Feb 2026"
    both = ">Sat, 7 Mar 2026, compared with Sat, 28 Feb 2026, both until 14:30</p>"
    assert both in page("").content.decode()  # nor now
    order(table, NOW, (soup, 1))
    text = page("").content.decode()
    assert f"{line}, when nothing was ordered by this time</p>" in text
    assert "None before" not in text
    assert "Fri, 27 Feb 2026</p>" in page("?from=2026-03-06&to=2026-03-06").content.decode()
    order(table, NOW - timedelta(days=1), (soup, 1))
    over = page("?from=2026-03-06&to=2026-03-06").content.decode()
    assert "Fri, 27 Feb 2026, when nothing was ordered</p>" in over


def test_a_window_stands_beside_the_one_before(page, table, soup, bread):
    edge = NOW - timedelta(days=7)
    for moment in (NOW, edge, edge - timedelta(days=7) + SECOND):
        order(table, moment, (soup, 2))
        scan(table, moment)
    order(table, edge - timedelta(days=7), (bread, 1))
    scan(table, edge - timedelta(days=7))
    orders = tiles(page("/peak-hours?days=7"))
    assert orders == {
        "Busiest time": ("Sat 14:00", None), "Orders": (1, 2), "Sales": (19, 38), "Scans": (1, 2),
    }  # fmt: skip
    assert tiles(page("/menu?days=7")) == {
        "Sales": (19, 38), "Items sold": (2, 4), "Menu items ordered": (1, 1), "Menu items not ordered": (1, None),
    }  # fmt: skip
    assert tiles(page("/tables/7?days=7"))["Scans"] == (1, 2)


# --- plots and their tables --------------------------------------------------------------------------


def test_the_heat_maps_have_every_hour_of_the_week(page, table):
    order(table, NOW, total="5")
    scan(table, NOW, NOW - timedelta(days=6))
    shown = page("/peak-hours")
    for name, saturday, sunday in (("orders", 1, 0), ("scans", 1, 1)):
        rows = shown.context[name]["rows"]
        assert [row[0] for row in rows] == [f"{hour:02}:00" for hour in range(24)]
        assert all(len(row) == 8 for row in rows)
        assert rows[14][1:] == [0, 0, 0, 0, 0, saturday, sunday]
        assert sum(sum(row[1:]) for row in rows) == saturday + sunday
    assert [each["label"] for each in shown.context["orders"]["columns"]] == [
        "Hour", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun",
    ]  # fmt: skip
    # What is shown begins and ends with the hours that have any, the same in both; what is empty is empty.
    assert shown.context["orders"]["plotted"] == shown.context["scans"]["plotted"] == (14, 15)
    text = shown.content.decode()
    assert shown.context["revenue"]["rows"][14][1:] == [0, 0, 0, 0, 0, 5, 0]
    assert text.count("<td></td>") == 3 * 7 - 4
    assert text.count("heat-peak") == 4
    assert text.count('type="radio" name="map"') == 3  # one map, of which there are three


def test_hours_without_any_are_folded_the_same_in_all_maps(page, table):
    noon = NOW.replace(hour=12, minute=0) - timedelta(days=1)
    for hours in (0, 2, 5):
        order(table, noon + timedelta(hours=hours), total="5")
    scan(table, noon + timedelta(hours=3))
    text = page("/peak-hours").content.decode()
    hours = [re.findall(r'<tr[^>]*><th scope="row">([^<]+)', each) for each in text.split('<table class="heat">')[1:]]
    assert hours == [["12:00", "13:00", "14:00", "15:00", "16:00", "17:00"]] * 3  # one alone is not worth it
    order(table, noon + timedelta(hours=9), total="5")
    text = page("/peak-hours").content.decode()
    assert text.count('<tr class="heat-gap"><th scope="row">18:00–\u200b21:00</th>') == 3
    assert '<th scope="row">19:00</th>' not in text


@pytest.mark.parametrize(("language", "first", "busiest"), [("de", "Mon", "Sat 14:00"), ("en-us", "Sun", "Sat 14:00")])
def test_a_week_begins_as_the_language_has_it(page, written_in, table, language, first, busiest):
    order(table, NOW, total="5")
    written_in(language)
    shown = page("/peak-hours")
    assert shown.context["orders"]["columns"][1]["label"] == first
    assert shown.context["tiles"][0]["value"] == busiest
    assert next(row for row in shown.context["orders"]["rows"] if any(row[1:]))[0] == "14:00"


def test_the_classes_stand_beside_their_thresholds(page, table):
    for name, price in (("a", "200"), ("b", "100.01"), ("c", "60"), ("d", "10"), ("e", "0")):
        item = make_item(name, price)
        order(table, NOW, (item, 1))
    shown = page("/menu")  # the mean is 74.002
    assert shown.context["classes"]["rows"] == [
        ["Star", "Above 1.5 × average", Decimal("111.00"), 1, 200],
        ["Good", "Above average", Decimal("74.00"), 1, Decimal("100.01")],
        ["Fair", "Above 0.5 × average", Decimal("37.00"), 1, 60],
        ["Low", "Up to 0.5 × average", "", 0, 0],
        ["Underperforming", "Up to 0.5 × average, and below half its category's", "", 1, 10],
        ["Not selling", "No sales", "", 1, 0],
    ]
    text = shown.content.decode()
    assert "€111.00" in text
    assert '<span class="chip chip-plain">Fair</span>' in text
    assert ">Average<" not in text
    file = page("/menu?format=csv").content.decode()
    assert "Average,Above 0.5 × average,37.00,1,60.00" in file  # as the JSON has it
    assert "Fair" not in file


def test_plots_of_the_menu_are_cut_and_say_so_and_its_table_is_not(page, table):
    items = [make_item(f"Dish {number:02}", "1") for number in range(11)]
    order(table, NOW, *((item, 30 - number) for number, item in enumerate(items)))
    MenuItem.objects.create(name="Never ordered", price=1)
    shown = page("/menu")
    for name, what in (("by_revenue", "with sales"), ("by_quantity", "that were ordered")):
        assert [row[0] for row in shown.context[name]["rows"]] == [f"Dish {number:02}" for number in range(10)]
        assert shown.context[name]["note"] == f"Top 10 of 11 items {what}."
    assert len(shown.context["everything"]["rows"]) == 12
    MenuItem.objects.filter(name="Dish 10").update(name="Zuppa")
    assert "Zuppa" in page("/menu").content.decode()


def test_ten_items_are_not_cut(page, table):
    order(table, NOW, *((make_item(f"Dish {number}"), 1) for number in range(10)))
    assert page("/menu").context["by_revenue"]["note"] == ""


def test_the_most_portions_need_not_bring_the_most_revenue(page, table):
    order(table, NOW, (make_item("Bread", "1"), 9), (make_item("Wine", "40"), 1))
    shown = page("/menu")
    assert [row[0] for row in shown.context["by_revenue"]["rows"]] == ["Wine", "Bread"]
    assert [row[0] for row in shown.context["by_quantity"]["rows"]] == ["Bread", "Wine"]


def test_tables_lead_to_their_scans(page, table):
    text = page("").content.decode()
    assert '<a href="/reports/restaurant/tables/7">7</a>' in text


def test_many_tables_are_all_listed(page, soup):
    tables = [make_table(number) for number in range(1, 13)]
    order(tables[4], NOW, (soup, 1))
    shown = page("")
    assert [row[0] for row in shown.context["places"]["rows"]] == [5, 1, 2, 3, 4, 6, 7, 8, 9, 10, 11, 12]
    assert [row[0] for row in shown.context["busiest_places"]["rows"]] == ["Table 5"]  # the only one with revenue
    assert "Show all 12 tables" in shown.content.decode()
    week = "from=2026-03-01&amp;to=2026-03-07"
    text = page("?from=2026-03-01&to=2026-03-07").content.decode()
    assert f'<span class="bar-label"><a href="/reports/restaurant/tables/5?{week}">Table 5</a></span>' in text
    assert f'<a class="to-report" href="/reports/restaurant/menu?{week}">Top items by quantity</a>' in text


def test_a_name_is_text_wherever_it_stands(page, table):
    order(table, NOW, (make_item("<b>Pie</b>", category="<i>"), 1))
    Table.objects.update(section="<u>")
    for path in ("", "/menu", "/tables/7"):
        text = page(path).content.decode()
        assert [tag for tag in ("<b>Pie", "<i>", "<u>") if tag in text] == []


# --- nothing to show ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("path", "sentences"),
    [
        (
            "",
            [
                "No orders yet today.",
                "No orders today or a week ago.",
                "No tables yet.",
            ],
        ),
        ("/peak-hours", ["No orders or scans in this period.", "No orders in this period."]),
        ("/menu", ["No orders in this period.", "No menu items yet."]),
    ],
)
def test_an_empty_restaurant_says_why(page, path, sentences):
    text = page(path).content.decode()
    assert [each for each in sentences if each not in text] == []


def test_a_table_says_why_there_are_no_scans(page, table):
    Table.objects.create(table_number=9)
    assert "No scans in this period." in page("/tables/7").content.decode()
    assert "This table has no QR code yet" in page("/tables/9").content.decode()
    Table.objects.filter(table_number=9).update(qr_analytics_id="of-another-service")
    text = page("/tables/9").content.decode()
    assert "does not know this table&#x27;s code" in text
    assert "Scans are not available right now." in text


# --- the period --------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", WITH_DAYS)
@pytest.mark.parametrize("days", [30, 45])
def test_the_period_is_shown_and_can_be_chosen(manager, clock, table, path, days):
    shown = manager.get(f"{path}?days={days}", headers={"accept": PAGE})
    assert (shown.context["since"], shown.context["until"]) == (NOW - timedelta(days=days), NOW)
    text = shown.content.decode()
    assert f'<a href="?days={days}" aria-current="true">Last {days} days</a>' in text
    assert '<a href="?from=2026-02-08&amp;to=2026-03-07">Last 28 days</a>' in text
    assert f'href="?days={days}&amp;format=csv"' in text


# --- CSV ---------------------------------------------------------------------------------------------


def parsed(response) -> list[list[str]]:
    return list(csv.reader(io.StringIO(response.content.decode("utf-8-sig"))))


def as_csv(value) -> str:
    if value is None:
        return ""
    return f"'{value}" if isinstance(value, str) and value.startswith("=") else str(value)


@pytest.mark.parametrize("path", PATHS)
def test_the_csv_is_what_the_page_shows(manager, clock, busy, path):
    shown = manager.get(path, headers={"accept": PAGE})
    expected = [["Key figures"], ["Figure", "Value", "Before", "Compared with"]]
    for tile in shown.context["tiles"]:
        expected.append([as_csv(tile.get(name)) for name in ("label", "value", "before", "period")])
    for table in shown.context["tables"]:
        expected += [[], [table["title"]], [column["label"] for column in table["columns"]]]
        expected += [[as_csv(value) for value in row] for row in table["rows"]]
    assert len(expected) > 20
    lines = parsed(manager.get(f"{path}?format=csv"))
    assert lines[: len(expected)] == expected
    assert lines[len(expected) : len(expected) + 2] == [[], ["About this report"]]
    texts = [line[1] for line in lines[len(expected) + 2 :]]
    assert ["Time zone", "UTC"] in lines
    assert set(shown.context["notes"]) <= set(texts)
    assert {table["note"] for table in shown.context["tables"] if table.get("note") and table["rows"]} <= set(texts)


IN_BARS = (  # which have every figure beside them
    "Devices", "Top items by sales", "Top items by quantity", "Sales by category", "How guests ordered",
    "Sales by section",
)  # fmt: skip


@pytest.mark.parametrize("path", PATHS)
def test_all_tables_of_the_csv_are_on_the_page(manager, clock, busy, path):
    shown = manager.get(path, headers={"accept": PAGE})
    text = shown.content.decode()
    for table in shown.context["tables"]:
        assert table["rows"]
        if table["title"] not in IN_BARS:
            assert f">{table['title']}</caption>" in text
            continue
        bars = re.split(f'<ul class="bars[^"]*" aria-label="{table["title"]}">', text)[1].partition("</ul>")[0]
        kinds = [column["kind"] for column in table["columns"]][-2:]
        for name, *_class, value, mark in table["rows"]:
            assert re.search(f'<span class="bar-label">(<a [^>]*>)?{re.escape(str(name))}(</a>)?</span>', bars)
            assert (
                f'>{shown_as(value, kinds[0])}</span> <span class="bar-mark amount">{shown_as(mark, kinds[1])}</span>'
                in bars
            )


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("", "restaurant-2026-03-07"), ("/peak-hours", "peak-hours-30-days-2026-03-07"),
        ("/menu?days=90", "menu-90-days-2026-03-07"), ("/tables/7", "table-7-2026-03-01-2026-03-07"),
        ("/tables/7?days=7", "table-7-7-days-2026-03-07"),
    ],
)  # fmt: skip
def test_the_file_says_what_it_is(manager, clock, table, path, name):
    joint = "&" if "?" in path else "?"
    response = manager.get(f"/reports/restaurant{path}{joint}format=csv")
    assert response["Content-Disposition"] == f'attachment; filename="{name}.csv"'


# --- what costs nothing ------------------------------------------------------------------------------


def test_what_is_free_was_ordered_all_the_same(page, table):
    order(table, NOW, (make_item("Tap water", "0"), 3))
    today = page("").content.decode()
    assert "No orders" not in today
    menu = page("/menu")
    assert menu.context["by_revenue"]["empty"] == "No sales in this period."
    assert menu.context["by_quantity"]["rows"] == [["Tap water", "Not selling", 3, 0]]
    assert {each["label"]: each["value"] for each in menu.context["tiles"]}["Menu items not ordered"] == 0


def test_a_plot_and_a_list_that_are_cut_say_at_how_many(page, clock):
    tables = [Table.objects.create(table_number=number) for number in range(1, 12)]
    for hours, place in enumerate(tables):
        order(place, NOW - timedelta(hours=hours), total=str(20 + hours))
    sales = page("")
    assert "<summary>Show all 11 tables</summary>" in sales.content.decode()
    plotted = [row[0] for row in sales.context["busiest_places"]["rows"]]
    assert plotted == [f"Table {number}" for number in range(11, 1, -1)]
    shown = page("/peak-hours")
    assert (len(shown.context["peak"]["rows"]), shown.context["peak"]["note"]) == (5, "")
    assert shown.context["slowest"]["note"] == "The 5 slowest hours with any orders or scans."
    Order.objects.filter(table=tables[0]).delete()
    tables[0].sessions.all().delete()
    tables[0].delete()
    assert "Show all" not in page("").content.decode()


def test_bars_with_two_figures_say_what_they_are(page, table):
    order(table, NOW, (make_item("Soup", "5"), 3))
    text = page("").content.decode()
    assert '<span class="bar-value">Sold</span> <span class="bar-mark">Sales</span>' in text
