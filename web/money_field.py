"""A number of the installation's currency, with its sign beside it."""

from typing import Any

from babel.numbers import get_currency_symbol
from django import forms
from django.conf import settings
from django.utils.html import format_html

from web.templatetags.money import locale


def currency_sign() -> str:
    return get_currency_symbol(settings.CURRENCY, locale=locale())


def is_sign_first() -> bool:
    return locale().currency_formats["standard"].pattern.lstrip().startswith("¤")


def one_unit() -> str:
    """Such as €1."""
    return f"{currency_sign()}1" if is_sign_first() else f"1 {currency_sign()}"


class MoneyInput(forms.NumberInput):
    """The sign stands where the active language writes it; screen readers hear the label alone."""

    def __init__(self, attrs: Any = None) -> None:
        super().__init__({"class": "menu-price", "step": "0.01", "min": "0", **(attrs or {})})

    def render(self, name: str, value: Any, attrs: Any = None, renderer: Any = None) -> Any:
        field = super().render(name, value, attrs, renderer)
        sign = format_html('<span class="money-sign" aria-hidden="true">{}</span>', currency_sign())
        parts = (sign, field) if is_sign_first() else (field, sign)
        return format_html('<span class="money-field">{}{}</span>', *parts)
