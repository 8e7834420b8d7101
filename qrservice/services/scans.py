"""Scans: where a code leads, and that somebody went there (decisions 3.4, 3.5, 3.6)."""

import time
from dataclasses import dataclass

from django.db import InterfaceError, OperationalError, connection
from django.utils.encoding import iri_to_uri

from qrservice import devices, geo, queries
from qrservice.addresses import normalise_slug

FRESH = 0.7  # seconds that a target may be remembered: a change is served everywhere within a second
MAX_REMEMBERED = 20_000  # codes

_INSERT = """
INSERT INTO qrservice_scan (code_id, scanned_at, city, country, device_type) VALUES (%s, clock_timestamp(), %s, %s, %s)
"""


@dataclass(frozen=True, slots=True)
class Active:
    """An active code, as far as a scan needs it."""

    code_id: int
    target: str  # as a Location header has it


_remembered: dict[str, tuple[float, Active]] = {}


def active(slug: str) -> Active | None:
    """The active code of a short address, from the database, or as it was at most FRESH seconds ago."""
    slug = normalise_slug(slug)
    now = time.monotonic()
    known = _remembered.get(slug)
    if known is not None and now - known[0] < FRESH:
        return known[1]
    code = queries.code_by_slug(slug)
    if code is None or not code.is_active:
        _remembered.pop(slug, None)
        return None
    if len(_remembered) >= MAX_REMEMBERED:
        _remembered.clear()
    found = Active(code.pk, iri_to_uri(code.target))
    _remembered[slug] = (now, found)
    return found


def record(*, code_id: int, user_agent: str, address: str) -> None:
    """Count one scan, unless it was made by a program that nobody looks at. The address is not stored."""
    device = devices.of(user_agent)
    if device.is_bot:
        return
    place = geo.place_of(address)
    values: list[int | str] = [code_id, place.city, place.country, device.device_type]
    try:
        _insert(values)
    except (OperationalError, InterfaceError):
        if connection.in_atomic_block or connection.is_usable():
            raise
        connection.close()  # the database was restarted since this thread last spoke to it
        _insert(values)


def _insert(values: list[int | str]) -> None:
    with connection.cursor() as cursor:
        cursor.execute(_INSERT, values)
