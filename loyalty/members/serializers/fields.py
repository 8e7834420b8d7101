"""Fields of loyalty's requests and responses."""

import re
from decimal import Decimal, InvalidOperation
from typing import Any

from django.utils.formats import number_format
from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from loyalty import rules
from web.fields import FormText, Text, typed_amount


class Email(Text, serializers.EmailField):
    """An address that mail can reach: Django's own check accepts invisible characters and impossible hosts."""

    def to_internal_value(self, data: Any) -> str:
        address = super().to_internal_value(data)
        try:
            return rules.mailbox(address)
        except ValueError:
            self.fail("invalid")


@extend_schema_field({"type": "number", "minimum": 0.01, "maximum": 99_999_999.99})
class OrderTotal(serializers.Field):
    """A JSON number above 0, rounded half up to two decimals. In a form also text with a decimal comma."""

    default_error_messages = {
        "invalid": _("An amount from 0.01 to 99,999,999.99 is needed."),
        "null": _("An amount from 0.01 to 99,999,999.99 is needed."),
    }

    def to_internal_value(self, data: Any) -> Decimal:
        if isinstance(data, FormText):
            data = self._from_form(data)
        if isinstance(data, bool) or not isinstance(data, int | float | Decimal):
            self.fail("invalid")
        try:
            total = rules.rounded(Decimal(str(data)))
        except InvalidOperation:
            self.fail("invalid")
        if not total.is_finite() or not rules.MIN_TOTAL <= total <= rules.MAX_TOTAL:
            self.fail("invalid")
        return total

    def _from_form(self, text: str) -> Decimal:
        amount = typed_amount(text)
        if amount is None:
            sentence = _("Please enter an amount such as %(example)s, without a thousands separator.")
            raise serializers.ValidationError(sentence % {"example": number_format(12.5, 2)})
        return amount

    def to_representation(self, value: Any) -> Any:
        return value


@extend_schema_field({"type": "integer", "minimum": 0})
class Points(serializers.Field):
    """A whole JSON number. In a form also text."""

    default_error_messages = {"invalid": _("A whole number of points is needed.")}

    def to_internal_value(self, data: Any) -> int:
        if isinstance(data, FormText) and re.fullmatch("[0-9]{1,10}", data, re.ASCII):
            return int(data)
        if isinstance(data, bool) or not isinstance(data, int) or not 0 <= data <= rules.MAX_POINTS:
            self.fail("invalid")
        return data

    def to_representation(self, value: Any) -> Any:
        return value


class ImageUrl(serializers.CharField):
    """The address of the image of a row's code; empty without a code. `size` is in pixels."""

    def __init__(self, *, size: int | None = None, **kwargs: Any) -> None:
        super().__init__(**{"source": "*", **kwargs})
        self.size = size

    def to_representation(self, value: Any) -> str:
        image: str = value.image_url(size=self.size)
        return image


@extend_schema_field({"type": "object", "additionalProperties": {}})
class JSONObject(serializers.JSONField):
    """A stored JSON object as it is."""
