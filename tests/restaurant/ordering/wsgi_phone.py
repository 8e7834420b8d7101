"""A phone whose requests the WSGI application gets as a server sends them: the test client keeps connections open."""

import gzip
import io
from wsgiref.util import setup_testing_defaults

from django.http.cookie import parse_cookie

from config import wsgi
from tests.conftest import PAGE


class Response:
    def __init__(self, status: str, headers: list[tuple[str, str]], body: bytes) -> None:
        self.status = int(status[:3])
        self.headers = {name: value for name, value in headers if name != "Set-Cookie"}
        self.cookies = dict(value.strip().split("=", 1) for name, value in headers if name == "Set-Cookie")
        self.size = len(body)
        is_compressed = self.headers.get("Content-Encoding") == "gzip"
        self.text = (gzip.decompress(body) if is_compressed else body).decode()


class Phone:
    def __init__(self) -> None:
        self.cookies: dict[str, str] = {}
        self.headers = {"HTTP_ACCEPT": PAGE, "HTTP_ACCEPT_ENCODING": "gzip, deflate", "HTTP_HOST": "localhost"}

    def get(self, path: str = "/table/7", **environ: str) -> Response:
        path, _, query = path.partition("?")
        found = {"REQUEST_METHOD": "GET", "PATH_INFO": path, "QUERY_STRING": query, "REMOTE_ADDR": "192.0.2.1"}
        found["HTTP_COOKIE"] = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        found |= self.headers | environ
        found["wsgi.input"] = io.BytesIO(b"abc")
        setup_testing_defaults(found)
        seen: list = []
        body = wsgi.application(found, lambda status, headers, *_: seen.append((status, headers)))
        response = Response(*seen[0], b"".join(body))
        for name, value in response.cookies.items():
            self.cookies[name] = parse_cookie(f"{name}={value}")[name]
        return response
