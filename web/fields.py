"""Strict serializer fields, and response shapes that the apps share."""

import re
import unicodedata
import uuid
from decimal import ROUND_HALF_UP, Decimal
from typing import Any

from django.utils.functional import lazy
from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers
from rest_framework.utils.html import is_html_input

from web.formats import locale
from web.money import decimals, no_decimals


def is_uuid(text: Any) -> bool:
    """Return whether `text` is a UUID in its usual form, in either case."""
    try:
        return str(uuid.UUID(text)) == text.lower()
    except (ValueError, AttributeError, TypeError):
        return False


class FormText(str):
    """Text from a browser's form, for a field that is a number in JSON."""


class Text(serializers.CharField):
    """A JSON string. REST framework's own field takes numbers too."""

    def to_internal_value(self, data: Any) -> str:
        if not isinstance(data, str):
            self.fail("invalid")
        if re.search("[\ud800-\udfff]", data):
            raise serializers.ValidationError(_("This text has characters that can't be stored."))
        return super().to_internal_value(data)


class Line(Text):
    """Text without line breaks and control characters, such as a name."""

    def to_internal_value(self, data: Any) -> str:
        text = super().to_internal_value(data)
        if any(unicodedata.category(character) in {"Cc", "Zl", "Zp"} for character in text):
            raise serializers.ValidationError(_("Please write this in one line."))
        return text


@extend_schema_field({"type": "string", "format": "uuid"})
class Identifier(Text):
    """The text of a UUID, in lower case."""

    default_error_messages = {"not_an_id": _("This is not an id.")}

    def to_internal_value(self, data: Any) -> str:
        text = super().to_internal_value(data)
        if not is_uuid(text):
            self.fail("not_an_id")
        return text.lower()


def _whole_number_needed(low: int | None, high: int | None) -> str:
    return _("A whole number from %(low)s to %(high)s is needed.") % {"low": low, "high": high}


# REST framework makes each field anew for every request, and hardly any of them is refused.
_lazy_whole_number_needed = lazy(_whole_number_needed, str)


class WholeNumber(serializers.IntegerField):
    """A JSON number without a fraction; in a form its digits. REST framework's own field takes "3" and true too."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        sentence: Any = _lazy_whole_number_needed(self.min_value, self.max_value)
        self.error_messages |= {"invalid": sentence, "null": sentence}
        for validator in self.validators:
            setattr(validator, "message", sentence)  # noqa: B010 (Django's stubs do not know it)

    def get_value(self, dictionary: Any) -> Any:
        value = super().get_value(dictionary)
        return FormText(value) if is_html_input(dictionary) and isinstance(value, str) else value

    def to_internal_value(self, data: Any) -> int:
        if isinstance(data, FormText) and re.fullmatch("[0-9]{1,9}", data.strip(), re.ASCII):
            data = int(data)
        if isinstance(data, float) and data.is_integer() and abs(data) < 1e15:
            data = int(data)
        if not isinstance(data, int) or isinstance(data, bool):
            self.fail("invalid")
        return data


class TrueOrFalse(serializers.BooleanField):
    """A JSON true or false. In a form also as text. REST framework's own field takes "yes" and 1 too."""

    default_error_messages = {"invalid": _("This must be true or false.")}

    def to_internal_value(self, data: Any) -> bool:
        if isinstance(data, FormText) and data in {"true", "false"}:
            return data == "true"
        if not isinstance(data, bool):
            self.fail("invalid")
        return data


def typed_amount(text: str, places: int | None = None) -> Decimal | None:
    """Read `58.20` or `58,20`, in digits of any script; None for other text.

    With `places` decimals at most, else those of the currency, and no separator of thousands: `1,234` may mean a
    thousand and more, or one and a bit. So before three decimals stands the sign of LANGUAGE_CODE.
    """
    plain = "".join(str(unicodedata.decimal(digit, digit)) for digit in text.strip()).replace("\u066b", ".")
    found = re.fullmatch(r"[0-9]{1,9}(?:([.,])([0-9]{1,3}))?", plain)
    typed = len(found[2] or "") if found else 0
    if found is None or typed > (decimals() if places is None else places):
        return None
    is_unclear = typed == 3 and found[1] != locale().number_symbols["latn"]["decimal"]
    return None if is_unclear else Decimal(plain.replace(",", "."))


TOO_LARGE = 9_999_999_999  # for a column of amounts


@extend_schema_field({"type": "number", "minimum": 0})
class AmountField(serializers.Field):
    """A JSON number of at least 0, rounded half-up to the currency's decimals, or to `places` of what is no money.

    In a form also text with a decimal comma.
    """

    default_error_messages = {"invalid": _("An amount of at least 0 is needed.")}
    places: int | None = None

    def to_internal_value(self, data: Any) -> Decimal:
        places = decimals() if self.places is None else self.places
        if isinstance(data, FormText):
            if not places and typed_amount(data, 0) is None and typed_amount(data, 2) is not None:
                raise serializers.ValidationError(no_decimals())
            data = typed_amount(data, places)
        if isinstance(data, bool) or not isinstance(data, int | float | Decimal) or not 0 <= data < TOO_LARGE:
            self.fail("invalid")
        return Decimal(str(data)).quantize(Decimal(1).scaleb(-places), ROUND_HALF_UP)

    def to_representation(self, value: Any) -> Any:
        return value


# --- in responses -------------------------------------------------------------------------------------


@extend_schema_field({"type": "number", "format": "double"})
class Money(serializers.Field):
    """A decimal that JSON writes as a number, and pages in the venue's currency."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**{"read_only": "required" not in kwargs, **kwargs})

    def to_representation(self, value: Decimal) -> Decimal:
        return value


# Of a response that leaves out its fields with `required=False` while they are empty, false, 0 or null.
# Not a docstring: OpenAPI would describe every subclass without its own by it.
class OmitEmptySerializer(serializers.Serializer):
    def to_representation(self, instance: Any) -> dict[str, Any]:
        record = super().to_representation(instance)
        return {name: value for name, value in record.items() if value or not self._is_optional(self.fields[name])}

    @staticmethod
    def _is_optional(field: serializers.Field[Any, Any, Any, Any]) -> bool:
        # What is only read is never required.
        return not field.required and not field.read_only


# Described by `web.openapi.ERROR`.
class ErrorResponse(serializers.Serializer):
    error = serializers.CharField()


class SuccessResponse(serializers.Serializer):
    success = serializers.BooleanField()


class WithWarnings(OmitEmptySerializer):
    """A response that is incomplete while a service fails: `warnings` says why, and is left out otherwise."""

    warnings = serializers.ListField(
        child=serializers.CharField(),
        required=False,
        help_text="Why figures are missing. Only present when some are.",
    )
