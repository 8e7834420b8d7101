"""Short addresses, answered in front of Django.

A scan is the most frequent request by far, and needs nothing that Django's middleware does for a page: a target
that is remembered, one INSERT, and a redirect. What is not an active code's scan goes on to Django, where
`views.ShortAddress` answers the same and the rest.
"""

import re
from collections.abc import Callable, Iterable
from typing import Any

from django.db import InterfaceError, OperationalError, connection

from qrservice.services import scans
from web.prefetch import is_prefetch
from web.throttling import COUNTED, seconds_to_wait

Environ = dict[str, Any]
StartResponse = Callable[..., Any]
Application = Callable[[Environ, StartResponse], Iterable[bytes]]

_SHORT = re.compile(r"/[qQ]/([0-9A-Za-z]{8})")


class ShortAddresses:
    """A WSGI application around Django's. REMOTE_ADDR must be the client's address already."""

    def __init__(self, django: Application) -> None:
        self.django = django

    def __call__(self, environ: Environ, start_response: StartResponse) -> Iterable[bytes]:
        match = _SHORT.fullmatch(environ.get("PATH_INFO", "")) if environ["REQUEST_METHOD"] == "GET" else None
        if match is None or seconds_to_wait("code", environ.get("REMOTE_ADDR", "")):
            return self.django(environ, start_response)
        environ[COUNTED] = True
        try:
            code = scans.active(match[1])
        except (OperationalError, InterfaceError):
            # The database was restarted, or is away: Django opens a new connection, or shows its page for failures.
            connection.close()
            code = None
        if code is None:
            return self.django(environ, start_response)
        if not is_prefetch(environ):
            scans.record(
                code_id=code.code_id,
                user_agent=environ.get("HTTP_USER_AGENT", ""),
                address=environ.get("REMOTE_ADDR", ""),
            )
        headers = [("Location", code.target), ("Cache-Control", "no-store"), ("Content-Length", "0")]
        start_response("302 Found", headers)
        return [b""]
