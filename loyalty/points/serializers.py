"""Check-in, locations, and points for a purchase."""

from django.utils.translation import gettext as _
from rest_framework import serializers

from loyalty.members import queries as members_queries
from loyalty.members.serializers import ImageUrl, OrderTotal
from loyalty.points import queries
from web.fields import Identifier, Text


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
        words = {"time": members_queries.local_text_today(last_at, now=now)}
        if members_queries.is_today(last_at, now=now):
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


class EarnBody(serializers.Serializer):
    customerId = Identifier()
    locationId = Identifier()
    orderTotal = OrderTotal()
    staffId = Text(max_length=100, allow_blank=True, allow_null=True, default="")


class ReverseBody(serializers.Serializer):
    note = Text(max_length=500, allow_blank=True, allow_null=True, default="")
