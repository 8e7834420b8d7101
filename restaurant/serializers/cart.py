"""A phone's cart."""

from typing import Any

from rest_framework import serializers

from restaurant.serializers.sessions import SessionSummary
from restaurant.serializers.tables import TableSummary
from restaurant.services.cart import MAX_LINES, MAX_NOTE, MAX_QUANTITY, Entry
from web.fields import Identifier, Money, Text, WholeNumber

# --- requests -----------------------------------------------------------------------------------------


# Its validated value is a `restaurant.services.cart.Entry`.
class EntryBody(serializers.Serializer):
    """One entry of a cart or an order."""

    menuItemId = Text(max_length=100)
    quantity = WholeNumber(min_value=1, max_value=MAX_QUANTITY, default=1)
    specialInstructions = Text(max_length=MAX_NOTE, allow_blank=True, allow_null=True, default="")

    def to_internal_value(self, data: Any) -> Any:
        values = super().to_internal_value(data)
        return Entry(values["menuItemId"], values["quantity"], values["specialInstructions"] or "")


class CartBody(serializers.Serializer):
    """The whole cart (PUT)."""

    items = EntryBody(many=True, max_length=MAX_LINES)  # type: ignore[call-arg]
    sessionId = Identifier(required=False)


class CartAddition(serializers.Serializer):
    """One more of an item (POST)."""

    menuItemId = Text(max_length=100)
    quantity = WholeNumber(min_value=1, max_value=MAX_QUANTITY, default=1)
    sessionId = Identifier(required=False)


# --- responses ----------------------------------------------------------------------------------------


class CartEntry(serializers.Serializer):
    menuItemId = serializers.UUIDField(source="menu_item_id")
    name = serializers.CharField(source="menu_item.name")
    quantity = serializers.IntegerField()
    price = Money(source="menu_item.price")
    lineTotal = Money(source="total")
    specialInstructions = serializers.CharField(source="special_instructions", allow_blank=True)
    available = serializers.BooleanField(source="menu_item.available")


class CartContents(serializers.Serializer):
    table = TableSummary(source="session.table")
    session = SessionSummary()
    items = CartEntry(many=True, source="lines")
    count = serializers.IntegerField()
    total = Money()
