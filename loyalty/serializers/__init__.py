"""What may be sent to the loyalty programme, checked; and what it answers, described for OpenAPI."""

import re
from decimal import Decimal, InvalidOperation
from typing import Any

from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from loyalty.models import Member, PointTransaction, Reward
from loyalty.services import points
from web.fields import ErrorResponse, FormText, Identifier, Line, Text

# --- fields --------------------------------------------------------------------------------------


class Email(Text, serializers.EmailField):
    """One that mail can be sent to: Django's own check lets invisible characters and impossible hosts through."""

    def to_internal_value(self, data: Any) -> str:
        address = super().to_internal_value(data)
        name, _at, host = address.rpartition("@")
        try:
            host.encode("idna")
        except UnicodeError:
            self.fail("invalid")
        if not name.isascii() or not address.isprintable():
            self.fail("invalid")
        return address


@extend_schema_field({"type": "number", "minimum": 0.01, "maximum": 99_999_999.99})
class OrderTotal(serializers.Field):
    """A JSON number above 0, rounded half-up to two decimals (decision 4.4); from a form also as text, with a comma."""

    default_error_messages = {
        "invalid": _("An amount from 0.01 to 99,999,999.99 is needed."),
        "null": _("An amount from 0.01 to 99,999,999.99 is needed."),
    }

    def to_internal_value(self, data: Any) -> Decimal:
        if isinstance(data, FormText):
            data = self._typed(data)
        if isinstance(data, bool) or not isinstance(data, int | float | Decimal):
            self.fail("invalid")
        try:
            total = points.rounded(Decimal(str(data)))
        except InvalidOperation:
            self.fail("invalid")
        if not total.is_finite() or not points.MIN_TOTAL <= total <= points.MAX_TOTAL:
            self.fail("invalid")
        return total

    def _typed(self, text: str) -> Decimal:
        # Two decimals at most: "1,234" could be a thousand and more, or one and a bit.
        if not re.fullmatch(r"[0-9]{1,8}([.,][0-9]{1,2})?", text.strip(), re.ASCII):
            raise serializers.ValidationError(_("Please enter an amount such as 12.50, without a thousands separator."))
        return Decimal(text.strip().replace(",", "."))

    def to_representation(self, value: Any) -> Any:
        return value


@extend_schema_field({"type": "integer", "minimum": 0})
class Points(serializers.Field):
    """A whole JSON number; from a form also as text."""

    default_error_messages = {"invalid": _("A whole number of points is needed.")}

    def to_internal_value(self, data: Any) -> int:
        if isinstance(data, FormText) and re.fullmatch("[0-9]{1,10}", data, re.ASCII):
            return int(data)
        if isinstance(data, bool) or not isinstance(data, int) or not 0 <= data <= points.MAX_POINTS:
            self.fail("invalid")
        return data

    def to_representation(self, value: Any) -> Any:
        return value


# --- what comes in --------------------------------------------------------------------------------


class EnrolmentBody(serializers.Serializer):
    email = Email(max_length=255)
    name = Line(max_length=255)
    phone = Line(max_length=50, allow_blank=True, allow_null=True, default="")


class EarnBody(serializers.Serializer):
    customerId = Identifier()
    locationId = Identifier()
    orderTotal = OrderTotal()
    staffId = Text(max_length=100, allow_blank=True, allow_null=True, default="")


class RedeemBody(serializers.Serializer):
    customerId = Identifier()
    # What the member saw it cost: at another price nothing is redeemed. Without it nothing is compared.
    expectedPoints = Points(required=False, allow_null=True, default=None)


class ConfirmBody(serializers.Serializer):
    staffId = Text(max_length=100, allow_blank=True, allow_null=True, default="")
    locationId = Identifier(allow_blank=True, allow_null=True, default=None)

    def validate_locationId(self, value: str | None) -> str | None:
        return value or None


class LinkBody(serializers.Serializer):
    """One of the two says whose link it is."""

    email = Email(max_length=255, required=False)
    customerId = Identifier(required=False)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if not attrs:
            raise serializers.ValidationError({"email": _("An email address is needed.")})
        return attrs


# --- what goes out (descriptions) -----------------------------------------------------------------


class PointsError(ErrorResponse):
    pointsNeeded = serializers.IntegerField(required=False)


class UsedError(ErrorResponse):
    usedAt = serializers.DateTimeField(required=False)


class Enrolled(serializers.Serializer):
    customerId = serializers.UUIDField()
    qrCodeUrl = serializers.CharField()
    pointsBalance = serializers.IntegerField()
    message = serializers.CharField()


class SignupLocation(serializers.Serializer):
    id = serializers.UUIDField()
    name = serializers.CharField()


class SignupFace(serializers.Serializer):
    location = SignupLocation(allow_null=True)
    signupBonus = serializers.IntegerField()


class RewardFace(serializers.Serializer):
    id = serializers.UUIDField()
    name = serializers.CharField()
    description = serializers.CharField(allow_blank=True)
    points_required = serializers.IntegerField()
    reward_type = serializers.ChoiceField(choices=Reward.Type.choices)
    reward_value = serializers.DictField()
    available = serializers.BooleanField()
    created_at = serializers.DateTimeField()
    canRedeem = serializers.BooleanField()
    pointsNeeded = serializers.IntegerField()


class RewardsFace(serializers.Serializer):
    pointsBalance = serializers.IntegerField()
    tier = serializers.CharField()
    rewards = RewardFace(many=True)


class NextTier(serializers.Serializer):
    tier = serializers.CharField()
    threshold = serializers.IntegerField()
    pointsToGo = serializers.IntegerField()
    percent = serializers.IntegerField()


class ActiveRedemption(serializers.Serializer):
    redemptionCode = serializers.CharField()
    qrCodeUrl = serializers.CharField(allow_blank=True)
    reward = serializers.CharField()
    expiresAt = serializers.DateTimeField()


class Transaction(serializers.Serializer):
    id = serializers.UUIDField()
    type = serializers.ChoiceField(choices=PointTransaction.Type.choices)
    points = serializers.IntegerField()
    description = serializers.CharField(allow_blank=True)
    order_total = serializers.FloatField(allow_null=True)
    location_id = serializers.UUIDField(allow_null=True)
    created_at = serializers.DateTimeField()


class NotificationFace(serializers.Serializer):
    title = serializers.CharField()
    message = serializers.CharField()
    type = serializers.CharField()
    created_at = serializers.DateTimeField()


class CardFace(serializers.Serializer):
    """What stands below `rewards` is for the member; `redemptions` and `activity` are for staff too."""

    viewer = serializers.ChoiceField(choices=["member", "staff", "guest"])
    customerId = serializers.UUIDField()
    name = serializers.CharField()
    tier = serializers.ChoiceField(choices=Member.Tier.choices)
    pointsBalance = serializers.IntegerField()
    lifetimePoints = serializers.IntegerField()
    nextTier = NextTier(allow_null=True)
    qrCodeUrl = serializers.CharField(allow_blank=True)
    rewards = RewardFace(many=True)
    redemptions = ActiveRedemption(many=True, required=False)
    activity = Transaction(many=True, required=False)
    notifications = NotificationFace(many=True, required=False)
    email = serializers.EmailField(required=False)
    phone = serializers.CharField(required=False)


class CheckIn(serializers.Serializer):
    """`nextCheckinAvailable` alone with message and balance, or the others."""

    message = serializers.CharField()
    pointsBalance = serializers.IntegerField()
    nextCheckinAvailable = serializers.DateTimeField(required=False)
    customerId = serializers.UUIDField(required=False)
    customerName = serializers.CharField(required=False)
    tier = serializers.CharField(required=False)
    locationId = serializers.UUIDField(required=False)


class Earned(serializers.Serializer):
    pointsEarned = serializers.IntegerField()
    newBalance = serializers.IntegerField()
    tier = serializers.CharField()
    message = serializers.CharField()


class Redeemed(serializers.Serializer):
    redemptionCode = serializers.CharField()
    qrCodeUrl = serializers.CharField()
    reward = serializers.CharField()
    expiresAt = serializers.DateTimeField()
    message = serializers.CharField()


class RedeemQuestion(serializers.Serializer):
    customerId = serializers.UUIDField()
    pointsBalance = serializers.IntegerField()
    balanceAfter = serializers.IntegerField()
    reward = RewardFace()


class RedemptionFace(serializers.Serializer):
    code = serializers.CharField()
    reward = serializers.CharField()
    value = serializers.DictField()
    customer = serializers.CharField()
    tier = serializers.CharField()


class Action(serializers.Serializer):
    action = serializers.CharField()
    label = serializers.CharField()  # type: ignore[assignment]


class ValidRedemption(serializers.Serializer):
    valid = serializers.BooleanField()
    redemption = RedemptionFace()
    actions = Action(many=True)


class Done(serializers.Serializer):
    success = serializers.BooleanField()
    message = serializers.CharField()


class ConfirmationFace(serializers.Serializer):
    id = serializers.UUIDField()
    message = serializers.CharField()
    found = serializers.CharField()
    code = serializers.CharField()
    reward = serializers.CharField()
    value = serializers.DictField()
    customer = serializers.CharField()
    location = serializers.CharField(allow_blank=True)
    createdAt = serializers.DateTimeField()


class LocationCode(serializers.Serializer):
    locationId = serializers.UUIDField()
    qrCodeUrl = serializers.CharField()
    printUrl = serializers.CharField()


class Message(serializers.Serializer):
    message = serializers.CharField()


class SignedIn(Message):
    customerId = serializers.UUIDField()


class FoundMember(serializers.Serializer):
    customerId = serializers.UUIDField()
    name = serializers.CharField()
    email = serializers.CharField()
    tier = serializers.CharField()
    pointsBalance = serializers.IntegerField()


class Till(serializers.Serializer):
    query = serializers.CharField(allow_blank=True)
    members = FoundMember(many=True)
