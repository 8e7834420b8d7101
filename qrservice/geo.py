"""The location of an IP address, from the MaxMind-format file named by GEOIP_PATH."""

import logging
import os
import threading
import time
from dataclasses import dataclass
from functools import lru_cache

import geoip2.database
import geoip2.errors
import maxminddb
from django.conf import settings

log = logging.getLogger(__name__)

CHECK_INTERVAL = 60.0  # seconds between checks for a new version of the file


@dataclass(frozen=True, slots=True)
class Location:
    """Names in English, empty when unknown."""

    city: str = ""
    country: str = ""


UNKNOWN = Location()


class _Database:
    """The open file. It is opened again after it was replaced, which operators do every week."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._reader: geoip2.database.Reader | None = None
        self._version: tuple[str, float] | None = None  # path and modification time
        self._checked_at = float("-inf")

    def reader(self) -> geoip2.database.Reader | None:
        """Return None if there is no readable file."""
        path = settings.GEOIP_PATH
        if not path:
            return None
        same_path = self._version is not None and self._version[0] == path
        if not same_path or time.monotonic() - self._checked_at >= CHECK_INTERVAL:
            with self._lock:
                self._open(path)
        return self._reader

    def _open(self, path: str) -> None:
        self._checked_at = time.monotonic()
        try:
            version = (path, os.stat(path).st_mtime)
            if version == self._version:
                return
            # The old reader is left to the garbage collector: another thread may still use it.
            self._reader, self._version = geoip2.database.Reader(path), version
        except (OSError, maxminddb.InvalidDatabaseError, ValueError) as error:
            log.warning("GEOIP_PATH can't be read, so scans have no city: %s", error)
            self._reader, self._version = None, (path, -1.0)
        _look_up.cache_clear()


_database = _Database()


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
    reader = _database.reader()
    return _look_up(reader, address) if reader is not None else UNKNOWN
