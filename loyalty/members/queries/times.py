"""Times for sentences, by this installation's clock."""

from datetime import datetime

from django.utils import timezone
from django.utils.formats import date_format

from web.templatetags.money import clock


def local_text(moment: datetime | None) -> str:
    """Day and time of day in this installation's time zone, for a sentence."""
    if moment is None:
        return "?"
    return f"{date_format(timezone.localtime(moment), 'DATE_FORMAT')}, {clock(moment)}"


def is_today(moment: datetime, *, now: datetime) -> bool:
    """By this installation's clock."""
    return timezone.localdate(moment) == timezone.localdate(now)


def local_text_today(moment: datetime, *, now: datetime) -> str:
    """The time of day alone, if it is of today."""
    return clock(moment) if is_today(moment, now=now) else local_text(moment)
