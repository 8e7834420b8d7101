"""`GET /reports/restaurant/menu`. See "Menu performance" in docs/behaviour.md."""

import uuid
from datetime import timedelta

import pytest

from restaurant.models import MenuItem, Order
from tests.conftest import make_item
from tests.restaurant.reports.conftest import NOW, order

pytestmark = pytest.mark.django_db

TICK = timedelta(microseconds=1)


@pytest.fixture
def sell(table, clock):
    """`sell("5", "1")` makes items "0", "1"... and sells each once for so much; nothing of what is for "0"."""

    def items(*revenues: str) -> None:
        for number, revenue in enumerate(revenues):
            item = make_item(str(number), revenue)
            if float(revenue):
                order(table, NOW, (item, 1))

    return items


def by_name(body: dict, field: str) -> dict:
    return {item["name"]: item[field] for item in body["items"]}


def test_what_a_program_gets(report, table, soup, bread):
    order(table, NOW, (soup, 2), (bread, 1))
    order(table, NOW, (soup, 1), (soup, 1))
    body = report("/menu")
    assert body == {
        "days": 30,
        "items": [
            {
                "id": str(soup.pk), "name": "Ribollita", "description": "", "price": 9.5, "category": "Soups",
                "image_url": "", "available": True, "created_at": soup.created_at.isoformat().replace("+00:00", "Z"),
                "times_ordered": 3, "total_quantity": 4, "total_revenue": 38, "avg_quantity_per_order": 1.33,
                "revenueShare": "89.9%", "performance": "star",
            },
            {
                "id": str(bread.pk), "name": "Sourdough & olive oil", "description": "", "price": 4.25,
                "category": "Breads", "image_url": "", "available": True,
                "created_at": bread.created_at.isoformat().replace("+00:00", "Z"),
                "times_ordered": 1, "total_quantity": 1, "total_revenue": 4.25, "avg_quantity_per_order": 1,
                "revenueShare": "10.1%", "performance": "underperforming",
            },
        ],
    }  # fmt: skip


def test_a_menu_without_items(report):
    assert report("/menu?days=7") == {"days": 7, "items": []}


def test_the_cutoff_itself_is_too_old_and_now_is_not(report, table, soup):
    cutoff = NOW - timedelta(days=30)
    for moment in (cutoff - TICK, cutoff, NOW + TICK):
        order(table, moment, (soup, 1))
    assert by_name(report("/menu"), "total_quantity") == {"Ribollita": 0}
    for moment in (cutoff + TICK, NOW):
        order(table, moment, (soup, 1))
    assert by_name(report("/menu"), "total_quantity") == {"Ribollita": 2}
    assert by_name(report("/menu?days=31"), "total_quantity") == {"Ribollita": 4}


@pytest.mark.parametrize("status", Order.STEPS)
def test_an_order_counts_whatever_its_status(report, table, soup, status):
    order(table, NOW, (soup, 1), status=status)
    assert by_name(report("/menu"), "total_revenue") == {"Ribollita": 9.5}


def test_items_that_can_t_be_had_are_listed_too(report, soup):
    MenuItem.objects.update(available=False)
    assert by_name(report("/menu"), "available") == {"Ribollita": False}


def test_revenue_is_that_of_the_prices_at_which_was_sold(report, table, soup):
    order(table, NOW, (soup, 2))
    MenuItem.objects.update(price=100)
    body = report("/menu")
    assert (by_name(body, "total_revenue"), by_name(body, "price")) == ({"Ribollita": 19}, {"Ribollita": 100})


@pytest.mark.parametrize(
    ("revenues", "classes"),
    [
        # The mean is 100: above 150, above 100, above 50, above 0.
        (("150.01", "100.01", "50.01", "0.01", "199.96"), ["star", "good", "average", "underperforming", "star"]),
        (("150", "100", "50", "0", "200"), ["good", "average", "underperforming", "not_selling", "star"]),
        # The mean is a third of ten: 1.5 times of it is 5 to the cent, half of it is not to be had in cents.
        (("5", "5", "0"), ["good", "good", "not_selling"]),
        (("5.01", "4.99", "0"), ["star", "good", "not_selling"]),
        (("1.67", "1.66", "6.67"), ["average", "underperforming", "star"]),
        # What was not sold has its part in the mean.
        (("10", "0", "0", "0"), ["star"] + ["not_selling"] * 3),
        (("10", "10", "10"), ["average"] * 3),
        (("10",), ["average"]),
        (("0", "0"), ["not_selling"] * 2),
    ],
)
def test_the_classes_by_the_mean_of_all_items(report, sell, revenues, classes):
    sell(*revenues)
    found = by_name(report("/menu"), "performance")
    assert [found[str(number)] for number in range(len(revenues))] == classes


@pytest.mark.parametrize(
    ("revenues", "shares"),
    [
        (("1", "1", "1"), ["33.3%"] * 3),
        (("1", "7"), ["12.5%", "87.5%"]),
        (("1.25", "998.75"), ["0.1%", "99.9%"]),  # 0.125 and 99.875
        (("0.05", "99.95"), ["0.1%", "100.0%"]),  # 0.05 and 99.95: halves go up
        (("0.01", "999.99"), ["0.0%", "100.0%"]),
        (("5",), ["100.0%"]),
        (("0", "0"), ["0.0%", "0.0%"]),
    ],
)
def test_a_share_is_a_text_with_one_decimal(report, sell, revenues, shares):
    sell(*revenues)
    found = by_name(report("/menu"), "revenueShare")
    assert [found[str(number)] for number in range(len(revenues))] == shares


def test_what_costs_nothing_sells_and_brings_nothing(report, table):
    order(table, NOW, (make_item("Water", "0"), 3))
    body = report("/menu")
    assert by_name(body, "total_quantity") == {"Water": 3}
    assert by_name(body, "performance") == {"Water": "not_selling"}


@pytest.mark.parametrize(
    ("quantities", "average"),
    [((), 0), ((2,), 2), ((1, 1, 2), 1.33), ((1, 2, 2), 1.67), ((1, 1, 1, 1, 1, 1, 1, 2), 1.13)],
)
def test_the_average_quantity_of_a_line_has_two_decimals_and_halves_go_up(report, table, soup, quantities, average):
    for quantity in quantities:
        order(table, NOW, (soup, quantity))
    assert by_name(report("/menu"), "avg_quantity_per_order") == {"Ribollita": average}


def test_items_are_listed_by_revenue_then_name_then_id(report, table):
    ids = [uuid.UUID(int=number, version=4) for number in (3, 1, 2)]
    for pk in ids:
        make_item("Same", pk=pk)
    order(table, NOW, (make_item("Zabaione", "5"), 1), (make_item("Acquacotta", "5"), 1), (make_item("Torta", "6"), 1))
    items = report("/menu")["items"]
    assert [item["name"] for item in items] == ["Torta", "Acquacotta", "Zabaione", "Same", "Same", "Same"]
    assert [item["id"] for item in items[3:]] == sorted(map(str, ids))


def test_sums_are_those_of_decimals(report, table):
    for _ in range(3):
        order(table, NOW, (MenuItem.objects.first() or make_item("Mint", "0.10"), 1))
    assert by_name(report("/menu"), "total_revenue") == {"Mint": 0.3}


@pytest.mark.parametrize("days", [7, 120, 121, 365])
def test_the_window_begins_after_its_edge_however_long_it_is(report, table, soup, days):
    edge = NOW - timedelta(days=days)
    for moment, quantity in ((edge, 1), (edge + TICK, 2), (NOW, 4), (NOW + TICK, 8)):
        order(table, moment, (soup, quantity))
    [item] = report(f"/menu?days={days}")["items"]
    assert (item["times_ordered"], item["total_quantity"], item["total_revenue"]) == (2, 6, 57)
