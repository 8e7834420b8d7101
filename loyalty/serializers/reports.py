"""What the reports answer, described for OpenAPI (document 2, decision 4.15)."""

from rest_framework import serializers

from loyalty.models import Member, PointTransaction

SEGMENTS = ["champions", "loyal", "potential_loyalist", "at_risk", "hibernating", "new_or_casual"]
OFFERS = ["reminder", "bonus_points", "discount"]

# --- engagement -----------------------------------------------------------------------------------


class EngagedMember(serializers.Serializer):
    id = serializers.UUIDField()
    name = serializers.CharField()
    tier = serializers.CharField()
    pointsBalance = serializers.IntegerField()
    lifetimePoints = serializers.IntegerField()


class EngagementFigures(serializers.Serializer):
    totalScans = serializers.IntegerField(allow_null=True)
    totalVisits = serializers.IntegerField()
    daysSinceJoin = serializers.IntegerField()
    visitsPerMonth = serializers.FloatField()
    totalSpend = serializers.FloatField()
    averageOrderValue = serializers.FloatField()
    customerLifetimeValue = serializers.FloatField()


class LedgerLine(serializers.Serializer):
    id = serializers.UUIDField()
    customer_id = serializers.UUIDField()
    type = serializers.ChoiceField(choices=PointTransaction.Type.choices)
    points = serializers.IntegerField()
    description = serializers.CharField(allow_blank=True)
    order_total = serializers.FloatField(allow_null=True)
    location_id = serializers.UUIDField(allow_null=True)
    created_at = serializers.DateTimeField()


class EngagementReport(serializers.Serializer):
    """`totalScans` and `scanLocations` are null while the QR code service fails; `warnings` says why."""

    customer = EngagedMember()
    engagement = EngagementFigures()
    recentActivity = LedgerLine(many=True)
    scanLocations = serializers.ListField(child=serializers.CharField(), allow_null=True)
    warnings = serializers.ListField(child=serializers.CharField(), required=False)


# --- the programme --------------------------------------------------------------------------------


class ProgrammeOverview(serializers.Serializer):
    totalMembers = serializers.IntegerField()
    activeMembers = serializers.IntegerField()
    outstandingPoints = serializers.IntegerField()
    pointsLiability = serializers.FloatField()


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
    overview = ProgrammeOverview()
    tierDistribution = TierCount(many=True)
    monthlyActivity = MonthlyActivity()
    topCustomers = TopCustomer(many=True)
    popularRewards = PopularReward(many=True)


# --- segments and re-engagement -------------------------------------------------------------------


class Segment(serializers.Serializer):
    segment = serializers.ChoiceField(choices=SEGMENTS)
    customer_count = serializers.IntegerField()
    avg_spend = serializers.FloatField()


class SegmentsReport(serializers.Serializer):
    segments = Segment(many=True)


class SuggestedOffer(serializers.Serializer):
    type = serializers.ChoiceField(choices=OFFERS)
    message = serializers.CharField()


class ReEngagementTarget(serializers.Serializer):
    id = serializers.UUIDField()
    name = serializers.CharField()
    email = serializers.CharField()
    tier = serializers.CharField()
    points_balance = serializers.IntegerField()
    lifetime_points = serializers.IntegerField()
    last_activity_at = serializers.DateTimeField()
    suggestedOffer = SuggestedOffer()


class ReEngagementReport(serializers.Serializer):
    targets = ReEngagementTarget(many=True)
