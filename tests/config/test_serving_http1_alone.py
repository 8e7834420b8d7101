"""The HTTP server speaks HTTP/1.1 alone: a proxy in front of it needs no more, and nobody else gets to more."""

import socket

import pytest

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]

PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + bytes([0, 0, 0, 4, 0, 0, 0, 0, 0])  # and an empty SETTINGS frame


def test_http2_without_tls_is_not_spoken(http_port):
    with socket.create_connection(("127.0.0.1", http_port), timeout=5) as client:
        client.sendall(PREFACE)
        first = client.recv(100)
    assert first == b"" or first.startswith(b"HTTP/1.1 4")
    with socket.create_connection(("127.0.0.1", http_port), timeout=5) as client:
        client.sendall(b"GET /member-sign-in HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n")
        assert client.recv(100).startswith(b"HTTP/1.1 200")
