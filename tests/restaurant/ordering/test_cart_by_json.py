"""Carts by JSON: one line is set to a quantity, as the menu's steppers do, and what programs send."""

import pytest
from django.utils import timezone
from rest_framework.test import APIClient

from restaurant.menu.services import menu
from restaurant.models import CartLine, MenuItem, TableSession
from tests.conftest import order_body, unknown_id
from tests.restaurant.menu.menus import add_group

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


def test_a_quantity_that_is_none_is_refused(subtests, step, soup):
    for quantity in [-1, 100, 1.5, "2", None]:
        with subtests.test(quantity=quantity):
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


def test_the_cart_of_a_client_without_a_cookie_is_its_own(session, soup):
    one = {"menuItemId": str(soup.pk), "quantity": 2}
    for method, values in (("post", one), ("put", {"items": [one]})):
        client = APIClient()
        body = {"sessionId": str(session.pk), **values}
        changed = getattr(client, method)("/table/7/cart", body, format="json").json()
        assert [(item["menuItemId"], item["quantity"]) for item in changed["items"]] == [(str(soup.pk), 2)]
        assert client.get(f"/table/7/cart?sessionId={session.pk}").json()["count"] == 2


def test_what_is_put_or_ordered_may_name_the_version_of_the_cart_that_it_was_made_from(api, session, soup, bread):
    api.get("/table/7")

    def put(version: str, *items) -> tuple[int, str]:
        entries = [{"menuItemId": str(item.pk)} for item in items]
        response = api.put("/table/7/cart", {"items": entries, "cartVersion": version}, format="json")
        return response.status_code, response.json()["cartVersion"]

    empty = api.get("/table/7/cart").json()["cartVersion"]
    first = put(empty, soup)
    assert first[0] == 200
    assert put(empty, soup) == first  # sent again
    assert put(empty, bread) == (409, first[1])
    body = order_body(session, (soup, 1))
    for version, status in ((empty, 409), (first[1], 200), (first[1], 409)):
        response = api.post("/table/7/order", {**body, "cartVersion": version}, format="json")
        assert response.status_code == status
    assert api.post("/table/7/order", body, format="json").status_code == 200  # names no cart


def test_the_next_party_and_another_phone_have_carts_of_their_own(api, table, soup):
    api.get("/table/7")
    api.post("/table/7/cart", {"menuItemId": str(soup.pk)}, format="json")
    assert api.get("/table/7/cart").json()["count"] == 1
    first_phone = api.cookies.pop("sessionId")
    assert api.get("/table/7/cart").json()["count"] == 0
    api.cookies["sessionId"] = first_phone.value
    TableSession.objects.update(ended_at=timezone.now())
    api.get("/table/7")
    assert api.get("/table/7/cart").json()["count"] == 0


def test_programs_add_and_replace_and_read_the_cart(api, table, soup, bread):
    api.get("/table/7")
    response = api.post("/table/7/cart", {"menuItemId": str(soup.pk), "quantity": 2}, format="json")
    assert (response.status_code, response.json()["count"], response.json()["total"]) == (200, 2, 19.0)
    entries = [{"menuItemId": str(bread.pk), "quantity": 99, "specialInstructions": "toasted"}]
    assert api.put("/table/7/cart", {"items": entries}, format="json").json()["total"] == 420.75
    api.post("/table/7/cart", {"menuItemId": str(bread.pk), "quantity": 5}, format="json")
    assert api.get("/table/7/cart").json()["items"][0]["quantity"] == 99


def test_what_is_not_on_the_menu_can_not_be_added(api, table, soup):
    api.get("/table/7")
    for item_id in (unknown_id(), "soup"):
        assert api.post("/table/7/cart", {"menuItemId": item_id}, format="json").status_code == 400


def test_one_item_in_two_spellings_is_one_line_with_both_notes(api, table, soup):
    api.get("/table/7")
    entries = [
        {"menuItemId": str(soup.pk), "quantity": 60, "specialInstructions": "hot"},
        {"menuItemId": str(soup.pk).upper(), "quantity": 60, "specialInstructions": "no salt"},
    ]
    response = api.put("/table/7/cart", {"items": entries}, format="json")
    assert response.status_code == 200
    assert [(each["quantity"], each["specialInstructions"]) for each in response.json()["items"]] == [
        (99, "hot\nno salt")
    ]
