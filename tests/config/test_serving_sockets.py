"""What the socket server refuses, so that displays get in. Floods are in check_sockets_flooded.py: `make sweep`."""

import socket
from contextlib import ExitStack

import pytest
from rest_framework.test import APIClient
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from config.models import StaffToken
from restaurant.listener import FOLLOWERS
from restaurant.models import TableSession
from tests.conftest import make_item, make_table, make_user, order_body
from tests.servers import PATIENCE, wait_for

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]


def follows(port: int, order: str) -> bool:
    try:
        with connect(f"ws://127.0.0.1:{port}/orders/{order}", open_timeout=PATIENCE):
            return True
    except InvalidStatus:
        return False


def test_an_order_has_a_limit_of_followers(transactional_db, sockets_port):
    session = TableSession.objects.create(table=make_table())
    placed = APIClient().post("/table/7/order", order_body(session, (make_item(), 1)), format="json")
    order = placed.json()["orderId"]
    token = StaffToken.objects.create(user=make_user("Floor"), name="display")[1]
    with ExitStack() as stack:
        for _ in range(FOLLOWERS):
            stack.enter_context(connect(f"ws://127.0.0.1:{sockets_port}/orders/{order}", open_timeout=PATIENCE))
        assert not any(follows(sockets_port, order) for _ in range(3))
        with connect(f"ws://127.0.0.1:{sockets_port}/?token={token}", open_timeout=PATIENCE):
            pass  # a display gets in
    wait_for(lambda: follows(sockets_port, order), "room, as those have left")


@pytest.mark.parametrize(
    "header",
    [
        "Accept: text/html",
        "Content-Length: 200000000",
        "Content-Length: 200000000\r\nUpgrade: websocket\r\nConnection: Upgrade",
        "Transfer-Encoding: chunked",
    ],
)
def test_what_is_no_handshake_or_has_a_body_is_refused_at_its_headers(sockets_port, header):
    with socket.create_connection(("127.0.0.1", sockets_port), timeout=PATIENCE) as client:
        client.sendall(f"POST / HTTP/1.1\r\nHost: localhost\r\n{header}\r\n\r\n".encode())
        assert client.recv(4096).startswith(b"HTTP/1.1 426")
        while client.recv(4096):
            pass  # until it is closed
