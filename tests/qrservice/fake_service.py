"""A fake of a hosted QR code service that misbehaves, on raw loopback sockets.

Each request gets the next act, and the last act repeats. Acts end when the server is closed or the client hangs up; a
client that does neither for a minute fails the test that closes the server.
"""

import contextlib
import itertools
import json
import select
import socket
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import pytest

from qrservice.backends.base import QRServiceError
from qrservice.backends.client import Limits
from qrservice.backends.http import HTTPBackend
from tests.servers import PATIENCE

Act = Callable[[socket.socket, threading.Event], None]


@dataclass(frozen=True)
class Seen:
    """A request that arrived."""

    method: str
    target: str
    headers: dict[str, str]
    body: bytes

    def json(self):
        return json.loads(self.body)


class ClientWaitedError(Exception):
    """A client waited for as long as the act went on."""


class FakeService:
    def __init__(self, *acts: Act, port: int = 0) -> None:
        self.acts: list[Act] = list(acts)
        self.seen: list[Seen] = []
        self.held_a_client = False
        self._closing = threading.Event()
        self._threads: list[threading.Thread] = []
        self._listener = socket.create_server(("127.0.0.1", port), backlog=64)
        self.port: int = self._listener.getsockname()[1]
        self.base = f"http://127.0.0.1:{self.port}"
        self._start(self._accept)

    def close(self) -> None:
        self._closing.set()
        # Wakes the thread that accepts; closing alone would not.
        with contextlib.suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        for thread in self._threads:
            thread.join(PATIENCE)
        assert not any(thread.is_alive() for thread in self._threads)
        assert not self.held_a_client

    def _start(self, target: Callable[..., None], *arguments: object) -> None:
        thread = threading.Thread(target=target, args=arguments, daemon=True)
        self._threads.append(thread)
        thread.start()

    def _accept(self) -> None:
        while not self._closing.is_set():
            try:
                client, _ = self._listener.accept()
            except OSError:
                return
            self._start(self._serve, client)

    def _serve(self, client: socket.socket) -> None:
        client.settimeout(PATIENCE)
        with client, contextlib.suppress(OSError):
            request = _request(client)
            if request is None:
                return
            self.seen.append(request)
            act = self.acts[min(len(self.seen), len(self.acts)) - 1]
            try:
                act(client, self._closing)
            except ClientWaitedError:
                self.held_a_client = True


def _request(client: socket.socket) -> Seen | None:
    received = b""
    while b"\r\n\r\n" not in received:
        block = client.recv(65536)
        if not block:
            return None
        received += block
    head, _, body = received.partition(b"\r\n\r\n")
    first, *lines = head.decode("latin-1").split("\r\n")
    headers = {name.strip().lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
    while len(body) < int(headers.get("content-length", 0)):
        body += client.recv(65536)
    method, target, _ = first.split(" ")
    return Seen(method, target, headers, body)


# --- acts -----------------------------------------------------------------------------------------


def head(status: int = 200, **headers: str) -> bytes:
    named = {"Content-Type": "application/json", "Connection": "close"}
    named |= {name.replace("_", "-"): value for name, value in headers.items()}
    lines = [f"HTTP/1.1 {status} Whatever", *(f"{name}: {value}" for name, value in named.items()), "", ""]
    return "\r\n".join(lines).encode("latin-1")


def says(body: bytes | str | dict | list, status: int = 200, **headers: str) -> Act:
    """A complete response."""
    content = body if isinstance(body, bytes) else (body if isinstance(body, str) else json.dumps(body)).encode()

    def act(client: socket.socket, closing: threading.Event) -> None:
        client.sendall(head(status, **{"Content_Length": str(len(content)), **headers}) + content)

    return act


def sends(*blocks: bytes) -> Act:
    """These bytes, and then the end of the connection."""

    def act(client: socket.socket, closing: threading.Event) -> None:
        client.sendall(b"".join(blocks))

    return act


def is_silent(client: socket.socket, closing: threading.Event) -> None:
    """Takes the request and never responds."""
    _until_gone(client, closing, itertools.repeat(b""), every=0.02)


def hangs_up(client: socket.socket, closing: threading.Event) -> None:
    """Takes the request and ends the connection."""


def drips(start: bytes, drop: bytes = b" ", after: Callable[[], object] = lambda: None) -> Act:
    """`start`, then a little every now and then, without end. `after` is called after each drop."""

    def act(client: socket.socket, closing: threading.Event) -> None:
        client.sendall(start)
        _until_gone(client, closing, itertools.repeat(drop), 0.01, after)

    return act


def never_ends(start: bytes, block: bytes, after: Callable[[], object] = lambda: None) -> Act:
    """`start`, then blocks as fast as they are taken. `after` is called after each."""

    def act(client: socket.socket, closing: threading.Event) -> None:
        client.sendall(start)
        _until_gone(client, closing, itertools.repeat(block), 0, after)

    return act


def _until_gone(
    client: socket.socket,
    closing: threading.Event,
    blocks: Iterator[bytes],
    every: float,
    after: Callable[[], object] = lambda: None,
) -> None:
    ends = time.monotonic() + PATIENCE
    while not closing.wait(every):
        client.sendall(next(blocks))
        after()
        if _has_hung_up(client):
            return
        if time.monotonic() > ends:
            raise ClientWaitedError


def _has_hung_up(client: socket.socket) -> bool:
    readable, _, _ = select.select([client], [], [], 0)
    return bool(readable) and client.recv(1, socket.MSG_PEEK) == b""


# --- no server at all -----------------------------------------------------------------------------


@contextlib.contextmanager
def unreachable_port() -> Iterator[int]:
    """A port where connections are never accepted, because its backlog is full."""
    with contextlib.ExitStack() as stack:
        listener = stack.enter_context(socket.socket())
        listener.bind(("127.0.0.1", 0))
        listener.listen(0)
        for _ in range(4):
            waiting = stack.enter_context(socket.socket())
            waiting.setblocking(False)
            waiting.connect_ex(listener.getsockname())
        yield listener.getsockname()[1]


# --- a client of it --------------------------------------------------------------------------------

KEY = "rq_a-secret-that-nobody-may-read"
CODE = {
    "analytics_id": "abc",
    "qr_code_url": "https://qr.example/i/abc.png",
    "short_url": "https://qr.example/s/abc",
}
SCAN = {"scanned_at": "2026-03-07T12:30:05Z", "city": "Bologna", "device_type": "iOS", "country": "Italy"}
RECORD = {"total_scans": 1, "scans": [SCAN]}
# Patient with a busy machine.
PATIENT = Limits(
    connect=PATIENCE,
    silence=PATIENCE,
    deadline=PATIENCE,
    analytics_deadline=PATIENCE,
    backoff=0.01,
    max_pause=0.3,
    max_size=4096,
    max_analytics_size=100_000,
)


class Clock:
    """A client's clock, which goes on when a test says so."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now

    def goes_on(self, seconds: float = 1) -> None:
        self.now += seconds


def create(backend: HTTPBackend):
    return backend.create_code(redirect_url="https://example.com/menu", metadata={"table_number": 7})


def read(backend: HTTPBackend):
    return backend.analytics(analytics_id="abc")


def change(backend: HTTPBackend):
    return backend.update_code(analytics_id="abc", redirect_url=None, metadata=None, status="disabled")


def failure_of(call, backend: HTTPBackend) -> QRServiceError:
    with pytest.raises(QRServiceError) as caught:
        call(backend)
    return caught.value
