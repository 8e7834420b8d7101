"""Orders that a member of staff approves before the kitchen hears of them."""

from decimal import Decimal

import pytest
from django.utils import timezone
from rest_framework.test import APIClient

from restaurant.models import Order, OrderChange, OrderingRules, TableSession
from tests.conftest import PAGE, order_body, unknown_id
from tests.reading import read

pytestmark = pytest.mark.django_db


def rules(**values) -> None:
    OrderingRules(**values).save()


@pytest.fixture
def place(table, soup):
    """Place an order of so many soups for 9.50 and return the response."""
    session = TableSession.objects.create(table=table)
    phone = APIClient()
    phone.cookies["sessionId"] = "phone"

    def place(quantity: int = 1, client: APIClient = phone, **extra):
        return client.post("/table/7/order", order_body(session, (soup, quantity)), format="json", **extra)

    place.phone = phone
    return place


def figures() -> tuple[int, Decimal]:
    session = TableSession.objects.get()
    return session.total_orders, session.total_revenue


def approve(client: APIClient, order_id: str):
    return client.post(f"/orders/{order_id}/approve")


def test_without_rules_everybody_orders(place):
    assert place().json()["status"] == "pending"


def test_the_first_order_is_held_and_counts_nowhere(place, floor):
    rules(gate="approved")
    held = place(2).json()
    assert (held["status"], "member of staff" in held["message"]) == ("held", True)
    assert figures() == (0, Decimal("0.00"))
    assert floor.get("/kitchen").json() == {"orders": []}
    assert [ticket["orderId"] for ticket in floor.get("/floor").json()["held"]] == [held["orderId"]]
    bill = floor.get("/table/7/bill").json()
    assert (bill["items"], bill["total"], bill["due"]) == ([], 0, 0)


def test_approved_it_is_an_order_like_any_other(place, floor):
    rules(gate="approved")
    order_id = place(2).json()["orderId"]
    response = approve(floor, order_id)
    assert (response.status_code, response.json()["status"]) == (200, "pending")
    assert figures() == (1, Decimal("19.00"))
    assert [ticket["orderId"] for ticket in floor.get("/kitchen").json()["orders"]] == [order_id]
    assert floor.get("/floor").json()["held"] == []
    change = OrderChange.objects.get()
    assert (change.kind, change.user_name, change.amount) == ("approved", "floor", Decimal("19.00"))


def test_after_one_approval_the_table_orders_freely(place, floor):
    rules(gate="approved")
    first, second = place().json(), place().json()
    assert (first["status"], second["status"]) == ("held", "held")
    approve(floor, first["orderId"])
    assert place().json()["status"] == "pending"
    assert Order.objects.get(pk=second["orderId"]).status == "held"


def test_the_next_party_waits_again(place, floor, table, soup):
    rules(gate="approved")
    approve(floor, place().json()["orderId"])
    TableSession.objects.update(ended_at=timezone.now())
    session = TableSession.objects.create(table=table)
    response = APIClient().post("/table/7/order", order_body(session, (soup, 1)), format="json")
    assert response.json()["status"] == "held"


@pytest.mark.parametrize("gate", ["open", "approved"])
def test_orders_above_the_limit_are_held_whatever_was_approved_before(place, floor, gate):
    rules(gate=gate, approval_above="19.00")
    first = place(2).json()
    if gate == "approved":
        approve(floor, first["orderId"])
    assert place(2).json()["status"] == "pending"  # exactly the limit
    large = place(3).json()
    assert large["status"] == "held"
    approve(floor, large["orderId"])
    assert place(3).json()["status"] == "held"


def test_a_repeat_gets_the_first_response_also_after_the_approval(place, floor):
    rules(gate="approved")
    key = {"headers": {"Idempotency-Key": "one tap"}}
    first = place(**key).json()
    approve(floor, first["orderId"])
    assert place(**key).json() == first
    assert Order.objects.count() == 1


def test_approving_twice_counts_once(place, floor):
    rules(gate="approved")
    order_id = place().json()["orderId"]
    assert approve(floor, order_id).json() == approve(floor, order_id).json()
    assert figures() == (1, Decimal("9.50"))
    assert OrderChange.objects.count() == 1


def test_an_approval_after_the_kitchen_has_moved_on_changes_nothing(place, floor):
    rules(gate="approved")
    order_id = place().json()["orderId"]
    approve(floor, order_id)
    floor.post(f"/orders/{order_id}/status", {"status": "served"}, format="json")
    assert approve(floor, order_id).json()["status"] == "served"


def test_what_is_held_is_not_moved_on_by_the_kitchen(place, floor):
    rules(gate="approved")
    order_id = place().json()["orderId"]
    assert floor.post(f"/orders/{order_id}/status", {"status": "ready"}, format="json").status_code == 409


def test_refusing_is_cancelling_and_the_kitchen_never_hears_of_it(place, floor):
    rules(gate="approved")
    order_id = place().json()["orderId"]
    response = floor.post(f"/orders/{order_id}/cancel", {"reason": "other"}, format="json")
    assert response.json()["status"] == "cancelled"
    assert figures() == (0, Decimal("0.00"))
    assert floor.get("/kitchen").json() == {"orders": []}
    assert approve(floor, order_id).status_code == 409
    assert place().json()["status"] == "held"  # a refusal is no approval
    page = place.phone.get(f"/orders/{order_id}", headers={"accept": PAGE}).content.decode()
    assert "Not accepted" in page


def test_after_the_table_was_closed_an_order_is_not_approved_but_can_be_refused(place, floor):
    rules(gate="approved")
    order_id = place().json()["orderId"]
    TableSession.objects.update(ended_at=timezone.now())
    response = approve(floor, order_id)
    assert response.status_code == 409
    assert "closed" in response.json()["error"]
    assert floor.post(f"/orders/{order_id}/cancel", {"reason": "guest_left"}, format="json").status_code == 200
    assert figures() == (0, Decimal("0.00"))


def test_only_the_floor_approves(place, cashier, api):
    rules(gate="approved")
    order_id = place().json()["orderId"]
    assert approve(api, order_id).status_code == 401
    assert approve(cashier, order_id).status_code == 403
    assert approve(place.phone, order_id).status_code == 401


def test_an_unknown_order_is_404(floor):
    assert approve(floor, unknown_id()).status_code == 404
    assert approve(floor, "x").status_code == 404


def test_the_cart_says_where_the_order_goes(place, floor, soup):
    def cart_page() -> str:
        place.phone.get("/table/7")
        place.phone.post("/table/7/cart", {"menuItemId": str(soup.pk)}, format="json")
        return read(place.phone.get("/table/7/cart", headers={"accept": PAGE})).text

    where = "member of staff comes to confirm"  # only where it is not the kitchen at once
    page = cart_page()
    assert where not in page
    assert page.index("Place order ·") < page.index("You pay at the table.")
    rules(gate="approved")
    assert "A member of staff comes to confirm your order." in cart_page()
    approve(floor, place().json()["orderId"])
    assert where not in cart_page()
    rules(gate="open", approval_above="50")
    assert "Above €50.00 a member of staff comes to confirm it first." in cart_page()


def test_the_page_of_a_held_order_says_what_it_waits_for(place, soup):
    rules(gate="approved")
    form = {"sessionId": str(TableSession.objects.get().pk), "menuItemId": str(soup.pk), "quantity": "1"}
    response = place.phone.post("/table/7/order", form, headers={"accept": PAGE})
    assert response.status_code == 303
    page = place.phone.get(response["Location"], headers={"accept": PAGE}).content.decode()
    assert "<title>Waiting for a member of staff" in page
    assert "Somebody comes to your table to confirm your order." in page
    rules(gate="open", approval_above="5.00")
    page = place.phone.get(response["Location"], headers={"accept": PAGE}).content.decode()
    assert "large orders" in page
