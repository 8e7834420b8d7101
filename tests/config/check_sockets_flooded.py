"""The socket server under connections that are no displays: a display still gets in.

Real processes and sockets; run by `make sweep`.
"""

import socket
from contextlib import ExitStack, suppress
from pathlib import Path

import psutil
import pytest
from django.core.management import call_command
from websockets.sync.client import connect

from tests.conftest import make_user
from tests.servers import PATIENCE, socket_server, wait_for

pytestmark = pytest.mark.django_db(transaction=True)

FEW_FILES = 256  # the soft limit of a process on some systems


@pytest.fixture(scope="module")
def server(django_db_setup, django_db_blocker):
    """Start one server for all tests of this file."""
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


def process_on(port: int) -> psutil.Process:
    return next(
        process for process in psutil.process_iter(["cmdline"])
        if "sockets" in (command := process.info["cmdline"] or []) and str(port) in command and command[0] != "sh"
    )  # fmt: skip


def display_gets_in(port: int, token: str) -> bool:
    with connect(f"ws://127.0.0.1:{port}/?token={token}", open_timeout=PATIENCE):
        return True


def ask(port: int, lines: str, body: bytes = b"") -> socket.socket:
    client = socket.create_connection(("127.0.0.1", port), timeout=PATIENCE)
    client.sendall(f"{lines}\r\n\r\n".replace("\n", "\r\n").replace("\r\r", "\r").encode() + body)
    return client


def test_the_limit_of_open_files_is_raised_at_the_start(port):
    assert process_on(port).rlimit(psutil.RLIMIT_NOFILE)[0] > FEW_FILES


def test_three_hundred_unused_connections_keep_no_display_out(port, token):
    with ExitStack() as stack:
        for _ in range(300):
            stack.enter_context(socket.create_connection(("127.0.0.1", port), timeout=PATIENCE))
        assert display_gets_in(port, token)


def test_an_unused_connection_is_closed(port):
    with socket.create_connection(("127.0.0.1", port), timeout=PATIENCE) as unused, suppress(ConnectionResetError):
        assert unused.recv(1) == b""


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
        wait_for(lambda: is_closed(client), "the end of the connection")


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
        assert not [file.path for file in process.open_files() if Path(file.path).stat().st_size > 1_000_000]
    assert process.memory_info().rss - before < 30_000_000
