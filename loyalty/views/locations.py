"""Locations: checking in at one, and its code."""

from typing import Any
from urllib.parse import urlencode

from django.http import HttpResponseRedirect
from django.utils import timezone
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from loyalty import queries, serializers
from loyalty.services import locations
from web.fields import ErrorResponse
from web.permissions import PUBLIC
from web.views import JSONView, PageView


class CheckIn(PageView):
    """`GET /checkin/{locationId}?member=` (document 2, decision 4.3). It gives no points."""

    access = PUBLIC
    throttle_scope = "public"
    template_name = "loyalty/checkin.html"

    @extend_schema(
        parameters=[OpenApiParameter("member", str, description="The member's id; without it, to the sign-up page.")],
        responses={
            200: serializers.CheckIn,
            302: OpenApiResponse(description="To `/signup?location=`, without a member."),
            404: ErrorResponse,
        },
    )
    def get(self, request: Request, location_id: str) -> Any:
        location = queries.location(location_id)
        member_id = request.query_params.get("member")
        if not member_id:
            return HttpResponseRedirect(f"/signup?{urlencode({'location': location.pk})}")
        self.member = member = queries.member(member_id)
        self.location = location
        recent = queries.latest_at(member, location, now=timezone.now())
        if recent is not None:
            sentence = _("You have checked in at %(location)s already, less than an hour ago.")
            face: dict[str, Any] = {
                "message": sentence % {"location": location.name},
                "pointsBalance": member.points_balance,
                "nextCheckinAvailable": recent + queries.CHECKIN_WINDOW,
            }
        else:
            sentence = _("Welcome to %(location)s, %(name)s. Show your card when you pay.")
            face = {
                "customerId": str(member.pk),
                "customerName": member.name,
                "pointsBalance": member.points_balance,
                "tier": member.tier,
                "locationId": str(location.pk),
                "message": sentence % {"location": location.name, "name": member.name},
            }
        response = Response(face)
        response["Cache-Control"] = "private, no-cache"
        return response

    def page_context(self, data: dict[str, Any]) -> dict[str, Any]:
        return {
            "location_name": self.location.name,
            "card_address": f"/member/{self.member.pk}",
            "qrCodeUrl": queries.image(self.member.qr_code_url),
            "name": self.member.name,
        }


class LocationCode(JSONView):
    """`POST /locations/{locationId}/qr`: its check-in code, made if it has none (document 2, decision 4.3)."""

    access = "loyalty.change_location"

    @extend_schema(
        request=None,
        responses={200: serializers.LocationCode, **dict.fromkeys((404, 503), ErrorResponse)},
    )
    def post(self, request: Request, location_id: str) -> Response:
        location = queries.location(location_id)
        locations.give_code(location=location)
        face = {
            "locationId": str(location.pk),
            "qrCodeUrl": queries.image(location.qr_code_url),
            "printUrl": queries.image(location.qr_code_url, size=2048),
        }
        return Response(face)
