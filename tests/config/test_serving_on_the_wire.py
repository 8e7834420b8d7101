"""The HTTP server, byte by byte. Slow clients, and many of them, are in check_slow_clients.py: `make sweep`."""

import socket

import pytest

from tests.servers import PATIENCE

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]

REQUEST = b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
HTTP2 = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + bytes([0, 0, 0, 4, 0, 0, 0, 0, 0])  # and an empty SETTINGS frame


def test_requests_that_are_sent_ahead_on_one_connection_are_answered_in_turn(http_port):
    with socket.create_connection(("127.0.0.1", http_port), timeout=PATIENCE) as client:
        client.sendall(REQUEST * 3)
        answered = b""
        while answered.count(b"HTTP/1.1 200") < 3:
            block = client.recv(4096)
            assert block
            answered += block


def test_http2_without_tls_is_not_spoken(http_port):
    """A proxy in front of it needs no more than HTTP/1.1, and nobody else gets to more."""
    with socket.create_connection(("127.0.0.1", http_port), timeout=PATIENCE) as client:
        client.sendall(HTTP2)
        first = client.recv(100)
    assert first == b"" or first.startswith(b"HTTP/1.1 4")
