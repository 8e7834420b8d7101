"""Following short addresses, and recording scans."""

import time
from collections.abc import Callable
from dataclasses import dataclass

from django.db import IntegrityError, connection
from django.utils.encoding import iri_to_uri

from qrservice import devices, geo, proofs, queries
from qrservice.addresses import normalise_slug
from qrservice.models import Code
from web import metrics

CACHE_SECONDS = 0.7  # a change of a code reaches every process within a second
CACHE_SIZE = 20_000  # codes

# Not by the ORM: with it the server takes a quarter fewer scans a second.
_INSERT = """
INSERT INTO qrservice_scan (code_id, scanned_at, city, country, device_type) VALUES (%s, clock_timestamp(), %s, %s, %s)
"""

Row = tuple[int, str, str, str]  # a scan: primary key of the code, city, country, device type


@dataclass(frozen=True, slots=True)
class Visit:
    """What a short address leads to. `status` is None for an unknown code."""

    status: Code.Status | None
    target: str = ""  # escaped for a Location header
    code_id: int = 0
    cookie: str = ""  # the `Set-Cookie` header of the redirect; empty for a code whose scans need no proof

    @property
    def is_active(self) -> bool:
        return self.status == Code.Status.ACTIVE


UNKNOWN = Visit(None)

_cache: dict[str, tuple[float, Visit]] = {}


def record(row: Row) -> None:
    """Store a scan."""
    with connection.cursor() as cursor:
        cursor.execute(_INSERT, row)


def visit(
    slug: str,
    *,
    method: str,
    user_agent: str,
    address: str,
    is_prefetch: bool,
    store: Callable[[Row], None] = record,
) -> Visit:
    """Follow a short address, and record a scan if the request counts as one.

    A request counts when all of these hold: the code exists and is active, the method is GET, the browser is not
    prefetching the page, and the user agent is not a known bot or link previewer (see `devices`). The scan is stored
    before this returns; the client's address is looked up for its city and not stored.
    """
    slug = normalise_slug(slug)
    found = _find(slug)
    if found.is_active and method == "GET" and not is_prefetch:
        device = devices.detect(user_agent)
        if not device.is_bot and not _is_stored(store, found.code_id, device.device_type, geo.locate(address)):
            evict(slug)
            return UNKNOWN
    return found


def evict(slug: str) -> None:
    """Drop a code from this process's cache, because it was changed."""
    _cache.pop(slug, None)


def _find(slug: str) -> Visit:
    now = time.monotonic()
    cached = _cache.get(slug)
    if cached is not None and now - cached[0] < CACHE_SECONDS:
        return cached[1]
    code = queries.code_to_follow(slug)
    if code is None:
        return UNKNOWN
    # Signed once for as long as the code is cached: signing for every scan would take a twentieth of its time.
    cookie = proofs.header(code.analytics_id) if code.metadata.get("type") == proofs.CODE_TYPE else ""
    found = Visit(Code.Status(code.status), iri_to_uri(code.target), code.pk, cookie)
    if found.is_active:
        if len(_cache) >= CACHE_SIZE:
            _cache.clear()
        _cache[slug] = (now, found)
    return found


def _is_stored(store: Callable[[Row], None], code_id: int, device_type: str, place: geo.Place) -> bool:
    """False if the code has been deleted since it was looked up."""
    try:
        store((code_id, place.city, place.country, device_type))
    except IntegrityError:
        return False
    metrics.count("scans")
    return True
