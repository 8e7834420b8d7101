"""The limits of the programme, and calculations with dates and addresses. No database and no clock."""

import calendar
from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

MAX_POINTS = 2_147_483_647  # what the database columns hold
CARD_ROWS = 10  # transactions and notifications on a card
UNDO_WINDOW = timedelta(minutes=15)  # in which staff may take back what they did themselves
LINK_LIFETIME = timedelta(hours=1)  # of links in emails that sign in or confirm an address


def mailbox(address: str) -> str:
    """Return the address with its host in one spelling, as mail is delivered to it: one mailbox has one card.

    Full-width letters, other characters with a plain equivalent and `xn--` name the same host. Raises ValueError for
    what no mail can be delivered to.
    """
    name, _at, host = address.rpartition("@")
    if not name.isascii() or not address.isprintable():
        raise ValueError("invisible characters, or a name that is not ASCII")
    plain = host.encode("idna")
    try:
        return f"{name}@{plain.decode('idna')}"
    except UnicodeError:  # a host of the newer standard, which has this spelling alone
        return f"{name}@{plain.decode('ascii').lower()}"


def months_before(moment: datetime, months: int, zone: ZoneInfo) -> datetime:
    """Return the same time of day on the same day of an earlier month, or on that month's last day."""
    local = moment.astimezone(zone).replace(tzinfo=None)
    year, month = divmod(local.year * 12 + local.month - 1 - months, 12)
    day = min(local.day, calendar.monthrange(year, month + 1)[1])
    return local.replace(year=year, month=month + 1, day=day, fold=0).replace(tzinfo=zone)


def expires_on(earned: datetime, months: int, zone: ZoneInfo) -> date:
    """Return the day from which `months_before` is later than `earned`."""
    day = earned.astimezone(zone).date()
    year, month = divmod(day.year * 12 + day.month - 1 + months, 12)
    last = calendar.monthrange(year, month + 1)[1]
    if day.day > last:
        return date(year, month + 1, last) + timedelta(days=1)
    return date(year, month + 1, day.day)
