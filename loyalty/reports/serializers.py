"""The reports on the loyalty programme as JSON."""

from rest_framework import serializers

from loyalty.members.models import Member
from loyalty.messages.models import WinBackEmail
from loyalty.points.models import PointTransaction
from loyalty.reports.segments import SEGMENTS
from web.fields import Money, WithWarnings

# --- one member -------------------------------------------------------------------------------------


class EngagedMember(serializers.Serializer):
    id = serializers.UUIDField()
    name = serializers.CharField()
    tier = serializers.CharField()
    pointsBalance = serializers.IntegerField(source="points_balance")
    lifetimePoints = serializers.IntegerField(source="lifetime_points")


class EngagementFigures(serializers.Serializer):
    totalScans = serializers.IntegerField(source="total_scans", allow_null=True)
    totalVisits = serializers.IntegerField(source="visits")
    daysSinceJoin = serializers.IntegerField(source="days_since_join")
    visitsPerMonth = serializers.FloatField(source="visits_per_month")
    totalSpend = Money(source="spend")
    averageOrderValue = Money(source="average_order")
    customerLifetimeValue = Money(source="spend")


class LedgerLine(serializers.Serializer):
    id = serializers.UUIDField()
    customer_id = serializers.UUIDField()
    type = serializers.ChoiceField(choices=PointTransaction.Type.choices)
    points = serializers.IntegerField()
    description = serializers.CharField(allow_blank=True)
    order_total = Money(allow_null=True)
    location_id = serializers.UUIDField(allow_null=True)
    created_at = serializers.DateTimeField()


class EngagementReport(WithWarnings):
    """`totalScans` and `scanLocations` are null while the QR code service fails; `warnings` has the reason."""

    customer = EngagedMember(source="member")
    engagement = EngagementFigures(source="*")
    recentActivity = LedgerLine(source="recent", many=True)
    scanLocations = serializers.ListField(source="cities", child=serializers.CharField(), allow_null=True)


# --- the programme ----------------------------------------------------------------------------------


class ProgrammeOverview(serializers.Serializer):
    totalMembers = serializers.IntegerField(source="members")
    activeMembers = serializers.IntegerField(source="active")
    outstandingPoints = serializers.IntegerField(source="outstanding_points")
    pointsLiability = Money(source="liability")


class TierCount(serializers.Serializer):
    tier = serializers.ChoiceField(choices=Member.Tier.choices)
    count = serializers.IntegerField()


class MonthlyActivity(serializers.Serializer):
    earned = serializers.IntegerField()
    redeemed = serializers.IntegerField()


class TopCustomer(serializers.Serializer):
    id = serializers.UUIDField()
    name = serializers.CharField()
    tier = serializers.CharField()
    lifetime_points = serializers.IntegerField()
    last_activity_at = serializers.DateTimeField(allow_null=True)


class PopularReward(serializers.Serializer):
    name = serializers.CharField()
    redemptions = serializers.IntegerField()


class ProgrammeReport(serializers.Serializer):
    overview = ProgrammeOverview(source="*")
    tierDistribution = TierCount(source="tiers", many=True)
    monthlyActivity = MonthlyActivity(source="month")
    topCustomers = TopCustomer(source="top_customers", many=True)
    popularRewards = PopularReward(source="popular_rewards", many=True)


class ProgrammeToday(serializers.Serializer):
    newMembers = serializers.IntegerField(source="new_members")
    earned = serializers.IntegerField(source="points.earned")
    redeemed = serializers.IntegerField(source="points.redeemed")


class LoyaltyToday(serializers.Serializer):
    today = ProgrammeToday(source="now")
    before = ProgrammeToday()


# --- segments and re-engagement ---------------------------------------------------------------------


class Segment(serializers.Serializer):
    segment = serializers.ChoiceField(source="name", choices=SEGMENTS)
    customer_count = serializers.IntegerField(source="members")
    avg_spend = Money(source="average_spend")


class SegmentsReport(serializers.Serializer):
    segments = Segment(many=True)


class SuggestedOffer(serializers.Serializer):
    type = serializers.ChoiceField(source="offer", choices=WinBackEmail.Offer.choices)
    message = serializers.CharField()


class ReEngagementTarget(serializers.Serializer):
    id = serializers.UUIDField()
    name = serializers.CharField()
    email = serializers.CharField()
    tier = serializers.CharField()
    points_balance = serializers.IntegerField()
    lifetime_points = serializers.IntegerField()
    last_activity_at = serializers.DateTimeField()
    suggestedOffer = SuggestedOffer(source="*")


class ReEngagementReport(serializers.Serializer):
    targets = ReEngagementTarget(many=True)


class LettersNoted(serializers.Serializer):
    """`noted` members are marked as written to who were not."""

    noted = serializers.IntegerField()


class LettersUndone(serializers.Serializer):
    undone = serializers.IntegerField()


class MembersBody(serializers.Serializer):
    members = serializers.ListField(child=serializers.UUIDField(), min_length=1, max_length=1000)


class LettersBody(MembersBody):
    offer = serializers.ChoiceField(choices=WinBackEmail.Offer.choices)
