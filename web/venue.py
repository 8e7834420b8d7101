"""The venue's name and branding. `config` stores and registers them for every app."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from datetime import time as time_of_day
from functools import lru_cache

from django.conf import settings
from django.db import Error
from django.utils import timezone

REMEMBERED = 5.0  # seconds until other processes show a change


@dataclass(frozen=True, slots=True)
class Logo:
    src: str
    width: int
    height: int
    ground: str  # "light" or "dark": the background that it needs; empty for one with its own
    has_name: bool  # then the name is not written beside it


@dataclass(frozen=True, slots=True)
class Cover:
    """A cover picture: `src` is the narrowest version, `width` and `height` are those of the widest."""

    src: str
    srcset: str
    width: int
    height: int


@dataclass(frozen=True, slots=True)
class MailLogo:
    """A PNG with an opaque background, twice as large as it is shown."""

    data: bytes = field(repr=False)
    width: int
    height: int


@dataclass(frozen=True, slots=True)
class Venue:
    """The stored values; empty ones were not set."""

    name: str = ""
    address: str = ""
    vat_number: str = ""
    accent: str = ""  # such as #7a2848
    location_id: str = ""  # loyalty's location where orders at the tables earn points
    phone: str = ""
    day_ends_at: time_of_day = time_of_day.min  # of the reports' days, by the clock
    lock_after: int = 5  # minutes, of a shared device
    kitchen_language: str = ""  # of its displays and dockets; empty: the venue's
    menu_languages: tuple[str, ...] = ()  # of `web.languages.NAMES`, besides the venue's
    logo: Logo | None = None
    cover: Cover | None = None
    # Colours of the browser's bar and of mails: --accent-deep on light and --accent-wash on dark in static/css.
    theme: str = "#5c1b35"
    theme_dark: str = "#45232f"


_read: Callable[[], Venue] = Venue
_read_mail_logo: Callable[[], MailLogo | None] | None = None
_latest = Venue()
_until = 0.0


def register(read: Callable[[], Venue], read_mail_logo: Callable[[], MailLogo | None]) -> None:
    """Set the readers, which take one query each."""
    global _read, _read_mail_logo
    _read, _read_mail_logo = read, read_mail_logo


def current() -> Venue:
    """Return the venue as stored at most five seconds ago, or as last known while the database is away."""
    if time.monotonic() < _until:
        return _latest
    try:
        venue = _read()
    except Error:
        venue = _latest
    remember(venue)
    return venue


def name() -> str:
    """Return the stored name, or that of the environment."""
    return current().name or settings.VENUE_NAME


def day_of(moment: datetime) -> date:
    """Return the day to which a moment belongs by the venue's clock: before `day_ends_at`, to the one before."""
    local = timezone.localtime(moment)
    return local.date() - timedelta(days=local.time() < current().day_ends_at)


def address() -> list[str]:
    """Return the lines of the address."""
    return [line for line in map(str.strip, current().address.splitlines()) if line]


def mail_logo() -> MailLogo | None:
    """Return None also while the database is away: a mail does without."""
    logo = current().logo
    try:
        return _mail_logo_of(logo.src) if logo else None
    except Error:
        return None


@lru_cache(maxsize=1)
def _mail_logo_of(_src: str) -> MailLogo | None:
    return _read_mail_logo() if _read_mail_logo else None


def accent() -> str:
    """Return six hexadecimal digits in lower case; empty for the default colour."""
    return current().accent.lower().removeprefix("#")


def remember(venue: Venue) -> None:
    global _latest, _until
    _latest, _until = venue, time.monotonic() + REMEMBERED


def clear_cache() -> None:
    """Read the venue again at its next use."""
    global _until  # noqa: PLW0603
    _until = 0.0
