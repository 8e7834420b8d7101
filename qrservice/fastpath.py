"""Scans of active codes, answered on the server's event loop.

A scan needs a target, which is remembered for less than a second, a place in the batch that is stored next, and a
redirect: nothing of Django's middleware, and no thread. Every other request, unknown and disabled codes included, goes
on to Django, where `views.ShortAddress` does the same.
"""

import asyncio
import re
import time
from concurrent.futures import Executor
from typing import Any

from django.db import IntegrityError, InterfaceError, OperationalError, connection

from qrservice import devices
from qrservice.addresses import normalise_slug
from qrservice.services import scans
from qrservice.services.batches import Batches
from web import metrics, request_log, throttling
from web.prefetch import is_prefetch
from web.proxies import network_of, resolve_client_address

devices.parser()

_PATH = re.compile(r"/[qQ]/([0-9A-Za-z]{8})")

Environ = dict[str, Any]


class ShortAddresses:
    """Answers scans; `threads` run the look-ups in the database."""

    def __init__(self, threads: Executor) -> None:
        self._threads = threads
        self._batches = Batches(scans.record_all)

    async def redirect(self, environ: Environ) -> list[tuple[str, str]] | None:
        """Store the scan and return the headers of a 302; None if the request is Django's."""
        match = _PATH.fullmatch(environ["PATH_INFO"]) if environ["REQUEST_METHOD"] == "GET" else None
        if match is None:
            return None
        began = time.perf_counter()
        resolve_client_address(environ)
        request_id = request_log.begin(environ)
        visit = await self._visit(normalise_slug(match[1]), environ)
        if visit is None:
            return None
        metrics.observe("short_address", "GET", 302, began)
        if request_log.is_logged():
            request_log.write(method="GET", path="/q/<slug>", status=302, started=began)
        headers = [("Location", visit.target), ("Cache-Control", "no-store"), ("Content-Length", "0")]
        cookie = [("Set-Cookie", visit.cookie)] if visit.cookie else []
        return [*headers, *cookie, (request_log.HEADER, request_id)]

    async def _visit(self, slug: str, environ: Environ) -> scans.Visit | None:
        network = network_of(environ["REMOTE_ADDR"])
        visit = scans.remembered(slug)
        is_counted = throttling.spend("code", network)
        try:
            if visit is None or not is_counted:
                loop = asyncio.get_running_loop()
                visit = await loop.run_in_executor(self._threads, _ask, slug, "" if is_counted else network)
            if visit is None:
                return None
            environ[throttling.COUNTED] = True
            row = scans.row_of(
                visit,
                method="GET",
                user_agent=environ.get("HTTP_USER_AGENT", ""),
                address=environ["REMOTE_ADDR"],
                is_prefetch=is_prefetch(environ),
            )
            if row is not None:
                await self._batches.record(row)
        except IntegrityError:  # the code has been deleted
            scans.evict(slug)
            return None
        except (OperationalError, InterfaceError):
            return None  # the database was restarted, or is away: Django connects again, or shows its error page
        return visit if visit.is_active else None


def _ask(slug: str, network: str) -> scans.Visit | None:
    """Look up the slug in a thread, and count a request of `network` unless it is empty. None past the limit."""
    try:
        if network and throttling.seconds_to_wait("code", network):
            return None
        return scans.find(slug)
    except (OperationalError, InterfaceError):
        connection.close()
        raise
