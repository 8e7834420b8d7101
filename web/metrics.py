"""Metrics for Prometheus: counters of requests and events, and `GET /metrics`.

Off unless METRICS_TOKEN or METRICS_ADDRESSES is set: then the middleware is not installed, prometheus_client is not
imported, and `count` and `open_displays` do nothing.

Every process writes its figures into files of its own, and the one that answers `/metrics` adds up those of all:
prometheus_client's multiprocess mode.
"""

import functools
import os
import secrets
import shutil
import time
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import psutil
from django.conf import settings
from django.db import Error as DatabaseError
from django.db import connection
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _

from web.error_pages import refuse
from web.middleware import Middleware
from web.proxies import UNTRUSTED, client_address, is_in

PATH = "/metrics"
METHODS = {"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"}
SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10)
EVENTS = {"scans": "Scans recorded", "orders": "Orders placed, without repeats"}

# Functions that return the length of a queue, by name: see `register_queue`.
_queues: dict[str, Callable[[], int]] = {}


def register_queue(name: str, length: Callable[[], int]) -> None:
    """Report `length()` as `regulars_queue{queue="<name>"}`. It is called by the process that answers `/metrics`."""
    _queues[name] = length


def is_on() -> bool:
    return bool(settings.METRICS_TOKEN or settings.METRICS_NETWORKS)


# --- the files of all processes -------------------------------------------------------------------


def _folder() -> Path:
    """Return a folder in memory if possible: a full disk would kill a process that writes into a mapped file."""
    if folder := os.environ.get("PROMETHEUS_MULTIPROC_DIR"):
        return Path(folder)
    memory = Path("/dev/shm")  # noqa: S108 (the folder in it is made for its owner alone)
    name = f"regulars-metrics-{os.getuid()}-{zlib.crc32(str(settings.DATA_DIR).encode()):08x}"
    return memory / name if os.access(memory, os.W_OK) else settings.DATA_DIR / "metrics"


def _own_folder() -> Path:
    folder = _folder()
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    if folder.stat().st_uid != os.getuid():
        raise PermissionError(f"{folder} belongs to somebody else: remove it, or set PROMETHEUS_MULTIPROC_DIR.")
    return folder


def clear() -> None:
    """Remove the figures of an earlier run. Call it before the servers are started."""
    if is_on():
        shutil.rmtree(_folder(), ignore_errors=True)
        _own_folder()


class Recorder:
    """The counters of this process; its only instance is `recorder()`."""

    def __init__(self) -> None:
        os.environ["PROMETHEUS_MULTIPROC_DIR"] = str(_own_folder())  # the library reads it when it is imported
        from prometheus_client import Counter, Gauge, Histogram

        self.requests = Histogram(
            "regulars_request_seconds",
            "Requests, and the time until the response, by view, method and class of status",
            ["view", "method", "status"],
            buckets=SECONDS,
            registry=None,
        )
        self.events = {name: Counter(f"regulars_{name}", text, registry=None) for name, text in EVENTS.items()}
        self.displays = Gauge(
            "regulars_open_displays",
            "Open WebSockets: displays of the kitchen, and phones that follow one order",
            ["kind"],
            multiprocess_mode="livesum",
            registry=None,
        )
        for kind in ("kitchen", "order"):
            self.displays.labels(kind)


@functools.cache
def recorder() -> Recorder | None:
    """Return None if metrics are off. The middleware calls it first, before a process has several threads."""
    return Recorder() if is_on() else None


# --- counting -------------------------------------------------------------------------------------


def count(event: str) -> None:
    """Count one of EVENTS."""
    if (own := recorder()) is not None:
        own.events[event].inc()


def open_displays(kind: str, number: int) -> None:
    """Set the number of open sockets of this kind ("kitchen" or "order") in this process."""
    if (own := recorder()) is not None:
        own.displays.labels(kind).set(number)


def observe(view: str, method: str, status: int, began: float) -> None:
    """Count a request that is answered. `began` is by `time.perf_counter`."""
    if (own := recorder()) is not None:
        series = own.requests.labels(view, method if method in METHODS else "other", f"{status // 100}xx")
        series.observe(time.perf_counter() - began)


def _view_of(request: HttpRequest) -> str:
    """Return the route's name; "admin" for all pages of the admin."""
    match = request.resolver_match
    if match is None:
        return "static" if request.path_info.startswith(settings.STATIC_URL) else "none"
    return "admin" if match.namespaces[:1] == ["admin"] else match.view_name


class MetricsMiddleware(Middleware):
    """Counts requests by view, and answers `/metrics` before the redirect to HTTPS and the check of the host."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        super().__init__(get_response)
        recorder()

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if request.path_info == PATH:
            return respond(request)
        began = time.perf_counter()
        response = self.get_response(request)
        observe(_view_of(request), request.method or "", response.status_code, began)
        return response


# --- /metrics -------------------------------------------------------------------------------------


def respond(request: HttpRequest) -> HttpResponse:
    """Return the figures of all processes of this machine."""
    refused = _refusal(request)
    if refused is not None:
        return refused
    from prometheus_client import CONTENT_TYPE_LATEST

    return HttpResponse(_figures(), content_type=CONTENT_TYPE_LATEST, headers={"Cache-Control": "no-store"})


def _refusal(request: HttpRequest) -> HttpResponse | None:
    """Return an error unless the request has the token and the address that are set."""
    if request.method not in {"GET", "HEAD"}:
        return refuse(request, 405, _("Please use GET here."))
    networks = settings.METRICS_NETWORKS
    # Through a proxy that is not named in TRUSTED_PROXIES every client would have the proxy's address.
    if networks and (UNTRUSTED in request.META or not is_in(networks, client_address(request))):
        return refuse(request, 403, _("This address may not read the metrics."))
    token = request.headers.get("Authorization", "").removeprefix("Bearer ").encode()
    if settings.METRICS_TOKEN and not secrets.compare_digest(token, settings.METRICS_TOKEN.encode()):
        response = refuse(request, 401, _("Please send the token of the metrics."))
        response["WWW-Authenticate"] = "Bearer"
        return response
    return None


def _figures() -> bytes:
    from prometheus_client import CollectorRegistry, generate_latest
    from prometheus_client.multiprocess import MultiProcessCollector, mark_process_dead

    folder = _own_folder()
    for file in folder.glob("gauge_live*.db"):  # of a socket process that was killed
        if not _is_running(pid := int(file.stem.rpartition("_")[2])):
            mark_process_dead(pid, str(folder))
    registry = CollectorRegistry()
    MultiProcessCollector(registry, str(folder))
    registry.register(_Present())
    return generate_latest(registry)


def _is_running(pid: int) -> bool:
    """Return False for zombies too, which stay in a container without an init process."""
    try:
        return psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


class _Present:
    """The gauges that are read at each request: the database and the queues."""

    def collect(self) -> Iterator[Any]:
        from prometheus_client.core import GaugeMetricFamily

        up = GaugeMetricFamily("regulars_database_up", "Whether the database answers")
        connections = GaugeMetricFamily("regulars_database_connections", "Connections to this database")
        lengths = GaugeMetricFamily("regulars_queue", "What waits to be sent, by queue", labels=["queue"])
        try:
            with connection.cursor() as cursor:
                cursor.execute("SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()")
                connections.add_metric([], cursor.fetchone()[0])
            for name, length in _queues.items():
                lengths.add_metric([name], length())
            up.add_metric([], 1)
        except DatabaseError:
            connection.close()
            up.add_metric([], 0)
        yield from (up, connections, lengths)
