"""Request bodies, read before Django sees the request: within a deadline, and by some of the server's threads only.

Granian hands a request to a thread when its headers are there, and a read of the body blocks that thread for as long
as the client likes. So at most READS threads read bodies, and when more requests have one, reads that have become slow
are ended. Granian can't end a read: `connections.cut` does, by shutting down the connection.
"""

import io
import math
import threading
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

from config.serving import connections
from web.proxies import is_trusted

READS = 4  # bodies that are read at the same time
WAITING = 2  # requests that wait for room; the one that has waited longest gets 503 when there are more
THREADS = 16  # of a server process: some are always left for requests without a body, and scans share a commit
SLOW = 0.75  # seconds after which a body has to make room for others
WAIT = 1.5  # seconds
DEADLINE = 15.0  # seconds for each megabyte begun, while there is room
MEGABYTE = 1024 * 1024  # bytes; only the admin's uploads may be larger
LARGEST = 11 * MEGABYTE  # a file for the admin, and the rest of its form

Environ = dict[str, Any]
StartResponse = Callable[..., Any]
Application = Callable[[Environ, StartResponse], Iterable[bytes]]


@dataclass(eq=False, slots=True)
class Read:
    """A body that is being read."""

    address: str  # of the connection's other end
    length: int
    began: float = field(default_factory=time.monotonic)

    @property
    def is_slow(self) -> bool:
        """A proxy's connections are everybody's, and it should read bodies before it forwards them."""
        return time.monotonic() - self.began > SLOW and not is_trusted(self.address)

    @property
    def deadline(self) -> float:
        return self.began + DEADLINE * math.ceil(self.length / MEGABYTE)


class Bodies:
    """A WSGI application around another one, which gets bodies that are complete."""

    def __init__(self, application: Application) -> None:
        self._application = application
        self._reads: set[Read] = set()
        self._waiting: list[Read] = []
        self._changed = threading.Condition()
        threading.Thread(target=self._enforce_deadlines, name="body-deadlines", daemon=True).start()

    def __call__(self, environ: Environ, start_response: StartResponse) -> Iterable[bytes]:
        length = _length(environ)
        if not 0 < length <= (LARGEST if environ["PATH_INFO"].startswith("/admin/") else MEGABYTE):
            environ["wsgi.input"] = io.BytesIO()  # there is none, or the application refuses it by its headers
            return self._application(environ, start_response)
        read = Read(environ["REMOTE_ADDR"], length)
        if not self._begin(read):
            return _refuse(start_response, "503 Service Unavailable")
        try:
            body = environ["wsgi.input"].read(length)
        finally:
            self._end(read)
        if len(body) < length:
            return _refuse(start_response, "408 Request Timeout")  # or the client is gone
        environ["wsgi.input"] = io.BytesIO(body)
        return self._application(environ, start_response)

    def _begin(self, read: Read) -> bool:
        """Whether there is room for another read, if need be after slow ones were ended."""
        with self._changed:
            if len(self._reads) >= READS and not self._make_room(read):
                return False
            read.began = time.monotonic()
            self._reads.add(read)
            return True

    def _make_room(self, read: Read) -> bool:
        # The latest go first: in a flood of slow bodies these are the guests'.
        self._waiting = [*self._waiting, read][-WAITING:]
        until = time.monotonic() + WAIT
        while read in self._waiting and len(self._reads) >= READS and time.monotonic() < until:
            _cut(each for each in self._reads if each.is_slow)
            self._changed.wait(0.1)
        is_next = read in self._waiting and len(self._reads) < READS
        self._waiting = [each for each in self._waiting if each is not read]
        return is_next

    def _end(self, read: Read) -> None:
        with self._changed:
            self._reads.discard(read)
            self._changed.notify_all()

    def _enforce_deadlines(self) -> None:
        while True:
            time.sleep(1)
            with self._changed:
                _cut(each for each in self._reads if time.monotonic() > each.deadline)
            connections.cut_crowds(is_trusted)


def _cut(reads: Iterable[Read]) -> None:
    """One cut for each address: it ends every connection that has been silent for as long."""
    youngest: dict[str, float] = {}
    for read in reads:
        youngest[read.address] = max(read.began, youngest.get(read.address, 0.0))
    for address, began in youngest.items():
        connections.cut(address, idle_for=time.monotonic() - began)


def _length(environ: Environ) -> int:
    """0 without a body, and where the header makes no sense."""
    text = environ.get("CONTENT_LENGTH", "")
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 12 else 0


def _refuse(start_response: StartResponse, status: str) -> Iterable[bytes]:
    body = b'{"error": "This request did not arrive in time. Please send it again."}'
    headers = [("Content-Type", "application/json"), ("Content-Length", str(len(body))), ("Connection", "close")]
    start_response(status, [*headers, ("Retry-After", "1")])
    return [body]
