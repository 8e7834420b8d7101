"""The row of what guests order most, above the menu's first category.

See "Suggested dishes" in docs/behaviour/restaurant.md.
"""

from datetime import UTC, timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from rest_framework.test import APIClient

from restaurant.menu.services import menu
from restaurant.models import MenuItem, SalesDay, SalesOfItem
from tests.conftest import PAGE, make_item
from tests.reading import Part, read
from tests.restaurant.menu.dishes import declared, give_options

pytestmark = pytest.mark.django_db

CATEGORIES = ("Mains", "Sides", "Sweets")


@pytest.fixture
def dishes(table) -> list[MenuItem]:
    """Twelve: number 0 to 3 in the first category, and so on."""
    return [
        make_item(
            f"Dish {number:02}",
            category=CATEGORIES[number // 4],
            image_url=f"https://example.com/{number}.jpg",
            allergens=declared(),
        )
        for number in range(12)
    ]


def sell(item: MenuItem, portions: int, days_ago: int = 3) -> None:
    day = (timezone.now() - timedelta(days=days_ago)).astimezone(UTC).date()
    SalesDay.objects.get_or_create(day=day, defaults={"summed_at": timezone.now()})
    SalesOfItem.objects.create(day_id=day, menu_item=item, lines=portions, portions=portions, revenue=portions)


def see(query: str = "from=cart") -> Part:
    return read(APIClient(headers={"accept": PAGE}).get(f"/table/7?{query}"))


NAME = "House favourites"


def row(page: Part) -> list[str]:
    if NAME not in page.names("heading"):
        return []
    return [link.name for link in page.one("section", NAME).all("link") if not link.name.startswith("Add ")]


def test_the_best_of_each_category_comes_first_and_then_the_second_best(dishes):
    for number, portions in ((0, 30), (1, 50), (2, 40), (4, 20), (5, 15), (8, 10), (9, 9)):
        sell(dishes[number], portions)
    sell(dishes[4], 19, days_ago=5)
    page = see()
    assert row(page) == ["Dish 01", "Dish 04", "Dish 08", "Dish 02", "Dish 05"]
    assert [name for name in page.names("heading") if name in (NAME, *CATEGORIES)] == [NAME, *CATEGORIES]
    assert row(see("without=nuts")) == row(page)


def test_there_are_six_at_most(table):
    items = [make_item(f"Dish {n:02}", category=f"Course {n}", image_url=f"https://e.com/{n}.jpg") for n in range(12)]
    for number, item in enumerate(items):
        sell(item, 100 - number)
    assert row(see()) == [f"Dish {number:02}" for number in range(6)]


def test_it_is_left_out_while_too_little_is_known(dishes):
    assert row(see()) == []
    sell(dishes[0], 90)
    sell(dishes[4], 80)
    sell(dishes[8], 9)
    sell(dishes[9], 90, days_ago=30)
    with menu.changing():
        pass
    assert row(see()) == []
    sell(dishes[8], 1, days_ago=1)
    with menu.changing():
        pass
    assert row(see()) == ["Dish 00", "Dish 04", "Dish 08"]


def test_a_small_menu_has_none(dishes):
    for each in dishes:
        sell(each, 50)
    assert len(row(see())) == 6
    menu.switch(item_id=str(dishes[11].pk), available=False)
    assert row(see()) == []


def test_what_cannot_be_had_has_no_picture_or_does_not_suit_the_guest_is_not_in_it(dishes):
    extra = [make_item(f"Extra {number}", category="Extras") for number in range(4)]
    for number, item in enumerate([*dishes[3:10], *extra]):
        sell(item, 90 - number)
    dishes[4].allergens = declared(nuts="may_contain")
    dishes[4].save()
    menu.switch(item_id=str(dishes[8].pk), available=False)
    assert row(see()) == ["Dish 03", "Dish 04", "Dish 09", "Dish 05"]
    assert row(see("from=cart&without=nuts")) == ["Dish 03", "Dish 05", "Dish 09", "Dish 06"]


def test_one_with_choices_leads_to_its_page_and_another_is_added_without_a_script(dishes):
    give_options(dishes[0], "Size", "small", "large", low=1)
    for number in (0, 4, 8):
        sell(dishes[number], 50)
    phone = APIClient(headers={"accept": PAGE})
    favourites = read(phone.get("/table/7")).one("section", NAME)
    assert favourites.one("link", "Add Dish 00: choose how")["href"] == f"/table/7/dishes/{dishes[0].pk}"
    added = [(button["name"], button["value"]) for button in favourites.all("button")]
    assert set(added) == {("add", str(dishes[4].pk)), ("add", str(dishes[8].pk))}
    phone.post("/table/7/cart", {"add": str(dishes[4].pk)})
    assert "1 item" in read(phone.get("/table/7?from=cart"))


def test_it_is_read_with_the_menu_and_no_request_asks_for_it(dishes):
    for number in (0, 4, 8):
        sell(dishes[number], 50)
    with CaptureQueriesContext(connection) as first:
        see()
    about = [each["sql"] for each in first if "salesofitem" in each["sql"]]
    assert [sql.startswith('SELECT "restaurant_menuitem"') for sql in about] == [True]
    with CaptureQueriesContext(connection) as later:
        assert len(row(see())) == 3
        see("from=cart&without=milk")
    assert not any("salesofitem" in each["sql"] for each in later)


def test_programs_get_the_menu_without_it(dishes, api):
    for number in (0, 4, 8):
        sell(dishes[number], 50)
    assert list(api.get("/table/7").json()["menu"]) == list(CATEGORIES)
