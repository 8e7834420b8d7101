"""The location of an IP address, from the MaxMind-format file named by GEOIP_PATH."""

import logging
import os
from dataclasses import dataclass
from functools import lru_cache

import geoip2.database
import geoip2.errors
import maxminddb
from django.conf import settings

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Location:
    """Names in English, empty when unknown."""

    city: str = ""
    country: str = ""


UNKNOWN = Location()


@lru_cache(maxsize=1)
def _reader(path: str, modified_at: float) -> geoip2.database.Reader | None:
    """Open the file, again after it was replaced, which operators do every week. None if it can't be read."""
    # The old reader is left to the garbage collector: another thread may still use it.
    _look_up.cache_clear()
    try:
        return geoip2.database.Reader(path)
    except (OSError, maxminddb.InvalidDatabaseError, ValueError) as error:
        log.warning("GEOIP_PATH can't be read, so scans have no city: %s", error)
        return None


@lru_cache(maxsize=4096)
def _look_up(reader: geoip2.database.Reader, address: str) -> Location:
    try:
        record = reader.city(address)
    except maxminddb.InvalidDatabaseError as error:
        log.warning("The file of GEOIP_PATH is damaged: %s", error)
        return UNKNOWN
    except (geoip2.errors.GeoIP2Error, ValueError, TypeError):
        return UNKNOWN  # an unknown address, not an address, or a file without cities
    return Location(city=(record.city.name or "")[:200], country=(record.country.name or "")[:100])


def locate(address: str) -> Location:
    """Return the location of an IPv4 or IPv6 address, which is held only in a small in-memory cache."""
    path = settings.GEOIP_PATH
    if not path:
        return UNKNOWN
    try:
        modified_at = os.stat(path).st_mtime
    except OSError:
        modified_at = 0.0
    reader = _reader(path, modified_at)
    return _look_up(reader, address) if reader is not None else UNKNOWN
