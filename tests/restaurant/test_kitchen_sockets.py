"""The kitchen's sockets: real server processes, a plain WebSocket client."""

import contextlib
import json
import socket

import pytest
from django.core.management import call_command
from django.db import connection, transaction
from rest_framework.test import APIClient
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import ClientConnection, connect

from restaurant import events
from restaurant.models import TableSession
from restaurant.services import order_steps
from tests.conftest import make_item, make_table, make_user, order_body, signed_in, unknown_id
from tests.servers import socket_server

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]

SOON = 5  # seconds
QUIET = 0.4  # seconds in which no message may arrive


@pytest.fixture
def port(transactional_db, sockets_port):
    return sockets_port


@pytest.fixture
def token(transactional_db, capsys) -> str:
    make_user("Floor", "anna")
    call_command("create_token", "anna")
    return capsys.readouterr().out.splitlines()[-1]


@pytest.fixture
def session(transactional_db) -> TableSession:
    return TableSession.objects.create(table=make_table())


def connect_display(port: int, token: str, path: str = "/") -> ClientConnection:
    return connect(f"ws://127.0.0.1:{port}{path}?token={token}")


def receive(display: ClientConnection) -> dict:
    return json.loads(display.recv(timeout=SOON))


def receives_nothing(display: ClientConnection) -> bool:
    with contextlib.suppress(TimeoutError):
        display.recv(timeout=QUIET)
        return False
    return True


def place(session, *entries) -> dict:
    return APIClient().post("/table/7/order", order_body(session, *entries), format="json").json()


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
        assert receives_nothing(one)


def test_an_event_that_is_rolled_back_is_never_sent(port, token, session):
    soup = make_item()
    with connect_display(port, token) as display:
        with contextlib.suppress(ZeroDivisionError), transaction.atomic():
            events.status_update(session.pk, "ready")
            raise ZeroDivisionError
        place(session, (soup, 1), (unknown_id(), 1))
        assert receives_nothing(display)


def test_two_socket_processes_send_the_same(port, token, session):
    soup = make_item()
    with socket_server() as second, connect_display(port, token) as here, connect_display(second, token) as there:
        for _ in range(5):
            place(session, (soup, 1))
        assert [receive(here) for _ in range(5)] == [receive(there) for _ in range(5)]
        assert receives_nothing(here)


def test_a_display_on_a_slow_network_receives_all_in_order_and_holds_up_nobody(port, token):
    narrow = socket.create_connection(("127.0.0.1", port))
    narrow.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2**18)
    slow = connect(f"ws://127.0.0.1:{port}/?token={token}", sock=narrow, max_queue=1, ping_interval=None)
    with slow, connect_display(port, token) as quick:
        # 8 MB: more than the network holds between two programs of which one doesn't read.
        padded = "SELECT pg_notify(%s, json_build_object('type', %s::text, 'n', n, 'pad', repeat('x', 7900))::text)"
        with connection.cursor() as cursor:
            cursor.execute(f"{padded} FROM generate_series(1, 1000) n", [events.CHANNEL, events.KITCHEN_UPDATE])
        assert [receive(quick)["n"] for _ in range(1000)] == list(range(1, 1001))
        assert [receive(slow)["n"] for _ in range(1000)] == list(range(1, 1001))
        assert receives_nothing(slow)


def test_a_guest_receives_the_status_of_the_own_order_alone(port, session):
    soup = make_item()
    mine, other = place(session, (soup, 1))["orderId"], place(session, (soup, 1))["orderId"]
    with connect(f"ws://127.0.0.1:{port}/orders/{mine}") as phone:
        order_steps.set_status(order_id=other, status="ready")
        order_steps.set_status(order_id=mine, status="preparing")
        assert receive(phone) == {"type": "status_update", "orderId": mine, "status": "preparing"}
        assert receives_nothing(phone)


def test_nobody_follows_an_order_that_does_not_exist(port):
    for order_id in (unknown_id(), "x"):
        with pytest.raises(InvalidStatus):
            connect(f"ws://127.0.0.1:{port}/orders/{order_id}")


def cookie_of(client: APIClient) -> dict[str, str]:
    return {"Cookie": f"staff_session={client.cookies['staff_session'].value}"}


def refused(port: int, query: str = "", **options) -> bool:
    with pytest.raises(InvalidStatus) as raised, connect(f"ws://127.0.0.1:{port}/{query}", **options):
        pass
    return raised.value.response.status_code in {400, 403}


def test_strangers_and_the_wrong_group_are_refused_in_the_handshake(port):
    cashier = cookie_of(signed_in(make_user("Cashiers")))
    assert refused(port)
    assert refused(port, "?token=guess")
    assert refused(port, "?token=%00abc")
    assert refused(port, origin="http://127.0.0.1:8000")
    assert refused(port, origin="http://127.0.0.1:8000", additional_headers=cashier)


def test_a_session_cookie_is_accepted_from_our_own_pages_alone(port):
    cookie = cookie_of(signed_in(make_user("Floor")))
    with connect(f"ws://127.0.0.1:{port}/", origin="http://127.0.0.1:8000", additional_headers=cookie) as display:
        assert receives_nothing(display)
    foreign = ("https://evil.example", None, "null", "http://127.0.0.1.evil.example:8000", "http://127.0.0.1:9999",
               "https://127.0.0.1:8000", "http://[::1", "http://127.0.0.1:x")  # fmt: skip
    for origin in foreign:
        assert refused(port, origin=origin, additional_headers=cookie)


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
            display.recv(timeout=SOON)
    with connect_display(port, token) as display:
        place(session, (soup, 1))
        assert receive(display)["type"] == "new_order"
