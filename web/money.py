"""Amounts in the installation's currency, with as many decimals as it has: 550 yen, 12.50 euros, 1.250 dinars."""

from decimal import ROUND_HALF_UP, Decimal
from functools import cache
from typing import TYPE_CHECKING, Any

from babel.numbers import get_currency_precision
from django.conf import settings
from django.db import models

NOTHING = Decimal(0)


@cache
def unit_of(currency: str) -> Decimal:
    return Decimal(1).scaleb(-get_currency_precision(currency))


def unit() -> Decimal:
    """Return the smallest amount, such as a cent: 0.01."""
    return unit_of(settings.CURRENCY)


def rounded(amount: Decimal) -> Decimal:
    """Return the amount in the currency's decimals, a half rounded up."""
    return amount.quantize(unit(), ROUND_HALF_UP)


if TYPE_CHECKING:
    _DecimalField = models.DecimalField[Any, Any]
else:
    _DecimalField = models.DecimalField


class MoneyField(_DecimalField):
    """An amount. Stored with three decimals, which no currency exceeds, and read with those of the currency."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **{"max_digits": 13, "decimal_places": 3, **kwargs})

    def deconstruct(self) -> Any:
        name, path, args, kwargs = super().deconstruct()
        return (
            name,
            path,
            args,
            {key: value for key, value in kwargs.items() if key not in ("max_digits", "decimal_places")},
        )

    def from_db_value(self, value: Decimal | None, expression: Any, connection: Any) -> Decimal | None:
        return None if value is None else value.quantize(unit(), ROUND_HALF_UP)
