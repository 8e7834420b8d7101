"""What the venue is called. `config` keeps it in the database; every app asks here."""

import time
from collections.abc import Callable
from dataclasses import dataclass

from django.conf import settings
from django.db import Error

REMEMBERED = 5.0  # seconds: so long other processes may show what was stored before


@dataclass(frozen=True, slots=True)
class Venue:
    """What is empty was not stored."""

    name: str = ""
    address: str = ""
    vat_number: str = ""
    accent: str = ""  # such as #7a2848
    location_id: str = ""  # of loyalty's location where orders at the tables earn points


_read: Callable[[], Venue] = Venue
_latest = Venue()
_until = 0.0


def read_with(read: Callable[[], Venue]) -> None:
    """Where it is stored: `read` takes one query."""
    global _read  # noqa: PLW0603
    _read = read


def current() -> Venue:
    """As it was stored at most five seconds ago. While the database is away, as it was known before."""
    if time.monotonic() < _until:
        return _latest
    try:
        found = _read()
    except Error:
        found = _latest
    remember(found)
    return found


def name() -> str:
    """The stored name, or that of the environment."""
    return current().name or settings.VENUE_NAME


def accent() -> str:
    """Six hexadecimal digits in lower case; empty for the usual colour."""
    return current().accent.lower().removeprefix("#")


def remember(venue: Venue) -> None:
    global _latest, _until
    _latest, _until = venue, time.monotonic() + REMEMBERED


def forget() -> None:
    """Read it again when somebody asks."""
    global _until  # noqa: PLW0603
    _until = 0.0
