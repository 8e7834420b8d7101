"""The whole server's door, asked as a server would: `config.wsgi` does something before Django has a request."""

import io
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from wsgiref.util import setup_testing_defaults

from django.core.signals import request_finished, request_started
from django.db import close_old_connections

from config.wsgi import application


@contextmanager
def connections_left_open() -> Iterator[None]:
    """As Django's test client does: a server closes connections that are in the middle of a transaction."""
    for signal in (request_started, request_finished):
        signal.disconnect(close_old_connections)
    try:
        yield
    finally:
        for signal in (request_started, request_finished):
            signal.connect(close_old_connections)


@dataclass(frozen=True)
class Answer:
    status: str
    body: bytes
    read: int  # bytes of the request's body


def call(path: str, body: bytes = b"", **environ: str) -> Answer:
    sent = io.BytesIO(body)
    found = {"REQUEST_METHOD": "GET", "PATH_INFO": path, "HTTP_HOST": "localhost", "REMOTE_ADDR": "192.0.2.1"}
    found |= {"CONTENT_LENGTH": str(len(body)), "wsgi.input": sent} | environ
    setup_testing_defaults(found)
    statuses: list[str] = []
    with connections_left_open():
        response = application(found, lambda status, _headers: statuses.append(status[:3]))
        answer = b"".join(response)
        response.close()
    return Answer(statuses[0], answer, sent.tell())
