"""The card as the member, staff and others see it; what is stored of a member, and what is lost by leaving."""

from typing import Any

from rest_framework import serializers

from loyalty.members.models import Member
from loyalty.members.serializers import ImageUrl
from loyalty.messages.models import WinBackEmail
from loyalty.points.models import PointTransaction
from loyalty.rewards.models import Redemption
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
    description = serializers.CharField(allow_blank=True, source="local_description")
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


# --- stored data and erasure ---------------------------------------------------------------------


class StoredCard(serializers.Serializer):  # of a Member
    name = serializers.CharField()
    email = serializers.CharField(allow_blank=True)
    phone = serializers.CharField(allow_blank=True)


class StoredMember(OmitEmptySerializer):  # of a Member
    id = serializers.UUIDField()
    name = serializers.CharField()
    email = serializers.EmailField()
    newEmail = serializers.CharField(source="new_email", allow_blank=True)
    newEmailAskedAt = serializers.DateTimeField(source="new_email_asked_at", allow_null=True)
    phone = serializers.CharField(allow_blank=True)
    tier = serializers.ChoiceField(choices=Member.Tier.choices)
    pointsBalance = serializers.IntegerField(source="points_balance")
    lifetimePoints = serializers.IntegerField(source="lifetime_points")
    joinedAt = serializers.DateTimeField(source="created_at")
    lastActivityAt = serializers.DateTimeField(source="last_activity_at", allow_null=True)
    signedInByLinkAt = serializers.DateTimeField(source="signed_in_at", allow_null=True)
    offersAgreedAt = serializers.DateTimeField(source="offers_agreed_at", allow_null=True)
    note = serializers.CharField(allow_blank=True)
    language = serializers.CharField(required=False, help_text="Of mails. Only where it is known.")
    mergedCards = StoredCard(source="merged", many=True, required=False, help_text="What this card was made of, too.")


class StoredTransaction(serializers.Serializer):  # of a PointTransaction
    id = serializers.UUIDField()
    type = serializers.ChoiceField(choices=PointTransaction.Type.choices)
    points = serializers.IntegerField()
    description = serializers.CharField(allow_blank=True)
    orderTotal = Money(source="order_total", read_only=False, allow_null=True)
    location = serializers.CharField(source="location.name", default=None, allow_null=True)
    createdAt = serializers.DateTimeField(source="created_at")


class StoredConfirmation(serializers.Serializer):  # of a Confirmation
    message = serializers.CharField()
    location = serializers.CharField(source="location.name", default=None, allow_null=True)
    createdAt = serializers.DateTimeField(source="created_at")
    undoneAt = serializers.DateTimeField(source="undone_at", allow_null=True)


class StoredRedemption(serializers.Serializer):  # of a Redemption
    code = serializers.CharField(source="redemption_code")
    reward = serializers.CharField(source="reward.name")
    pointsSpent = serializers.IntegerField(source="points_spent")
    status = serializers.ChoiceField(choices=Redemption.Status.choices)
    createdAt = serializers.DateTimeField(source="created_at")
    expiresAt = serializers.DateTimeField(source="expires_at")
    usedAt = serializers.DateTimeField(source="used_at", allow_null=True)
    confirmations = StoredConfirmation(many=True)


class StoredNotification(serializers.Serializer):  # of a Notification
    title = serializers.CharField()
    message = serializers.CharField()
    createdAt = serializers.DateTimeField(source="created_at")
    mailedAt = serializers.DateTimeField(source="sent_at", allow_null=True)


class StoredWinBackEmail(serializers.Serializer):  # of a WinBackEmail
    """An email of staff to win the member back, with its offer."""

    offer = serializers.ChoiceField(choices=WinBackEmail.Offer.choices)
    writtenAt = serializers.DateTimeField(source="written_at")


class StoredScan(serializers.Serializer):  # of a gateway.ScanRecord
    scannedAt = serializers.DateTimeField(source="scanned_at")
    deviceType = serializers.CharField(source="device_type")
    city = serializers.CharField(allow_blank=True)
    country = serializers.CharField(allow_blank=True)


class StoredData(serializers.Serializer):  # of a privacy.Stored
    """`scans` of the card's code: null, with a warning, if they are not known."""

    storedAt = serializers.DateTimeField(source="at")
    member = StoredMember()
    transactions = StoredTransaction(many=True)
    redemptions = StoredRedemption(many=True)
    notifications = StoredNotification(many=True)
    letters = StoredWinBackEmail(source="win_back_emails", many=True)
    scans = StoredScan(many=True, allow_null=True)
    orders = serializers.ListField(
        child=serializers.DictField(),
        source="elsewhere.orders",
        required=False,
        help_text="At tables, that collected points for the card.",
    )
    warnings = serializers.ListField(child=serializers.CharField())


class ErasureOffer(serializers.Serializer):  # of a queries.ErasureOffer
    """A member who may leave, and what is lost then. `mayErase` says whether a POST would be accepted now."""

    customerId = serializers.UUIDField(source="member.pk")
    name = serializers.CharField(source="member.name")
    tier = serializers.ChoiceField(choices=Member.Tier.choices, source="member.tier")
    pointsBalance = serializers.IntegerField(source="member.points_balance")
    redemptions = ActiveRedemption(many=True)
    mayErase = serializers.BooleanField(source="may_erase", read_only=True)
