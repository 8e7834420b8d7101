"""Check-in, locations, and points for a purchase."""

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _
from rest_framework import serializers

from loyalty.members.serializers import ImageUrl, OrderTotal
from loyalty.points.queries.locations import Arrival
from web.fields import Identifier, Text


class FirstCheckIn(serializers.Serializer):  # of an Arrival
    customerId = serializers.UUIDField(source="member.pk")
    customerName = serializers.CharField(source="member.name")
    pointsBalance = serializers.IntegerField(source="member.points_balance")
    tier = serializers.CharField(source="member.tier")
    locationId = serializers.UUIDField(source="location.pk")
    message = serializers.SerializerMethodField()

    def get_message(self, arrival: Arrival) -> str:
        values = {"location": arrival.location.name, "name": arrival.member.name}
        return _("Welcome to %(location)s, %(name)s. Show your card when you pay.") % values


class RepeatedCheckIn(serializers.Serializer):  # of an Arrival
    """Less than an hour after the member got or spent points here."""

    message = serializers.CharField(source="last_visit", read_only=True)
    pointsBalance = serializers.IntegerField(source="member.points_balance")
    nextCheckinAvailable = serializers.DateTimeField(source="next_at")


class LocationCode(serializers.Serializer):  # of a Location
    locationId = serializers.UUIDField(source="pk")
    qrCodeUrl = ImageUrl()
    printUrl = ImageUrl(size=2048)


class LocationCards(serializers.Serializer):  # of a PrintedCode
    """A location's code for printing. `qrCodeUrl` is empty for a location without a code."""

    paper = serializers.CharField()
    layout = serializers.CharField()
    name = serializers.CharField(source="location.name")
    qrCodeUrl = serializers.CharField(source="image_url", allow_blank=True)


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
    """With `sessionId`, what the card collects at that table is given now, and nothing besides."""

    customerId = Identifier()
    locationId = Identifier(help_text="Not needed with `sessionId`.")
    orderTotal = OrderTotal(help_text="Not needed with `sessionId`.")
    staffId = Text(max_length=100, allow_blank=True, allow_null=True, default="")
    sessionId = Identifier(required=False)

    def get_fields(self) -> dict[str, Any]:
        fields: dict[str, Any] = super().get_fields()
        sent = getattr(self, "initial_data", None)
        if isinstance(sent, Mapping) and "sessionId" in sent:
            fields["locationId"].required = fields["orderTotal"].required = False
        return fields


class ReverseBody(serializers.Serializer):
    note = Text(max_length=500, allow_blank=True, allow_null=True, default="")
