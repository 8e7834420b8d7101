"""Moments as lists tell them: those of today and yesterday without their date, others of this year without the year."""

from datetime import datetime, timedelta

from babel.dates import format_skeleton
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.html import format_html
from django.utils.translation import gettext as _

from web.templatetags.money import clock, locale


def recent(moment: datetime) -> str:
    """Such as `Today, 14:49`, with the whole date as its title."""
    local = timezone.localtime(moment)
    whole = date_format(local, "DATETIME_FORMAT")
    return format_html('<time datetime="{}" title="{}">{}</time>', local.isoformat(), whole, _words(local))


def _words(local: datetime) -> str:
    today = timezone.localdate()
    if local.date() == today:
        return _("Today, %(time)s") % {"time": clock(local)}
    if local.date() == today - timedelta(days=1):
        return _("Yesterday, %(time)s") % {"time": clock(local)}
    skeleton = "MMMd" if local.year == today.year else "yMMMd"
    return f"{format_skeleton(skeleton, local, locale=locale())}, {clock(local)}"
