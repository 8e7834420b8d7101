"""The menu of a table."""

from datetime import datetime
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from restaurant.menu.models import Allergen, Declaration, Diet, MenuItem, picture_path
from web.fields import Money, OmitEmptySerializer, TrueOrFalse, WholeNumber

MOST_PORTIONS = 999
PICTURE_WIDTH = 720  # pixels; that of the picture which programs get

# --- what is on it ------------------------------------------------------------------------------------


class Allergens(OmitEmptySerializer):
    contains = serializers.ListField(child=serializers.ChoiceField(Allergen.choices))
    mayContain = serializers.ListField(child=serializers.ChoiceField(Allergen.choices), source="may_contain")
    notDeclared = serializers.ListField(
        child=serializers.ChoiceField(Allergen.choices),
        source="not_declared",
        required=False,
        help_text="Nothing is known of these. Only where there are some.",
    )

    def to_representation(self, instance: Declaration) -> Any:
        return super().to_representation(instance) if instance.is_declared else None


class MenuChoice(OmitEmptySerializer):
    id = serializers.UUIDField()
    name = serializers.CharField(source="local_name")
    price = Money()
    allergens = Allergens(source="declaration", required=False)


class MenuOptions(serializers.Serializer):
    """A group of options: between `min` and `max` of its choices are taken."""

    id = serializers.UUIDField()
    name = serializers.CharField(source="local_name")
    min = serializers.IntegerField()
    max = serializers.IntegerField()
    choices = MenuChoice(many=True)


class MenuItemRecord(serializers.Serializer):
    """Its words are in the language of the response where the menu has them: see `Content-Language`."""

    id = serializers.UUIDField()
    name = serializers.CharField(source="local_name")
    description = serializers.CharField(allow_blank=True, source="local_description")
    price = Money()
    category = serializers.CharField(allow_blank=True)
    image_url = serializers.SerializerMethodField(help_text="A link, or the path of an uploaded picture.")
    available = serializers.SerializerMethodField()
    created_at = serializers.DateTimeField()

    def get_image_url(self, item: MenuItem) -> str:
        """Return the link, else the path of the narrowest version that is wide enough, else of the widest."""
        if item.image_url or item.picture is None:
            return item.image_url
        versions = item.picture.widths
        version = next((version for version in versions if version["width"] >= PICTURE_WIDTH), versions[-1])
        return picture_path(version["digest"])

    def get_available(self, item: MenuItem) -> bool:
        return item.is_available_at(timezone.now())


# Of a `restaurant.menu.queries.Dish` that can be had now.
class DishRecord(MenuItemRecord):
    regularPrice = Money(required=False, read_only=False, help_text="Only while it has another price for a time.")
    options = MenuOptions(many=True, required=False, help_text="Only of items that have some.")
    allergens = Allergens(required=False, help_text="Only where some are declared.")
    diets = serializers.ListField(
        child=serializers.ChoiceField([Diet.VEGAN, Diet.VEGETARIAN]),
        required=False,
        help_text="Only where allergens or a diet are declared.",
    )

    def to_representation(self, instance: Any) -> dict[str, Any]:
        item: MenuItem = instance.item
        optional = {
            "regularPrice": item.regular_price,
            "options": MenuOptions(instance.groups, many=True).data or None,
            "allergens": Allergens().to_representation(item.declaration),
            "diets": _diets(item),
        }
        return MenuItemRecord(item).data | {name: value for name, value in optional.items() if value is not None}


def _diets(item: MenuItem) -> list[str] | None:
    """Return the diets that the item suits; None where nothing is declared."""
    if item.diet == Diet.VEGAN:
        return [Diet.VEGAN.value, Diet.VEGETARIAN.value]
    if item.diet:
        return [item.diet]
    return [] if item.declaration.is_declared else None


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


class OptionBody(serializers.Serializer):
    available = TrueOrFalse()


class OptionAvailability(serializers.Serializer):
    id = serializers.UUIDField()
    name = serializers.CharField()
    available = serializers.BooleanField()


class GroupAvailability(serializers.Serializer):
    id = serializers.UUIDField()
    name = serializers.CharField()
    choices = OptionAvailability(source="all_choices", many=True)


class MenuAvailability(OmitEmptySerializer):
    categories = CategoryAvailability(many=True)
    options = GroupAvailability(many=True, required=False, help_text="The groups that items have.")
