"""Cash drawers: their X and Z."""

import re
from decimal import Decimal
from typing import Any, NamedTuple

from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from restaurant.billing.models import DrawerMovement, Payment
from restaurant.billing.serializers import Positive
from web.fields import AmountField, Money, Text, WholeNumber
from web.money import most

BY_HAND = [kind for kind in DrawerMovement.Kind.choices if kind[0] != DrawerMovement.Kind.KICK]
MOST_OF_A_PIECE = 99_999

# --- requests -----------------------------------------------------------------------------------------


class CashField(AmountField):
    def to_internal_value(self, data: Any) -> Any:
        return _at_most(super().to_internal_value(data))


def _at_most(amount: Decimal) -> Decimal:
    if amount > most():
        raise serializers.ValidationError(_("At most %(most)s, please.") % {"most": f"{most():,}"})
    return amount


class FloatBody(serializers.Serializer):
    float = CashField()


class MovedField(CashField, Positive):
    pass


class MovementBody(serializers.Serializer):
    kind = serializers.ChoiceField(BY_HAND)
    amount = MovedField()
    reason = Text(max_length=200)


class KickBody(serializers.Serializer):
    kind = serializers.HiddenField(default=DrawerMovement.Kind.KICK)
    reason = Text(max_length=200)


class Counted(NamedTuple):
    amount: Decimal
    coins: dict[str, int]


@extend_schema_field({
    "oneOf": [
        {"type": "object", "additionalProperties": {"type": "integer", "minimum": 0}, "example": {"50": 3, "0.20": 12}},
        {"type": "number", "minimum": 0},
    ]
})  # fmt: skip
class CountedField(CashField):
    """How many of each note and coin there are, such as `{"50": 3, "0.20": 12}`; or the sum."""

    def to_internal_value(self, data: Any) -> Any:
        if not isinstance(data, dict):
            return Counted(super().to_internal_value(data), {})
        number = WholeNumber(min_value=0, max_value=MOST_OF_A_PIECE)
        coins = {piece: number.run_validation(count) for piece, count in data.items()}
        return Counted(_at_most(sum((_piece(text) * count for text, count in coins.items()), Decimal(0))), coins)


def _piece(text: str) -> Decimal:
    if not re.fullmatch(r"[0-9]{1,6}([.][0-9]{1,3})?", text, re.ASCII) or not Decimal(text):
        raise serializers.ValidationError(_("There is no such note or coin: %(piece)s.") % {"piece": text[:20]})
    return Decimal(text)


class CountBody(serializers.Serializer):
    """What was counted: the notes and coins, or the sum, which may be called `amount` as well."""

    counted = CountedField(required=False, default=None)
    amount = CashField(required=False, allow_null=True, default=None)

    def validate(self, values: dict[str, Any]) -> Any:
        if (values["counted"] is None) == (values["amount"] is None):
            raise serializers.ValidationError(
                {"counted": _("Please give either the notes and coins that were counted, or the sum.")}
            )
        return values["counted"] or Counted(values["amount"], {})


# --- responses ----------------------------------------------------------------------------------------


class DrawerSummary(serializers.Serializer):
    id = serializers.IntegerField(source="drawer.pk")
    name = serializers.CharField(source="drawer.name")
    open = serializers.SerializerMethodField()
    openedAt = serializers.DateTimeField(source="day.opened_at", required=False)
    openedBy = serializers.CharField(source="day.opened_by_name", required=False)

    def get_open(self, drawer: Any) -> bool:
        return drawer.day is not None


class DrawerList(serializers.Serializer):
    drawers = DrawerSummary(many=True, source="*")


class PaidByMethod(serializers.Serializer):
    method = serializers.ChoiceField(Payment.Method.choices)
    count = serializers.IntegerField()
    amount = Money()


class PaymentsByMethod(PaidByMethod):
    tips = Money()


class Movement(serializers.Serializer):
    id = serializers.UUIDField()
    kind = serializers.ChoiceField(DrawerMovement.Kind.choices)
    amount = Money()
    reason = serializers.CharField()
    at = serializers.DateTimeField()
    by = serializers.CharField(source="by_name")


def _held(name: str, about: str = "") -> Money:
    return Money(source=f"figures.cash.{name}", required=False, read_only=False, help_text=about)


class Drawer(DrawerSummary):
    """A drawer, and its X while it is open. Where it is counted blind, that lacks what tells the sum in it."""

    float = _held("float")
    payments = PaymentsByMethod(
        many=True, source="figures.payments", required=False, help_text="This drawer's cash; the rest is the house's."
    )
    change = _held("change")
    tips = _held("tips", "In cash.")
    rounding = _held("rounding")
    voided = _held("voided")
    refunds = _held("refunds")
    movements = Movement(many=True)
    expected = _held("expected", "What should be in it.")


class Z(serializers.Serializer):
    id = serializers.UUIDField()
    number = serializers.IntegerField()
    drawer = serializers.CharField(source="drawer.name")
    openedAt = serializers.DateTimeField(source="opened_at")
    openedBy = serializers.CharField(source="opened_by_name")
    closedAt = serializers.DateTimeField(source="closed_at")
    closedBy = serializers.CharField(source="closed_by_name")
    float = Money()
    coins = serializers.DictField(source="counted_coins", child=serializers.IntegerField())
    counted = Money()
    expected = Money()
    difference = Money()
    movements = Movement(many=True, source="movements.all")
    figures = serializers.DictField(help_text="Of the house since the Z before, and of this drawer's cash.")


class Printed(serializers.Serializer):
    printer = serializers.CharField(allow_null=True, help_text="Null where no receipt printer is set up.")
