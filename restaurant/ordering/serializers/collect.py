"""An order's points for a card."""

from rest_framework import serializers

from loyalty.gateway import Email
from web.fields import Line


class CollectBody(serializers.Serializer):
    """The holder of a new card. Without effect for a phone that is signed in to one."""

    name = Line(max_length=255)
    email = Email(max_length=255)


class Collectable(serializers.Serializer):
    """The points that the order would bring to the phone's card, whose first name it is, or else to a new one."""

    orderId = serializers.UUIDField(source="order.id")
    points = serializers.IntegerField()
    name = serializers.CharField(allow_blank=True)
    signupBonus = serializers.IntegerField(source="signup_bonus", help_text="Of a new card.")
