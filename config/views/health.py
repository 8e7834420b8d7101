"""`GET /healthz` and `GET /readyz`, for load balancers, systemd and container engines.

They answer before all other middleware, because probes do not know our host names and count on an answer under load.
"""

import os
import socket
import threading
import time
from collections.abc import Callable
from functools import lru_cache

from django.conf import settings
from django.db import Error, connection
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder
from django.http import HttpRequest, HttpResponse, JsonResponse

SOCKETS_AT = "SOCKETS_AT"  # the environment variable in which `serve` names address and port of its socket server
REMEMBERED = 1.0  # seconds; anybody may ask, and it takes two queries and a connection
WITHIN = 2.0  # seconds

_lock = threading.Lock()
_latest: tuple[float, dict[str, bool]] | None = None


class HealthMiddleware:
    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if request.method not in {"GET", "HEAD"} or request.path_info not in {"/healthz", "/readyz"}:
            return self.get_response(request)
        response = _alive() if request.path_info == "/healthz" else _ready()
        response["Cache-Control"] = "no-store"
        # Django's own mark: a 503 that is asked for every few seconds is not logged.
        response._has_been_logged = True  # type: ignore[attr-defined]
        return response


def _alive() -> HttpResponse:
    return JsonResponse({"status": "ok"})


def _ready() -> HttpResponse:
    """Return 200 if guests can be served, or 503 with the failed checks."""
    global _latest  # noqa: PLW0603
    with _lock:
        if _latest is None or time.monotonic() - _latest[0] > REMEMBERED:
            checks = _database_checks() | {"sockets": _sockets_answer()}
            _latest = (time.monotonic(), checks)
        checks = _latest[1]
    return JsonResponse(checks, status=200 if all(checks.values()) else 503)


def _database_checks() -> dict[str, bool]:
    try:
        applied = MigrationRecorder(connection).applied_migrations()
    except Error:
        if not connection.in_atomic_block:
            connection.close()
        return {"database": False, "migrations": False}
    return {"database": True, "migrations": _needed() <= set(applied)}


@lru_cache(maxsize=1)
def _needed() -> set[tuple[str, str]]:
    """Return the last migration of every app."""
    return set(MigrationLoader(None).graph.leaf_nodes())


def _sockets_answer() -> bool:
    """Return whether the socket server answers plain HTTP with 426, as it should."""
    address = os.environ.get(SOCKETS_AT, f"127.0.0.1 {settings.KITCHEN_SOCKET_PORT}")
    host, port = address.split()
    try:
        with socket.create_connection((host, int(port)), timeout=WITHIN) as client:
            client.settimeout(WITHIN)
            client.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
            return client.recv(12).startswith(b"HTTP/1.1 426")
    except OSError:
        return False
