"""The page of an order that is cancelled, as a whole or in part, and its guest's button to cancel it."""

import re

import pytest
from rest_framework.test import APIClient

from restaurant.models import Order
from tests.conftest import PAGE, make_user, order_body, signed_in

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


def page(client: APIClient, order_id: str) -> str:
    response = client.get(f"/orders/{order_id}", headers={"accept": PAGE})
    assert response.status_code == 200
    return " ".join(response.content.decode().split())


def cancel(client: APIClient, order_id: str, **body):
    return client.post(f"/orders/{order_id}/cancel", {"reason": "sold_out", **body}, format="json")


def test_the_phone_that_placed_it_can_cancel_it_without_javascript(phone, placed):
    shown = page(phone, placed)
    assert "<details" in shown  # asks once before
    form = re.search(rf'<form[^>]* method="post" action="/orders/{placed}/cancel">(.*?)</form>', shown)
    assert form is not None
    response = phone.post(f"/orders/{placed}/cancel", {"reason": "mistake"})
    assert (response.status_code, response["Location"]) == (303, f"/orders/{placed}")
    shown = page(phone, placed)
    assert "<title>Cancelled" in shown
    assert "You cancelled this order. Nothing of it is on your bill." in shown
    assert "/cancel" not in shown


def test_the_form_needs_no_reason(phone, placed):
    assert phone.post(f"/orders/{placed}/cancel", {}).status_code == 303
    assert Order.objects.get().changes.get().reason == "mistake"


def test_others_see_no_button_neither_calls_nor_the_bill(phone, placed):
    for shown in (page(APIClient(), placed), page(signed_in(make_user("Cashiers")), placed)):
        assert "/cancel" not in shown
        assert "/table/7/calls" not in shown
        assert "/table/7/bill" not in shown


def test_once_the_kitchen_has_begun_the_button_is_gone(phone, cook, placed):
    cook.post(f"/orders/{placed}/status", {"status": "preparing"}, format="json")
    assert "/cancel" not in page(phone, placed)


def test_who_is_too_late_sees_the_order_again_with_the_reason(phone, cook, placed):
    cook.post(f"/orders/{placed}/status", {"status": "preparing"}, format="json")
    response = phone.post(f"/orders/{placed}/cancel", {"reason": "mistake"})
    assert response.status_code == 409
    shown = response.content.decode()
    assert "The kitchen has started on your order." in shown
    assert "Preparing" in shown
    assert f'content="10;url=/orders/{placed}"' in shown  # a reload must not ask for the address of the form
    assert "connect-src 'self' ws://" in response["Content-Security-Policy"]


@pytest.mark.parametrize(
    ("reason", "words"),
    [
        ("mistake", "This order was a mistake."),
        ("sold_out", "Sorry, what you ordered has sold out."),
        ("kitchen_closed", "Sorry, the kitchen has closed."),
        ("guest_left", "Nobody was at the table any more."),
        ("other", "A member of staff cancelled this order."),
    ],
)
def test_a_cancelled_order_says_why_in_a_guest_s_words(phone, cook, placed, reason, words):
    cancel(cook, placed, reason=reason, note="The <oven> is broken")
    shown = page(phone, placed)
    assert f"{words} Nothing of it is on your bill." in shown
    assert "“The &lt;oven&gt; is broken”" in shown
    assert shown.count('<li class="what-line what-gone">') == 2
    assert "€0.00" in shown


def test_a_cancelled_part_is_struck_through_and_the_total_is_what_is_left(phone, cook, placed):
    cancel(cook, placed, items=[{"position": 1, "quantity": 2}])
    shown = page(phone, placed)
    assert '<s class="amount">2 ×</s> <s class="what-name">Sourdough &amp; olive oil</s>' in shown
    assert '<span class="amount">1 ×</span> <span class="what-name">Sourdough &amp; olive oil</span>' in shown
    assert '<strong class="amount">€23.25</strong>' in shown
    assert "Order received" in shown


def test_the_title_is_that_of_the_status(phone, cook, placed):
    assert "<title>Order received" in page(phone, placed)
    cancel(cook, placed)
    assert "<title>Cancelled" in page(phone, placed)
