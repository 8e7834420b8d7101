"""What displays and phones hear of cancellations, approvals and moves: the documented messages, and no other."""

import pytest
from django.core.management import call_command
from rest_framework.test import APIClient
from websockets.sync.client import ClientConnection, connect

from restaurant.models import OrderingRules, TableSession
from tests.conftest import make_item, make_table, make_user, order_body, signed_in
from tests.restaurant.test_kitchen_sockets import connect_display, receive, receives_nothing

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]

FIVE = {"pending", "preparing", "ready", "served", "completed"}


@pytest.fixture
def port(transactional_db, sockets_port):
    return sockets_port


@pytest.fixture
def cook(transactional_db) -> APIClient:
    return signed_in(make_user("Floor", "anna"))


@pytest.fixture
def display(port, cook, capsys):
    call_command("create_token", "anna")
    with connect_display(port, capsys.readouterr().out.splitlines()[-1]) as socket:
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


def follow(port: int, order_id: str) -> ClientConnection:
    return connect(f"ws://127.0.0.1:{port}/orders/{order_id}")


def post(client: APIClient, path: str, **body) -> None:
    response = client.post(path, body, format="json")
    assert response.status_code == 200, response.content


def test_a_cancelled_order_is_a_status_update(port, display, cook, place):
    order_id = place()
    receive(display)
    with follow(port, order_id) as phone:
        post(cook, f"/orders/{order_id}/cancel", reason="sold_out")
        message = {"type": "status_update", "orderId": order_id, "status": "cancelled"}
        assert receive(display) == receive(phone) == message
        post(cook, f"/orders/{order_id}/cancel", reason="sold_out")  # again changes nothing
        assert receives_nothing(display)
        assert receives_nothing(phone)


def test_a_cancelled_part_is_an_order_update_with_the_ticket(port, display, cook, place):
    order_id = place()
    receive(display)
    with follow(port, order_id) as phone:
        post(cook, f"/orders/{order_id}/cancel", reason="sold_out", items=[{"position": 1, "quantity": 2}])
        [ticket] = cook.get("/kitchen").json()["orders"]
        assert receive(display) == {"type": "order_update", "order": ticket}
        assert ticket["items"][1]["cancelledQuantity"] == 2
        assert receive(phone) == {"type": "order_update", "orderId": order_id}


def test_an_acknowledgement_reaches_every_display(display, cook, place):
    order_id = place()
    post(cook, f"/orders/{order_id}/cancel", reason="mistake")
    assert [receive(display)["type"] for _ in range(2)] == ["new_order", "status_update"]
    post(cook, f"/orders/{order_id}/acknowledge")
    message = receive(display)
    assert (message["type"], message["order"]["orderId"]) == ("order_update", order_id)
    assert (message["order"]["status"], message["order"]["acknowledged"]) == ("cancelled", True)


def test_a_held_order_is_new_to_displays_when_it_is_approved_and_once(port, display, cook, place):
    OrderingRules(gate="approved").save()
    order_id = place()
    assert receives_nothing(display)
    with follow(port, order_id) as phone:
        for _ in range(2):
            post(cook, f"/orders/{order_id}/approve")
        [ticket] = cook.get("/kitchen").json()["orders"]
        assert receive(display) == {"type": "new_order", "order": ticket}
        assert receive(phone) == {"type": "status_update", "orderId": order_id, "status": "pending"}
        assert receives_nothing(display)
        assert receives_nothing(phone)


def test_displays_hear_nothing_of_a_refused_order_and_its_phone_does(port, display, cook, place):
    OrderingRules(gate="approved").save()
    order_id = place()
    with follow(port, order_id) as phone:
        post(cook, f"/orders/{order_id}/cancel", reason="other")
        assert receive(phone) == {"type": "status_update", "orderId": order_id, "status": "cancelled"}
    assert receives_nothing(display)


def test_open_tickets_of_a_party_that_moves_show_its_new_table(port, display, cook, place):
    make_table(9)
    first, served = place(), place()
    assert [receive(display)["type"] for _ in range(2)] == ["new_order"] * 2
    post(cook, f"/orders/{served}/status", status="served")
    receive(display)
    with follow(port, first) as phone:
        post(cook, "/table/7/move", sessionId=str(place.session.pk), to=9)
        message = receive(display)
        assert (message["type"], message["order"]["orderId"]) == ("order_update", first)
        assert message["order"]["tableNumber"] == 9
        assert receive(phone) == {"type": "order_update", "orderId": first}
    assert receives_nothing(display)


def test_calls_and_payments_are_not_for_the_kitchen(display, cook, place):
    place()
    receive(display)
    body = {"sessionId": str(place.session.pk), "kind": "waiter"}
    assert APIClient().post("/table/7/calls", body, format="json").status_code == 201
    assert cook.post("/table/7/payments", {"method": "cash"}, format="json").status_code == 201
    assert receives_nothing(display)


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
    old.read([receive(display) for _ in range(4)])
    assert old.tickets == {first: "preparing", second: "pending"}
    # What it has read from GET /kitchen has the last word, as ever.
    assert [ticket["orderId"] for ticket in cook.get("/kitchen").json()["orders"]] == [first]
