"""A QR code service that misbehaves, on raw loopback sockets.

Each request gets the next act, and the last act repeats. Acts end when the server is closed or the client hangs up.
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


class MisbehavingServer:
    def __init__(self, *acts: Act, port: int = 0) -> None:
        self.acts: list[Act] = list(acts)
        self.seen: list[Seen] = []
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
            thread.join(5)
        assert not any(thread.is_alive() for thread in self._threads)

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
        client.settimeout(10)
        with client, contextlib.suppress(OSError):
            request = _request(client)
            if request is None:
                return
            self.seen.append(request)
            act = self.acts[min(len(self.seen), len(self.acts)) - 1]
            act(client, self._closing)


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


def drips(start: bytes, drop: bytes = b" ", every: float = 0.05) -> Act:
    """`start`, then a little every now and then, without end."""

    def act(client: socket.socket, closing: threading.Event) -> None:
        client.sendall(start)
        _until_gone(client, closing, itertools.repeat(drop), every)

    return act


def never_ends(start: bytes, block: bytes) -> Act:
    """`start`, then blocks as fast as they are taken."""

    def act(client: socket.socket, closing: threading.Event) -> None:
        client.sendall(start)
        _until_gone(client, closing, itertools.repeat(block), every=0)

    return act


def _until_gone(client: socket.socket, closing: threading.Event, blocks: Iterator[bytes], every: float) -> None:
    ends = time.monotonic() + 15
    client.settimeout(1)
    while not closing.wait(every) and time.monotonic() < ends:
        client.sendall(next(blocks))
        if _has_hung_up(client):
            return


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
PATIENT = Limits(backoff=0.01, max_pause=0.3, max_size=4096, max_analytics_size=100_000)
NO_LONGER = 3.0  # seconds: what is refused is refused at once, and tests of time-outs choose shorter ones


@pytest.fixture
def service():
    """`service(*acts)` starts a server and sets `service.server`; returns a client of it."""
    servers = []

    def start(*acts, limits: Limits = PATIENT, key: str = KEY) -> HTTPBackend:
        start.server = MisbehavingServer(*acts)
        servers.append(start.server)
        return HTTPBackend(f"{start.server.base}/", key, limits=limits)

    yield start
    for server in servers:
        server.close()


def create(backend: HTTPBackend):
    return backend.create_code(redirect_url="https://example.com/menu", metadata={"table_number": 7})


def read(backend: HTTPBackend):
    return backend.analytics(analytics_id="abc")


def change(backend: HTTPBackend):
    return backend.update_code(analytics_id="abc", redirect_url=None, metadata=None, status="disabled")


def failure_of(call, backend: HTTPBackend) -> QRServiceError:
    started = time.monotonic()
    with pytest.raises(QRServiceError) as caught:
        call(backend)
    assert time.monotonic() - started < NO_LONGER
    return caught.value
