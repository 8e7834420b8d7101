"""The list of a table's orders leads a phone to its own alone: whoever knows an order's id can read its notes."""

import pytest
from django.utils import timezone
from rest_framework.test import APIClient

from restaurant.models import Order
from tests.conftest import PAGE, order_body
from tests.reading import Part, read

pytestmark = pytest.mark.django_db


def phone_at_the_table() -> APIClient:
    phone = APIClient(headers={"accept": PAGE})
    phone.get("/table/7")
    return phone


def order_of(phone: APIClient, soup) -> str:
    body = order_body(phone.cookies["tableSession"].value, (soup, 1))
    body["items"][0]["specialInstructions"] = "I am allergic to nuts"
    response = phone.post("/table/7/order", body, format="json", headers={"accept": "application/json"})
    return response.json()["orderId"]


def page(client: APIClient, address: str) -> Part:
    return read(client.get(address))


def linked(page: Part) -> set[str]:
    """The orders to which it leads."""
    return {address.removeprefix("/orders/") for _name, address in page.links() if address.startswith("/orders/")}


def folded(page: Part) -> list[bool]:
    """Of what the cart's page unfolds besides notes: whether it is folded now."""
    return [each.get("open") is None for each in page.all("details") if not each.name.startswith("Note")]


def test_each_phone_finds_its_own_orders_and_sees_that_there_are_others(table, soup):
    one, other = phone_at_the_table(), phone_at_the_table()
    mine, theirs = order_of(one, soup), order_of(other, soup)
    response = one.get("/table/7/cart")
    assert theirs not in response.content.decode()
    orders = read(response).region("Your table's orders")
    assert (linked(orders), len(orders.all("item"))) == ({mine}, 2)
    assert "Total €19.00" in orders


def test_the_cart_has_a_row_for_the_table_s_orders_open_only_while_nothing_is_chosen(table, soup):
    one, other = phone_at_the_table(), phone_at_the_table()
    mine = order_of(one, soup)
    assert linked(page(one, "/table/7/cart")) == {mine}  # the only order, of this phone
    assert "1 order ·" in page(other, "/table/7/cart")  # that of somebody else is not led to
    order_of(other, soup)
    cart = page(one, "/table/7/cart")
    assert "2 orders · " in cart
    assert folded(cart) == [False, False]
    one.post("/table/7/cart", {"menuItemId": str(soup.pk)}, format="json")
    cart = page(one, "/table/7/cart")
    assert "An allergy? Tell the waiter first" in cart
    assert folded(cart) == [True, True]


def test_a_stranger_who_knows_the_table_s_number_finds_no_order_s_id(table, soup):
    order_id = order_of(phone_at_the_table(), soup)
    stranger = phone_at_the_table()
    own = order_of(stranger, soup)
    answers = [
        *map(stranger.get, ("/table/7", "/table/7/cart", "/table/7/cart?format=json", "/table/7?format=json")),
        stranger.get(f"/orders/{own}"),
        stranger.post("/table/7/order", {"sessionId": "x"}),
    ]
    assert not [answer for answer in answers if order_id in answer.content.decode()]


def test_whoever_knows_an_order_s_id_reads_it_as_before(api, table, soup):
    order_id = order_of(phone_at_the_table(), soup)
    assert api.get(f"/orders/{order_id}").json()["items"][0]["specialInstructions"] == "I am allergic to nuts"
    assert linked(page(APIClient(headers={"accept": PAGE}), f"/orders/{order_id}")) == set()


def test_an_order_without_a_phone_is_linked_for_nobody(api, session, soup):
    order_id = api.post("/table/7/order", order_body(session, (soup, 1)), format="json").json()["orderId"]
    assert Order.objects.get().phone_key is None
    assert order_id not in phone_at_the_table().get("/table/7/cart").content.decode()


def test_staff_may_open_every_order_of_a_session(floor, table, soup):
    ids = {order_of(phone_at_the_table(), soup) for _ in range(2)}
    session = Order.objects.first().session_id
    floor.credentials(HTTP_ACCEPT=PAGE)
    assert linked(page(floor, f"/table/7/close?sessionId={session}")) == ids


def test_an_order_does_not_keep_the_phone_s_cookie(table, soup):
    phone = phone_at_the_table()
    order_of(phone, soup)
    kept = Order.objects.get().phone_key
    assert len(kept) == 32
    assert kept != phone.cookies["sessionId"].value[:32]


def test_the_page_of_a_table_s_only_order_lists_it_once_and_a_second_order_lists_both(table, soup):
    phone = phone_at_the_table()
    first = order_of(phone, soup)
    alone = page(phone, f"/orders/{first}")
    assert "Your table's orders" not in alone
    assert linked(alone) == set()
    assert linked(page(phone, "/table/7/cart")) == {first}
    second = order_of(phone, soup)
    shown = page(phone, f"/orders/{first}")
    assert linked(shown) == {second}
    assert "This order" in shown


def test_what_is_kept_for_later_stands_below_the_total_and_is_counted_apart(table, soup):
    phone = phone_at_the_table()
    first, second = order_of(phone, soup), order_of(phone, soup)
    Order.objects.filter(pk=second).update(status=Order.Status.HELD, kept_at=timezone.now())
    cart = page(phone, "/table/7/cart")
    assert "1 order · €9.50 · 1 kept for later" in cart
    listed = phone.get("/table/7/cart").content.decode()
    assert listed.index(first) < listed.index("Total") < listed.index(second)
    sends = "Your waiter sends it when you're ready."
    asks = f"{sends} Call the waiter"
    assert asks in cart
    assert asks in page(phone, f"/orders/{first}")
    assert asks not in page(phone_at_the_table(), f"/orders/{first}")
    call = {"sessionId": phone.cookies["tableSession"].value, "kind": "waiter"}
    assert phone.post("/table/7/calls", call, format="json").status_code == 303
    assert f"{sends} Waiter called at " in page(phone, "/table/7/cart")


def test_each_order_says_what_it_is_of_and_nothing_of_its_notes(table, soup):
    one, other = phone_at_the_table(), phone_at_the_table()
    mine = order_of(one, soup)
    other.post("/table/7/order", order_body(other.cookies["tableSession"].value, (soup, 2), (soup, 1)), format="json")
    orders = page(one, "/table/7/cart").region("Your table's orders").texts("item")
    assert ["3 × Ribollita" in each for each in orders] == [False, True]
    assert orders[0].endswith("€9.50 Ribollita")
    assert "allergic" not in page(other, "/table/7/cart")
    gone = Order.objects.get(pk=mine)
    one.post(f"/orders/{mine}/cancel", {"reason": "mistake"}, format="json")
    gone.refresh_from_db()
    assert (gone.status, gone.dishes) == ("cancelled", "Ribollita")


def test_an_order_is_preparing_in_the_same_word_on_every_page(table, soup):
    phone = phone_at_the_table()
    order_id = order_of(phone, soup)
    Order.objects.filter(pk=order_id).update(status=Order.Status.PREPARING)
    response = phone.get(f"/orders/{order_id}")
    assert read(response).one("heading", "Preparing")
    (step,) = read(response).element.findall(".//li[@aria-current='step']")
    assert step.text_content().strip() == "Preparing"
    assert "Preparing" in page(phone, "/table/7/cart").region("Your table's orders")
