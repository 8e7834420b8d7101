"""Short forms of dates and times: without the date today and yesterday, without the year this year."""

from collections.abc import Callable
from datetime import date, datetime, timedelta

from babel.dates import format_date, format_skeleton, format_timedelta
from django import template
from django.utils import timezone
from django.utils.html import format_html
from django.utils.translation import gettext as _

from web.formats import locale, together
from web.templatetags.money import clock

register = template.Library()


@register.filter
def recent(moment: datetime) -> str:
    """Return `Today, 14:49` with the whole date as its title."""
    return _marked(moment, _words)


@register.filter
def recent_day(moment: datetime) -> str:
    """Return `Today, 14:49`, `Yesterday` or `2 Mar` with the whole date as its title."""
    return _marked(moment, _day_words)


@register.filter
def whole_day(moment: date) -> str:
    """Return `2 Mar 2026`, and the whole month in other languages than English."""
    language = locale()
    return str(format_date(_local(moment), "medium" if language.language == "en" else "long", locale=language))


@register.filter
def whole_moment(moment: datetime) -> str:
    """Return `2 Mar 2026, 14:49`."""
    return together(whole_day(moment), clock(moment))


@register.filter
def short_day(moment: date) -> str:
    """Return `2 Mar`, with the year unless it is this one. A time is converted to the venue's time zone."""
    local = _local(moment)
    return str(format_skeleton("MMMd" if local.year == timezone.localdate().year else "yMMMd", local, locale=locale()))


@register.filter
def full_day(moment: date) -> str:
    """Return `Monday 2 March 2026`."""
    return str(format_date(_local(moment), "full", locale=locale()))


@register.filter
def weekday(moment: date, pattern: str = "cccc") -> str:
    """Return `Monday`, or `Mon` for `ccc`."""
    return str(format_date(_local(moment), pattern, locale=locale()))


def _local(moment: date) -> date:
    return timezone.localtime(moment) if isinstance(moment, datetime) else moment


def recent_time(moment: datetime) -> str:
    """Return `14:49` for today, else `2 Mar, 14:49`, to follow "since"."""
    is_today = timezone.localtime(moment).date() == timezone.localdate()
    return clock(moment) if is_today else together(short_day(moment), clock(moment))


@register.filter
def ago(moment: datetime) -> str:
    """Return `8 months ago` for a time in the past, in the largest unit that fits."""
    if timezone.now() - moment < timedelta(minutes=1):
        return _("Just now")
    return str(format_timedelta(moment - timezone.now(), threshold=1, add_direction=True, locale=locale()))


def _marked(moment: datetime, text_of: Callable[[datetime], str]) -> str:
    local = timezone.localtime(moment)
    whole = whole_moment(local)
    return format_html('<time datetime="{}" title="{}">{}</time>', local.isoformat(), whole, text_of(local))


def _words(local: datetime) -> str:
    if local.date() == timezone.localdate() - timedelta(days=1):
        return _("Yesterday, %(time)s") % {"time": clock(local)}
    day = _day_words(local)
    return day if local.date() == timezone.localdate() else together(day, clock(local))


def _day_words(local: datetime) -> str:
    today = timezone.localdate()
    if local.date() == today:
        return _("Today, %(time)s") % {"time": clock(local)}
    if local.date() == today - timedelta(days=1):
        return _("Yesterday")
    return short_day(local)
