"""Which days a report is of, what they are compared with, and what it says of them first."""

from datetime import date, timedelta
from decimal import Decimal

import pytest

from restaurant.models import Order
from tests.conftest import PAGE, make_item, undone
from tests.reading import read
from tests.restaurant.reports.making import NOW, order, scan

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("saturday")]

MENU = "/reports/restaurant/menu"
SALES = "/reports/restaurant"
TICK = timedelta(microseconds=1)
MIDNIGHT = NOW.replace(hour=0, minute=0)
DAY = timedelta(days=1)


@pytest.fixture
def page(manager):
    def get(path: str):
        response = manager.get(path, headers={"accept": PAGE})
        assert response.status_code == 200, response.content
        return response

    return get


def before(page) -> object:
    [found] = [each.before for each in page.context["tiles"] if each.label == "Sales"]
    return found


def test_a_few_days_are_compared_with_the_same_weekdays_and_longer_ones_with_those_before(page):
    for query, label in (("from=2026-03-02&to=2026-03-05", "A week before"), ("days=7", "Previous period")):
        assert page(f"{SALES}?{query}").context["period_comparisons"][0].label == label


# --- days of the calendar ------------------------------------------------------------------------------


def test_days_begin_and_end_at_midnight(manager, table, soup):
    for moment in (MIDNIGHT - 3 * DAY - TICK, MIDNIGHT - 3 * DAY, MIDNIGHT - DAY - TICK, MIDNIGHT - DAY):
        order(table, moment, (soup, 1))
        scan(table, moment)
    body = manager.get(f"{MENU}?from=2026-03-04&to=2026-03-05").json()
    assert (body["days"], body["items"][0]["total_quantity"]) == (2, 2)
    assert manager.get(f"{SALES}/tables/7?from=2026-03-04&to=2026-03-05").json()["totalScans"] == 2
    peak = manager.get(f"{SALES}/peak-hours?from=2026-03-04&to=2026-03-05").json()["peakTimes"]
    assert sum(each["orders"] for each in peak) == sum(each["scans"] for each in peak) == 2


def test_days_that_cannot_be_are_refused(manager):
    fields = {
        "from=2026-03-05&to=2026-03-04": "to", "from=2026-03-08": "to", "from=2025-03-01&to=2026-03-07": "from",
        "from=x": "from", "from=2026-03-01&to=x": "to",
    }  # fmt: skip
    refused = {query: manager.get(f"{MENU}?{query}") for query in fields}
    answers = {query: (each.status_code, set(each.json()["fields"])) for query, each in refused.items()}
    assert answers == {query: (400, {field}) for query, field in fields.items()}


def test_a_number_of_days_counts_first_and_what_is_to_come_is_left_out(manager):
    assert manager.get(f"{MENU}?days=9&from=2026-03-04&to=2026-03-05").json()["days"] == 9
    assert manager.get(f"{MENU}?from=2026-03-07&to=2026-12-31").json()["days"] == 1


def test_sales_as_json_are_always_of_today(manager, table, soup):
    order(table, NOW - DAY, (soup, 1))
    assert manager.get(f"{SALES}?from=2026-03-06&to=2026-03-06").json()["today"]["orders"] == 0


# --- compared with ---------------------------------------------------------------------------------------


# first and last moment of the period before
COMPARED = {
    "from=2026-03-06&to=2026-03-06": (MIDNIGHT - 8 * DAY, MIDNIGHT - 7 * DAY - TICK),  # a Friday
    "from=2026-03-07&to=2026-03-07": (MIDNIGHT - 7 * DAY, NOW - 7 * DAY),  # until the same time
    "from=2026-03-05&to=2026-03-07": (MIDNIGHT - 9 * DAY, NOW - 7 * DAY),
    "from=2026-02-28&to=2026-03-06": (MIDNIGHT - 14 * DAY, MIDNIGHT - 7 * DAY - TICK),
    "days=2": (NOW - 9 * DAY + TICK, NOW - 7 * DAY),
    "days=8": (NOW - 16 * DAY + TICK, NOW - 8 * DAY),
    "from=2026-03-01&to=2026-03-07": (MIDNIGHT.replace(month=2, day=1), NOW.replace(month=2)),  # this month
    "from=2026-02-01&to=2026-02-28": (MIDNIGHT.replace(month=1, day=1), MIDNIGHT.replace(month=2, day=1) - TICK),
    "from=2026-03-07&to=2026-03-07&compare=year": (MIDNIGHT - 364 * DAY, NOW - 364 * DAY),  # also a Saturday
    "days=2&compare=year": (NOW - 366 * DAY + TICK, NOW - 364 * DAY),
    "from=2026-02-01&to=2026-02-28&compare=year": (
        MIDNIGHT.replace(year=2025, month=2, day=1), MIDNIGHT.replace(year=2025, day=1) - TICK,
    ),
}  # fmt: skip


def test_a_period_is_compared_with_one_as_long(page, table):
    items = [make_item(str(number), str(10**number)) for number in range(4)]
    for query, (first, end) in COMPARED.items():
        with undone():
            for item, moment in zip(items, (first - TICK, first, end, end + TICK), strict=True):
                order(table, moment, (item, 1))
            found = before(page(f"{SALES}?{query}")), before(page(f"{MENU}?{query}"))
        assert found == (110, 110), query


def test_the_page_names_what_is_counted_and_no_day_twice(page, table):
    for query, words in (
        # So many times 24 hours lie within one date more: neither period says that it has the whole of it.
        ("days=30", "30 days until 7 Mar 2026, 14:30, compared with the 30 days before"),
        ("days=30&compare=year", "30 days until 7 Mar 2026, 14:30, compared with 30 days until 8 Mar 2025, 14:30"),
        ("days=1", "24 hours until 7 Mar 2026, 14:30, compared with 24 hours until 28 Feb 2026, 14:30"),
        ("from=2026-02-06&to=2026-02-12", "6–12 Feb 2026, compared with 30 Jan – 5 Feb 2026"),
        ("from=2026-03-01&to=2026-03-07", "1–7 Mar 2026, compared with 1–7 Feb 2026, both until 14:30"),
    ):
        shown = page(f"{MENU}?{query}")
        assert words in read(shown), query


def test_last_year_is_offered_where_there_is_one(page, table, soup):
    text = "Same period last year"
    order(table, NOW - 363 * DAY, (soup, 1))
    assert text not in read(page(f"{MENU}?days=1"))
    order(table, NOW - 364 * DAY, (soup, 1))
    assert read(page(f"{MENU}?days=1")).one("link", text)["href"] == "?days=1&compare=year"


def test_the_period_is_kept_from_report_to_report(page, table):
    kept = "from=2026-03-01&to=2026-03-05&compare=year"
    others = {f"{path}?{kept}" for path in (SALES, MENU, "/reports/restaurant/peak-hours", "/reports/loyalty")}
    pages = {path: page(f"{path}?{kept}&page=3") for path in (MENU, SALES, "/reports", "/reports/loyalty/segments")}
    links = {path: {address for _name, address in read(shown).links()} for path, shown in pages.items()}
    assert {path: others - found for path, found in links.items() if others - found} == {}
    assert f"/reports/restaurant/tables/7?{kept}" in links[SALES]


def test_sales_of_many_days_stand_beside_those_before(page, table, soup):
    for days in (0, 1, 7, 8, 8):
        order(table, NOW - days * DAY, (soup, 1))
    rows = page(f"{SALES}?from=2026-03-01&to=2026-03-07").context["hours"].rows
    assert len(rows) == 7
    rows = page(f"{SALES}?from=2026-02-22&to=2026-02-28").context["hours"].rows
    assert rows[-1] == [date(2026, 2, 28), Decimal("9.50"), 0, 1, 0]
    assert rows[-2] == [date(2026, 2, 27), 19, 0, 2, 0]


# --- in one sentence -------------------------------------------------------------------------------------


def sentence(page) -> str:
    found = page.context["sentence"]
    assert found in read(page)
    return found


def test_sales(page, table, soup):
    assert sentence(page(SALES)) == "No orders yet today."
    assert sentence(page(f"{SALES}?days=7")) == "No orders in this period."
    order(table, NOW, (soup, 1))
    assert sentence(page(SALES)) == "€9.50 from 1 order."
    order(table, NOW - timedelta(hours=2), (soup, 2))
    order(table, NOW - 7 * DAY, (soup, 2))
    assert sentence(page(SALES)) == (
        "Sales are €28.50, up 50% on a week ago by this time; 12:00 was the best hour, with €19.00."
    )
    assert sentence(page(f"{SALES}?from=2026-02-28&to=2026-02-28")) == "€19.00 from 1 order."
    order(table, NOW - 14 * DAY, (soup, 1))
    assert sentence(page(f"{SALES}?from=2026-02-28&to=2026-02-28")) == (
        "Sales are €19.00, up 100% on the same day a week before."
    )
    Order.objects.filter(created_at__lt=NOW - DAY).delete()
    order(table, NOW - DAY, (soup, 2))
    order(table, NOW - 8 * DAY, (soup, 1))
    assert sentence(page(f"{SALES}?from=2026-03-01&to=2026-03-07")).startswith("€47.50 from 3 orders; Sat")
    order(table, NOW - 11 * DAY, (soup, 3))
    assert sentence(page(f"{SALES}?from=2026-02-22&to=2026-02-28")) == (
        "€38.00 from 2 orders; Tuesday made most of the difference."
    )


def test_peak_hours(page, table):
    assert sentence(page(f"{SALES}/peak-hours")) == "No orders in this period."
    for days in (0, 7, 40, 40, 40, 40):
        order(table, NOW - days * DAY, total="1")
    assert sentence(page(f"{SALES}/peak-hours")) == (
        "Saturday 14:00 is your peak, with 0.4 orders on average; 2 orders in all, down 50% on the 30 days before."
    )


def test_the_menu(page, table):
    assert sentence(page(MENU)) == "No menu items yet."
    items = [make_item(name, price) for name, price in (("Pie", "30"), ("Bun", "2"), ("Tea", "1"))]
    assert sentence(page(MENU)) == "No sales in this period."
    order(table, NOW, *((item, 1) for item in items[:2]))
    assert sentence(page(MENU)) == (
        "Pie earns most, 93.8% of sales; 2 items sell less than half of what their category does on average."
    )


def test_menu_items_that_earn_the_same(page, table):
    items = [make_item(name, "30") for name in ("Pie", "Stew", "Tart")]
    order(table, NOW, *((item, 1) for item in items[:2]))
    assert sentence(page(MENU)).startswith("Pie and Stew earn most, €30.00 each; 1 item sells less")
    order(table, NOW, (items[2], 1))
    assert sentence(page(MENU)) == "3 items earn most, €30.00 each."


def test_a_table(page, table):
    path = f"{SALES}/tables/7"
    assert sentence(page(path)) == "No scans in this period."
    scan(table, NOW, NOW - DAY, NOW - 8 * DAY)
    assert sentence(page(path)) == "Scanned 2 times, most often at 14:00; up 100% on the 7 days before."
    order(table, NOW, total="30")
    order(table, NOW - 8 * DAY, total="20")
    assert sentence(page(path)) == (
        "Sales are €30.00, up 50% on the 7 days before. Scanned 2 times, most often at 14:00."
    )


# --- many rows -------------------------------------------------------------------------------------------


def test_a_long_list_has_pages_and_json_and_csv_have_all(page, manager, table):
    for number in range(51):
        make_item(f"Dish {number:02}")
    first, second, far = (read(page(f"{MENU}?days=7{more}")) for more in ("", "&page=2", "&page=99"))
    assert "1–50 of 51" in first
    assert "?days=7&page=2#all-title" in [each["href"] for each in first.all("link") if each.get("rel") == "next"]
    assert [each.one("table", "All items").rows()[-1][0] for each in (first, second)] == ["Dish 49", "Dish 50"]
    for last in (second, far):
        assert "51–51 of 51" in last
        assert len(last.one("table", "All items").rows()) == 2
    assert len(manager.get(f"{MENU}?page=2").json()["items"]) == 51
    assert manager.get(f"{MENU}?page=2&format=csv").text.count("Dish") == 51
