"""`GET /reports/restaurant/menu`. See "Sales reports" in docs/behaviour/restaurant.md."""

import uuid

import pytest

from restaurant.models import MenuItem
from tests.conftest import make_item, undone
from tests.restaurant.reports.making import NOW, order

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("saturday")]


def sold(report, table, revenues: tuple[str, ...], field: str) -> list:
    """This field of items of which each was sold once for so much; nothing of what is for "0"."""
    with undone():
        for number, revenue in enumerate(revenues):
            item = make_item(str(number), revenue)
            if float(revenue):
                order(table, NOW, (item, 1))
        found = by_name(report("/menu"), field)
    return [found[str(number)] for number in range(len(revenues))]


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


def test_items_that_can_t_be_had_are_listed_too(report, soup):
    MenuItem.objects.update(available=False)
    assert by_name(report("/menu"), "available") == {"Ribollita": False}


def test_revenue_is_that_of_the_prices_at_which_was_sold(report, table, soup):
    order(table, NOW, (soup, 2))
    MenuItem.objects.update(price=100)
    body = report("/menu")
    assert (by_name(body, "total_revenue"), by_name(body, "price")) == ({"Ribollita": 19}, {"Ribollita": 100})


CLASSES = {
    # The mean is 100: above 150, above 100, above 50, above 0.
    ("150.01", "100.01", "50.01", "0.01", "199.96"): ["star", "good", "average", "underperforming", "star"],
    ("150", "100", "50", "0", "200"): ["good", "average", "underperforming", "not_selling", "star"],
    # The mean is a third of ten: 1.5 times of it is 5 to the cent, half of it is not to be had in cents.
    ("5", "5", "0"): ["good", "good", "not_selling"],
    ("5.01", "4.99", "0"): ["star", "good", "not_selling"],
    ("1.67", "1.66", "6.67"): ["average", "underperforming", "star"],
    # What was not sold has its part in the mean.
    ("10", "0", "0", "0"): ["star"] + ["not_selling"] * 3,
    ("10", "10", "10"): ["average"] * 3,
    ("10",): ["average"],
    ("0", "0"): ["not_selling"] * 2,
}


def test_the_classes_by_the_mean_of_all_items(report, table):
    assert {revenues: sold(report, table, revenues, "performance") for revenues in CLASSES} == CLASSES


SHARES = {
    ("1", "1", "1"): ["33.3%"] * 3,
    ("1", "7"): ["12.5%", "87.5%"],
    ("1.25", "998.75"): ["0.1%", "99.9%"],  # 0.125 and 99.875
    ("0.05", "99.95"): ["0.1%", "100.0%"],  # 0.05 and 99.95: halves go up
    ("0.01", "999.99"): ["0.0%", "100.0%"],
    ("5",): ["100.0%"],
    ("0", "0"): ["0.0%", "0.0%"],
}


def test_a_share_is_a_text_with_one_decimal(report, table):
    assert {revenues: sold(report, table, revenues, "revenueShare") for revenues in SHARES} == SHARES


def test_what_costs_nothing_sells_and_brings_nothing(report, table):
    order(table, NOW, (make_item("Water", "0"), 3))
    body = report("/menu")
    assert by_name(body, "total_quantity") == {"Water": 3}
    assert by_name(body, "performance") == {"Water": "not_selling"}


def test_the_average_quantity_of_a_line_has_two_decimals_and_halves_go_up(report, table, soup):
    averages = {(): 0, (2,): 2, (1, 1, 2): 1.33, (1, 2, 2): 1.67, (1, 1, 1, 1, 1, 1, 1, 2): 1.13}
    found = {}
    for quantities in averages:
        with undone():
            for quantity in quantities:
                order(table, NOW, (soup, quantity))
            found[quantities] = report("/menu")["items"][0]["avg_quantity_per_order"]
    assert found == averages


def test_items_are_listed_by_revenue_then_name_then_id(report, table):
    ids = [uuid.UUID(int=number, version=4) for number in (3, 1, 2)]
    for pk in ids:
        make_item("Same", pk=pk)
    order(table, NOW, (make_item("Zabaione", "5"), 1), (make_item("Acquacotta", "5"), 1), (make_item("Torta", "6"), 1))
    items = report("/menu")["items"]
    assert [item["name"] for item in items] == ["Torta", "Acquacotta", "Zabaione", "Same", "Same", "Same"]
    assert [item["id"] for item in items[3:]] == sorted(map(str, ids))
