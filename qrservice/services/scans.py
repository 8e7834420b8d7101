"""Following short addresses, and recording scans."""

import json
import time
from dataclasses import dataclass

from django.db import Error, IntegrityError, InterfaceError, OperationalError, connection
from django.utils.encoding import iri_to_uri

from qrservice import devices, geo, queries, scan_cookie
from qrservice.addresses import normalise_slug
from qrservice.models import Code
from web import metrics

CACHE_SECONDS = 0.7  # a change of a code reaches every process within a second
CACHE_SIZE = 20_000  # codes

# Not by the ORM: with it the server takes a quarter fewer scans a second.
_INSERT = """
INSERT INTO qrservice_scan (code_id, scanned_at, city, country, device_type) VALUES (%s, clock_timestamp(), %s, %s, %s)
"""
# One parameter, so that the statement is the same for every number of scans, and is prepared.
_INSERT_ALL = """
INSERT INTO qrservice_scan (code_id, scanned_at, city, country, device_type)
SELECT (scan ->> 0)::bigint, clock_timestamp(), scan ->> 1, scan ->> 2, scan ->> 3 FROM json_array_elements(%s) AS scan
"""

Row = tuple[int, str, str, str]  # a scan: primary key of the code, city, country, device type


@dataclass(frozen=True, slots=True)
class Visit:
    """The result of following a short address. `status` is None for an unknown code."""

    status: Code.Status | None
    target: str = ""  # escaped for a Location header
    code_id: int = 0
    cookie: str = ""  # the `Set-Cookie` header of the redirect; empty for codes that set none

    @property
    def is_active(self) -> bool:
        return self.status == Code.Status.ACTIVE


UNKNOWN = Visit(None)

_cache: dict[str, tuple[float, Visit]] = {}


def visit(slug: str, *, method: str, user_agent: str, address: str, is_prefetch: bool) -> Visit:
    """Follow a short address, and store a scan before returning if the request counts as one."""
    slug = normalise_slug(slug)
    result = remembered(slug) or find(slug)
    row = row_of(result, method=method, user_agent=user_agent, address=address, is_prefetch=is_prefetch)
    if row is not None:
        try:
            record(row)
        except IntegrityError:  # the code has been deleted since it was looked up
            evict(slug)
            return UNKNOWN
    return result


# --- following ----------------------------------------------------------------------------------------


def remembered(slug: str) -> Visit | None:
    """Return the result of `find` within the last CACHE_SECONDS."""
    cached = _cache.get(slug)
    return cached[1] if cached is not None and time.monotonic() - cached[0] < CACHE_SECONDS else None


def find(slug: str) -> Visit:
    """Follow the normalised slug."""
    code = queries.code_to_follow(slug)
    if code is None:
        return UNKNOWN
    # Signed once for as long as the code is remembered: signing for every scan would take a twentieth of its time.
    cookie = scan_cookie.header(code.analytics_id) if code.metadata.get("type") == scan_cookie.CODE_TYPE else ""
    visit = Visit(Code.Status(code.status), iri_to_uri(code.target), code.pk, cookie)
    if visit.is_active:
        if len(_cache) >= CACHE_SIZE:
            _cache.clear()
        _cache[slug] = (time.monotonic(), visit)
    return visit


def evict(slug: str) -> None:
    """Drop a code from this process's cache, because it was changed."""
    _cache.pop(slug, None)


# --- recording ----------------------------------------------------------------------------------------


def row_of(visit: Visit, *, method: str, user_agent: str, address: str, is_prefetch: bool) -> Row | None:
    """Return the scan to be stored; None if the request is no scan.

    A request counts when all of these hold: the code exists and is active, the method is GET, the browser is not
    prefetching the page, and the user agent is not a known bot or link previewer (see `devices`). The client's address
    is looked up for its city and not stored.
    """
    if not visit.is_active or method != "GET" or is_prefetch:
        return None
    device = devices.detect(user_agent)
    if device.is_bot:
        return None
    location = geo.locate(address)
    return visit.code_id, location.city, location.country, device.device_type


def record(row: Row) -> None:
    with connection.cursor() as cursor:
        cursor.execute(_INSERT, row)
    metrics.count("scans")


def record_all(rows: list[Row]) -> list[Exception | None]:
    """Store the scans by one statement, or one by one if the database refuses a row; return an error or None for each.

    Raises OperationalError or InterfaceError if the database is away.
    """
    try:
        return _record_together(rows) if len(rows) > 1 else [_refusal(rows[0])]
    except (OperationalError, InterfaceError):
        connection.close()
        raise


def _record_together(rows: list[Row]) -> list[Exception | None]:
    try:
        with connection.cursor() as cursor:
            cursor.execute(_INSERT_ALL, [json.dumps(rows)])
    except (OperationalError, InterfaceError):
        raise
    except (Error, ValueError):  # because of one of them
        return [_refusal(row) for row in rows]
    for _ in rows:
        metrics.count("scans")
    return [None] * len(rows)


def _refusal(row: Row) -> Exception | None:
    try:
        record(row)
    except (OperationalError, InterfaceError):
        raise
    except (Error, ValueError) as error:
        return error
    return None
