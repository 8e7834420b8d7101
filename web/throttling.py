"""How often something may be requested: the one place that counts, for views and for the fast path of scans.

Requests are counted by windows of the clock, such as each minute. A process leases permits for a window from the
database, a twentieth of the limit at a time, and spends them in memory: so no number of processes lets more than the
limit pass, and most requests cost no query. Django's own cache can't do that: its counters lose updates between
processes, and REST framework's throttles store the time of every request.
"""

import logging
import re
import threading
import time
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.db import Error, connection
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.views import View
from rest_framework.request import Request
from rest_framework.throttling import BaseThrottle

from web.proxies import client_address

if TYPE_CHECKING:  # DRF's views import this module while they are being imported
    from rest_framework.views import APIView

log = logging.getLogger(__name__)

BLOCKS = 20  # leases in which a limit is given out
MAX_LEASES = 50_000  # in memory; one that is dropped is leased again, and the database knows what is left
_SECONDS = {"s": 1, "m": 60, "h": 3600, "d": 86400}

# Read and written by one statement, so that two processes can't both get the last permits.
_LEASE = """
INSERT INTO web_permits AS permits (key, ends_at, granted) VALUES (%s, to_timestamp(%s), %s)
ON CONFLICT (key) DO UPDATE SET granted = permits.granted + EXCLUDED.granted
RETURNING granted
"""


@dataclass(slots=True)
class _Lease:
    """Permits of this process for one window."""

    window: int
    left: int
    is_last: bool  # nothing more can be leased in this window


_leases: dict[str, _Lease] = {}
_lock = threading.Lock()
_next_cleaning = 0.0


@lru_cache(maxsize=64)
def parse_rate(rate: str) -> tuple[int, int]:
    """`600/min` -> (600, 60): how many requests, in how many seconds."""
    count, _slash, period = rate.partition("/")
    return int(count), _SECONDS[period[0]]


def seconds_to_wait(scope: str, identity: str) -> int:
    """Count one request; return 0, or the seconds until the next window if it is one too many.

    `scope` is a key of settings.RATE_LIMITS, `identity` who or what is counted. When the database fails the request
    is allowed: a guest in front of a table matters more than a count.
    """
    limit, period = parse_rate(settings.RATE_LIMITS[scope])
    now = time.time()
    window = int(now // period)
    key = f"{scope}:{re.sub(r'[^0-9A-Za-z.:_-]', '', identity)[:150]}"
    try:
        is_allowed = _spend(key, window) or _lease_and_spend(key, window, limit, period)
    except Error:  # the database is away, or was restarted
        log.exception("Requests of %s can't be counted", scope)
        return 0
    return 0 if is_allowed else max(1, int(period - now % period))


def _spend(key: str, window: int) -> bool:
    """Use up a permit of this process, if it has one."""
    with _lock:
        lease = _leases.get(key)
        if lease is None or lease.window != window or not lease.left:
            return False
        lease.left -= 1
        return True


def _lease_and_spend(key: str, window: int, limit: int, period: int) -> bool:
    lease = _leases.get(key)
    if lease is not None and lease.window == window and lease.is_last and not lease.left:
        return False
    block = max(1, limit // BLOCKS)
    ends_at = (window + 1) * period
    with connection.cursor() as cursor:
        cursor.execute(_LEASE, [f"{key}:{window}", ends_at, block])
        granted = cursor.fetchone()[0]
    permits = max(0, min(block, limit - (granted - block)))
    _store(key, window, permits, is_last=granted >= limit)
    _delete_old_windows()
    return _spend(key, window)


def _store(key: str, window: int, permits: int, *, is_last: bool) -> None:
    with _lock:
        known = _leases.get(key)
        if known is not None and known.window == window:  # another thread leased at the same time
            known.left += permits
            known.is_last = known.is_last or is_last
            return
        if len(_leases) >= MAX_LEASES:
            _leases.clear()
        _leases[key] = _Lease(window, permits, is_last)


def _delete_old_windows() -> None:
    """At most once a minute per process."""
    global _next_cleaning  # noqa: PLW0603
    now = time.monotonic()
    if now < _next_cleaning:
        return
    _next_cleaning = now + 60
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM web_permits WHERE ends_at < to_timestamp(%s)", [time.time()])


def reset_leases() -> None:
    """Drop the leases of this process; for tests."""
    with _lock:
        _leases.clear()


# --- views --------------------------------------------------------------------------------------------


class DeclaredThrottle(BaseThrottle):
    """Counts by the view's `throttle_scope`, and by its `throttle_identity(request)` or the client's address."""

    seconds = 0

    def allow_request(self, request: Request, view: "APIView") -> bool:
        scope: str = getattr(view, "throttle_scope", "")
        if not scope:
            return True
        identity = view.throttle_identity(request)  # type: ignore[attr-defined]  # a web.views.JSONView
        self.seconds = seconds_to_wait(scope, identity or client_address(request))
        return not self.seconds

    def wait(self) -> float:
        return self.seconds


COUNTED = "regulars.counted"  # in the WSGI environment: the fast path has counted this request


class LimitedView(View):
    """A plain Django view with a limit by address."""

    throttle_scope: str

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        from web.errors import refuse_too_many  # REST framework loads this module first

        seconds = 0 if COUNTED in request.META else seconds_to_wait(self.throttle_scope, client_address(request))
        return refuse_too_many(request, seconds) if seconds else super().dispatch(request, *args, **kwargs)
