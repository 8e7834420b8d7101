"""The kitchen's sockets: a real server process, plain WebSocket clients."""

import contextlib

import pytest
from django.db import connection, transaction
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect

from restaurant import events
from restaurant.models import TableSession
from restaurant.ordering.services import order_steps
from tests.conftest import make_item, make_table, make_user, signed_in, unknown_id
from tests.restaurant.kitchen.displays import (
    OWN_PAGES,
    connect_display,
    cookie_of,
    follow,
    heard,
    place,
    receive,
    refused,
    token_of,
)
from tests.servers import PATIENCE

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]


@pytest.fixture
def port(transactional_db, sockets_port):
    return sockets_port


@pytest.fixture
def token(transactional_db) -> str:
    return token_of("Floor", "anna")[1]


@pytest.fixture
def session(transactional_db) -> TableSession:
    return TableSession.objects.create(table=make_table())


def test_displays_receive_two_kinds_of_messages_and_no_other(port, token, session):
    floor = signed_in(make_user("Floor", "bruno"))
    soup = make_item()
    with connect_display(port, token) as one, connect_display(port, token, "/any/path") as two:
        placed = place(session, (soup, 2))
        order = floor.get("/kitchen").json()["orders"][0]
        assert receive(one) == receive(two) == {"type": "new_order", "order": order}
        assert set(order) == {"orderId", "tableNumber", "status", "items", "total", "createdAt"}
        change = {"type": "status_update", "orderId": placed["orderId"], "status": "preparing"}
        for _ in range(2):  # the same status again changes nothing and is broadcast
            floor.post(f"/orders/{placed['orderId']}/status", {"status": "preparing"}, format="json")
            assert receive(one) == receive(two) == change
        assert heard(one) == heard(two) == []


def test_an_event_that_is_rolled_back_is_never_sent(port, token, session):
    soup = make_item()
    with connect_display(port, token) as display:
        with contextlib.suppress(ZeroDivisionError), transaction.atomic():
            events.status_update(session.pk, "ready")
            raise ZeroDivisionError
        place(session, (soup, 1), (unknown_id(), 1))
        assert heard(display) == []


def test_a_guest_receives_the_status_of_the_own_order_alone(port, session):
    soup = make_item()
    mine, other = place(session, (soup, 1))["orderId"], place(session, (soup, 1))["orderId"]
    with follow(port, mine) as phone:
        order_steps.set_status(order_id=other, status="ready")
        order_steps.set_status(order_id=mine, status="preparing")
        assert heard(phone, mine) == [{"type": "status_update", "orderId": mine, "status": "preparing"}]
    for order_id in (unknown_id(), "x"):
        with pytest.raises(InvalidStatus):
            follow(port, order_id)


def test_strangers_and_the_wrong_group_are_refused_in_the_handshake(port):
    cashier, key = token_of("Cashiers")
    cookie = cookie_of(signed_in(cashier))
    for query in ("", "?token=guess", "?token=%00abc", f"?token={key}", f"floor?token={key}"):
        assert refused(port, query), query
    assert refused(port, origin=OWN_PAGES)
    assert refused(port, origin=OWN_PAGES, additional_headers=cookie)


def test_a_session_cookie_is_accepted_from_our_own_pages_alone(port):
    cookie = cookie_of(signed_in(make_user("Floor")))
    with connect(f"ws://127.0.0.1:{port}/", origin=OWN_PAGES, additional_headers=cookie) as display:
        assert heard(display) == []
    foreign = ("https://evil.example", None, "null", "http://127.0.0.1.evil.example:8000", "http://127.0.0.1:9999",
               "https://127.0.0.1:8000", "http://[::1", "http://127.0.0.1:x")  # fmt: skip
    for origin in foreign:
        assert refused(port, origin=origin, additional_headers=cookie), origin


def test_when_the_database_drops_the_listener_displays_are_disconnected_and_can_reconnect(port, token, session):
    soup = make_item()
    with connect_display(port, token) as display:
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                " WHERE datname = current_database() AND (query LIKE 'LISTEN%' OR query = 'SELECT 1')"  # its check
            )
            assert cursor.rowcount == 1
        with pytest.raises(ConnectionClosed):
            display.recv(timeout=PATIENCE)
    with connect_display(port, token) as display:
        place(session, (soup, 1))
        assert receive(display)["type"] == "new_order"
