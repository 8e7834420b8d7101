"""Money and times as people read them."""

from datetime import datetime
from decimal import Decimal
from functools import cache

from babel.core import Locale, UnknownLocaleError
from babel.dates import format_time
from babel.numbers import format_currency
from django import template
from django.conf import settings
from django.utils import timezone
from django.utils.translation import get_language, to_locale

register = template.Library()


def locale() -> Locale:
    """The active language as Babel knows it, or English."""
    try:
        return _parsed(to_locale(get_language() or settings.LANGUAGE_CODE))
    except (UnknownLocaleError, ValueError):
        return Locale("en")


@cache
def _parsed(identifier: str) -> Locale:
    """Months of English as Django shortens them: Babel alone writes Sept, and so reports and the admin would differ."""
    found = Locale.parse(identifier)
    if found.language == "en":
        for use in ("format", "stand-alone"):
            found.months[use]["abbreviated"][9] = "Sep"
    return found


def format_money(amount: Decimal | int | float) -> str:
    """`amount` in the currency of this installation, written as the active language writes it."""
    return format_currency(amount, settings.CURRENCY, locale=locale())


@register.filter
def clock(moment: datetime) -> str:
    """The time of day in this installation's time zone, as the active language writes it."""
    return format_time(timezone.localtime(moment), "short", locale=locale())


@register.filter
def money(amount: Decimal | int | float | None) -> str:
    return "" if amount is None else format_money(amount)


@register.filter
def whole_money(amount: int) -> str:
    """A round sum, such as the one that gives a point: without cents."""
    pattern = locale().currency_formats["standard"].pattern.replace(".00", "")
    return format_currency(amount, settings.CURRENCY, pattern, locale=locale(), currency_digits=False)
