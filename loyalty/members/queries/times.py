"""Times for sentences, by this installation's clock."""

from datetime import date, datetime, timedelta

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from web.moments import short_day
from web.templatetags.money import clock


def local_text(moment: datetime | None) -> str:
    """Day and time of day in this installation's time zone, for a sentence."""
    if moment is None:
        return "?"
    return f"{date_format(timezone.localtime(moment), 'DATE_FORMAT')}, {clock(moment)}"


def last_day(until: datetime) -> date:
    """The last day that something valid until this moment is valid to the venue's midnight: what a guest may be told.

    Whoever reads "until 25 Dec" comes to dinner on the 25th.
    """
    return timezone.localdate(until + timedelta(minutes=1)) - timedelta(days=1)


def until_text(until: datetime) -> str:
    """Such as `25 Dec`, its last whole day; once that is over, the time of day: `today, 10:59`."""
    day = last_day(until)
    return _("today, %(time)s") % {"time": clock(until)} if day < timezone.localdate() else short_day(day)


def is_today(moment: datetime, *, now: datetime) -> bool:
    """By this installation's clock."""
    return timezone.localdate(moment) == timezone.localdate(now)


def local_text_today(moment: datetime, *, now: datetime) -> str:
    """The time of day alone, if it is of today."""
    return clock(moment) if is_today(moment, now=now) else local_text(moment)
