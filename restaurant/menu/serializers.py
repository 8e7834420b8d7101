"""The menu of a table."""

from datetime import datetime
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from restaurant.menu.models import Allergen, Declaration, Diet, MenuItem
from restaurant.menu.queries import Choice
from web.fields import Money, TrueOrFalse, WholeNumber

MOST_PORTIONS = 999
PICTURE_WIDTH = 720  # pixels; that of the picture which programs get

# --- what is on it ------------------------------------------------------------------------------------


class Allergens(serializers.Serializer):
    contains = serializers.ListField(child=serializers.ChoiceField(Allergen.choices))
    mayContain = serializers.ListField(child=serializers.ChoiceField(Allergen.choices))
    notDeclared = serializers.ListField(
        child=serializers.ChoiceField(Allergen.choices),
        required=False,
        help_text="Nothing is known of these. Only where there are some.",
    )


def declared(declaration: Declaration) -> dict[str, Any] | None:
    """As `Allergens` describes it; None where nothing is declared."""
    if not declaration.is_declared:
        return None
    said: dict[str, Any] = {"contains": declaration.contains, "mayContain": declaration.may_contain}
    if declaration.not_declared:
        said["notDeclared"] = declaration.not_declared
    return said


class MenuChoice(serializers.Serializer):
    id = serializers.UUIDField()
    name = serializers.CharField()
    price = Money()
    allergens = serializers.SerializerMethodField(required=False)

    @extend_schema_field(Allergens)
    def get_allergens(self, choice: Choice) -> dict[str, Any] | None:
        return declared(choice.declaration)

    def to_representation(self, instance: Choice) -> dict[str, Any]:
        return _without_none(super().to_representation(instance), "allergens")


class MenuOptions(serializers.Serializer):
    """A group of options: between `min` and `max` of its choices are taken."""

    id = serializers.UUIDField()
    name = serializers.CharField()
    min = serializers.IntegerField()
    max = serializers.IntegerField()
    choices = MenuChoice(many=True)


class MenuItemRecord(serializers.Serializer):
    id = serializers.UUIDField()
    name = serializers.CharField()
    description = serializers.CharField(allow_blank=True)
    price = Money()
    category = serializers.CharField(allow_blank=True)
    image_url = serializers.SerializerMethodField(help_text="A link, or the path of an uploaded picture.")
    available = serializers.SerializerMethodField()
    created_at = serializers.DateTimeField()

    def get_image_url(self, item: MenuItem) -> str:
        return item.image_url or picture_path(item, PICTURE_WIDTH)

    def get_available(self, item: MenuItem) -> bool:
        return item.is_available_at(timezone.now())


# Of a `restaurant.menu.queries.Dish` that can be had now.
class DishRecord(MenuItemRecord):
    options = MenuOptions(many=True, required=False, help_text="Only of items that have some.")
    allergens = Allergens(required=False, help_text="Only where some are declared.")
    diets = serializers.ListField(
        child=serializers.ChoiceField([Diet.VEGAN, Diet.VEGETARIAN]),
        required=False,
        help_text="Only where allergens or a diet are declared.",
    )

    def to_representation(self, instance: Any) -> dict[str, Any]:
        item: MenuItem = instance.item
        record = MenuItemRecord(item).data | {
            "options": MenuOptions(instance.groups, many=True).data or None,
            "allergens": declared(item.declaration),
            "diets": _diets(item),
        }
        return _without_none(record, "options", "allergens", "diets")


def _diets(item: MenuItem) -> list[str] | None:
    """None where nothing is declared."""
    if item.diet == Diet.VEGAN:
        return [Diet.VEGAN.value, Diet.VEGETARIAN.value]
    if item.diet:
        return [item.diet]
    return [] if item.declaration.is_declared else None


def picture_path(item: MenuItem, width: int) -> str:
    """Of the narrowest version of the uploaded picture that is at least so wide, else of the widest."""
    versions = item.picture.widths if item.picture else []
    fitting = [version for version in versions if version["width"] >= width] or versions[-1:]
    return f"/pictures/{fitting[0]['digest']}.webp" if fitting else ""


def _without_none(record: dict[str, Any], *names: str) -> dict[str, Any]:
    return {name: value for name, value in record.items() if value is not None or name not in names}


# --- sold out -----------------------------------------------------------------------------------------


class AvailabilityBody(serializers.Serializer):
    available = TrueOrFalse()
    # From then on it is available again. Only with `available: false`.
    until = serializers.DateTimeField(required=False, allow_null=True, default=None)

    def validate_until(self, until: datetime | None) -> datetime | None:
        if until is not None and until <= timezone.now():
            raise serializers.ValidationError(_("Please give a time in the future."))
        return until

    def validate(self, values: dict[str, Any]) -> dict[str, Any]:
        if values["available"] and values["until"] is not None:
            raise serializers.ValidationError({"until": _("This is only for what is not available.")})
        return values


class PortionsBody(serializers.Serializer):
    portions = WholeNumber(min_value=0, max_value=MOST_PORTIONS, allow_null=True)


class Availability(serializers.Serializer):
    id = serializers.UUIDField()
    available = serializers.BooleanField()
    until = serializers.DateTimeField(source="sold_out_until", allow_null=True)
    portions = serializers.IntegerField(allow_null=True)


class ItemAvailability(serializers.Serializer):
    id = serializers.UUIDField()
    name = serializers.CharField()
    available = serializers.BooleanField(source="is_available_now", help_text="Now, apart from the category's hours.")
    until = serializers.SerializerMethodField(help_text="When it is available again by itself.")
    portions = serializers.IntegerField(allow_null=True)

    @extend_schema_field(serializers.DateTimeField(allow_null=True))
    def get_until(self, item: MenuItem) -> datetime | None:
        return None if item.is_available_now or item.portions == 0 else item.sold_out_until


# Of a `restaurant.menu.queries.CategoryAvailability`.
class CategoryAvailability(serializers.Serializer):
    name = serializers.CharField()
    items = ItemAvailability(many=True)


class MenuAvailability(serializers.Serializer):
    categories = CategoryAvailability(many=True)
