"""Requests and responses of the loyalty programme. A comment says what a response is rendered from."""

from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from loyalty import queries
from loyalty.models import Confirmation, Member, PointTransaction, Redemption, Reward
from loyalty.serializers.fields import Email, ImageUrl, JSONObject, OrderTotal, Points
from web.fields import ErrorResponse, Identifier, Line, Money, Text

# --- requests -------------------------------------------------------------------------------------


class EnrolmentBody(serializers.Serializer):
    email = Email(max_length=255)
    name = Line(max_length=255)
    phone = Line(max_length=50, allow_blank=True, allow_null=True, default="")


class EarnBody(serializers.Serializer):
    customerId = Identifier()
    locationId = Identifier()
    orderTotal = OrderTotal()
    staffId = Text(max_length=100, allow_blank=True, allow_null=True, default="")


class ReverseBody(serializers.Serializer):
    note = Text(max_length=500, allow_blank=True, allow_null=True, default="")


class RedeemBody(serializers.Serializer):
    customerId = Identifier()
    # The price that the member saw: at another price nothing is redeemed. Without it, prices are not compared.
    expectedPoints = Points(required=False, allow_null=True, default=None)


class ConfirmBody(serializers.Serializer):
    staffId = Text(max_length=100, allow_blank=True, allow_null=True, default="")
    locationId = Identifier(allow_blank=True, allow_null=True, default=None)

    def validate_locationId(self, value: str | None) -> str | None:
        return value or None


class LinkBody(serializers.Serializer):
    """One of the two is needed."""

    email = Email(max_length=255, required=False)
    customerId = Identifier(required=False)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if not attrs:
            raise serializers.ValidationError({"email": gettext_lazy("An email address is needed.")})
        return attrs


# --- errors ---------------------------------------------------------------------------------------


class PointsError(ErrorResponse):
    pointsNeeded = serializers.IntegerField(required=False)


class UsedError(ErrorResponse):
    usedAt = serializers.DateTimeField(required=False)


# --- members --------------------------------------------------------------------------------------


class Message(serializers.Serializer):
    message = serializers.CharField()


class SignedIn(serializers.Serializer):
    customerId = serializers.UUIDField()
    message = serializers.CharField()


class Enrolled(serializers.Serializer):  # of a Member
    customerId = serializers.UUIDField(source="pk")
    qrCodeUrl = ImageUrl()
    pointsBalance = serializers.IntegerField(source="points_balance")
    message = serializers.SerializerMethodField()

    def get_message(self, member: Member) -> str:
        words = {"name": member.name, "points": member.points_balance}
        return _("Welcome, %(name)s! Your first %(points)d points are on your card.") % words


class LocationName(serializers.Serializer):  # of a Location
    id = serializers.UUIDField()
    name = serializers.CharField()


class SignupDetails(serializers.Serializer):
    location = LocationName(allow_null=True)
    signupBonus = serializers.IntegerField()


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


# --- rewards --------------------------------------------------------------------------------------


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


# --- the card -------------------------------------------------------------------------------------


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


class Transaction(serializers.Serializer):  # of a PointTransaction
    id = serializers.UUIDField()
    type = serializers.ChoiceField(choices=PointTransaction.Type.choices)
    points = serializers.IntegerField()
    description = serializers.CharField(allow_blank=True)
    order_total = Money(read_only=False, allow_null=True)
    location_id = serializers.UUIDField(allow_null=True)
    created_at = serializers.DateTimeField()
    # Only of a row that was taken back.
    reversed = serializers.BooleanField(required=False)

    def to_representation(self, instance: PointTransaction) -> dict[str, Any]:
        data: dict[str, Any] = super().to_representation(instance)
        return {name: value for name, value in data.items() if name != "reversed" or value}


class Expiring(serializers.Serializer):  # of a queries.Expiring
    points = serializers.IntegerField()
    on = serializers.DateField(format=None)


class CardNotification(serializers.Serializer):  # of a Notification
    title = serializers.CharField()
    message = serializers.CharField()
    type = serializers.CharField()
    created_at = serializers.DateTimeField()


class MemberCard(serializers.Serializer):  # of a queries.Card; what its class does not have is left out
    """`redemptions` and `activity` are for the member and for staff, what follows them for the member."""

    viewer = serializers.ChoiceField(choices=["member", "staff", "guest"])
    customerId = serializers.UUIDField(source="member.pk")
    name = serializers.CharField(source="member.name")
    tier = serializers.ChoiceField(choices=Member.Tier.choices, source="member.tier")
    pointsBalance = serializers.IntegerField(source="member.points_balance")
    lifetimePoints = serializers.IntegerField(source="member.lifetime_points")
    nextTier = NextTier(allow_null=True, source="next_tier")
    qrCodeUrl = ImageUrl(source="member.qr_code_url", allow_blank=True)
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


# --- privacy ----------------------------------------------------------------------------------------


class StoredMember(serializers.Serializer):  # of a Member
    id = serializers.UUIDField()
    name = serializers.CharField()
    email = serializers.EmailField()
    phone = serializers.CharField(allow_blank=True)
    tier = serializers.ChoiceField(choices=Member.Tier.choices)
    pointsBalance = serializers.IntegerField(source="points_balance")
    lifetimePoints = serializers.IntegerField(source="lifetime_points")
    joinedAt = serializers.DateTimeField(source="created_at")
    lastActivityAt = serializers.DateTimeField(source="last_activity_at", allow_null=True)
    signedInByLinkAt = serializers.DateTimeField(source="signed_in_at", allow_null=True)


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
    mayErase = serializers.SerializerMethodField()

    def get_mayErase(self, offer: Any) -> bool:
        return bool(self.context["may_erase"])


class Erased(serializers.Serializer):
    success = serializers.BooleanField()


# --- check-in and points --------------------------------------------------------------------------


class FirstCheckIn(serializers.Serializer):  # of a queries.CheckIn
    customerId = serializers.UUIDField(source="member.pk")
    customerName = serializers.CharField(source="member.name")
    pointsBalance = serializers.IntegerField(source="member.points_balance")
    tier = serializers.CharField(source="member.tier")
    locationId = serializers.UUIDField(source="location.pk")
    message = serializers.SerializerMethodField()

    def get_message(self, check_in: queries.CheckIn) -> str:
        words = {"location": check_in.location.name, "name": check_in.member.name}
        return _("Welcome to %(location)s, %(name)s. Show your card when you pay.") % words


class RepeatedCheckIn(serializers.Serializer):  # of a queries.CheckIn
    """Less than an hour after the member got or spent points here."""

    message = serializers.SerializerMethodField()
    pointsBalance = serializers.IntegerField(source="member.points_balance")
    nextCheckinAvailable = serializers.DateTimeField(source="next_at")

    def get_message(self, check_in: queries.CheckIn) -> str:
        last_at, now = check_in.last_at or check_in.now, check_in.now
        words = {"time": queries.local_text_today(last_at, now=now)}
        if queries.is_today(last_at, now=now):
            return _("Your last visit here was at %(time)s.") % words
        return _("Your last visit here was on %(time)s.") % words


class LocationCode(serializers.Serializer):  # of a Location
    locationId = serializers.UUIDField(source="pk")
    qrCodeUrl = ImageUrl()
    printUrl = ImageUrl(size=2048)


class LocationCards(serializers.Serializer):
    """What is printed; `qrCodeUrl` is empty for a location without a code."""

    paper = serializers.CharField()
    layout = serializers.CharField()
    name = serializers.CharField()
    qrCodeUrl = serializers.CharField(allow_blank=True)


class Earned(serializers.Serializer):  # of a points.Award
    pointsEarned = serializers.IntegerField(source="points")
    newBalance = serializers.IntegerField(source="balance")
    tier = serializers.CharField()
    message = serializers.CharField()


class Reversed(serializers.Serializer):  # of a reversals.Reversal
    """`pointsMissing` had been spent already."""

    pointsTaken = serializers.IntegerField(source="taken")
    pointsMissing = serializers.IntegerField(source="missing")
    newBalance = serializers.IntegerField(source="balance")
    tier = serializers.CharField()


# --- validating and confirming --------------------------------------------------------------------


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


class ConfirmationDetails(serializers.Serializer):  # of a Confirmation
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

    def to_representation(self, instance: Confirmation) -> dict[str, Any]:
        data: dict[str, Any] = super().to_representation(instance)
        return {name: value for name, value in data.items() if name != "undoneAt" or value}

    def get_location(self, confirmation: Confirmation) -> str:
        return confirmation.location.name if confirmation.location else ""
