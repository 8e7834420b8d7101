"""Scans of active codes, in front of Django: a WSGI application around Django's.

A scan needs a cached target, one INSERT and a redirect, and nothing of Django's middleware: here it takes about a
quarter of the processor time. Every other request, unknown and disabled codes included, goes on to Django, where
`views.ShortAddress` calls the same `scans.visit`.
"""

import re
import time
from collections.abc import Callable, Iterable
from typing import Any

from django.db import InterfaceError, OperationalError, connection

from qrservice import devices
from qrservice.services import batches, scans
from web import request_log
from web.prefetch import is_prefetch
from web.proxies import network_of
from web.throttling import COUNTED, seconds_to_wait

Environ = dict[str, Any]
StartResponse = Callable[..., Any]
Application = Callable[[Environ, StartResponse], Iterable[bytes]]

devices.parser()

_PATH = re.compile(r"/[qQ]/([0-9A-Za-z]{8})")


class ShortAddresses:
    """Redirects scans of active codes. REMOTE_ADDR must be the client's address already."""

    def __init__(self, django: Application) -> None:
        self.django = django

    def __call__(self, environ: Environ, start_response: StartResponse) -> Iterable[bytes]:
        started = time.perf_counter()
        match = _PATH.fullmatch(environ.get("PATH_INFO", "")) if environ["REQUEST_METHOD"] == "GET" else None
        if match is None:
            return self.django(environ, start_response)
        request_id = request_log.begin(environ)
        if seconds_to_wait("code", network_of(environ.get("REMOTE_ADDR", ""))):
            return self.django(environ, start_response)
        environ[COUNTED] = True
        visit = _visit(match[1], environ)
        if not visit.is_active:
            return self.django(environ, start_response)
        headers = [("Location", visit.target), ("Cache-Control", "no-store"), ("Content-Length", "0")]
        if visit.cookie:
            headers.append(("Set-Cookie", visit.cookie))
        start_response("302 Found", [*headers, (request_log.HEADER, request_id)])
        if request_log.is_logged():
            request_log.write(method="GET", path="/q/<slug>", status=302, started=started)
        return [b""]


def _visit(slug: str, environ: Environ) -> scans.Visit:
    try:
        return scans.visit(
            slug,
            method=environ["REQUEST_METHOD"],
            user_agent=environ.get("HTTP_USER_AGENT", ""),
            address=environ.get("REMOTE_ADDR", ""),
            is_prefetch=is_prefetch(environ),
            store=batches.record,
        )
    except (OperationalError, InterfaceError):
        # The database was restarted, or is away: Django opens a new connection, or shows its error page.
        connection.close()
        return scans.UNKNOWN
