"""Categories on the menu: their order, and the hours at which they are for sale."""

from datetime import datetime, time
from zoneinfo import ZoneInfo

import pytest
from django.conf import settings
from rest_framework.test import APIClient

from restaurant.models import Category, MenuItem
from tests.conftest import make_item, order_body

pytestmark = pytest.mark.django_db

ZONE = ZoneInfo(settings.TIME_ZONE)


def at(day: int, hour: int, minute: int = 0) -> datetime:
    """A moment of the week that begins on Monday, 2026-03-09, by the venue's clock."""
    return datetime(2026, 3, 9 + day, hour, minute, tzinfo=ZONE)


def menu_of(api: APIClient) -> dict[str, list[str]]:
    menu = api.get("/table/7", headers={"accept": "application/json"}).json()["menu"]
    return {category: [item["name"] for item in items] for category, items in menu.items()}


def set_category(category_name: str, **values) -> None:
    category = Category.objects.get(name=category_name)
    for field, value in values.items():
        setattr(category, field, value)
    category.save()


def test_without_positions_they_are_in_alphabetical_order(api, table):
    for name, category in (("Tea", "Drinks"), ("Cake", "Sweets"), ("Bread", ""), ("Ale", "Drinks")):
        make_item(name, category=category)
    assert list(menu_of(api).items()) == [("Drinks", ["Ale", "Tea"]), ("Other", ["Bread"]), ("Sweets", ["Cake"])]


def test_those_with_a_position_come_first_and_items_likewise(api, table):
    for name, category, position in (
        ("Tea", "Drinks", None), ("Ale", "Drinks", 5), ("Water", "Drinks", 2), ("Soup", "Starters", None),
        ("Bread", "", None), ("Stew", "Mains", None),
    ):  # fmt: skip
        make_item(name, category=category, position=position)
    set_category("Starters", position=1)
    set_category("Other", position=0)
    assert list(menu_of(api).items()) == [
        ("Other", ["Bread"]), ("Starters", ["Soup"]), ("Drinks", ["Water", "Ale", "Tea"]), ("Mains", ["Stew"]),
    ]  # fmt: skip


def test_a_name_that_is_new_makes_a_category_and_renaming_it_renames_it_on_its_items(api, table):
    item = make_item("Stew", category="Mayns")
    set_category("Mayns", name="Mains", position=3)
    item.refresh_from_db()
    assert item.category == "Mains"
    assert list(menu_of(api)) == ["Mains"]
    assert Category.objects.get().position == 3


def test_outside_its_hours_it_is_neither_on_the_menu_nor_for_sale(subtests, api, table, session, clock):
    dish, bread = make_item("Stew", category="Lunch"), make_item("Bread", category="Always")
    every_day = Category.objects.get(name="Lunch").weekdays
    for values, moment, is_for_sale in [
        ({"opens": time(12), "closes": time(15)}, at(0, 11, 59), False),
        ({"opens": time(12), "closes": time(15)}, at(0, 12), True),
        ({"opens": time(12), "closes": time(15)}, at(0, 14, 59), True),
        ({"opens": time(12), "closes": time(15)}, at(0, 15), False),
        ({"opens": time(18)}, at(0, 17, 59), False),
        ({"opens": time(18)}, at(0, 23, 59), True),
        ({"opens": time(18)}, at(1, 0), False),
        ({"closes": time(11)}, at(0, 0), True),
        ({"closes": time(11)}, at(0, 11), False),
        ({"weekdays": [0]}, at(0, 3), True),
        ({"weekdays": [0]}, at(1, 3), False),
        # Past midnight it belongs to the day on which it opened.
        ({"opens": time(22), "closes": time(2), "weekdays": [5]}, at(5, 1), False),
        ({"opens": time(22), "closes": time(2), "weekdays": [5]}, at(5, 22), True),
        ({"opens": time(22), "closes": time(2), "weekdays": [5]}, at(6, 1, 59), True),
        ({"opens": time(22), "closes": time(2), "weekdays": [5]}, at(6, 2), False),
        ({"opens": time(22), "closes": time(2), "weekdays": [5]}, at(6, 22), False),
        ({"opens": time(22), "closes": time(2), "weekdays": [6]}, at(0, 1), True),
    ]:
        with subtests.test(values=values, moment=moment, is_for_sale=is_for_sale):
            clock(moment)
            session.started_at = moment
            session.save()
            set_category("Lunch", **({"opens": None, "closes": None, "weekdays": every_day} | values))
            assert menu_of(api) == {"Always": ["Bread"]} | ({"Lunch": ["Stew"]} if is_for_sale else {})
            assert api.get("/table/7/sold-out").json() == {"soldOut": [] if is_for_sale else [str(dish.pk)]}
            for path, body in (
                ("cart", {"menuItemId": str(dish.pk), "sessionId": str(session.pk)}),
                ("order", order_body(session, (bread, 1), (dish, 1))),
            ):
                response = api.post(f"/table/7/{path}", body, format="json")
                assert response.status_code == (200 if is_for_sale else 400)
                assert is_for_sale or str(dish.pk) in response.json()["error"]


def test_what_is_for_sale_changes_with_the_clock_though_the_menu_is_cached(table, clock):
    make_item("Stew", category="Lunch")
    set_category("Lunch", opens=time(12), closes=time(15))
    phone = APIClient(headers={"accept": "text/html", "accept-encoding": "gzip"})
    program = APIClient()
    found = []
    for hour in (11, 12, 15):
        clock(at(2, hour))
        found.append(("Lunch" in menu_of(program), phone.get("/table/7").status_code))
    assert found == [(False, 200), (True, 200), (False, 200)]


def test_a_vat_rate_is_the_items_or_else_its_categorys(api, table, session):
    plain, special = make_item("Stew", category="Mains"), make_item("Ale", category="Mains", vat_rate="19.00")
    set_category("Mains", vat_rate="7.00")
    api.post("/table/7/order", order_body(session, (plain, 1), (special, 1)), format="json")
    bill = api.get(f"/table/7/bill?sessionId={session.pk}", headers={"accept": "application/json"}).json()
    assert [tax["rate"] for tax in bill["taxes"]] == [7.0, 19.0]


def test_bulk_written_items_without_a_category_row_are_on_the_menu_all_the_same(api, table):
    MenuItem.objects.bulk_create([MenuItem(name="Stew", price="9.00", category="Mains")])
    assert menu_of(api) == {"Mains": ["Stew"]}
