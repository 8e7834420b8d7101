"""The kitchen's sockets with a second server process, and with a display on a slow network."""

import socket

import pytest
from django.db import connection
from websockets.sync.client import connect

from restaurant import events
from restaurant.models import TableSession
from tests.conftest import make_item, make_table
from tests.restaurant.kitchen.displays import connect_display, heard, place, receive, token_of
from tests.servers import socket_server

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def port(transactional_db, sockets_port):
    return sockets_port


def test_two_socket_processes_send_the_same(port):
    session, soup = TableSession.objects.create(table=make_table()), make_item()
    _anna, token = token_of("Floor", "anna")
    with socket_server() as second, connect_display(port, token) as here, connect_display(second, token) as there:
        for _ in range(5):
            place(session, (soup, 1))
        assert [receive(here) for _ in range(5)] == [receive(there) for _ in range(5)]
        assert heard(here) == heard(there) == []


def test_a_display_on_a_slow_network_receives_all_in_order_and_holds_up_nobody(port):
    _anna, token = token_of("Floor", "anna")
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
        assert heard(slow) == []
