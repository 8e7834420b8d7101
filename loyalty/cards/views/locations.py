"""Checking in at a location, and the location's code. See "Check-in" in docs/behaviour/loyalty.md."""

from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from django.http import HttpResponseRedirect
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, PolymorphicProxySerializer, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from loyalty.members.queries import local_text_today, member_by_id
from loyalty.members.views.member_session import is_own_card
from loyalty.points import serializers
from loyalty.points.models import Location
from loyalty.points.queries.locations import Arrival, arrival, location_by_id
from loyalty.points.serializers import FirstCheckIn, RepeatedCheckIn
from loyalty.points.services import locations
from loyalty.rewards.models import Reward
from loyalty.rewards.queries.redemptions import active_redemptions
from loyalty.rewards.queries.rewards import rewards_for, rewards_ready
from web import venue
from web.fields import ErrorResponse
from web.permissions import PUBLIC
from web.templatetags.lookup import without_start
from web.templatetags.reports import shown
from web.views import JSONView, ObjectResponse, PageView, parse_choice

PAPERS = {"a4": "A4", "letter": "US Letter"}
# How often a location's code is on a sheet, by what is printed.
LAYOUTS = {"page": 1, "tent": 2, "card": 4}
IMAGE_EDGE = 33 * 37  # pixels, printed on 15 cm at the most: as of the tables' cards
LONGEST_REWARD = 32  # letters of a reward's name that leave the code its size

_CHECK_IN = PolymorphicProxySerializer(
    component_name="CheckIn",
    serializers=[FirstCheckIn, RepeatedCheckIn],
    resource_type_field_name=None,
)


class CheckIn(PageView):
    """Check a member in at a location. It gives no points."""

    access = PUBLIC
    throttle_scope = "public"
    template_name = "loyalty/cards/checkin.html"
    context_object_name = "check_in"

    @extend_schema(
        parameters=[OpenApiParameter("member", str, description="The member's id; without it, to the sign-up page.")],
        responses={
            200: _CHECK_IN,
            302: OpenApiResponse(description="To `/signup?location=`, without a member."),
            404: ErrorResponse,
        },
    )
    def get(self, request: Request, location_id: str) -> Any:
        location = location_by_id(location_id)
        member_id = request.query_params.get("member")
        if not member_id:
            return HttpResponseRedirect(f"/signup?{urlencode({'location': location.pk})}")
        check_in = arrival(member_by_id(member_id), location, now=timezone.now())
        return ObjectResponse((RepeatedCheckIn if check_in.next_at else FirstCheckIn)(check_in))

    def page_context(self, check_in: Arrival) -> dict[str, Any]:
        member, now, next_at = check_in.member, check_in.now, check_in.next_at
        # Codes are for the member alone: not for everybody who knows the card's id.
        codes = active_redemptions(member, now) if is_own_card(self.request, member) else []
        return {
            "member": member,
            "first_name": next(iter(member.name.split()), member.name),
            "next_text": local_text_today(next_at, now=now) if next_at else "",
            "codes": sorted(codes, key=lambda redemption: redemption.expires_at),
            "rewards_ready": rewards_ready(member, besides={redemption.reward_id for redemption in codes}),
        }


@dataclass(frozen=True, slots=True)
class PrintedCode:
    """A location's code, and the paper and the layout that are printed."""

    location: Location
    paper: str
    layout: str

    @property
    def image_url(self) -> str:
        return self.location.image_url(size=IMAGE_EDGE)


class LocationCards(PageView):
    """`GET /locations/{id}/print`: the check-in code for the wall, the counter or to give away."""

    access = "loyalty.change_location"
    template_name = "loyalty/cards/location_cards.html"
    context_object_name = "code"

    @extend_schema(
        parameters=[
            OpenApiParameter("paper", str, enum=tuple(PAPERS), default="a4"),
            OpenApiParameter("layout", str, enum=tuple(LAYOUTS), default="page"),
        ],
        responses={200: serializers.LocationCards, **dict.fromkeys((400, 404), ErrorResponse)},
    )
    def get(self, request: Request, location_id: str) -> Response:
        query = request.query_params
        code = PrintedCode(
            location_by_id(location_id),
            parse_choice("paper", query.get("paper", ""), PAPERS),
            parse_choice("layout", query.get("layout", ""), LAYOUTS),
        )
        return ObjectResponse(serializers.LocationCards(code))

    def page_context(self, code: PrintedCode) -> dict[str, Any]:
        return {
            "layouts": [("page", _("Poster")), ("tent", _("Tents")), ("card", _("Cards"))],
            "papers": PAPERS.items(),
            "places": range(LAYOUTS[code.layout]),
            "faces": range(1 + (code.layout == "tent")),
            "short_name": without_start(code.location.name, venue.name()),
            "promise": _promise(rewards_for(None).first()),
        }


def _promise(reward: Reward | None) -> str:
    """Return why to scan: the reward that is reached first, or points where there is none to name."""
    if reward and reward.points_required and len(reward.name) <= LONGEST_REWARD:
        values = {"reward": reward.name, "points": shown(reward.points_required, "number")}
        sentence = ngettext(
            "“%(reward)s” from %(points)s point: show your card as you pay.",
            "“%(reward)s” from %(points)s points: show your card as you pay.",
            reward.points_required,
        )
        return sentence % values
    return _("Every visit earns points towards a reward: show your card as you pay.")


class LocationCode(JSONView):
    """A location's check-in code, created if it has none."""

    access = "loyalty.change_location"

    @extend_schema(
        request=None,
        responses={200: serializers.LocationCode, **dict.fromkeys((404, 503), ErrorResponse)},
    )
    def post(self, request: Request, location_id: str) -> Response:
        location = location_by_id(location_id)
        locations.create_code(location=location)
        return Response(serializers.LocationCode(location).data)
