"""Money and times for people."""

import re
from datetime import datetime, time
from decimal import Decimal
from functools import lru_cache
from typing import Any

from babel.dates import format_time
from babel.numbers import format_currency
from django import template
from django.conf import settings
from django.utils import timezone
from django.utils.formats import number_format
from django.utils.html import format_html
from django.utils.safestring import SafeString

from web.formats import browser_tag, locale
from web.money import decimals

register = template.Library()
register.simple_tag(browser_tag)


# Babel takes longer for a number or a time than a template for all around it, and pages have the same ones again.
_time_of_day = lru_cache(maxsize=24 * 60)(format_time)


@lru_cache(maxsize=4096)
def in_currency(amount: Decimal | int | float, currency: str, *args: Any, **kwargs: Any) -> str:
    """Return what Babel writes, with a space between a code such as KWD and the digits."""
    return re.sub("(?<=[A-Za-z])(?=[0-9])", "\xa0", format_currency(amount, currency, *args, **kwargs))


def format_money(amount: Decimal | int | float) -> str:
    """Return `amount` in the currency of this installation, as LANGUAGE_CODE writes it."""
    # Negative zero is the same key as zero, but would have a sign.
    return in_currency(amount or 0, settings.CURRENCY, locale=locale())


@register.filter
def as_typed(amount: Decimal | int) -> str:
    """Return an amount without the currency, such as 0.00."""
    return number_format(amount, decimals())


@register.filter
def clock(moment: datetime) -> str:
    """Return the time of day in this installation's time zone, as LANGUAGE_CODE writes it."""
    return _clock(timezone.localtime(moment))


def _clock(local: datetime) -> str:
    return _time_of_day(time(local.hour, local.minute), "short", locale=locale())


@register.filter
def with_age(moment: datetime, name: str = "") -> SafeString:
    """The time of day as a <time> whose age scripts show, with a class of this name."""
    local = timezone.localtime(moment)
    classes = format_html(' class="{}"', name) if name else ""
    return format_html('<time{} datetime="{}" data-age>{}</time>', classes, local.isoformat(), _clock(local))


@register.filter
def money(amount: Decimal | int | float | None) -> str:
    return "" if amount is None else format_money(amount)


@register.filter
def whole_money(amount: int) -> str:
    """Return a round sum without cents."""
    pattern = locale().currency_formats["standard"].pattern.replace(".00", "")
    return in_currency(amount, settings.CURRENCY, pattern, locale=locale(), currency_digits=False)
