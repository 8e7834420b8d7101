"""Rate limits, counted here for views and for the fast path of scans.

Requests are counted by windows of the clock, such as each minute. A process leases permits for a window from the
database, a twentieth of the limit at a time, and spends them in memory: so no number of processes lets more than the
limit pass, and most requests cost no query. Django's own cache can't do that: its counters lose updates between
processes, and REST framework's throttles store the time of every request.
"""

import logging
import re
import threading
import time
from concurrent.futures import Future
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.db import Error, connection
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.views import View
from rest_framework.request import Request
from rest_framework.throttling import BaseThrottle

from web.error_pages import refuse_too_many
from web.proxies import client_network

if TYPE_CHECKING:  # DRF's views import this module while they are being imported
    from rest_framework.views import APIView

log = logging.getLogger(__name__)

BLOCKS = 20  # leases in which a limit is given out
MAX_LEASES = 50_000  # in memory; a dropped one is leased again, and the database knows the rest
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

    ends_at: int  # seconds since the epoch
    left: int = 0
    is_last: bool = False  # nothing more can be leased in this window

    @property
    def is_exhausted(self) -> bool:
        return self.is_last and not self.left


@dataclass(frozen=True, slots=True)
class _Window:
    """The present window of a limit, for one identity."""

    key: str
    ends_at: int  # seconds since the epoch
    limit: int

    @property
    def lease(self) -> _Lease | None:
        lease = _leases.get(self.key)
        return lease if lease is not None and lease.ends_at == self.ends_at else None


_leases: dict[str, _Lease] = {}
# A running statement that leases permits; other threads that need permits of the same key wait for it. Its result is
# whether it has failed: nobody can be counted then, and all are allowed.
_leasing: dict[str, Future[bool]] = {}
_lock = threading.Lock()
_next_cleaning = 0.0


@lru_cache(maxsize=64)
def _parse_rate(rate: str) -> tuple[int, int]:
    """Return requests and seconds: (600, 60) for `600/min`."""
    count, _slash, period = rate.partition("/")
    return int(count), _SECONDS[period[0]]


def _window(scope: str, identity: str) -> _Window:
    limit, period = _parse_rate(settings.RATE_LIMITS[scope])
    key = f"{scope}:{re.sub(r'[^0-9A-Za-z.:_-]', '', identity)[:150]}"
    return _Window(key, int(time.time() // period + 1) * period, limit)


def seconds_to_wait(scope: str, identity: str) -> int:
    """Count one request; return 0, or the seconds until the next window if it is one too many.

    `scope` is a key of settings.RATE_LIMITS, `identity` who or what is counted. When the database fails the request
    is allowed: a guest in front of a table matters more than a count.
    """
    window = _window(scope, identity)
    try:
        is_allowed = _spend(window) or _lease_in_turn(window)
    except Error:  # the database is away, or was restarted
        log.exception("Requests of %s can't be counted", scope)
        return 0
    return 0 if is_allowed else max(1, int(window.ends_at - time.time()))


def spend(scope: str, identity: str) -> bool:
    """Count one request, and return True, if that takes no statement and the limit allows it."""
    return _spend(_window(scope, identity))


def give_back(scope: str, identity: str) -> None:
    """Count one request less."""
    window = _window(scope, identity)
    with _lock:
        if lease := window.lease:
            lease.left += 1


def _spend(window: _Window) -> bool:
    """Use up a permit of this process, if it has one."""
    with _lock:
        lease = window.lease
        if lease is None or not lease.left:
            return False
        lease.left -= 1
        return True


def _lease_in_turn(window: _Window) -> bool:
    """Lease permits, or wait for the thread that does, so that a process leases one block and not one per thread."""
    lease = window.lease
    if lease is not None and lease.is_exhausted:
        return False
    own: Future[bool] = Future()
    while (leasing := _leasing.setdefault(window.key, own)) is not own:
        if leasing.result() or _spend(window):
            return True
    has_failed = True
    try:
        is_allowed = _spend(window) or _lease_and_spend(window)
        has_failed = False
        return is_allowed
    finally:
        del _leasing[window.key]
        own.set_result(has_failed)


def _lease_and_spend(window: _Window) -> bool:
    block = max(1, window.limit // BLOCKS)
    with connection.cursor() as cursor:
        cursor.execute(_LEASE, [f"{window.key}:{window.ends_at}", window.ends_at, block])
        granted = cursor.fetchone()[0]
    permits = max(0, min(block, window.limit - (granted - block)))
    is_allowed = _add_and_spend(window, permits, is_last=granted >= window.limit)
    _delete_old_windows()
    return is_allowed


def _add_and_spend(window: _Window, permits: int, *, is_last: bool) -> bool:
    """Store the permits and use up one if there is one. Another thread may have leased at the same time."""
    with _lock:
        lease = window.lease
        if lease is None:
            lease = _Lease(window.ends_at)
            if window.key in _leases or len(_leases) < MAX_LEASES or _make_room():
                _leases[window.key] = lease
        lease.left += permits
        lease.is_last = lease.is_last or is_last
        if not lease.left:
            return False
        lease.left -= 1
        return True


def _make_room() -> bool:
    """Drop leases until a tenth is free: those of past windows, then the oldest of this one that have permits.

    Exhausted ones stay: otherwise a client past its limit would cost a statement for each request.
    """
    now = time.time()
    for key in [key for key, lease in _leases.items() if lease.ends_at <= now]:
        del _leases[key]
    too_many = max(0, len(_leases) - MAX_LEASES * 9 // 10)
    usable = (key for key, lease in _leases.items() if not lease.is_exhausted)
    for key in list(islice(usable, too_many)):
        del _leases[key]
    return len(_leases) < MAX_LEASES


def _delete_old_windows() -> None:
    """Delete them at most once a minute per process."""
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
    """Counts by the view's `throttle_scope`, and by its `throttle_identity(request)` or the caller."""

    seconds = 0

    def allow_request(self, request: Request, view: "APIView") -> bool:
        scope: str = getattr(view, "throttle_scope", "")
        if not scope:
            return True
        self.seconds = _seconds_to_wait(scope, request, view)
        return not self.seconds

    def wait(self) -> float:
        return self.seconds


def _seconds_to_wait(scope: str, request: Request, view: Any) -> int:
    identity = view.throttle_identity(request)
    # Before there is a bucket for the identity: anybody can make up any number of ids.
    if identity and view.throttle_scope_of_address:
        seconds = _count_caller(view.throttle_scope_of_address, request)
        if seconds:
            return seconds
    if identity and (_window(scope, identity).lease or view.throttle_identity_exists(identity)):
        return seconds_to_wait(scope, identity)
    return _count_caller(scope, request)


def _count_caller(scope: str, request: Request) -> int:
    """Count by client address, and staff by user: they share an address with all guests, and enrol many members."""
    if not request.user.is_authenticated:
        return seconds_to_wait(scope, client_network(request))
    by_staff = f"{scope}_by_staff"
    return seconds_to_wait(by_staff if by_staff in settings.RATE_LIMITS else scope, f"staff-{request.user.pk}")


COUNTED = "regulars.counted"  # in the WSGI environment: the fast path has counted this request


class LimitedView(View):
    """A plain Django view whose requests are limited by address."""

    throttle_scope: str

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        seconds = 0 if COUNTED in request.META else seconds_to_wait(self.throttle_scope, client_network(request))
        return refuse_too_many(request, seconds) if seconds else super().dispatch(request, *args, **kwargs)
