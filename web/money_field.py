"""A number of the installation's currency, with its sign beside it."""

from typing import Any

from babel.numbers import get_currency_symbol
from django import forms
from django.conf import settings
from django.core.exceptions import ValidationError
from django.utils.html import format_html

from web.fields import typed_amount
from web.formats import locale
from web.money import no_decimals


def currency_sign() -> str:
    return get_currency_symbol(settings.CURRENCY, locale=locale())


def is_sign_first() -> bool:
    return locale().currency_formats["standard"].pattern.lstrip().startswith("¤")


def one_unit() -> str:
    """Return one unit of the currency, such as €1."""
    return f"{currency_sign()}1" if is_sign_first() else f"1 {currency_sign()}"


class DecimalInput(forms.TextInput):
    """A text field, because a browser's number field would not show a number as LANGUAGE_CODE writes it."""

    is_localized = True

    def __init__(self, attrs: Any = None) -> None:
        super().__init__({"class": "menu-price", "inputmode": "decimal", **(attrs or {})})


class DecimalField(forms.DecimalField):
    """A number typed with a decimal point or comma, whichever LANGUAGE_CODE writes."""

    widget = DecimalInput

    def to_python(self, value: Any) -> Any:
        amount = typed_amount(value, max(self.decimal_places or 0, 2)) if isinstance(value, str) else None
        if amount is not None and self.decimal_places == 0 and amount.as_tuple().exponent:
            raise ValidationError(no_decimals())
        return super().to_python(value if amount is None else amount)


class MoneyInput(DecimalInput):
    """Shows the currency's sign where LANGUAGE_CODE writes it; screen readers hear the label alone."""

    def render(self, name: str, value: Any, attrs: Any = None, renderer: Any = None) -> Any:
        field = super().render(name, value, attrs, renderer)
        sign = format_html('<span class="money-sign" aria-hidden="true">{}</span>', currency_sign())
        parts = (sign, field) if is_sign_first() else (field, sign)
        return format_html('<span class="money-field">{}{}</span>', *parts)
