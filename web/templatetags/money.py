"""Money and times for people."""

from datetime import datetime
from decimal import Decimal

from babel.dates import format_time
from babel.numbers import format_currency
from django import template
from django.conf import settings
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString

from web.formats import browser_tag, locale

register = template.Library()
register.simple_tag(browser_tag)


def format_money(amount: Decimal | int | float) -> str:
    """Return `amount` in the currency of this installation, as LANGUAGE_CODE writes it."""
    return format_currency(amount, settings.CURRENCY, locale=locale())


@register.filter
def clock(moment: datetime) -> str:
    """Return the time of day in this installation's time zone, as LANGUAGE_CODE writes it."""
    return format_time(timezone.localtime(moment), "short", locale=locale())


@register.filter
def with_age(moment: datetime, name: str = "") -> SafeString:
    """The time of day as a <time> whose age scripts show, with a class of this name."""
    local = timezone.localtime(moment)
    classes = format_html(' class="{}"', name) if name else ""
    return format_html('<time{} datetime="{}" data-age>{}</time>', classes, local.isoformat(), clock(local))


@register.filter
def money(amount: Decimal | int | float | None) -> str:
    return "" if amount is None else format_money(amount)


@register.filter
def whole_money(amount: int) -> str:
    """Return a round sum without cents."""
    pattern = locale().currency_formats["standard"].pattern.replace(".00", "")
    return format_currency(amount, settings.CURRENCY, pattern, locale=locale(), currency_digits=False)
