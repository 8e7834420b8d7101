"""What may be sent to the restaurant, checked; and what it answers, described for OpenAPI."""

import re
from decimal import Decimal
from typing import Any

from django.http import QueryDict
from django.utils.translation import gettext_lazy as _
from rest_framework import serializers

from restaurant.models import MAX_TABLE_NUMBER, Order
from restaurant.services.cart import MAX_LINES, MAX_QUANTITY, Entry
from web.fields import AmountField, ErrorResponse, Identifier, Text, WholeNumber

# --- what comes in --------------------------------------------------------------------------------


class EntryBody(serializers.Serializer):
    menuItemId = Text(max_length=100)
    quantity = WholeNumber(min_value=1, max_value=MAX_QUANTITY, default=1)
    specialInstructions = Text(max_length=500, allow_blank=True, allow_null=True, default="")

    def to_internal_value(self, data: Any) -> Any:
        values = super().to_internal_value(data)
        return Entry(values["menuItemId"], values["quantity"], values["specialInstructions"] or "")


class OrderBody(serializers.Serializer):
    items = EntryBody(
        many=True,
        allow_empty=False,
        max_length=MAX_LINES,  # type: ignore[call-arg]
        error_messages={
            "empty": _("An order needs at least one item."),
            "max_length": _("An order can have at most %(count)s items.") % {"count": MAX_LINES},
        },
    )
    sessionId = Identifier(
        error_messages={
            "invalid": _("This is not the id of a table session."),
            "not_an_id": _("This is not the id of a table session."),
        }
    )
    # The total that the guest saw: an order that would not come to it is not placed. Without it nothing is compared.
    expectedTotal = AmountField(required=False, allow_null=True, default=None)


class CartBody(serializers.Serializer):
    """The whole cart (PUT)."""

    items = EntryBody(many=True, max_length=MAX_LINES)  # type: ignore[call-arg]
    sessionId = Identifier(required=False)


class CartAddition(serializers.Serializer):
    """One more of an item (POST)."""

    menuItemId = Text(max_length=100)
    quantity = WholeNumber(min_value=1, max_value=MAX_QUANTITY, default=1)
    sessionId = Identifier(required=False)


class StatusBody(serializers.Serializer):
    status = serializers.ChoiceField(
        choices=Order.Status.choices,
        error_messages={
            "invalid_choice": _("The status must be one of %(all)s.") % {"all": ", ".join(Order.Status.values)}
        },
    )


class TableBody(serializers.Serializer):
    tableNumber = WholeNumber(min_value=1, max_value=MAX_TABLE_NUMBER)
    section = Text(max_length=50, allow_blank=True, default="")
    capacity = WholeNumber(min_value=1, max_value=1000, allow_null=True, default=None)


class CloseBody(serializers.Serializer):
    sessionId = Identifier(
        error_messages={
            "invalid": _("This is not the id of a table session."),
            "not_an_id": _("This is not the id of a table session."),
        }
    )


def entries_of_form(form: Any) -> list[dict[str, Any]]:
    """The entries of the cart's form, where each field comes once for every line, in one order."""
    ids = form.getlist("menuItemId")
    quantities = form.getlist("quantity")
    notes = form.getlist("specialInstructions")
    entries: list[dict[str, Any]] = []
    for number, item_id in enumerate(ids):
        quantity = quantities[number] if number < len(quantities) else "1"
        entries.append(
            {
                "menuItemId": item_id,
                "quantity": int(quantity) if re.fullmatch(r"[0-9]{1,9}", quantity) else quantity,
                # Browsers send line breaks as two characters, and count them as one.
                "specialInstructions": notes[number].replace("\r\n", "\n") if number < len(notes) else "",
            }
        )
    return entries


def prices_seen(form: Any) -> dict[str, Decimal]:
    """By item: the price on the page of the cart that was sent."""
    seen = zip(form.getlist("menuItemId"), form.getlist("priceSeen"), strict=False)
    return {item_id: Decimal(text) for item_id, text in seen if re.fullmatch(r"[0-9]{1,8}\.[0-9]{2}", text, re.ASCII)}


def _expected_total(form: Any, entries: list[dict[str, Any]]) -> Decimal | None:
    """What the lines come to by the prices on the page: its quantities may have been changed without JavaScript."""
    prices = prices_seen(form)
    if not all(isinstance(each["quantity"], int) and each["menuItemId"] in prices for each in entries):
        return None
    return sum((prices[each["menuItemId"]] * each["quantity"] for each in entries), Decimal("0.00"))


def body_of(request: Any) -> Any:
    """The request's body as JSON would have it, whether it came as JSON or from the cart's form."""
    if isinstance(request.data, QueryDict):
        form = request.data
        entries = entries_of_form(form)
        return {**form.dict(), "items": entries, "expectedTotal": _expected_total(form, entries)}
    return request.data


# --- what goes out (descriptions) -----------------------------------------------------------------


class ChangedItem(serializers.Serializer):
    menuItemId = serializers.UUIDField()
    name = serializers.CharField()
    quantity = serializers.IntegerField()
    price = serializers.FloatField()
    available = serializers.BooleanField()


class OrderConflict(ErrorResponse):
    """An ended session or a key used for another order; or, with the rest, a menu that is not what the guest saw."""

    expectedTotal = serializers.FloatField(required=False)
    total = serializers.FloatField(required=False)
    items = ChangedItem(many=True, required=False)


class TableFace(serializers.Serializer):
    number = serializers.IntegerField()
    section = serializers.CharField(allow_blank=True)


class SessionFace(serializers.Serializer):
    id = serializers.UUIDField()
    startedAt = serializers.DateTimeField()


class MenuItemFace(serializers.Serializer):
    id = serializers.UUIDField()
    name = serializers.CharField()
    description = serializers.CharField(allow_blank=True)
    price = serializers.FloatField()
    category = serializers.CharField(allow_blank=True)
    image_url = serializers.CharField(allow_blank=True)
    available = serializers.BooleanField()
    created_at = serializers.DateTimeField()


class MenuFace(serializers.Serializer):
    table = TableFace()
    session = SessionFace(allow_null=True)
    menu = serializers.DictField(child=MenuItemFace(many=True))


class Availability(serializers.Serializer):
    soldOut = serializers.ListField(child=serializers.UUIDField())


class EntryFace(serializers.Serializer):
    menuItemId = serializers.UUIDField()
    name = serializers.CharField()
    quantity = serializers.IntegerField()
    price = serializers.FloatField()
    specialInstructions = serializers.CharField(allow_blank=True)


class CartEntryFace(EntryFace):
    lineTotal = serializers.FloatField()
    available = serializers.BooleanField()


class CartFace(serializers.Serializer):
    table = TableFace()
    session = SessionFace()
    items = CartEntryFace(many=True)
    count = serializers.IntegerField()
    total = serializers.FloatField()


class PlacedOrder(serializers.Serializer):
    orderId = serializers.UUIDField()
    status = serializers.CharField()
    items = EntryFace(many=True)
    total = serializers.FloatField()
    message = serializers.CharField()


class Ticket(serializers.Serializer):
    orderId = serializers.UUIDField()
    tableNumber = serializers.IntegerField()
    status = serializers.ChoiceField(choices=Order.Status.choices)
    items = EntryFace(many=True)
    total = serializers.FloatField()
    createdAt = serializers.DateTimeField()


class OrderFace(Ticket):
    completedAt = serializers.DateTimeField(allow_null=True)


class OpenOrders(serializers.Serializer):
    orders = Ticket(many=True)


class NewTable(serializers.Serializer):
    tableNumber = serializers.IntegerField()
    qrCodeUrl = serializers.URLField()
    shortUrl = serializers.URLField()
    analyticsId = serializers.CharField()


class FloorSession(serializers.Serializer):
    id = serializers.UUIDField()
    startedAt = serializers.DateTimeField()
    totalScans = serializers.IntegerField()
    totalOrders = serializers.IntegerField()
    totalRevenue = serializers.FloatField()
    openOrders = serializers.IntegerField()


class FloorTable(serializers.Serializer):
    tableNumber = serializers.IntegerField()
    section = serializers.CharField(allow_blank=True)
    capacity = serializers.IntegerField(allow_null=True)
    session = FloorSession(allow_null=True)


class FloorFace(serializers.Serializer):
    tables = FloorTable(many=True)


class TableCard(serializers.Serializer):
    tableNumber = serializers.IntegerField()
    section = serializers.CharField(allow_blank=True)
    shortUrl = serializers.CharField(allow_blank=True)
    qrCodeUrl = serializers.CharField(allow_blank=True)


class TableCards(serializers.Serializer):
    paper = serializers.CharField()
    tables = TableCard(many=True)


class SessionState(serializers.Serializer):
    sessionId = serializers.UUIDField()
    tableNumber = serializers.IntegerField()
    section = serializers.CharField(allow_blank=True)
    startedAt = serializers.DateTimeField()
    endedAt = serializers.DateTimeField(allow_null=True)
    totalScans = serializers.IntegerField()
    totalOrders = serializers.IntegerField()
    totalRevenue = serializers.FloatField()
    openOrders = serializers.IntegerField()
    duration = serializers.CharField()


class SessionMetrics(serializers.Serializer):
    sessionId = serializers.UUIDField()
    tableNumber = serializers.IntegerField()
    duration = serializers.CharField()
    totalScans = serializers.IntegerField()
    totalOrders = serializers.IntegerField()
    totalRevenue = serializers.FloatField()
