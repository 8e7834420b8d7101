"""The whole server's door, asked as a server would: `config.wsgi` does something before Django has a request."""

import io
from dataclasses import dataclass
from wsgiref.util import setup_testing_defaults

from config.wsgi import application


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
    answer = b"".join(application(found, lambda status, _headers: statuses.append(status[:3])))
    return Answer(statuses[0], answer, sent.tell())
