"""Connections whose answers end by a deadline.

A read time-out starts again with every byte, in the headers too, so that a service which drips them could hold a
caller for ever. Here every wait for bytes is also bounded by the deadline of the thread that asks.
"""

import http.client
import io
import math
import socket
import threading
from time import monotonic
from typing import Any

from urllib3.connection import HTTPConnection, HTTPSConnection

_BLOCK = 64 * 1024  # bytes


class _Clock(threading.local):
    """When what this thread asks for must be there, by `time.monotonic`."""

    deadline = math.inf


clock = _Clock()


class _PunctualReader(io.RawIOBase):
    """Reads from a socket: no wait is longer than the socket's time-out, and all of them end at the deadline."""

    def __init__(self, raw: io.RawIOBase, sock: socket.socket) -> None:
        self._raw, self._sock = raw, sock
        self._silence = sock.gettimeout() or math.inf
        self._deadline = clock.deadline

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int | None:
        left = self._deadline - monotonic()
        if left <= 0:
            raise TimeoutError("the deadline has passed")
        if math.isfinite(wait := min(self._silence, left)):
            self._sock.settimeout(wait)
        return self._raw.readinto(buffer)

    def close(self) -> None:
        self._raw.close()
        super().close()


class _Answer(http.client.HTTPResponse):
    def __init__(self, sock: socket.socket, *args: Any, **kwargs: Any) -> None:
        super().__init__(sock, *args, **kwargs)
        self.fp: Any = io.BufferedReader(_PunctualReader(self.fp.detach(), sock), _BLOCK)


class Connection(HTTPConnection):
    response_class = _Answer


class SecureConnection(HTTPSConnection):
    response_class = _Answer
