"""Fields, requests and responses of loyalty: enrolment, sign-in, and members as the till finds them."""

import re
from decimal import Decimal, InvalidOperation
from typing import Any

from django.utils.functional import lazy
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from loyalty import rules
from loyalty.members.models import Member
from web.fields import FormText, Identifier, Line, Money, Text, typed_amount
from web.money import most, rounded, unit
from web.templatetags.money import as_typed


class Email(Text, serializers.EmailField):
    """An address that mail can reach: Django's own check accepts invisible characters and impossible hosts."""

    def to_internal_value(self, data: Any) -> str:
        address = super().to_internal_value(data)
        try:
            return rules.mailbox(address) if address else ""
        except ValueError:
            self.fail("invalid")


_BOUNDS = lazy(
    lambda: _("An amount from %(least)s to %(most)s is needed.") % {"least": unit(), "most": f"{most():,}"}, str
)()


@extend_schema_field({"type": "number", "minimum": 0.01, "maximum": 99_999_999.99})
class OrderTotal(serializers.Field):
    """A JSON number above 0, rounded half up to the currency's decimals. In a form also text with a decimal comma."""

    default_error_messages = dict.fromkeys(("invalid", "null"), _BOUNDS)

    def to_internal_value(self, data: Any) -> Decimal:
        if isinstance(data, FormText):
            data = self._from_form(data)
        if isinstance(data, bool) or not isinstance(data, int | float | Decimal):
            self.fail("invalid")
        try:
            total = rounded(Decimal(str(data)))
        except InvalidOperation:
            self.fail("invalid")
        if not total.is_finite() or not unit() <= total <= most():
            self.fail("invalid")
        return total

    def _from_form(self, text: str) -> Decimal:
        amount = typed_amount(text)
        if amount is None:
            sentence = _("Please enter an amount such as %(example)s, without a thousands separator.")
            raise serializers.ValidationError(sentence % {"example": as_typed(1250 * unit())})
        return amount


@extend_schema_field({"type": "integer", "minimum": 0})
class Points(serializers.Field):
    """A whole JSON number. In a form also text."""

    default_error_messages = {"invalid": gettext_lazy("A whole number of points is needed.")}

    def to_internal_value(self, data: Any) -> int:
        if isinstance(data, FormText) and re.fullmatch("[0-9]{1,10}", data, re.ASCII):
            return int(data)
        if isinstance(data, bool) or not isinstance(data, int) or not 0 <= data <= rules.MAX_POINTS:
            self.fail("invalid")
        return data


class ImageUrl(serializers.CharField):
    """The address of the image of a row's code; empty without a code. `size` is in pixels."""

    def __init__(self, *, size: int | None = None, **kwargs: Any) -> None:
        super().__init__(**{"source": "*", **kwargs})
        self.size = size

    def to_representation(self, value: Any) -> str:
        return str(value.image_url(size=self.size))


@extend_schema_field({"type": "object", "additionalProperties": {}})
class JSONObject(serializers.JSONField):
    """A stored JSON object as it is."""


# --- responses ------------------------------------------------------------------------------------


class Message(serializers.Serializer):
    message = serializers.CharField()


class SignedIn(serializers.Serializer):
    customerId = serializers.UUIDField()
    message = serializers.CharField()


class EmailOffer(serializers.Serializer):  # of a Member
    """The address that the card gets once this is confirmed."""

    email = serializers.EmailField(source="new_email")


class Enrolled(serializers.Serializer):  # of a Member
    customerId = serializers.UUIDField(source="pk")
    qrCodeUrl = ImageUrl()
    pointsBalance = serializers.IntegerField(source="points_balance")
    message = serializers.SerializerMethodField()

    def get_message(self, member: Member) -> str:
        values = {"name": member.name, "points": member.points_balance}
        sentence = ngettext(
            "Welcome, %(name)s! Your first %(points)d point is on your card.",
            "Welcome, %(name)s! Your first %(points)d points are on your card.",
            member.points_balance,
        )
        return sentence % values


class LocationName(serializers.Serializer):  # of a Location
    id = serializers.UUIDField()
    name = serializers.CharField()


class SignupDetails(serializers.Serializer):
    location = LocationName(allow_null=True)
    signupBonus = serializers.IntegerField(source="programme.signup_bonus")


class FoundMember(serializers.Serializer):  # of a Member
    customerId = serializers.UUIDField(source="pk")
    name = serializers.CharField()
    email = serializers.CharField()
    tier = serializers.CharField()
    pointsBalance = serializers.IntegerField(source="points_balance")


class AwardOfToday(serializers.Serializer):  # of a PointTransaction
    customerId = serializers.UUIDField(source="customer_id")
    name = serializers.CharField(source="customer.name")
    points = serializers.IntegerField()
    orderTotal = Money(source="order_total")
    createdAt = serializers.DateTimeField(source="created_at")


class Till(serializers.Serializer):
    query = serializers.CharField(allow_blank=True)
    members = FoundMember(many=True)
    latest = AwardOfToday(many=True, help_text="The caller's own awards of today, the latest first.")


# --- requests -------------------------------------------------------------------------------------


class EnrolmentBody(serializers.Serializer):
    email = Email(max_length=255)
    name = Line(max_length=255)
    phone = Line(max_length=50, allow_blank=True, allow_null=True, default="")
    offers = serializers.BooleanField(default=False, help_text="Whether they agree to get offers by email.")


class StaffEnrolmentBody(EnrolmentBody):
    """As staff enrol: a guest without an email has a phone."""

    email = Email(max_length=255, allow_blank=True, default="")

    def validate(self, values: dict[str, Any]) -> dict[str, Any]:
        if not values["email"] and not re.search(r"\d", values["phone"] or ""):
            raise serializers.ValidationError({"phone": _("An email or a phone number is needed.")})
        return values


class AccountBody(serializers.Serializer):
    """Changes of an account. A field that is left out is not changed."""

    name = Line(max_length=255, required=False)
    phone = Line(max_length=50, allow_blank=True, required=False)
    offers = serializers.BooleanField(required=False, help_text="Whether they agree to get offers by email.")


class EmailBody(serializers.Serializer):
    email = Email(max_length=255)


class LinkBody(serializers.Serializer):
    """One of the two is needed."""

    email = Email(max_length=255, required=False)
    customerId = Identifier(required=False)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if not attrs:
            raise serializers.ValidationError({"email": gettext_lazy("An email address is needed.")})
        return attrs
