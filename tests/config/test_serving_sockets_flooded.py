"""The socket server under connections that are no displays: a display still gets in. Real processes and sockets."""

import socket
import time
from contextlib import ExitStack, suppress
from pathlib import Path

import psutil
import pytest
from django.core.management import call_command
from rest_framework.test import APIClient
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from restaurant.listener import FOLLOWERS
from restaurant.models import TableSession
from tests.conftest import make_item, make_table, make_user, order_body
from tests.servers import socket_server, wait_for

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]

FEW_FILES = 256  # the soft limit of a process on some systems


@pytest.fixture(scope="module")
def server(django_db_setup, django_db_blocker):
    """One for all tests of this file."""
    with django_db_blocker.unblock(), socket_server(files=FEW_FILES) as port:
        yield port


@pytest.fixture
def port(transactional_db, server):
    return server


@pytest.fixture
def token(transactional_db, capsys) -> str:
    make_user("Floor", "anna")
    call_command("create_token", "anna")
    return capsys.readouterr().out.splitlines()[-1]


@pytest.fixture
def order(transactional_db) -> str:
    session = TableSession.objects.create(table=make_table())
    placed = APIClient().post("/table/7/order", order_body(session, (make_item(), 1)), format="json")
    return placed.json()["orderId"]


def process_on(port: int) -> psutil.Process:
    return next(
        process for process in psutil.process_iter(["cmdline"])
        if "sockets" in (command := process.info["cmdline"] or []) and str(port) in command and command[0] != "sh"
    )  # fmt: skip


def display_gets_in(port: int, token: str) -> bool:
    with connect(f"ws://127.0.0.1:{port}/?token={token}", open_timeout=5):
        return True


def follows(port: int, order: str) -> bool:
    try:
        with connect(f"ws://127.0.0.1:{port}/orders/{order}"):
            return True
    except InvalidStatus:
        return False


def ask(port: int, lines: str, body: bytes = b"") -> socket.socket:
    client = socket.create_connection(("127.0.0.1", port), timeout=10)
    client.sendall(f"{lines}\r\n\r\n".replace("\n", "\r\n").replace("\r\r", "\r").encode() + body)
    return client


def test_the_limit_of_open_files_is_raised_at_the_start(port):
    assert process_on(port).rlimit(psutil.RLIMIT_NOFILE)[0] > FEW_FILES


def test_three_hundred_unused_connections_keep_no_display_out(port, token):
    with ExitStack() as stack:
        for _ in range(300):
            stack.enter_context(socket.create_connection(("127.0.0.1", port), timeout=5))
        assert display_gets_in(port, token)


def test_an_unused_connection_is_closed(port):
    with socket.create_connection(("127.0.0.1", port), timeout=30) as unused:
        began = time.monotonic()
        with suppress(ConnectionResetError):
            assert unused.recv(1) == b""
        assert time.monotonic() - began < 15


def is_closed(client: socket.socket) -> bool:
    """After one more byte."""
    try:
        client.sendall(b"X")
        return client.recv(1) == b""
    except TimeoutError:
        return False
    except ConnectionError:
        return True


def test_headers_that_trickle_are_ended(port):
    with socket.create_connection(("127.0.0.1", port), timeout=0.5) as client:
        wait_for(lambda: is_closed(client), "the end of the connection", 15)


def test_an_order_has_a_limit_of_followers_and_displays_get_in(port, token, order):
    with ExitStack() as stack:
        for _ in range(FOLLOWERS):
            stack.enter_context(connect(f"ws://127.0.0.1:{port}/orders/{order}"))
        assert not any(follows(port, order) for _ in range(3))
        assert display_gets_in(port, token)
    # Those who left make room.
    wait_for(lambda: follows(port, order), "room for another follower", 5)


@pytest.mark.parametrize("upgrade", ["", "\nUpgrade: websocket\nConnection: Upgrade"])
def test_a_request_with_a_body_is_refused_at_its_headers(port, upgrade):
    with ask(port, f"POST / HTTP/1.1\nHost: localhost\nContent-Length: 200000000{upgrade}") as client:
        assert client.recv(4096).startswith(b"HTTP/1.1 426")
        while client.recv(4096):
            pass  # until it is closed


def test_a_body_in_pieces_is_refused_at_its_headers(port):
    with ask(port, "POST / HTTP/1.1\nHost: localhost\nTransfer-Encoding: chunked") as client:
        assert client.recv(4096).startswith(b"HTTP/1.1 426")


def test_what_is_sent_after_a_refusal_is_not_stored(port):
    process = process_on(port)
    before = process.memory_info().rss
    sent = 0
    with ask(port, "POST / HTTP/1.1\nHost: localhost\nContent-Length: 200000000") as client:
        try:
            for _ in range(200):
                sent += client.send(b"x" * 1_000_000)
        except OSError:
            pass
        assert sent < 50_000_000
        assert not [each.path for each in process.open_files() if Path(each.path).stat().st_size > 1_000_000]
    assert process.memory_info().rss - before < 30_000_000
