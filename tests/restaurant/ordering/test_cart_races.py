"""Changes of a cart that meet each other, or the closing of its session, at the same moment."""

import pytest
from django.utils import timezone
from rest_framework.test import APIClient

from restaurant.models import CartLine
from tests.at_once import at_once, before_commit
from tests.conftest import make_item, make_table, order_body
from tests.restaurant.menu.dishes import give_options

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.race]


def sender(client: APIClient):
    """`send(method, body)` changes the cart of this phone, from any thread: the status."""

    def send(method: str, body: dict) -> int:
        phone = APIClient()
        phone.cookies = client.cookies
        return getattr(phone, method)("/table/7/cart", body, format="json").status_code

    return send


def test_adding_and_replacing_at_the_same_moment_both_succeed(transactional_db):
    make_table()
    soup = make_item()
    client = APIClient()
    client.get("/table/7")

    send = sender(client)
    one = {"menuItemId": str(soup.pk)}
    for _ in range(8):
        send("put", {"items": []})
        calls = [lambda: send("post", one), lambda: send("put", {"items": [one]})] * 4
        assert at_once(calls) == [200] * 8


def test_of_many_first_taps_at_once_none_fails_and_none_is_lost(transactional_db):
    make_table()
    items = [make_item(f"Dish {number}") for number in range(6)]
    client = APIClient()
    client.get("/table/7")

    send = sender(client)
    for item in items:
        assert at_once([lambda item=item: send("post", {"menuItemId": str(item.pk)})] * 8) == [200] * 8
    assert list(CartLine.objects.values_list("quantity", flat=True)) == [8] * 6


def test_a_stepper_and_adding_at_the_same_moment_make_one_line_and_lose_nothing(transactional_db):
    make_table()
    client = APIClient()
    client.get("/table/7")

    send = sender(client)
    for number in range(6):
        one = {"menuItemId": str(make_item(f"Dish {number}").pk)}
        calls = [lambda one=one: send("patch", one | {"quantity": 5})] * 4 + [lambda one=one: send("post", one)] * 4
        assert at_once(calls) == [200] * 8
        line = CartLine.objects.get(menu_item=one["menuItemId"])
        assert 5 <= line.quantity <= 9


def test_a_change_waits_for_a_closing_that_is_not_committed_and_is_then_refused(transactional_db):
    table, soup = make_table(), make_item()
    one = {"menuItemId": str(soup.pk)}
    body = one | {"items": [one], "quantity": 1}
    for method in ("post", "put", "patch"):
        client = APIClient()
        client.get("/table/7")

        def send(client=client, method=method) -> int:
            return getattr(client, method)("/table/7/cart", body, format="json").status_code

        assert before_commit(lambda: table.sessions.update(ended_at=timezone.now()), send) == 409, method
        assert not CartLine.objects.exists()


def test_lines_that_become_equal_at_the_same_moment_are_one_with_all_of_them(transactional_db):
    make_table()
    soup = make_item()
    options = give_options(soup, "Bread", *(f"Bread {number}" for number in range(8)))
    client = APIClient()
    client.get("/table/7")
    form = {"addDish": "1", "menuItemId": str(soup.pk), "quantity": "1"}
    for option in options.values():
        client.post("/table/7/cart", {**form, "options": str(option.pk)})
    assert CartLine.objects.count() == 8

    def change(option) -> int:
        phone = APIClient()
        phone.cookies = client.cookies
        return phone.post("/table/7/cart", {**form, "replaces": f"{soup.pk},{option.pk}"}).status_code

    assert at_once([lambda option=option: change(option) for option in options.values()]) == [200] * 8
    assert list(CartLine.objects.values_list("quantity", "options")) == [(8, [])]


def test_of_two_pages_that_order_one_cart_at_the_same_moment_one_does(transactional_db):
    table, soup = make_table(), make_item()
    client = APIClient()
    client.get("/table/7")
    for number in range(1, 9):
        cart = client.post("/table/7/cart", {"menuItemId": str(soup.pk)}, format="json").json()
        body = order_body(table.sessions.get(), (soup, 1)) | {"cartVersion": cart["cartVersion"]}

        def order(body: dict = body) -> int:
            phone = APIClient()
            phone.cookies = client.cookies
            return phone.post("/table/7/order", body, format="json").status_code

        assert sorted(at_once([order] * 4)) == [200, 409, 409, 409]
        assert table.orders.count() == number
