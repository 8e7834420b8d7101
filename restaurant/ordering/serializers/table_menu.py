"""The menu as a table sees it."""

from functools import lru_cache
from typing import Any

from django.utils import timezone
from rest_framework import serializers

from restaurant.menu.models import language_of_menu
from restaurant.menu.queries import Catalogue
from restaurant.menu.serializers import DishRecord
from restaurant.ordering.queries.table_menu import DishAtTable as Dish
from restaurant.ordering.queries.table_menu import MenuAtTable
from restaurant.ordering.serializers.sessions import SessionSummary
from restaurant.tables.serializers.tables import TableSummary
from web.fields import Money, OmitEmptySerializer


class MenuByCategory(serializers.DictField):
    child = DishRecord(many=True)

    def to_representation(self, value: Any) -> dict[str, Any]:
        catalogue = value.state.catalogue
        return _by_category(catalogue, catalogue.moment(value.now), language_of_menu())


@lru_cache(maxsize=8)
def _by_category(catalogue: Catalogue, moment: tuple[Any, ...], language: str) -> dict[str, Any]:
    """In memory: hundreds of items take long, and Django's cache would unpickle them for every response."""
    offered = catalogue.offered(timezone.now())
    categories: dict[str, Any] = {}
    for section, dishes in offered:  # of which two may have one name in another language
        categories.setdefault(section.local_name, []).extend(DishRecord(dishes, many=True).data)
    return categories


class MenuClosed(OmitEmptySerializer):
    until = serializers.DateTimeField(allow_null=True, source="closed_until")
    reason = serializers.CharField(source="why_closed", required=False, help_text="Only of a day that says why.")

    def to_representation(self, instance: MenuAtTable | Dish) -> Any:
        return super().to_representation(instance) if instance.closed_until else None


class TableMenu(OmitEmptySerializer):
    table = TableSummary()
    session = SessionSummary(allow_null=True)
    menu = MenuByCategory(source="*")
    closed = MenuClosed(source="*", required=False, help_text="Only while guests can't order.")


class DishAtTable(DishRecord):
    """`available`: whether guests can have it now, by its category's hours too."""

    def to_representation(self, instance: Dish) -> dict[str, Any]:
        return super().to_representation(instance.dish) | {"available": instance.is_offered}


class DishBeside(serializers.Serializer):
    id = serializers.UUIDField()
    name = serializers.CharField(source="local_name")
    price = Money()


class TableDish(OmitEmptySerializer):
    table = TableSummary()
    session = SessionSummary(allow_null=True)
    item = DishAtTable(source="*")
    goesWith = DishBeside(
        source="goes_with",
        many=True,
        required=False,
        help_text="What goes well with it. Only what guests can have now.",
    )
    closed = MenuClosed(source="*", required=False, help_text="Only while guests can't order.")


class SoldOutItems(serializers.Serializer):
    soldOut = serializers.ListField(child=serializers.UUIDField())
