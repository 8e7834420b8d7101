"""Orders: what guests and staff send, and what the guest gets."""

from dataclasses import replace
from decimal import Decimal
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext_lazy
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from restaurant.menu.models import ALLERGENS, LAST_COURSE, Allergen
from restaurant.menu.queries import money
from restaurant.ordering.models import Order, OrderChange, OrderItem
from restaurant.ordering.queries.points import points_of
from restaurant.ordering.serializers.cart import CartConflict, EntryBody
from restaurant.ordering.serializers.sessions import SessionIdentifier
from restaurant.ordering.services.cart import MAX_LINES, MAX_QUANTITY
from restaurant.ordering.services.order_changes import Part
from restaurant.ordering.services.orders import PlacedOrder as Placed
from restaurant.staff import ApprovableBody
from web.fields import AmountField, Money, OmitEmptySerializer, Text, TrueOrFalse, WholeNumber

_ALLERGENS = Allergen.choices

# --- requests -----------------------------------------------------------------------------------------


class AllergenField(serializers.ChoiceField):
    default_error_messages = {
        "invalid_choice": gettext_lazy("An allergy must be one of %(all)s.") % {"all": ", ".join(ALLERGENS)}
    }

    def __init__(self, **kwargs: Any) -> None:
        # Not as an argument: REST framework copies those deeply for every request, and these are 14 lazy sentences.
        super().__init__(_ALLERGENS, **kwargs)


class Allergies(serializers.ListField):
    """The allergens that the guest does not tolerate."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(child=AllergenField(), max_length=100, required=False, allow_null=True, default=list, **kwargs)


class OrderedEntryBody(EntryBody):
    later = TrueOrFalse(
        default=False, help_text="The floor's staff alone: it becomes a held order of its own, to be sent later."
    )
    course = WholeNumber(
        min_value=0,
        max_value=LAST_COURSE,
        required=False,
        allow_null=True,
        help_text="0 and null are at once. Without it: that of its category.",
    )

    def to_internal_value(self, data: Any) -> Any:
        entry = super().to_internal_value(data)
        return replace(entry, course=entry.course or 0) if "course" in data else entry


class OrderBody(serializers.Serializer):
    items = OrderedEntryBody(
        source="entries",
        many=True,
        allow_empty=False,
        max_length=MAX_LINES,  # type: ignore[call-arg]
        error_messages={
            "empty": gettext_lazy("An order needs at least one item."),
            "max_length": ngettext_lazy(
                "An order can have at most %(count)s item.", "An order can have at most %(count)s items.", MAX_LINES
            )
            % {"count": MAX_LINES},
        },
    )
    sessionId = SessionIdentifier(source="session_id")
    allergies = Allergies()
    # Whether the phone's card collects points for it: by default as the phone's cart says, or else true.
    collect = TrueOrFalse(required=False, allow_null=True, default=None)
    # The total that the guest saw. Without it nothing is compared.
    expectedTotal = AmountField(source="expected_total", required=False, allow_null=True, default=None)
    # Of the phone's cart that is ordered (`cartVersion` of the cart). Without it nothing is compared.
    cartVersion = Text(source="cart_version", max_length=64, required=False, allow_blank=True, default="")
    later = TrueOrFalse(default=False, help_text="The same as `later` of every item.")

    may_keep = False

    def validate(self, values: dict[str, Any]) -> dict[str, Any]:
        """Pass `later` of the whole on to each entry."""
        if values.pop("later"):
            values["entries"] = [replace(entry, later=True) for entry in values["entries"]]
        if not self.may_keep and any(entry.later for entry in values["entries"]):
            raise serializers.ValidationError({"later": _("Only the floor's staff can keep an order for later.")})
        return values

    def validate_allergies(self, allergies: list[str] | None) -> list[str]:
        """Return each once, in the usual order."""
        return [allergen for allergen in ALLERGENS if allergen in (allergies or ())]


class StaffOrderBody(OrderBody):
    # Without it: the table's open session, or a new one.
    sessionId = SessionIdentifier(source="session_id", required=False, default=None)

    may_keep = True


class CancelledPart(serializers.Serializer):
    """An entry of the order, by its index; without `quantity`, all that is left of it."""

    position = WholeNumber(min_value=0, max_value=MAX_LINES - 1)
    quantity = WholeNumber(min_value=1, max_value=MAX_QUANTITY, required=False)

    def to_internal_value(self, data: Any) -> Any:
        return Part(**super().to_internal_value(data))


class GuestCancelBody(serializers.Serializer):
    reason = serializers.ChoiceField(choices=OrderChange.Reason.choices, default=OrderChange.Reason.MISTAKE)
    note = Text(max_length=200, allow_blank=True, allow_null=True, default="")


class CancelBody(ApprovableBody):
    reason = serializers.ChoiceField(
        choices=OrderChange.Reason.choices, error_messages={"required": gettext_lazy("Please choose a reason.")}
    )
    # Without it, the whole order.
    items = CancelledPart(
        many=True,
        required=False,
        allow_empty=False,
        max_length=MAX_LINES,  # type: ignore[call-arg]
        error_messages={"empty": gettext_lazy("Please choose what to cancel.")},
    )


# --- responses ----------------------------------------------------------------------------------------


class OrderedOption(serializers.Serializer):
    """An option as it was when it was ordered."""

    id = serializers.UUIDField()
    name = serializers.CharField()
    price = serializers.SerializerMethodField()

    @extend_schema_field(Money)
    def get_price(self, option: dict[str, Any]) -> Decimal:
        return money(option["price"])


class OrderEntry(serializers.Serializer):
    menuItemId = serializers.UUIDField(source="menu_item_id")
    name = serializers.CharField(source="display_name")
    quantity = serializers.IntegerField()
    price = Money()
    specialInstructions = serializers.CharField(source="special_instructions", allow_blank=True)
    cancelledQuantity = serializers.IntegerField(
        source="cancelled_quantity", required=False, help_text="Only where some are cancelled. `quantity` stays."
    )

    course = serializers.IntegerField(required=False, help_text="Only where it has one.")
    waits = serializers.BooleanField(required=False, help_text="Only until its course is fired.")
    options = OrderedOption(many=True, required=False, help_text="Only where some were chosen.")
    done = serializers.BooleanField(
        source="done_at", required=False, help_text="Only where the kitchen is done with it."
    )
    served = serializers.BooleanField(
        source="served_at", required=False, help_text="Only where it was carried before the rest."
    )

    is_local = False  # whether names are in the language of the response

    def to_representation(self, instance: OrderItem) -> dict[str, Any]:
        # By hand: the fields take ten times as long, and a full kitchen has hundreds of entries.
        entry = {
            "menuItemId": str(instance.menu_item_id),
            "name": instance.local_name if self.is_local else instance.display_name,
            "quantity": instance.quantity,
            "price": instance.price,
            "specialInstructions": instance.special_instructions,
        }
        used = {
            "course": instance.course,
            "waits": instance.waits,
            "cancelledQuantity": instance.cancelled_quantity,
            "options": [
                {"id": each["id"], "name": each["name"], "price": money(each["price"])}
                for each in (instance.local_options if self.is_local else instance.options)
            ],
            "done": instance.done_at is not None,
            "served": instance.served_at is not None,
        }
        return entry | {name: value for name, value in used.items() if value}


class GuestEntry(OrderEntry):
    is_local = True


class OrderSummary(OmitEmptySerializer):
    """An order as both the kitchen and the guest see it."""

    orderId = serializers.UUIDField(source="id")
    tableNumber = serializers.IntegerField(source="table.table_number")
    status = serializers.ChoiceField(choices=Order.Status.choices)
    items = OrderEntry(many=True)
    total = Money()
    createdAt = serializers.DateTimeField(source="created_at")
    allergies = serializers.ListField(
        child=serializers.ChoiceField(Allergen.choices),
        required=False,
        help_text="What the guest does not tolerate. Only where something was said.",
    )


class Cancellation(serializers.Serializer):
    at = serializers.DateTimeField()
    by = serializers.SerializerMethodField()
    reason = serializers.ChoiceField(OrderChange.Reason.choices)
    note = serializers.CharField(allow_blank=True)

    @extend_schema_field(serializers.ChoiceField(["guest", "staff"]))
    def get_by(self, change: OrderChange) -> str:
        return "staff" if change.user_name else "guest"


class OrderPoints(serializers.Serializer):
    """The points that an order earns, or None."""

    points = serializers.IntegerField()
    collectedAt = serializers.DateTimeField(
        source="collected_at", allow_null=True, help_text="Null until the table is closed: `points` may change."
    )

    def to_representation(self, instance: Order) -> Any:
        points = points_of(instance)
        return None if points is None else super().to_representation(points)


class GuestOrder(OrderSummary):
    """An order as its guest sees it."""

    items = GuestEntry(many=True)
    completedAt = serializers.DateTimeField(source="completed_at", allow_null=True)
    cancelled = Cancellation(source="cancellation", required=False, help_text="Only where the whole is cancelled.")
    points = OrderPoints(source="*", required=False, help_text="Only where a member's card collects some.")


class PlacedPart(OmitEmptySerializer):
    orderId = serializers.UUIDField(source="order.id")
    status = serializers.CharField()
    items = GuestEntry(many=True)
    total = Money(source="order.total")


class PlacedOrder(PlacedPart):
    message = serializers.SerializerMethodField()
    kept = PlacedPart(required=False, help_text="What staff keep of it for later, an order of its own.")

    def get_message(self, placed: Placed) -> str:
        if placed.order.kept_at:
            return _("Kept for later. The kitchen gets it when you send it.")
        if placed.status == Order.Status.HELD:
            return _("Thank you. A member of staff will come to confirm your order.")
        return _("Thank you. Your order is on its way to the kitchen.")


class ChangedEntry(serializers.Serializer):
    """An entry of a refused order, as the menu has it now."""

    menuItemId = serializers.UUIDField(source="dish.item.id")
    name = serializers.CharField(source="dish.item.local_name")
    quantity = serializers.IntegerField(source="entry.quantity")
    price = Money()
    available = serializers.BooleanField()


class MenuChange(serializers.Serializer):
    """The totals and entries that `restaurant.errors.MenuChanged` adds to its sentence."""

    expectedTotal = Money(source="expected_total", required=False, read_only=False)
    total = Money(required=False, read_only=False)
    items = ChangedEntry(many=True, required=False, source="entries")


class OrderConflict(MenuChange, CartConflict):
    """An ended session, a key used for another order, a closed kitchen, or a menu or cart that is not what was seen."""

    until = serializers.DateTimeField(
        required=False, allow_null=True, help_text="When guests can order again. Only while they can't."
    )
