"""Money and times as people read them (decision 6.2)."""

from decimal import Decimal
from typing import Any

from babel.core import UnknownLocaleError
from babel.numbers import format_currency
from django import template
from django.conf import settings
from django.utils.translation import get_language, to_locale

register = template.Library()


def format_money(amount: Decimal | int | float) -> str:
    """`amount` in the currency of this installation, written as the active language writes it."""
    try:
        return format_currency(amount, settings.CURRENCY, locale=to_locale(get_language() or settings.LANGUAGE_CODE))
    except UnknownLocaleError:
        return format_currency(amount, settings.CURRENCY, locale="en")


@register.filter
def money(amount: Decimal | int | float | None) -> str:
    return "" if amount is None else format_money(amount)


@register.filter
def line_total(item: dict[str, Any]) -> Decimal:
    """Price times quantity of an order's entry."""
    return item["price"] * item["quantity"]
