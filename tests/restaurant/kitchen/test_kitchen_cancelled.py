"""What `GET /kitchen` shows of orders that are cancelled, as a whole or in part."""

from datetime import timedelta

import pytest
from django.utils import timezone
from rest_framework.test import APIClient

from restaurant.models import Order
from tests.conftest import PAGE, make_user, order_body, signed_in

pytestmark = pytest.mark.django_db

TICKET = {"orderId", "tableNumber", "status", "items", "total", "createdAt"}


@pytest.fixture
def cook(db) -> APIClient:
    return signed_in(make_user("Floor", "cook"))


@pytest.fixture
def place(session, soup, bread):
    """Two soups and three breads."""

    def place(client: APIClient | None = None) -> str:
        body = order_body(session, (soup, 2), (bread, 3))
        return (client or APIClient()).post("/table/7/order", body, format="json").json()["orderId"]

    return place


def cancel(cook: APIClient, order_id: str, **body) -> None:
    response = cook.post(f"/orders/{order_id}/cancel", {"reason": "sold_out", **body}, format="json")
    assert response.status_code == 200, response.content


def move_on(cook: APIClient, order_id: str, status: str) -> None:
    cook.post(f"/orders/{order_id}/status", {"status": status}, format="json")


def test_a_cancelled_order_is_listed_apart_until_it_is_acknowledged(cook, place):
    other = place()
    for status in ("pending", "preparing", "ready"):
        order_id = place()
        move_on(cook, order_id, status)
        cancel(cook, order_id)
        shown = cook.get("/kitchen").json()
        assert [ticket["orderId"] for ticket in shown["orders"]] == [other]
        [ticket] = shown["cancelled"]
        assert set(ticket) - {"readyAt"} == TICKET
        assert (ticket["orderId"], ticket["status"], ticket["total"]) == (order_id, "cancelled", 0)
        assert [(entry["quantity"], entry["cancelledQuantity"]) for entry in ticket["items"]] == [(2, 2), (3, 3)]
        for _ in range(2):
            response = cook.post(f"/orders/{order_id}/acknowledge")
            assert (response.status_code, response.json()) == (200, {"success": True})
        assert set(cook.get("/kitchen").json()) == {"orders"}


def test_what_was_served_needs_no_acknowledgement(cook, place):
    order_id = place()
    move_on(cook, order_id, "served")
    cancel(cook, order_id)
    assert cook.get("/kitchen").json() == {"orders": []}


def test_after_half_an_hour_it_is_listed_no_more(cook, place, clock):
    clock(timezone.now())
    order_id = place()
    cancel(cook, order_id)
    for ago, listed in ((29, True), (31, False)):
        Order.objects.update(cancelled_at=timezone.now() - timedelta(minutes=ago))
        assert ("cancelled" in cook.get("/kitchen").json()) is listed


def test_a_part_leaves_the_ticket_open(cook, place):
    order_id = place()
    cancel(cook, order_id, items=[{"position": 1, "quantity": 2}])
    shown = cook.get("/kitchen").json()
    [ticket] = shown["orders"]
    assert "cancelled" not in shown
    assert (ticket["status"], ticket["total"]) == ("pending", 23.25)
    assert "cancelledQuantity" not in ticket["items"][0]
    assert (ticket["items"][1]["quantity"], ticket["items"][1]["cancelledQuantity"]) == (3, 2)


def test_a_ticket_names_who_ordered_for_the_guest(cook, place):
    place(cook)
    place()
    by_staff, by_guest = cook.get("/kitchen").json()["orders"]
    assert by_staff["placedBy"] == "cook"
    assert "placedBy" not in by_guest


def test_only_the_kitchen_acknowledges(cook, place, api, cashier):
    order_id = place()
    cancel(cook, order_id)
    assert api.post(f"/orders/{order_id}/acknowledge").status_code == 401
    assert cashier.post(f"/orders/{order_id}/acknowledge").status_code == 403
    assert cook.post("/orders/x/acknowledge").status_code == 404


def test_the_display_has_a_way_to_cancel_and_a_word_for_what_is_cancelled(cook):
    page = cook.get("/kitchen", headers={"accept": PAGE}).content.decode()
    for words in ("CANCELLED", "Acknowledge", "Cancel the order, or a part of it"):
        assert words in page
