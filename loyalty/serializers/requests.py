"""What requests send."""

from typing import Any

from django.utils.translation import gettext_lazy
from rest_framework import serializers

from loyalty.models import Letter
from loyalty.serializers.fields import Email, OrderTotal, Points
from web.fields import Identifier, Line, Text


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


class MembersBody(serializers.Serializer):
    members = serializers.ListField(child=serializers.UUIDField(), min_length=1, max_length=1000)


class LettersBody(MembersBody):
    offer = serializers.ChoiceField(choices=Letter.Offer.choices)
