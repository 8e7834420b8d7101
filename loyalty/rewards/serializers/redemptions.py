"""Codes of rewards at the till: validated, confirmed, undone, cancelled."""

from typing import Any

from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from loyalty.members.serializers import JSONObject, Points
from loyalty.rewards.models import Confirmation, Redemption
from web.fields import ErrorResponse, Identifier, OmitEmptySerializer, Text


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


class Confirmed(serializers.Serializer):  # of a Confirmation
    success = serializers.SerializerMethodField()
    message = serializers.CharField()

    def get_success(self, confirmation: Confirmation) -> bool:
        return True


class Undone(serializers.Serializer):  # of a Redemption
    success = serializers.SerializerMethodField()
    message = serializers.SerializerMethodField()

    def get_success(self, redemption: Redemption) -> bool:
        return True

    def get_message(self, redemption: Redemption) -> str:
        return _("Undone. The code is valid again: %(reward)s") % {"reward": redemption.reward.name}


class CancelledRedemption(serializers.Serializer):  # of a redemptions.Cancelled
    success = serializers.SerializerMethodField()
    newBalance = serializers.IntegerField(source="balance")

    def get_success(self, cancelled: Any) -> bool:
        return True


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

    def validate_locationId(self, value: str | None) -> str | None:
        return value or None
