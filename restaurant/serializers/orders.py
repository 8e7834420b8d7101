"""Orders: what a guest sends, what the guest and the kitchen get."""

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from rest_framework import serializers

from restaurant.models import Order
from restaurant.serializers.cart import EntryBody
from restaurant.serializers.sessions import SessionIdentifier
from restaurant.services.cart import MAX_LINES
from restaurant.services.orders import PlacedOrder as Placed
from web.fields import AmountField, ErrorResponse, Money

# --- requests -----------------------------------------------------------------------------------------


class OrderBody(serializers.Serializer):
    items = EntryBody(
        many=True,
        allow_empty=False,
        max_length=MAX_LINES,  # type: ignore[call-arg]
        error_messages={
            "empty": gettext_lazy("An order needs at least one item."),
            "max_length": gettext_lazy("An order can have at most %(count)s items.") % {"count": MAX_LINES},
        },
    )
    sessionId = SessionIdentifier()
    # The total that the guest saw. Without it nothing is compared.
    expectedTotal = AmountField(required=False, allow_null=True, default=None)


class StatusBody(serializers.Serializer):
    status = serializers.ChoiceField(
        choices=Order.Status.choices,
        error_messages={
            "invalid_choice": gettext_lazy("The status must be one of %(all)s.")
            % {"all": ", ".join(Order.Status.values)}
        },
    )


# --- responses ----------------------------------------------------------------------------------------


class OrderEntry(serializers.Serializer):
    menuItemId = serializers.UUIDField(source="menu_item_id")
    name = serializers.CharField(source="display_name")
    quantity = serializers.IntegerField()
    price = Money()
    specialInstructions = serializers.CharField(source="special_instructions", allow_blank=True)


class Ticket(serializers.Serializer):
    """An order as the kitchen sees it."""

    orderId = serializers.UUIDField(source="id")
    tableNumber = serializers.IntegerField(source="table.table_number")
    status = serializers.ChoiceField(choices=Order.Status.choices)
    items = OrderEntry(many=True)
    total = Money()
    createdAt = serializers.DateTimeField(source="created_at")


class OpenOrders(serializers.Serializer):
    orders = Ticket(many=True)


class GuestOrder(Ticket):
    """An order as its guest sees it."""

    completedAt = serializers.DateTimeField(source="completed_at", allow_null=True)


class PlacedOrder(serializers.Serializer):
    orderId = serializers.UUIDField(source="order.id")
    status = serializers.CharField()
    items = OrderEntry(many=True)
    total = Money(source="order.total")
    message = serializers.SerializerMethodField()

    def get_message(self, placed: Placed) -> str:
        return _("Thank you. Your order is on its way to the kitchen.")


class ChangedEntry(serializers.Serializer):
    """An entry of a refused order, as the menu has it now."""

    menuItemId = serializers.UUIDField(source="item.id")
    name = serializers.CharField(source="item.name")
    quantity = serializers.IntegerField()
    price = Money(source="item.price")
    available = serializers.BooleanField(source="item.available")


class MenuChange(serializers.Serializer):
    """What `restaurant.errors.MenuChanged` adds to its sentence."""

    expectedTotal = Money(source="expected_total", required=False, read_only=False)
    total = Money(required=False, read_only=False)
    items = ChangedEntry(many=True, required=False, source="entries")


class OrderConflict(MenuChange, ErrorResponse):
    """An ended session, a key that was used for another order, or a menu that is not what the guest saw."""
