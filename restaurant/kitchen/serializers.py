"""The kitchen: its tickets, what a display shows, and what cooks send."""

from typing import Any

from django.utils.translation import gettext_lazy
from rest_framework import serializers

from restaurant.menu.models import Allergen
from restaurant.ordering.models import Order, OrderItem
from restaurant.ordering.queries.stations import StationOrder
from restaurant.ordering.serializers.orders import OrderEntry, OrderSummary
from restaurant.ordering.services.cart import MAX_LINES
from web.fields import Identifier, OmitEmptySerializer, Text, TrueOrFalse, WholeNumber

# --- requests -----------------------------------------------------------------------------------------

STEPS = [(step.value, step.label) for step in Order.STEPS]


class StepField(serializers.ChoiceField):
    default_error_messages = {
        "invalid_choice": gettext_lazy("The status must be one of %(all)s.") % {"all": ", ".join(Order.STEPS)}
    }

    def __init__(self, **options: Any) -> None:
        super().__init__(choices=STEPS, **options)


class StatusBody(serializers.Serializer):
    """`seen`: the status that was shown to whoever moves the order. If it has another one meanwhile, 409."""

    status = StepField()
    seen = StepField(required=False)


class DoneBody(serializers.Serializer):
    done = TrueOrFalse()


class ServedBody(serializers.Serializer):
    positions = serializers.ListField(
        child=WholeNumber(min_value=0, max_value=MAX_LINES - 1), allow_empty=False, max_length=MAX_LINES
    )


class SeenBody(serializers.Serializer):
    orderIds = serializers.ListField(child=Identifier(), max_length=500, source="order_ids")
    # Of the station whose display it is. Without it: the display of the whole kitchen.
    station = Text(max_length=50, required=False, allow_blank=True, default="")


class PrioritiseBody(serializers.Serializer):
    on = TrueOrFalse(default=True)


class PauseBody(serializers.Serializer):
    minutes = WholeNumber(min_value=0, max_value=240)


# --- responses ----------------------------------------------------------------------------------------


class TicketEntry(OrderEntry):
    """An entry as the kitchen sees it."""

    alert = serializers.ListField(
        child=serializers.ChoiceField(Allergen.choices),
        required=False,
        help_text="The order's allergies that it contains or may contain. Only where there are some.",
    )
    station = serializers.CharField(
        source="station.slug", default=None, required=False, help_text="Only where its category has one."
    )

    lateAfter = serializers.IntegerField(
        source="late_after", required=False, help_text="Minutes. Only where its category has its own."
    )
    firedAt = serializers.DateTimeField(
        source="fired_at", required=False, help_text="Since when its course is made. Only where it has one."
    )

    def to_representation(self, instance: OrderItem) -> dict[str, Any]:
        station, late_after = instance.station and instance.station.slug, instance.late_after
        optional = {"alert": instance.alert, "station": station, "lateAfter": late_after, "firedAt": instance.fired_at}
        return super().to_representation(instance) | {name: value for name, value in optional.items() if value}


class StationEntry(TicketEntry):
    position = serializers.IntegerField(help_text="In the order.")

    def to_representation(self, instance: OrderItem) -> dict[str, Any]:
        return super().to_representation(instance) | {"position": instance.position}


class Ticket(OrderSummary):
    """An order as the kitchen sees it."""

    items = TicketEntry(many=True)
    placedBy = serializers.CharField(source="placed_by", required=False, help_text="Only where staff ordered.")
    later = serializers.BooleanField(
        source="is_kept", required=False, help_text="Only while staff keep it, to be sent to the kitchen later."
    )
    language = serializers.CharField(
        source="note_language", required=False, help_text="Of its guest's notes. Only where the kitchen reads another."
    )
    prioritised = serializers.BooleanField(
        source="prioritised_at", required=False, help_text="Only while it goes before others."
    )
    acknowledged = serializers.BooleanField(
        source="acknowledged_at", required=False, help_text="Only of a cancelled order that a cook has seen."
    )


class TimedTicket(Ticket):
    readyAt = serializers.DateTimeField(source="ready_at", required=False, help_text="Only since it is ready.")
    servedAt = serializers.DateTimeField(source="served_at", required=False, help_text="Only since it was served.")


class StationProgress(serializers.Serializer):
    """The progress of another station with an order, in items that are not cancelled."""

    name = serializers.CharField()
    done = serializers.IntegerField()
    count = serializers.IntegerField()


class StationTicket(TimedTicket):
    """The part of an order that a station makes."""

    items = StationEntry(many=True)
    otherStations = serializers.ListField(
        child=serializers.CharField(), help_text="The names of others that are at it."
    )
    otherProgress = StationProgress(many=True, help_text="How far each of them is.")
    doneAt = serializers.DateTimeField(
        source="done_at", required=False, help_text="Only since the station is done with all of it."
    )

    def to_representation(self, instance: StationOrder) -> dict[str, Any]:
        return {
            **TimedTicket(instance.order).data,
            "items": StationEntry(instance.entries, many=True).data,
            "otherStations": [other.name for other in instance.others],
            "otherProgress": StationProgress(instance.others, many=True).data,
            **({"doneAt": instance.done_at} if instance.done_at else {}),
        }


class TakingOrders(OmitEmptySerializer):
    """The pause and the closing time, where guests can't order."""

    pausedUntil = serializers.DateTimeField(
        source="paused_until", required=False, help_text="Only while the kitchen has paused."
    )
    closedUntil = serializers.DateTimeField(
        source="closed_until", required=False, help_text="The next opening. Only outside the opening hours."
    )


# Of a `restaurant.kitchen.queries.LatePrinter`.
class LateDockets(serializers.Serializer):
    """Dockets that a printer should have printed by now."""

    printer = serializers.CharField(help_text="Its name.")
    count = serializers.IntegerField()
    since = serializers.DateTimeField(help_text="When the oldest of them was made.")
    error = serializers.CharField(allow_blank=True, help_text="What is wrong, where it is known.")


class OpenOrders(TakingOrders):
    orders = Ticket(many=True)
    cancelled = Ticket(many=True, required=False, help_text="Only while some are not acknowledged.")
    lateDockets = LateDockets(
        many=True, source="late_dockets", required=False, help_text="Only while printers are behind."
    )
    earlier = serializers.IntegerField(
        required=False, help_text="With `recent`, and only while there are some: open orders of more than a day ago."
    )


class TimedOrders(OpenOrders):
    orders = TimedTicket(many=True)


class StationOrders(OpenOrders):
    orders = StationTicket(many=True)
    stationPausedUntil = serializers.DateTimeField(
        source="station_paused_until", required=False, help_text="Only while the station has paused."
    )
    cancelled = StationTicket(many=True, required=False, help_text="Only while some are not acknowledged.")


class EarlierOrders(serializers.Serializer):
    count = serializers.IntegerField()
    orders = Ticket(many=True, help_text="The oldest 50.")


class Seen(serializers.Serializer):
    seen = serializers.IntegerField(help_text="How many entries nobody had seen.")


class Completed(serializers.Serializer):
    completed = serializers.IntegerField(help_text="How many.")


class Pause(serializers.Serializer):
    until = serializers.DateTimeField(allow_null=True)
