"""Guests who come all at once, and clients that are slow: a real server, real sockets. Run by `make sweep`."""

import json
import select
import socket
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager

import psycopg
import pytest
import requests
from django.db import connection

from config.serving.http import STREAMS
from qrservice import gateway
from qrservice.models import Account, Code
from qrservice.services import keys
from restaurant.models import Order, TableSession
from tests.conftest import make_item, make_table, order_body
from tests.servers import PATIENCE, database_url, http_server, is_listening, wait_for

TABLES = range(1, 11)
SCANS = 300_000  # of one code: its analytics are larger than what a connection buffers

# Other processes of the test run have databases of their own on this server.
WAITING = """SELECT 1 FROM pg_locks WHERE NOT granted
             AND database = (SELECT oid FROM pg_database WHERE datname = current_database())"""

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def port(transactional_db, http_port):
    for number in TABLES:
        make_table(number)
        requests.get(f"http://127.0.0.1:{http_port}/table/{number}", timeout=PATIENCE)  # opens the session
    return http_port


@pytest.fixture
def orders(port) -> list[tuple[bytes, bytes]]:
    """Return an order at each table: the head of the request and its body."""
    soup, made = make_item(), []
    for session in TableSession.objects.select_related("table"):
        body = json.dumps(order_body(session, (soup, 1)), default=str).encode()
        headers = f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n"
        made.append((head("POST", f"/table/{session.table.table_number}/order", headers), body))
    return made


@pytest.fixture
def analytics(transactional_db) -> bytes:
    """Return the head of a request for a long stream."""
    made = gateway.create_code(redirect_url="https://example.com/menu")
    code = Code.objects.get(analytics_id=made.analytics_id)
    with connection.cursor() as cursor:
        cursor.execute(
            "INSERT INTO qrservice_scan (code_id, scanned_at, city, country, device_type)"
            " SELECT %s, now(), '', '', 'iOS' FROM generate_series(1, %s)",
            [code.pk, SCANS],
        )
        cursor.execute("ANALYZE qrservice_scan")  # it goes by the index, and the first rows come at once
    _, key = keys.create(account=Account.objects.get(pk=code.account_id), name="analytics")
    return head("GET", f"/v1/analytics/{code.analytics_id}", f"X-API-Key: {key}\r\n")


def head(method: str, path: str, headers: str) -> bytes:
    return f"{method} {path} HTTP/1.1\r\nHost: localhost\r\n{headers}\r\n".encode()


@contextmanager
def clients(port: int, count: int, sent: bytes = b"") -> Iterator[list[socket.socket]]:
    """Connections on which this has been sent."""
    with ExitStack() as stack:
        opened = []
        for _ in range(count):
            client = stack.enter_context(socket.socket())
            client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            client.settimeout(PATIENCE)
            client.connect(("127.0.0.1", port))
            client.sendall(sent)
            opened.append(client)
        yield opened


def statuses(opened: list[socket.socket]) -> set[bytes]:
    return {client.recv(12) for client in opened}


def place(port: int, orders: list[tuple[bytes, bytes]]) -> set[bytes]:
    """All at once, each body after its head, as on the air."""
    with ExitStack() as stack:
        phones = [stack.enter_context(clients(port, 1, before))[0] for before, _ in orders]
        for phone, (_, body) in zip(phones, orders, strict=True):
            phone.sendall(body)
        return statuses(phones)


def test_two_hundred_orders_that_arrive_together_are_all_placed(port, orders):
    assert place(port, orders * (200 // len(TABLES))) == {b"HTTP/1.1 200"}
    assert Order.objects.count() == 200


def test_slow_clients_keep_nobody_waiting(port, orders, analytics):
    slow = {
        "bodies": head("POST", "/members", "Content-Type: application/json\r\nContent-Length: 5000\r\n") + b"{",
        "headers": b"GET /table/1 HTTP/1.1\r\nHost: loc",
        "nothing": b"",
    }
    with ExitStack() as stack:
        pending = [
            client for sent in slow.values() for client in stack.enter_context(clients(port, 64, sent))
        ] + stack.enter_context(clients(port, 600))
        stack.enter_context(clients(port, 64, analytics))
        assert place(port, orders) == {b"HTTP/1.1 200"}
        assert requests.get(f"http://127.0.0.1:{port}/table/1", timeout=PATIENCE).status_code == 200
        # They were answered while all of these were still slow.
        assert select.select(pending, [], [], 0)[0] == []


def test_a_prompt_reader_of_a_stream_gets_all_of_it_beside_slow_ones(port, analytics):
    path, key = analytics.split()[1].decode(), analytics.split()[-1].decode()
    with clients(port, STREAMS, analytics) as slow:
        assert statuses(slow) == {b"HTTP/1.1 200"}  # before the prompt one comes
        response = requests.get(f"http://127.0.0.1:{port}{path}", headers={"X-API-Key": key}, timeout=PATIENCE)
    assert len(response.json()["scans"]) == SCANS


def test_a_stream_that_makes_room_for_another_is_not_ended_like_a_complete_one(port, analytics):
    with clients(port, 1, analytics) as (oldest,):
        assert oldest.recv(12) == b"HTTP/1.1 200"  # before the others come
        with clients(port, STREAMS, analytics):
            received = b"".join(iter(lambda: oldest.recv(1 << 20), b""))
    assert not received.endswith(b"0\r\n\r\n")


def test_unused_connections_are_closed(port):
    with clients(port, 1) as (unused,):
        assert unused.recv(1) == b""


def test_an_order_that_is_being_placed_is_answered_when_the_server_is_stopped(transactional_db):
    table, soup = make_table(), make_item()
    session = TableSession.objects.create(table=table)
    server = http_server()
    port = server.__enter__()
    with ThreadPoolExecutor(2) as threads, psycopg.connect(database_url()) as other:
        other.execute("LOCK TABLE restaurant_order IN SHARE MODE")
        order = {"json": order_body(session, (soup, 1)), "timeout": PATIENCE}
        placing = threads.submit(requests.post, f"http://127.0.0.1:{port}/table/7/order", **order)
        wait_for(lambda: other.execute(WAITING).fetchall(), "the order")
        stopping = threads.submit(server.__exit__, None, None, None)
        wait_for(lambda: not is_listening(port), "the server to take no more")
        other.rollback()
        assert placing.result().status_code == 200
        stopping.result()
    assert Order.objects.count() == 1
