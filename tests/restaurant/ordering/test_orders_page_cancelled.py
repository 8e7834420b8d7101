"""The page of an order that is cancelled, as a whole or in part, and its guest's button to cancel it."""

import pytest
from rest_framework.test import APIClient

from restaurant.models import Order
from tests.conftest import PAGE, make_user, order_body, signed_in
from tests.reading import Part, read
from tests.restaurant.ordering.forms import submit

pytestmark = pytest.mark.django_db


@pytest.fixture
def phone(table) -> APIClient:
    client = APIClient(headers={"accept": PAGE})
    client.get("/table/7")
    return client


@pytest.fixture
def placed(phone, table, soup, bread) -> str:
    """Two soups for 9.50 and three breads for 4.25: 31.75."""
    body = order_body(table.sessions.get(), (soup, 2), (bread, 3))
    headers = {"accept": "application/json"}
    return phone.post("/table/7/order", body, format="json", headers=headers).json()["orderId"]


@pytest.fixture
def cook(db) -> APIClient:
    return signed_in(make_user("Floor", "cook"))


def page(client: APIClient, order_id: str) -> Part:
    return read(client.get(f"/orders/{order_id}", headers={"accept": PAGE}))


def leads_to(page: Part, words: str) -> bool:
    """Whether a link or a form of the page has an address with these words."""
    forms = [form.get("action") or "" for form in page.all("form")]
    return any(words in address for address in (*dict(map(reversed, page.links())), *forms))


def lines(page: Part) -> list[str]:
    return page.region("Your order").texts("item")


def cancel(client: APIClient, order_id: str, **body):
    return client.post(f"/orders/{order_id}/cancel", {"reason": "sold_out", **body}, format="json")


def test_the_phone_that_placed_it_can_cancel_it_without_javascript(phone, placed):
    asked = page(phone, placed).one("details", "Cancel this order")  # once before
    response = submit(phone, asked, f"/orders/{placed}/cancel")
    assert (response.status_code, response["Location"]) == (303, f"/orders/{placed}")
    shown = page(phone, placed)
    assert shown.one("heading", "Cancelled")
    assert "You cancelled this order. Nothing of it is on your bill." in shown
    assert not leads_to(shown, "/cancel")


def test_the_form_needs_no_reason(phone, placed):
    assert phone.post(f"/orders/{placed}/cancel", {}).status_code == 303
    assert Order.objects.get().changes.get().reason == "mistake"


def test_others_see_no_button_neither_calls_nor_the_bill(phone, placed):
    for shown in (page(APIClient(), placed), page(signed_in(make_user("Cashiers")), placed)):
        assert not [words for words in ("/cancel", "/table/7/calls", "/table/7/bill") if leads_to(shown, words)]


def test_once_the_kitchen_has_begun_the_button_is_gone(phone, cook, placed):
    cook.post(f"/orders/{placed}/status", {"status": "preparing"}, format="json")
    assert not leads_to(page(phone, placed), "/cancel")


def test_who_is_too_late_sees_the_order_again_with_the_reason(phone, cook, placed):
    cook.post(f"/orders/{placed}/status", {"status": "preparing"}, format="json")
    response = phone.post(f"/orders/{placed}/cancel", {"reason": "mistake"})
    assert response.status_code == 409
    shown = read(response)
    assert "The kitchen has started on your order." in shown
    assert shown.one("heading", "Preparing")
    assert f'content="10;url=/orders/{placed}"' in response.content.decode()  # not the address of the form
    assert "connect-src 'self' ws://" in response["Content-Security-Policy"]


def test_a_cancelled_order_says_why_in_a_guest_s_words(phone, cook, table, soup):
    said = {
        "mistake": "This order was a mistake.",
        "sold_out": "Sorry, what you ordered has sold out.",
        "kitchen_closed": "Sorry, the kitchen has closed.",
        "guest_left": "Nobody was at the table any more.",
        "other": "A member of staff cancelled this order.",
    }
    for reason, words in said.items():
        body = order_body(table.sessions.get(), (soup, 2))
        headers = {"accept": "application/json"}
        order_id = phone.post("/table/7/order", body, format="json", headers=headers).json()["orderId"]
        cancel(cook, order_id, reason=reason, note="The <oven> is broken")
        shown = page(phone, order_id)
        assert f"{words} Nothing of it is on your bill. “The <oven> is broken”" in shown
        assert lines(shown) == ["2 × Ribollita cancelled"]
        assert "Total €0.00" in shown


def test_a_cancelled_part_is_struck_through_and_the_total_is_what_is_left(phone, cook, placed):
    cancel(cook, placed, items=[{"position": 1, "quantity": 2}])
    shown = page(phone, placed)
    assert [struck.text.strip() for struck in shown.element.iter("s")] == ["2 ×", "Sourdough & olive oil"]
    assert lines(shown) == [
        "2 × Ribollita €19.00", "1 × Sourdough & olive oil €4.25", "2 × Sourdough & olive oil cancelled",
    ]  # fmt: skip
    assert "Total €23.25" in shown
    assert shown.one("heading", "Order received")
