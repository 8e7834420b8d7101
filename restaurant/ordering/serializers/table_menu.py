"""The menu as a table sees it."""

from rest_framework import serializers

from restaurant.menu.serializers import DishRecord
from restaurant.ordering.serializers.sessions import SessionSummary
from restaurant.tables.serializers.tables import TableSummary
from web.fields import Money


class MenuByCategory(serializers.DictField):
    child = DishRecord(many=True)


class MenuClosed(serializers.Serializer):
    until = serializers.DateTimeField(allow_null=True)


class TableMenu(serializers.Serializer):
    table = TableSummary()
    session = SessionSummary(allow_null=True)
    menu = MenuByCategory()
    closed = MenuClosed(required=False, help_text="Only while guests can't order.")


class DishAtTable(DishRecord):
    """`available`: whether guests can have it now, by its category's hours too."""


class DishBeside(serializers.Serializer):
    id = serializers.UUIDField()
    name = serializers.CharField()
    price = Money()


class TableDish(serializers.Serializer):
    table = TableSummary()
    session = SessionSummary(allow_null=True)
    item = DishAtTable()
    goesWith = DishBeside(many=True, required=False, help_text="What goes well with it. Only what guests can have now.")
    closed = MenuClosed(required=False, help_text="Only while guests can't order.")


class SoldOutItems(serializers.Serializer):
    soldOut = serializers.ListField(child=serializers.UUIDField())
