"""Clients that send a request's headers and then its body slowly or never: a real server, real sockets."""

import socket
import time
from contextlib import ExitStack, contextmanager

import pytest
import requests

from restaurant.models import TableSession
from tests.conftest import make_item, make_table, order_body

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]


@pytest.fixture
def port(transactional_db, http_port):
    make_table()
    requests.get(f"http://127.0.0.1:{http_port}/table/7", timeout=10)  # the worker has loaded everything
    return http_port


def begin(port: int, sent: bytes = b"", *, path: str = "/members", length: int = 5000) -> socket.socket:
    """A client that has sent headers, and `sent` of the body."""
    client = socket.create_connection(("127.0.0.1", port), timeout=30)
    headers = f"POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: {length}"
    client.sendall(headers.encode() + b"\r\n\r\n" + sent)
    return client


@contextmanager
def slow_clients(port: int, count: int = 20, **options):
    with ExitStack() as stack:
        yield [stack.enter_context(begin(port, **options)) for _ in range(count)]


def seconds(call) -> float:
    began = time.monotonic()
    call()
    return time.monotonic() - began


def menu(port: int) -> None:
    assert requests.get(f"http://127.0.0.1:{port}/table/7", timeout=10).status_code == 200


def test_twenty_bodies_that_never_come_keep_no_guest_from_the_menu(port):
    with slow_clients(port):
        time.sleep(0.3)
        for _ in range(10):
            assert seconds(lambda: menu(port)) < 1


def test_twenty_bodies_that_never_come_keep_no_guest_from_ordering(port):
    session = TableSession.objects.get()
    body = order_body(session, (make_item(), 1))
    with slow_clients(port):
        time.sleep(0.3)
        began = time.monotonic()
        response = requests.post(f"http://127.0.0.1:{port}/table/7/order", json=body, timeout=10)
        assert response.status_code == 200
        assert time.monotonic() - began < 1


def test_many_slow_bodies_are_refused(port):
    with slow_clients(port) as clients:
        began = time.monotonic()
        answers = [client.recv(4096) for client in clients]
        assert time.monotonic() - began < 20
    assert {each[:12] for each in answers} == {b"HTTP/1.1 408", b"HTTP/1.1 503"}


def test_slow_bodies_make_room_for_others(port):
    with slow_clients(port, 4) as clients:
        time.sleep(1)
        body = {"email": "ada@example.com", "name": "Ada"}
        assert requests.post(f"http://127.0.0.1:{port}/members", json=body, timeout=5).status_code == 201
        assert [client.recv(12) for client in clients] == [b"HTTP/1.1 408"] * 4


def test_a_body_that_trickles_is_refused_at_its_deadline(port):
    with begin(port) as client:
        client.settimeout(1)
        began = time.monotonic()
        answer = b""
        while not answer and time.monotonic() - began < 30:
            client.sendall(b" ")
            try:
                answer = client.recv(4096)
            except TimeoutError:
                continue
        assert answer.startswith(b"HTTP/1.1 408")
        assert 10 < time.monotonic() - began < 20


def test_a_refused_connection_is_closed(port):
    with slow_clients(port, 8) as clients:
        for client in clients:
            while client.recv(4096):
                pass  # until the server closes it


def test_a_slow_body_that_arrives_in_time_is_answered(port):
    body = b'{"email": "ada@example.com", "name": "Ada"}'
    with begin(port, body[:10], length=len(body)) as client:
        time.sleep(1.5)
        client.sendall(body[10:])
        assert client.recv(4096).startswith(b"HTTP/1.1 201")


def test_a_client_that_gives_up_keeps_nothing(port):
    for _ in range(3):
        with slow_clients(port, 50):
            pass
    assert seconds(lambda: menu(port)) < 1


def test_large_bodies_are_refused_without_being_read(port):
    with begin(port, b"x" * 1000, length=200_000_000) as client:
        assert client.recv(4096).startswith(b"HTTP/1.1 413")
    with slow_clients(port, path="/admin/login/", length=5_000_000):
        assert seconds(lambda: menu(port)) < 1


def test_unused_connections_are_closed(port):
    with socket.create_connection(("127.0.0.1", port), timeout=30) as unused:
        began = time.monotonic()
        assert unused.recv(1) == b""
        assert time.monotonic() - began < 20
