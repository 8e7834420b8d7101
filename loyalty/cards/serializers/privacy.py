"""What is stored of a member, and what is lost by leaving."""

from rest_framework import serializers

from loyalty.cards.serializers.cards import ActiveRedemption
from loyalty.members.models import Member
from loyalty.messages.models import Letter
from loyalty.points.models import PointTransaction
from loyalty.rewards.models import Redemption
from web.fields import Money


class StoredMember(serializers.Serializer):  # of a Member
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


class StoredLetter(serializers.Serializer):  # of a Letter
    """That staff wrote to the member, and what they offered."""

    offer = serializers.ChoiceField(choices=Letter.Offer.choices)
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
    letters = StoredLetter(many=True)
    scans = StoredScan(many=True, allow_null=True)
    orders = serializers.ListField(
        child=serializers.DictField(),
        source="elsewhere.orders",
        required=False,
        help_text="At tables, that collected points for the card.",
    )
    warnings = serializers.ListField(child=serializers.CharField())


class ErasureOffer(serializers.Serializer):  # of a queries.ErasureOffer
    """What is lost. `mayErase`: whether a POST would be accepted now."""

    customerId = serializers.UUIDField(source="member.pk")
    name = serializers.CharField(source="member.name")
    tier = serializers.ChoiceField(choices=Member.Tier.choices, source="member.tier")
    pointsBalance = serializers.IntegerField(source="member.points_balance")
    redemptions = ActiveRedemption(many=True)
    mayErase = serializers.BooleanField(source="may_erase", read_only=True)


class Erased(serializers.Serializer):
    success = serializers.BooleanField()
