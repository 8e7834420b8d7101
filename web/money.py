"""Amounts in the installation's currency, with as many decimals as it has: 550 yen, 12.50 euros, 1.250 dinars."""

from bisect import bisect_left
from collections.abc import Callable
from decimal import ROUND_HALF_UP, Decimal
from functools import cache
from typing import TYPE_CHECKING, Any

from babel.numbers import get_currency_precision
from django.conf import settings
from django.core.validators import DecimalValidator
from django.db import models
from django.utils.translation import gettext as _

NOTHING = Decimal(0)
STORED = 3  # decimals, which no currency exceeds


@cache
def decimals_of(currency: str) -> int:
    decimals: int = get_currency_precision(currency)
    return decimals


@cache
def unit_of(currency: str) -> Decimal:
    return Decimal(1).scaleb(-decimals_of(currency))


def unit() -> Decimal:
    """Return the smallest amount, such as a cent: 0.01."""
    return unit_of(settings.CURRENCY)


def decimals() -> int:
    return decimals_of(settings.CURRENCY)


def most() -> Decimal:
    """Return the largest amount of a bill: 99,999,999.99."""
    return 10**8 - unit()


def rounded(amount: Decimal) -> Decimal:
    """Return the amount in the currency's decimals, a half rounded up."""
    return amount.quantize(unit(), ROUND_HALF_UP)


def worth(euros: Decimal) -> Decimal:
    """Return the amount that stands for these euros in examples: a hundred times as much where there are no cents."""
    return rounded(euros if decimals() else euros * 100)


def no_decimals() -> str:
    """Return the sentence for an amount with a fraction, where the currency has none."""
    return _("Amounts in %(currency)s have no decimals.") % {"currency": settings.CURRENCY}


# Notes and coins; of other currencies 1, 2 and 5 and their tens.
_PIECES = {
    "USD": "100 50 20 10 5 2 1 0.50 0.25 0.10 0.05 0.01",
    "CAD": "100 50 20 10 5 2 1 0.25 0.10 0.05",
    "GBP": "50 20 10 5 2 1 0.50 0.20 0.10 0.05 0.02 0.01",
    "CHF": "1000 200 100 50 20 10 5 2 1 0.50 0.20 0.10 0.05",
    "SEK": "1000 500 200 100 50 20 10 5 2 1",
    "DKK": "1000 500 200 100 50 20 10 5 2 1 0.50",
    "NOK": "1000 500 200 100 50 20 10 5 1",
    "CZK": "5000 2000 1000 500 200 100 50 20 10 5 2 1",
    "JPY": "10000 5000 2000 1000 500 100 50 10 5 1",
    "KWD": "20 10 5 1 0.500 0.250 0.100 0.050 0.020 0.010 0.005",
}


def pieces() -> list[Decimal]:
    """Return the currency's notes and coins, the largest first."""
    if settings.CURRENCY in _PIECES:
        return [Decimal(piece) for piece in _PIECES[settings.CURRENCY].split()]
    powers = range(2 if decimals() else 4, unit().adjusted() - 1, -1)
    ladder = (digit * Decimal(1).scaleb(power) for power in powers for digit in (5, 2, 1))
    return [piece.quantize(Decimal(1) if piece >= 1 else unit()) for piece in ladder]


def pieces_for(amount: Decimal, few: int = 4) -> list[Decimal]:
    """Return the smallest few that each pay the amount, and where there are fewer, the largest ones."""
    rising = pieces()[::-1]
    first = min(bisect_left(rising, amount), len(rising) - few)
    return rising[first : first + few]


if TYPE_CHECKING:
    _DecimalField = models.DecimalField[Any, Any]
else:
    _DecimalField = models.DecimalField


class MoneyField(_DecimalField):
    """An amount. Stored with three decimals, and read and checked with those of the currency."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **{"max_digits": 13, "decimal_places": STORED, **kwargs})

    def deconstruct(self) -> Any:
        name, path, args, kwargs = super().deconstruct()
        own = {"max_digits": 13, "decimal_places": STORED}
        return name, path, args, {key: value for key, value in kwargs.items() if own.get(key) != value}

    @property
    def _digits(self) -> int:
        return self.max_digits - STORED + decimals()

    @property
    def validators(self) -> Any:
        return [*super(models.DecimalField, self).validators, DecimalValidator(self._digits, decimals())]

    def formfield(self, **kwargs: Any) -> Any:
        return super().formfield(**{"max_digits": self._digits, "decimal_places": decimals(), **kwargs})

    def pre_save(self, model_instance: models.Model, add: bool) -> Any:
        """Leave on the instance what will be read: 12.50 for 12.5."""
        value = super().pre_save(model_instance, add)
        if isinstance(value, Decimal):
            value = rounded(value)
            setattr(model_instance, self.attname, value)
        return value

    def get_db_converters(self, connection: Any) -> list[Callable[[Any, Any, Any], Any]]:
        # Called for every value that is read: what it needs is looked up once for each query.
        smallest = unit()

        def read(value: Decimal | None, expression: Any, connection: Any) -> Decimal | None:
            return None if value is None else value.quantize(smallest, ROUND_HALF_UP)

        return [read]
