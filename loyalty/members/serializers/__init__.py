"""Requests and responses about members."""

from loyalty.members.serializers.fields import Email, ImageUrl, JSONObject, OrderTotal, Points
from loyalty.members.serializers.members import (
    AccountBody,
    EmailBody,
    EmailOffer,
    Enrolled,
    EnrolmentBody,
    LinkBody,
    LocationName,
    Message,
    SignedIn,
    SignupDetails,
    Till,
)

__all__ = [
    "AccountBody",
    "Email",
    "EmailBody",
    "EmailOffer",
    "Enrolled",
    "EnrolmentBody",
    "ImageUrl",
    "JSONObject",
    "LinkBody",
    "LocationName",
    "Message",
    "OrderTotal",
    "Points",
    "SignedIn",
    "SignupDetails",
    "Till",
]
