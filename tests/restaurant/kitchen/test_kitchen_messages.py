"""What displays and phones hear of cancellations, approvals and moves: the documented messages, and no other."""

import pytest
from rest_framework.test import APIClient

from restaurant.models import OrderingRules, TableSession
from tests.conftest import make_item, make_table, order_body, signed_in
from tests.restaurant.kitchen.displays import connect_display, follow, heard, receive, token_of

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]

FIVE = {"pending", "preparing", "ready", "served", "completed"}


@pytest.fixture
def port(transactional_db, sockets_port):
    return sockets_port


@pytest.fixture
def staff(transactional_db):
    return token_of("Floor", "anna")


@pytest.fixture
def cook(staff) -> APIClient:
    return signed_in(staff[0])


@pytest.fixture
def display(port, staff):
    with connect_display(port, staff[1]) as socket:
        yield socket


@pytest.fixture
def place(transactional_db):
    """Place two soups and three breads, and return the order's id."""
    session, soup, bread = TableSession.objects.create(table=make_table()), make_item(), make_item("Bread", "4.25")

    def place(client: APIClient | None = None) -> str:
        body = order_body(session, (soup, 2), (bread, 3))
        return (client or APIClient()).post("/table/7/order", body, format="json").json()["orderId"]

    place.session = session
    return place


def post(client: APIClient, path: str, **body) -> None:
    response = client.post(path, body, format="json")
    assert response.status_code in (200, 201), response.content


def status_of(order_id: str, status: str) -> dict:
    return {"type": "status_update", "orderId": order_id, "status": status}


def test_a_cancelled_part_is_an_order_update_with_the_ticket_and_the_whole_a_status_update(port, display, cook, place):
    order_id = place()
    assert receive(display)["type"] == "new_order"
    with follow(port, order_id) as phone:
        post(cook, f"/orders/{order_id}/cancel", reason="sold_out", items=[{"position": 1, "quantity": 2}])
        [ticket] = cook.get("/kitchen").json()["orders"]
        assert receive(display) == {"type": "order_update", "order": ticket}
        assert ticket["items"][1]["cancelledQuantity"] == 2
        for _ in range(2):  # again changes nothing
            post(cook, f"/orders/{order_id}/cancel", reason="sold_out")
        post(cook, f"/orders/{order_id}/acknowledge")
        cancelled, acknowledged = heard(display)
        assert cancelled == status_of(order_id, "cancelled")
        assert heard(phone, order_id)[:2] == [{"type": "order_update", "orderId": order_id}, cancelled]
    assert (acknowledged["type"], acknowledged["order"]["orderId"]) == ("order_update", order_id)
    assert (acknowledged["order"]["status"], acknowledged["order"]["acknowledged"]) == ("cancelled", True)


def test_a_held_order_is_new_to_displays_when_it_is_approved_and_once(port, display, cook, place):
    OrderingRules(gate="approved").save()
    order_id = place()
    assert heard(display) == []
    with follow(port, order_id) as phone:
        for _ in range(2):
            post(cook, f"/orders/{order_id}/approve")
        [ticket] = cook.get("/kitchen").json()["orders"]
        assert heard(display) == [{"type": "new_order", "order": ticket}]
        assert heard(phone, order_id) == [status_of(order_id, "pending")]


def test_displays_hear_nothing_of_a_refused_order_and_its_phone_does(port, display, cook, place):
    OrderingRules(gate="approved").save()
    order_id = place()
    with follow(port, order_id) as phone:
        post(cook, f"/orders/{order_id}/cancel", reason="other")
        assert heard(phone, order_id) == [status_of(order_id, "cancelled")]
    assert heard(display) == []


def test_open_tickets_of_a_party_that_moves_show_its_new_table(port, display, cook, place):
    make_table(9)
    first, served = place(), place()
    assert [receive(display)["type"] for _ in range(2)] == ["new_order"] * 2
    post(cook, f"/orders/{served}/status", status="served")
    receive(display)
    with follow(port, first) as phone:
        post(cook, "/table/7/move", sessionId=str(place.session.pk), to=9)
        [message] = heard(display)
        assert (message["type"], message["order"]["orderId"]) == ("order_update", first)
        assert message["order"]["tableNumber"] == 9
        assert heard(phone, first) == [{"type": "order_update", "orderId": first}]


def test_calls_and_payments_are_not_for_the_kitchen(display, cook, place):
    place()
    receive(display)
    post(APIClient(), "/table/7/calls", sessionId=str(place.session.pk), kind="waiter")
    post(cook, "/table/7/payments", method="cash")
    assert heard(display) == []


class OldDisplay:
    """Knows two messages and five statuses, and ignores the rest."""

    def __init__(self) -> None:
        self.tickets: dict[str, str] = {}

    def read(self, messages: list[dict]) -> None:
        for message in messages:
            if message["type"] == "new_order":
                self.tickets[message["order"]["orderId"]] = message["order"]["status"]
            elif message["type"] == "status_update" and message["status"] in FIVE:
                self.tickets[message["orderId"]] = message["status"]


def test_a_display_that_knows_two_messages_and_five_statuses_keeps_working(display, cook, place):
    first, second = place(), place()
    old = OldDisplay()
    # An order is read when its message is sent: before anything else happens to it.
    old.read([receive(display) for _ in range(2)])
    post(cook, f"/orders/{first}/cancel", reason="mistake", items=[{"position": 0}])
    post(cook, f"/orders/{second}/cancel", reason="mistake")
    post(cook, f"/orders/{second}/acknowledge")
    post(cook, f"/orders/{first}/status", status="preparing")
    old.read(heard(display))
    assert old.tickets == {first: "preparing", second: "pending"}
    # What it has read from GET /kitchen has the last word, as ever.
    assert [ticket["orderId"] for ticket in cook.get("/kitchen").json()["orders"]] == [first]
