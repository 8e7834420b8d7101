"""The floor: tables, calls and moves."""

from typing import Any

from django.utils.translation import gettext as _
from rest_framework import serializers

from restaurant.kitchen.serializers import LateDockets, StationEntry, TakingOrders, Ticket
from restaurant.menu.models import LAST_COURSE
from restaurant.ordering.models import MAX_COVERS, TableCall
from restaurant.ordering.serializers.sessions import SessionIdentifier, SessionSummary
from restaurant.tables.models import MAX_TABLE_NUMBER
from restaurant.tables.serializers.tables import TableSummary
from web.fields import Identifier, Money, OmitEmptySerializer, Text, WholeNumber


class Owned(OmitEmptySerializer):
    """What waits at a table that one of the staff has: only where that is in use."""

    owner = serializers.CharField(required=False, help_text="The user name of who has the table.")
    takenBy = serializers.CharField(source="taken_by_name", required=False, help_text="Who goes there.")
    escalated = serializers.BooleanField(
        source="is_escalated", required=False, help_text="It has waited so long that it is everybody's."
    )


class FloorTicket(Owned, Ticket):
    pass


# Shows a session that `TableSessionQuerySet.with_open_orders` has annotated, and with `is_choosing`.
class FloorSession(SessionSummary):
    totalScans = serializers.IntegerField(source="total_scans")
    totalOrders = serializers.IntegerField(source="total_orders")
    totalRevenue = Money(source="total_revenue")
    openOrders = serializers.IntegerField(source="open_orders")
    pendingOrders = serializers.IntegerField(source="pending_orders")
    preparingOrders = serializers.IntegerField(source="preparing_orders")
    readyOrders = serializers.IntegerField(source="ready_orders")
    waitingSince = serializers.DateTimeField(
        source="waiting_since", allow_null=True, help_text="When the oldest order was placed that is not served."
    )
    choosing = serializers.BooleanField(source="is_choosing", help_text="Dishes are in a cart, not ordered yet.")


class LeftOpenSession(FloorSession):
    tableNumber = serializers.IntegerField(source="table.table_number")
    section = serializers.CharField(source="table.section", allow_blank=True)


# Shows a `restaurant.floor.queries.tables.TableOnFloor`.
class FloorTable(OmitEmptySerializer):
    tableNumber = serializers.IntegerField(source="table.table_number")
    section = serializers.CharField(source="table.section", allow_blank=True)
    capacity = serializers.IntegerField(source="table.capacity", allow_null=True)
    session = FloorSession(allow_null=True)
    joined = serializers.IntegerField(
        source="joined.table.table_number",
        required=False,
        default=None,
        help_text="The table of the party with which it is pushed together. Only while it is.",
    )
    owner = serializers.CharField(required=False, help_text="Who has the table, if somebody has.")


class PartOfCall(serializers.Serializer):
    id = serializers.UUIDField()
    name = serializers.CharField()


class OpenCall(Owned):
    id = serializers.UUIDField()
    tableNumber = serializers.IntegerField(source="session.table.table_number")
    kind = serializers.ChoiceField(TableCall.Kind.choices)
    code = serializers.CharField(required=False, help_text="Only of a reward.")
    reward = serializers.CharField(required=False, help_text="Only of a reward.")
    createdAt = serializers.DateTimeField(source="created_at")
    part = PartOfCall(required=False, help_text="Only of a guest who pays a part of the bill, as the next two.")
    method = serializers.CharField(required=False)
    amount = Money(required=False, read_only=False)


# Shows a `restaurant.ordering.queries.stations.ReadyPart`.
class ReadyPart(Owned):
    orderId = serializers.UUIDField(source="order.id")
    tableNumber = serializers.IntegerField(source="table.table_number")
    station = serializers.CharField(
        source="station.slug", default=None, required=False, help_text="Only of what belongs to one."
    )
    items = StationEntry(many=True, source="entries", help_text="What was not carried.")
    since = serializers.DateTimeField(help_text="When the station was done with the last of it.")


# Shows a `restaurant.ordering.queries.courses.LaterCourse`.
class LaterCourse(serializers.Serializer):
    tableNumber = serializers.IntegerField(source="table.table_number")
    sessionId = serializers.UUIDField(source="order.session_id")
    course = serializers.IntegerField()
    portions = serializers.IntegerField()
    since = serializers.DateTimeField(source="order.created_at", help_text="When the first of it was ordered.")
    due = serializers.BooleanField(source="is_due", help_text="Everything before it is carried.")


# Shows a `restaurant.floor.queries.floor.UnseenTicket`.
class UnseenTicket(OmitEmptySerializer):
    orderId = serializers.UUIDField(source="order.id")
    tableNumber = serializers.IntegerField(source="table.table_number")
    station = serializers.CharField(
        source="station.slug", default=None, required=False, help_text="Only of what belongs to one."
    )
    since = serializers.DateTimeField(help_text="When the kitchen got it.")


# Shows a `restaurant.floor.queries.floor.Floor`.
class PausedStation(serializers.Serializer):
    station = serializers.CharField(source="slug")
    until = serializers.DateTimeField(source="paused_until")


class FloorState(TakingOrders):
    tables = FloorTable(many=True)
    leftOpen = LeftOpenSession(
        many=True, source="left_open", help_text="Not closed, though too old to be continued or followed by another."
    )
    calls = OpenCall(many=True, help_text="The oldest first.")
    held = FloorTicket(many=True, help_text="Orders that wait for approval, the oldest first.")
    keptForLater = Ticket(
        many=True,
        source="kept",
        required=False,
        help_text="What staff send later, the oldest first. Only while there is some.",
    )
    laterCourses = LaterCourse(
        many=True,
        source="courses",
        required=False,
        help_text="The next course of each party that waits for one. Only while there is some.",
    )
    ready = FloorTicket(many=True, help_text="Orders to carry, the oldest first.")
    readyParts = ReadyPart(
        many=True,
        source="ready_parts",
        required=False,
        help_text="What a station is done with of other orders, the oldest first. Only while there is some.",
    )
    unseen = UnseenTicket(
        many=True, required=False, help_text="What no display has drawn for 30 seconds. Only while there is some."
    )
    lateDockets = LateDockets(
        many=True, source="late_dockets", required=False, help_text="Only while printers are behind."
    )
    pausedStations = PausedStation(
        many=True, source="paused_stations", required=False, help_text="Only while some have paused."
    )


# Shows a `restaurant.floor.queries.tables.TableDetail`.
class TableState(OmitEmptySerializer):
    table = TableSummary()
    session = FloorSession(allow_null=True)
    covers = serializers.IntegerField(
        source="session.covers", required=False, help_text="How many guests. Only where staff have said."
    )
    orders = Ticket(many=True, help_text="All of the session, the oldest first.")
    calls = OpenCall(many=True)
    due = Money()


# --- calls, covers and moves ----------------------------------------------------------------------------------


class CallBody(serializers.Serializer):
    # Without it: that of the phone's cookie.
    sessionId = SessionIdentifier(source="session_id", required=False, default="")
    kind = serializers.ChoiceField(TableCall.Kind.choices)
    # Of a reward alone: a code of the phone's card.
    code = Text(max_length=100, required=False, default="")


class Call(serializers.Serializer):
    id = serializers.UUIDField()
    kind = serializers.ChoiceField(TableCall.Kind.choices)
    createdAt = serializers.DateTimeField(source="created_at")


class Taken(serializers.Serializer):
    id = serializers.UUIDField(help_text="Of the call or the order.")
    takenBy = serializers.CharField(
        allow_blank=True, help_text="Who goes there, or did it: the first. Empty: nobody known."
    )


class MineBody(serializers.Serializer):
    """At least one of them; together they are all tables that the caller has from then on."""

    tables = serializers.ListField(
        child=WholeNumber(min_value=1, max_value=MAX_TABLE_NUMBER), required=False, max_length=1000
    )
    sections = serializers.ListField(
        child=Text(max_length=50, allow_blank=True), required=False, max_length=1000, help_text="All of their tables."
    )

    def validate(self, values: dict[str, Any]) -> dict[str, Any]:
        if not values:
            raise serializers.ValidationError({"tables": [_("This field is required.")]})
        return values


class Mine(serializers.Serializer):
    tables = serializers.ListField(child=serializers.IntegerField())


class CoversBody(serializers.Serializer):
    # Without it: the table's open session, or a new one.
    sessionId = SessionIdentifier(required=False, default=None, source="session_id")
    covers = WholeNumber(min_value=1, max_value=MAX_COVERS, allow_null=True, help_text="Null: nobody knows.")


class Covers(serializers.Serializer):
    sessionId = serializers.UUIDField(source="id")
    tableNumber = serializers.IntegerField(source="table.table_number")
    covers = serializers.IntegerField(allow_null=True)


class FireBody(serializers.Serializer):
    # Without it: the table's open session.
    sessionId = SessionIdentifier(required=False, default=None, source="session_id")
    course = WholeNumber(min_value=1, max_value=LAST_COURSE)


class Fired(serializers.Serializer):
    fired = serializers.IntegerField(help_text="How many entries.")


class MoveBody(serializers.Serializer):
    sessionId = SessionIdentifier(source="session_id")
    to = WholeNumber(min_value=1, max_value=MAX_TABLE_NUMBER)


class SeparateBody(serializers.Serializer):
    orders = serializers.ListField(
        child=Identifier(),
        allow_empty=False,
        max_length=100,
        help_text="One order of each phone; all that it has ordered goes along.",
    )


class FreeTable(serializers.Serializer):
    tableNumber = serializers.IntegerField(source="table_number")


class MovedSession(serializers.Serializer):
    sessionId = serializers.UUIDField(source="id")
    tableNumber = serializers.IntegerField(source="table.table_number")
