"""Checking in at a location, and the location's code. See "Check-in" in docs/behaviour/loyalty.md."""

from typing import Any
from urllib.parse import urlencode

from django.http import HttpResponseRedirect
from django.utils import timezone
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, PolymorphicProxySerializer, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from loyalty.members import queries as members_queries
from loyalty.members.views import member_session
from loyalty.points import queries as points_queries
from loyalty.points import serializers as points_serializers
from loyalty.points.services import locations
from loyalty.rewards import models as rewards_models
from loyalty.rewards import queries as rewards_queries
from web import venue
from web.fields import ErrorResponse
from web.permissions import PUBLIC
from web.reporting import grouped
from web.templatetags.lookup import without_start
from web.views import JSONView, PageView, parse_choice

PAPERS = {"a4": "A4", "letter": "US Letter"}
# What is printed of a location's code, by how often it is on a sheet.
LAYOUTS = {"page": 1, "tent": 2, "card": 4}
IMAGE_EDGE = 33 * 37  # pixels, printed on 15 cm at the most: as of the tables' cards
LONGEST_REWARD = 32  # letters of a reward's name that leave the code its size

_CHECK_IN = PolymorphicProxySerializer(
    component_name="CheckIn",
    serializers=[points_serializers.FirstCheckIn, points_serializers.RepeatedCheckIn],
    resource_type_field_name=None,
)


class CheckIn(PageView):
    """Check a member in at a location. It gives no points."""

    access = PUBLIC
    throttle_scope = "public"
    template_name = "loyalty/cards/checkin.html"

    @extend_schema(
        parameters=[OpenApiParameter("member", str, description="The member's id; without it, to the sign-up page.")],
        responses={
            200: _CHECK_IN,
            302: OpenApiResponse(description="To `/signup?location=`, without a member."),
            404: ErrorResponse,
        },
    )
    def get(self, request: Request, location_id: str) -> Any:
        location = points_queries.location(location_id)
        member_id = request.query_params.get("member")
        if not member_id:
            return HttpResponseRedirect(f"/signup?{urlencode({'location': location.pk})}")
        self.check_in = points_queries.check_in(members_queries.member(member_id), location, now=timezone.now())
        serializer = points_serializers.RepeatedCheckIn if self.check_in.next_at else points_serializers.FirstCheckIn
        return Response(serializer(self.check_in).data, headers={"Cache-Control": "private, no-cache"})

    def page_context(self, data: dict[str, Any]) -> dict[str, Any]:
        member, next_at = self.check_in.member, self.check_in.next_at
        # Codes are for the member alone: whoever knows the card's id isn't told of them.
        is_own = member_session.is_own_card(self.request, member)
        redemptions = rewards_queries.active_redemptions(member, self.check_in.now) if is_own else []
        return {
            "location_name": self.check_in.location.name,
            "next_text": members_queries.local_text_today(next_at, now=self.check_in.now) if next_at else "",
            "member": member,
            "first_name": next(iter(member.name.split()), member.name),
            "codes": sorted(redemptions, key=lambda redemption: redemption.expires_at),
            "rewards_ready": rewards_queries.rewards_ready(member, besides={each.reward_id for each in redemptions}),
        }


class LocationCards(PageView):
    """`GET /locations/{id}/print`: the check-in code for the wall, the counter or to give away."""

    access = "loyalty.change_location"
    template_name = "loyalty/cards/location_cards.html"

    @extend_schema(
        parameters=[
            OpenApiParameter("paper", str, enum=tuple(PAPERS), default="a4"),
            OpenApiParameter("layout", str, enum=tuple(LAYOUTS), default="page"),
        ],
        responses={200: points_serializers.LocationCards, **dict.fromkeys((400, 401, 403, 404), ErrorResponse)},
    )
    def get(self, request: Request, location_id: str) -> Response:
        self.location = points_queries.location(location_id)
        query = request.query_params
        shown = {
            "paper": parse_choice("paper", query.get("paper", ""), PAPERS),
            "layout": parse_choice("layout", query.get("layout", ""), LAYOUTS),
            "name": self.location.name,
            "qrCodeUrl": self.location.image_url(size=IMAGE_EDGE),
        }
        return Response(points_serializers.LocationCards(shown).data)

    def page_context(self, data: dict[str, Any]) -> dict[str, Any]:
        return {
            "layouts": [("page", _("Poster")), ("tent", _("Tents")), ("card", _("Cards"))],
            "papers": PAPERS.items(),
            "places": range(LAYOUTS[data["layout"]]),
            "faces": range(1 + (data["layout"] == "tent")),
            "short_name": without_start(data["name"], venue.name()),
            "short_url": self.location.short_url,
            "promise": _promise(rewards_queries.rewards_for(None).first()),
        }


def _promise(reward: rewards_models.Reward | None) -> str:
    """Why to scan: the reward that is reached first, or points where there is none to name."""
    if reward and reward.points_required and len(reward.name) <= LONGEST_REWARD:
        points = {"reward": reward.name, "points": grouped(reward.points_required)}
        return _("“%(reward)s” from %(points)s points: show your card as you pay.") % points
    return _("Every visit earns points towards a reward: show your card as you pay.")


class LocationCode(JSONView):
    """A location's check-in code, created if it has none."""

    access = "loyalty.change_location"

    @extend_schema(
        request=None,
        responses={200: points_serializers.LocationCode, **dict.fromkeys((404, 503), ErrorResponse)},
    )
    def post(self, request: Request, location_id: str) -> Response:
        location = points_queries.location(location_id)
        locations.create_code(location=location)
        return Response(points_serializers.LocationCode(location).data)
