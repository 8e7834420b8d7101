"""Rewards, redeeming them, and their codes at the till."""

from typing import Any

from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from loyalty.members.serializers import JSONObject, Points
from loyalty.rewards.models import Confirmation, Redemption, Reward
from web.fields import ErrorResponse, Identifier, Money, OmitEmptySerializer, Text, WholeNumber


class PointsError(ErrorResponse):
    pointsNeeded = serializers.IntegerField(required=False)


class OfferedReward(serializers.Serializer):  # of a Reward from `queries.rewards_for`
    id = serializers.UUIDField()
    name = serializers.CharField()
    description = serializers.CharField(allow_blank=True)
    points_required = serializers.IntegerField()
    reward_type = serializers.ChoiceField(choices=Reward.Type.choices)
    reward_value = JSONObject()
    available = serializers.BooleanField()
    created_at = serializers.DateTimeField()
    canRedeem = serializers.BooleanField(source="can_redeem")
    pointsNeeded = serializers.IntegerField(source="points_needed")


class Catalogue(serializers.Serializer):  # of a queries.Catalogue
    pointsBalance = serializers.IntegerField(source="member.points_balance")
    tier = serializers.CharField(source="member.tier")
    rewards = OfferedReward(many=True)


class RedemptionOffer(serializers.Serializer):  # of a queries.RedemptionOffer
    customerId = serializers.UUIDField(source="member.pk")
    pointsBalance = serializers.IntegerField(source="member.points_balance")
    balanceAfter = serializers.IntegerField(source="balance_after")
    reward = OfferedReward()


class Redeemed(serializers.Serializer):  # of a redemptions.Redeemed
    redemptionCode = serializers.CharField(source="code")
    qrCodeUrl = serializers.CharField(source="image_url")
    reward = serializers.CharField()
    expiresAt = serializers.DateTimeField(source="expires_at")
    message = serializers.CharField()


class UsedError(ErrorResponse):
    usedAt = serializers.DateTimeField(required=False)


class RedemptionSummary(serializers.Serializer):  # of a Redemption
    code = serializers.CharField(source="redemption_code")
    reward = serializers.CharField(source="reward.name")
    value = JSONObject(source="reward.reward_value")
    customer = serializers.CharField(source="customer.name")
    tier = serializers.CharField(source="customer.tier")


class Action(serializers.Serializer):
    action = serializers.CharField()
    label = serializers.CharField()  # type: ignore[assignment]


class ValidRedemption(serializers.Serializer):  # of a Redemption
    valid = serializers.SerializerMethodField()
    redemption = RedemptionSummary(source="*")
    actions = serializers.SerializerMethodField()

    def get_valid(self, redemption: Redemption) -> bool:
        return True

    @extend_schema_field(Action(many=True))
    def get_actions(self, redemption: Redemption) -> Any:
        return Action([{"action": "confirm", "label": _("Confirm and hand out")}], many=True).data


class Succeeded(serializers.Serializer):
    success = serializers.SerializerMethodField()

    def get_success(self, instance: Any) -> bool:
        return True


class Confirmed(Succeeded):  # of a Confirmation
    message = serializers.CharField()


class TakenOff(serializers.Serializer):  # of an OnBill
    amount = Money(help_text="Below zero.")
    total = Money(help_text="What the bill comes to now.")
    due = Money()


class ConfirmedForBill(Confirmed):
    applied = TakenOff(
        required=False,
        allow_null=True,
        help_text="Only where a table or a session was named. Null where nothing was taken off: the message says why.",
    )


class Undone(Succeeded):  # of a Redemption
    message = serializers.SerializerMethodField()

    def get_message(self, redemption: Redemption) -> str:
        return _("Undone. The code is valid again: %(reward)s") % {"reward": redemption.reward.name}


class CancelledRedemption(Succeeded):
    newBalance = serializers.IntegerField(source="balance")


class ConfirmationDetails(OmitEmptySerializer):  # of a Confirmation
    id = serializers.UUIDField()
    message = serializers.CharField()
    found = serializers.CharField()
    code = serializers.CharField(source="redemption.redemption_code")
    reward = serializers.CharField(source="redemption.reward.name")
    value = JSONObject(source="redemption.reward.reward_value")
    customer = serializers.CharField(source="redemption.customer.name")
    location = serializers.SerializerMethodField()
    createdAt = serializers.DateTimeField(source="created_at")
    # Only of one that was undone.
    undoneAt = serializers.DateTimeField(source="undone_at", required=False)

    def get_location(self, confirmation: Confirmation) -> str:
        return confirmation.location.name if confirmation.location else ""


class RedeemBody(serializers.Serializer):
    customerId = Identifier()
    # The price that the member saw: at another price nothing is redeemed. Without it, prices are not compared.
    expectedPoints = Points(required=False, allow_null=True, default=None)


class ConfirmBody(serializers.Serializer):
    staffId = Text(max_length=100, allow_blank=True, allow_null=True, default="")
    locationId = Identifier(allow_blank=True, allow_null=True, default=None)
    # The bill that it is for, by one of them or both: it is taken off it.
    tableNumber = WholeNumber(min_value=1, max_value=99_999, required=False, allow_null=True, default=None)
    sessionId = Identifier(required=False, allow_null=True, default=None)

    def validate_locationId(self, value: str | None) -> str | None:
        return value or None
