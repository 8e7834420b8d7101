"""Where an address is (decision 3.6): from the MaxMind-format file named by GEOIP_PATH, if there is one."""

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

LOOK_AGAIN = 60.0  # seconds between two looks at whether the file was replaced


@dataclass(frozen=True, slots=True)
class Place:
    """Names in English; empty when unknown."""

    city: str = ""
    country: str = ""


NOWHERE = Place()


class _Atlas:
    """The open file, opened again when it was replaced: such files are renewed every week."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._reader: geoip2.database.Reader | None = None
        self._version: tuple[str, float] | None = None
        self._looked = float("-inf")

    def reader(self) -> geoip2.database.Reader | None:
        path = settings.GEOIP_PATH
        if not path:
            return None
        same_file = self._version is not None and self._version[0] == path
        if same_file and time.monotonic() - self._looked < LOOK_AGAIN:
            return self._reader
        with self._lock:
            self._look(path)
        return self._reader

    def _look(self, path: str) -> None:
        self._looked = time.monotonic()
        try:
            version = (path, os.stat(path).st_mtime)
            if version == self._version:
                return
            # The old one is left to the garbage collector: another thread may be reading in it.
            self._reader, self._version = geoip2.database.Reader(path), version
        except (OSError, maxminddb.InvalidDatabaseError, ValueError) as error:
            log.warning("GEOIP_PATH can't be read, so scans have no city: %s", error)
            self._reader, self._version = None, (path, -1.0)
        _find.cache_clear()


_atlas = _Atlas()


@lru_cache(maxsize=4096)
def _find(reader: geoip2.database.Reader, address: str) -> Place:
    try:
        found = reader.city(address)
    except maxminddb.InvalidDatabaseError as error:
        log.warning("The file of GEOIP_PATH is damaged: %s", error)
        return NOWHERE
    except (geoip2.errors.GeoIP2Error, ValueError, TypeError):
        return NOWHERE  # unknown, no address at all, or a file without cities
    return Place(city=(found.city.name or "")[:200], country=(found.country.name or "")[:100])


def place_of(address: str) -> Place:
    """The place of an IPv4 or IPv6 address. The address is kept nowhere but in a short-lived memory of look-ups."""
    reader = _atlas.reader()
    return _find(reader, address) if reader is not None else NOWHERE
