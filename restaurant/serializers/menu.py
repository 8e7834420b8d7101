"""The menu of a table."""

from rest_framework import serializers

from restaurant.serializers.sessions import SessionSummary
from restaurant.serializers.tables import TableSummary
from web.fields import Money


class MenuItemRecord(serializers.Serializer):
    id = serializers.UUIDField()
    name = serializers.CharField()
    description = serializers.CharField(allow_blank=True)
    price = Money()
    category = serializers.CharField(allow_blank=True)
    image_url = serializers.CharField(allow_blank=True)
    available = serializers.BooleanField()
    created_at = serializers.DateTimeField()


class MenuByCategory(serializers.DictField):
    child = MenuItemRecord(many=True)


class TableMenu(serializers.Serializer):
    table = TableSummary()
    session = SessionSummary(allow_null=True)
    menu = MenuByCategory()


class Availability(serializers.Serializer):
    soldOut = serializers.ListField(child=serializers.UUIDField())
