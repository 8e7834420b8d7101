"""The plan of the floor: the places of tables, and features of the room."""

from typing import Any
from uuid import UUID

from django.utils.translation import gettext_lazy as _
from rest_framework import serializers

from restaurant.tables.models import MAX_TABLE_NUMBER, PLAN_COLUMNS, PLAN_ROWS, RoomFeature, Table
from restaurant.tables.services.plans import Feature, Plan
from web.fields import Identifier, Line, Text, WholeNumber


class PlaceBody(serializers.Serializer):
    """Without column and row the table has no place. Without `shape` or `capacity` it keeps what it has of it."""

    tableNumber = WholeNumber(min_value=1, max_value=MAX_TABLE_NUMBER)
    column = WholeNumber(min_value=1, max_value=PLAN_COLUMNS, allow_null=True, default=None)
    row = WholeNumber(min_value=1, max_value=PLAN_ROWS, allow_null=True, default=None)
    shape = serializers.ChoiceField(Table.Shape.choices, required=False)
    capacity = WholeNumber(min_value=1, max_value=1000, allow_null=True, required=False)

    def validate(self, values: dict[str, Any]) -> dict[str, Any]:
        for name, other in (("column", "row"), ("row", "column")):
            if values[name] is None and values[other] is not None:
                raise serializers.ValidationError({name: _("A place has a column and a row.")})
        return values


class FeatureBody(serializers.Serializer):
    """A door, a wall or a window is a line: its width or its height is 0."""

    id = Identifier()
    kind = serializers.ChoiceField(RoomFeature.Kind.choices)
    column = WholeNumber(min_value=1, max_value=PLAN_COLUMNS + 1)
    row = WholeNumber(min_value=1, max_value=PLAN_ROWS + 1)
    width = WholeNumber(min_value=0, max_value=PLAN_COLUMNS)
    height = WholeNumber(min_value=0, max_value=PLAN_ROWS)
    text = Line(max_length=RoomFeature.TEXT_LENGTH, allow_blank=True, default="")

    def validate(self, values: dict[str, Any]) -> dict[str, Any]:
        is_line = values["kind"] in RoomFeature.LINES
        if is_line and (values["width"] == 0) == (values["height"] == 0):
            sentence = _("A door, a wall or a window has either a width or a height; the other is 0.")
            raise serializers.ValidationError({"width": sentence})
        for start, size, most in (("column", "width", PLAN_COLUMNS), ("row", "height", PLAN_ROWS)):
            if not is_line and values[size] == 0:
                raise serializers.ValidationError({size: _("At least 1 is needed.")})
            if values[start] + values[size] > most + 1:
                raise serializers.ValidationError({size: _("This goes beyond the edge of the plan.")})
        return values


class PlanBody(serializers.Serializer):
    """`features` are added, or put where an id is known. `removed`: the ids of those that go."""

    section = Text(max_length=50, allow_blank=True)
    tables = PlaceBody(many=True, default=list)
    features = FeatureBody(many=True, default=list)
    removed = serializers.ListField(child=Identifier(), default=list)

    def validate_tables(self, places: list[dict[str, Any]]) -> list[dict[str, Any]]:
        if len({place["tableNumber"] for place in places}) < len(places):
            raise serializers.ValidationError(_("Each table can be named once."))
        return places

    def validate(self, values: dict[str, Any]) -> dict[str, Any]:
        named = [*(feature["id"] for feature in values["features"]), *values["removed"]]
        if len(set(named)) < len(named):
            raise serializers.ValidationError({"features": _("Each of them can be named once.")})
        return values

    def plan(self) -> Plan:
        """Return the plan that a valid body asks for."""
        body = self.validated_data
        tables = {table["tableNumber"]: table for table in body["tables"]}
        features = {
            UUID(feature["id"]): Feature(*(feature[name] for name in Feature._fields)) for feature in body["features"]
        }
        return Plan(
            places={number: table["column"] and (table["column"], table["row"]) for number, table in tables.items()},
            shapes={number: table["shape"] for number, table in tables.items() if "shape" in table},
            seats={number: table["capacity"] for number, table in tables.items() if "capacity" in table},
            features=features | dict.fromkeys(map(UUID, body["removed"])),
        )


class PlacedTable(serializers.Serializer):
    tableNumber = serializers.IntegerField(source="table_number")
    capacity = serializers.IntegerField(allow_null=True)
    column = serializers.IntegerField(source="plan_column", allow_null=True)
    row = serializers.IntegerField(source="plan_row", allow_null=True)
    shape = serializers.ChoiceField(Table.Shape.choices)


class FeatureOfRoom(serializers.Serializer):
    id = serializers.UUIDField()
    kind = serializers.ChoiceField(RoomFeature.Kind.choices)
    column = serializers.IntegerField()
    row = serializers.IntegerField()
    width = serializers.IntegerField()
    height = serializers.IntegerField()
    text = serializers.CharField(allow_blank=True)


# Shows a `restaurant.tables.queries.PlanOfSection`.
class PlanState(serializers.Serializer):
    section = serializers.CharField(allow_blank=True)
    sections = serializers.ListField(child=serializers.CharField(allow_blank=True))
    tables = PlacedTable(many=True)
    features = FeatureOfRoom(many=True)


class ArrangedPlan(PlanState):
    missing = serializers.ListField(
        child=serializers.IntegerField(), help_text="Numbers of tables that the section does not have."
    )
