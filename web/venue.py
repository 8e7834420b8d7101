"""What the venue is called. `config` keeps it in the database; every app asks here."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field

from django.conf import settings
from django.db import Error

REMEMBERED = 5.0  # seconds: so long other processes may show what was stored before


@dataclass(frozen=True, slots=True)
class Logo:
    src: str
    width: int
    height: int
    ground: str  # "light" or "dark": what it has to stand on; empty for one with a ground of its own
    has_name: bool  # the name is not written beside it


@dataclass(frozen=True, slots=True)
class Cover:
    """`src` is the narrowest; `width` and `height` are those of the widest."""

    src: str
    srcset: str
    width: int
    height: int


@dataclass(frozen=True, slots=True)
class MailLogo:
    """A PNG on a ground of its own, twice as large as it is shown."""

    data: bytes = field(repr=False)
    width: int
    height: int


@dataclass(frozen=True, slots=True)
class Venue:
    """What is empty was not stored."""

    name: str = ""
    address: str = ""
    vat_number: str = ""
    accent: str = ""  # such as #7a2848
    location_id: str = ""  # of loyalty's location where orders at the tables earn points
    phone: str = ""
    logo: Logo | None = None
    cover: Cover | None = None
    # Of the browser's own bar and of mails: as --accent-deep on light and --accent-wash on dark in static/css.
    theme: str = "#5c1b35"
    theme_dark: str = "#45232f"


_read: Callable[[], Venue] = Venue
_read_mail_logo: Callable[[], MailLogo | None] | None = None
_latest = Venue()
_until = 0.0
_latest_mail_logo: tuple[str, MailLogo | None] = ("", None)  # and the address of the logo that it belongs to


def register(read: Callable[[], Venue], read_mail_logo: Callable[[], MailLogo | None]) -> None:
    """Where it is stored: each takes one query."""
    global _read, _read_mail_logo
    _read, _read_mail_logo = read, read_mail_logo


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


def address() -> list[str]:
    """Its lines."""
    return [line for line in map(str.strip, current().address.splitlines()) if line]


def mail_logo() -> MailLogo | None:
    """None also while the database is away: a mail can do without."""
    global _latest_mail_logo  # noqa: PLW0603
    logo = current().logo
    if logo is None or _read_mail_logo is None:
        return None
    if _latest_mail_logo[0] != logo.src:
        try:
            _latest_mail_logo = (logo.src, _read_mail_logo())
        except Error:
            return None
    return _latest_mail_logo[1]


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
