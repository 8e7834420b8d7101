"""Enrolment, sign-in, and members as the till finds them."""

from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from rest_framework import serializers

from loyalty.members.models import Member
from loyalty.members.serializers.fields import Email, ImageUrl
from web.fields import Identifier, Line, Money


class Message(serializers.Serializer):
    message = serializers.CharField()


class SignedIn(serializers.Serializer):
    customerId = serializers.UUIDField()
    message = serializers.CharField()


class EmailOffer(serializers.Serializer):  # of a Member
    """`email`: what the card's becomes."""

    email = serializers.EmailField(source="new_email")


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
    signupBonus = serializers.IntegerField(source="programme.signup_bonus")


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


class EnrolmentBody(serializers.Serializer):
    email = Email(max_length=255)
    name = Line(max_length=255)
    phone = Line(max_length=50, allow_blank=True, allow_null=True, default="")
    offers = serializers.BooleanField(default=False, help_text="Whether they agree to get offers by email.")


class AccountBody(serializers.Serializer):
    """What is left out stays as it is."""

    name = Line(max_length=255, required=False)
    phone = Line(max_length=50, allow_blank=True, required=False)
    offers = serializers.BooleanField(required=False, help_text="Whether they agree to get offers by email.")


class EmailBody(serializers.Serializer):
    email = Email(max_length=255)


class LinkBody(serializers.Serializer):
    """One of the two is needed."""

    email = Email(max_length=255, required=False)
    customerId = Identifier(required=False)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if not attrs:
            raise serializers.ValidationError({"email": gettext_lazy("An email address is needed.")})
        return attrs
