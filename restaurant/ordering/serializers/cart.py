"""A phone's cart."""

from typing import Any

from django.http import QueryDict
from rest_framework import serializers
from rest_framework.utils.html import is_html_input

from restaurant.ordering.serializers.sessions import SessionSummary
from restaurant.ordering.services.cart import MAX_LINES, MAX_NOTE, MAX_OPTIONS, MAX_QUANTITY, Entry
from restaurant.tables.serializers.tables import TableSummary
from web.fields import ErrorResponse, Identifier, Money, OmitEmptySerializer, Text, TrueOrFalse, WholeNumber

# --- requests -----------------------------------------------------------------------------------------


class Note(Text):
    """A note for the kitchen. Browsers send a line break as two characters, and count it as one."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(max_length=MAX_NOTE, allow_blank=True, allow_null=True, **kwargs)

    def get_value(self, dictionary: Any) -> Any:
        text = super().get_value(dictionary)
        is_text = is_html_input(dictionary) and isinstance(text, str)
        return text.replace("\r\n", "\n").replace("\0", "") if is_text else text


class OptionIds(serializers.ListField):
    """The ids of the chosen options in lower case, each once. The menu decides whether the item has them.

    Radio buttons need a name for each group, so a form has them as `options` and as `options.<group>`.
    """

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(child=Text(max_length=100), max_length=MAX_OPTIONS, required=False, default=list, **kwargs)

    def get_value(self, dictionary: Any) -> Any:
        return chosen_options(dictionary) if is_html_input(dictionary) else super().get_value(dictionary)

    def to_internal_value(self, data: Any) -> list[str]:
        return [option_id.lower() for option_id in super().to_internal_value(data)]


def chosen_options(form: QueryDict) -> list[str]:
    names = [name for name in form if name == "options" or name.startswith("options.")]
    return [str(option_id).lower() for name in names for option_id in form.getlist(name) if option_id]


class EntryFields(serializers.Serializer):
    menuItemId = Text(source="menu_item_id", max_length=100)
    quantity = WholeNumber(min_value=1, max_value=MAX_QUANTITY, default=1)
    specialInstructions = Note(source="special_instructions", default="")
    options = OptionIds()


def _entry(values: dict[str, Any]) -> Entry:
    note, options = values["special_instructions"] or "", tuple(values["options"])
    return Entry(**values | {"special_instructions": note, "options": options})


# Its validated value is a `restaurant.ordering.services.cart.Entry`.
class EntryBody(EntryFields):
    """One entry of a cart or an order."""

    def to_internal_value(self, data: Any) -> Any:
        return _entry(super().to_internal_value(data))


class CartBody(serializers.Serializer):
    """The whole cart (PUT)."""

    items = EntryBody(source="entries", many=True, max_length=MAX_LINES)  # type: ignore[call-arg]
    sessionId = Identifier(source="session_id", required=False)
    # Whether the phone's card collects points for what it orders; kept for the phone.
    collect = TrueOrFalse(required=False, allow_null=True, default=None)
    # Of the cart that is changed: 409 if it is another by now. Without it nothing is compared.
    cartVersion = Text(source="version", max_length=64, required=False, allow_blank=True, default="")

    def validate(self, values: dict[str, Any]) -> dict[str, Any]:
        """Leave out `collect`, which is no part of the cart."""
        return {name: value for name, value in values.items() if name != "collect"}


class CartAddition(EntryFields):
    """One more of an item (POST)."""

    sessionId = Identifier(source="session_id", required=False)

    def validate(self, values: dict[str, Any]) -> dict[str, Any]:
        session_id = values.pop("session_id", None)
        return {"entry": _entry(values), "session_id": session_id}


class CartLineChange(CartAddition):
    """The quantity of one line (PATCH): an item with its options."""

    quantity = WholeNumber(min_value=0, max_value=MAX_QUANTITY)
    # Without it, or null, the line keeps its note.
    specialInstructions = Note(source="special_instructions", default=None)

    def validate(self, values: dict[str, Any]) -> dict[str, Any]:
        return super().validate(values) | {"is_note_kept": values["special_instructions"] is None}


# --- responses ----------------------------------------------------------------------------------------


class ChosenOption(serializers.Serializer):
    id = serializers.UUIDField()
    name = serializers.CharField(source="local_name")
    price = Money()


class CartEntry(OmitEmptySerializer):
    menuItemId = serializers.UUIDField(source="menu_item.id")
    name = serializers.CharField(source="menu_item.local_name")
    quantity = serializers.IntegerField()
    price = Money(help_text="Of one, with its options.")
    lineTotal = Money(source="total")
    specialInstructions = serializers.CharField(source="special_instructions", allow_blank=True)
    available = serializers.BooleanField()
    options = ChosenOption(many=True, required=False, help_text="Only where some are chosen.")


class CartContents(serializers.Serializer):
    table = TableSummary(source="session.table")
    session = SessionSummary()
    items = CartEntry(many=True, source="lines")
    count = serializers.IntegerField()
    total = Money()
    cartVersion = serializers.CharField(source="version")


class CartConflict(ErrorResponse):
    """A session that has ended, or a cart that is another by now."""

    cartVersion = serializers.CharField(required=False, help_text="Of the cart now. Only where it is another.")
