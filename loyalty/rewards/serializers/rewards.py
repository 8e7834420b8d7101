"""Rewards, and redeeming them."""

from rest_framework import serializers

from loyalty.members.serializers import JSONObject
from loyalty.rewards.models import Reward
from web.fields import ErrorResponse


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
