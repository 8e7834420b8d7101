"""The card, as the member, staff and others see it."""

from typing import Any

from rest_framework import serializers

from loyalty.members.models import Member
from loyalty.members.serializers import ImageUrl
from loyalty.points.models import PointTransaction
from loyalty.rewards.serializers import OfferedReward
from web.fields import Money, OmitEmptySerializer


class NextTier(serializers.Serializer):  # of a rules.NextTier
    tier = serializers.CharField()
    threshold = serializers.IntegerField()
    pointsToGo = serializers.IntegerField(source="points_to_go")
    percent = serializers.IntegerField()


class ActiveRedemption(serializers.Serializer):  # of a Redemption
    redemptionCode = serializers.CharField(source="redemption_code")
    qrCodeUrl = ImageUrl(allow_blank=True)
    reward = serializers.CharField(source="reward.name")
    expiresAt = serializers.DateTimeField(source="expires_at")


class Transaction(OmitEmptySerializer):  # of a PointTransaction
    id = serializers.UUIDField()
    type = serializers.ChoiceField(choices=PointTransaction.Type.choices)
    points = serializers.IntegerField()
    description = serializers.CharField(allow_blank=True)
    order_total = Money(read_only=False, allow_null=True)
    location_id = serializers.UUIDField(allow_null=True)
    created_at = serializers.DateTimeField()
    # Only of a row that was taken back.
    reversed = serializers.BooleanField(required=False)


class Expiring(serializers.Serializer):  # of a queries.Expiring
    points = serializers.IntegerField()
    on = serializers.DateField(format=None)


class CardNotification(serializers.Serializer):  # of a Notification
    title = serializers.CharField()
    message = serializers.CharField()
    type = serializers.CharField()
    created_at = serializers.DateTimeField()


class Account(serializers.Serializer):  # of a queries.Account
    customerId = serializers.UUIDField(source="member.pk")
    name = serializers.CharField(source="member.name")
    email = serializers.EmailField(source="member.email")
    newEmail = serializers.CharField(
        source="new_email",
        allow_blank=True,
        help_text="Asked for, until it is confirmed by a link that was mailed there.",
    )
    phone = serializers.CharField(source="member.phone", allow_blank=True)
    offersAgreedAt = serializers.DateTimeField(source="member.offers_agreed_at", allow_null=True)
    notifications = CardNotification(many=True)


class MemberCard(serializers.Serializer):  # of a queries.Card; what its class does not have is left out
    """`redemptions` and `activity` are for the member and for staff, what follows them for the member."""

    viewer = serializers.ChoiceField(choices=["member", "staff", "guest"])
    customerId = serializers.UUIDField(source="member.pk")
    name = serializers.CharField(source="member.name")
    tier = serializers.ChoiceField(choices=Member.Tier.choices, source="member.tier")
    pointsBalance = serializers.IntegerField(source="member.points_balance")
    lifetimePoints = serializers.IntegerField(source="member.lifetime_points")
    nextTier = NextTier(allow_null=True, source="next_tier")
    qrCodeUrl = ImageUrl(source="member", allow_blank=True)
    rewards = OfferedReward(many=True)
    redemptions = ActiveRedemption(many=True, required=False)
    activity = Transaction(many=True, required=False)
    # Where something expires.
    expiring = Expiring(many=True, required=False)
    notifications = CardNotification(many=True, required=False)
    email = serializers.EmailField(required=False)
    phone = serializers.CharField(required=False)

    def to_representation(self, instance: Any) -> dict[str, Any]:
        data: dict[str, Any] = super().to_representation(instance)
        return {name: value for name, value in data.items() if name != "expiring" or value}
