"""Connections whose responses end by a deadline.

The read time-out of `requests` starts again with every byte, of the headers too, so a service that sends one byte
now and then could hold a caller forever. Here every wait for bytes is also bounded by the deadline of the calling
thread.
"""

import http.client
import io
import math
import socket
import threading
from time import monotonic
from typing import Any

from urllib3.connection import HTTPConnection, HTTPSConnection

_BUFFER_SIZE = 64 * 1024  # bytes


class _Clock(threading.local):
    """The deadline of this thread's call, by `time.monotonic`."""

    deadline = math.inf


clock = _Clock()


class _Reader(io.RawIOBase):
    """Reads from a socket; raises TimeoutError at the deadline, or when the socket's time-out passes without a byte."""

    def __init__(self, raw: io.RawIOBase, sock: socket.socket) -> None:
        self._raw, self._sock = raw, sock
        self._timeout = sock.gettimeout() or math.inf
        self._deadline = clock.deadline

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int | None:
        left = self._deadline - monotonic()
        if left <= 0:
            raise TimeoutError("the deadline has passed")
        if math.isfinite(timeout := min(self._timeout, left)):
            self._sock.settimeout(timeout)
        return self._raw.readinto(buffer)

    def close(self) -> None:
        self._raw.close()
        super().close()


class _Socket:
    """The part of a socket that `http.client.HTTPResponse` uses."""

    def __init__(self, sock: socket.socket) -> None:
        self._sock = sock

    def makefile(self, mode: str) -> io.BufferedReader:
        return io.BufferedReader(_Reader(self._sock.makefile("rb", buffering=0), self._sock), _BUFFER_SIZE)


class _Response(http.client.HTTPResponse):
    def __init__(self, sock: socket.socket, *args: Any, **kwargs: Any) -> None:
        super().__init__(_Socket(sock), *args, **kwargs)  # type: ignore[arg-type]


class Connection(HTTPConnection):
    response_class = _Response


class SecureConnection(HTTPSConnection):
    response_class = _Response
