"""One line of a cart is set to a quantity, as the menu's steppers do."""

import pytest

from restaurant.models import CartLine, MenuItem
from restaurant.services import menu
from tests.restaurant.menus import add_group

pytestmark = pytest.mark.django_db


@pytest.fixture
def step(client, table):
    client.get("/table/7")

    def step(item, quantity, *options, **values):
        chosen = [str(option.pk) for option in options]
        body = {"menuItemId": str(item.pk), "quantity": quantity, "options": chosen, **values}
        return client.patch("/table/7/cart", body, content_type="application/json")

    return step


def lines() -> list[tuple[str, int, str]]:
    found = CartLine.objects.order_by("pk").values_list("menu_item__name", "quantity", "special_instructions")
    return list(found)


def test_it_makes_the_line_keeps_its_note_and_sent_twice_it_is_the_same(step, soup):
    for _ in range(2):
        assert step(soup, 2, specialInstructions="No salt").json()["count"] == 2
    assert step(soup, 5).json()["total"] == 47.5
    assert lines() == [("Ribollita", 5, "No salt")]
    step(soup, 5, specialInstructions="")
    assert lines() == [("Ribollita", 5, "")]


def test_none_of_it_takes_the_line_away_and_another_with_options_stays(step, soup):
    egg = add_group(soup, "Extras", 0, 1, ("Egg", "1.50"))[0]
    step(soup, 1)
    step(soup, 2, egg)
    assert step(soup, 0).json()["items"][0]["options"] == [{"id": str(egg.pk), "name": "Egg", "price": 1.5}]
    assert step(soup, 0).json()["count"] == 2
    assert step(soup, 0, egg).json()["items"] == []


def test_of_what_has_sold_out_there_may_be_fewer_but_not_more(step, soup):
    step(soup, 3)
    with menu.changing():
        MenuItem.objects.update(available=False)
    refused = step(soup, 4)
    assert (refused.status_code, "Ribollita" in refused.json()["error"]) == (400, True)
    assert step(soup, 2).json()["items"][0]["available"] is False
    assert step(soup, 0).json()["items"] == []
    assert step(soup, 1).status_code == 400


@pytest.mark.parametrize("quantity", [-1, 100, 1.5, "2", None])
def test_a_quantity_that_is_none_is_refused(step, soup, quantity):
    assert step(soup, quantity).status_code == 400
    assert lines() == []


def test_options_that_the_dish_needs_or_does_not_have_are_refused(step, soup):
    other = add_group(MenuItem.objects.create(name="Bread", price="4"), "Butter?", 1, 1, ("Yes", "0"))[0]
    assert step(soup, 1, other).status_code == 400
    assert step(MenuItem.objects.get(name="Bread"), 1).status_code == 400
    assert lines() == []


def test_an_unknown_dish_has_no_line(step, soup):
    soup.pk = "no-id"
    assert step(soup, 0).status_code == 200
    assert step(soup, 1).status_code == 400
