"""Enrolment, and a member's card as the member, the till or anyone else sees it."""

from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from django.http import HttpResponseRedirect
from django.utils import timezone
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from loyalty.cards import queries, serializers
from loyalty.cards.views import till_forms
from loyalty.errors import LocationUnknown
from loyalty.members import serializers as members_serializers
from loyalty.members.models import Member
from loyalty.members.queries import member_by_id
from loyalty.members.views import member_session
from loyalty.points.models import Location, Programme
from loyalty.points.queries.locations import location_by_id
from loyalty.points.queries.programme import current_programme
from loyalty.points.services import enrolment
from loyalty.rewards.queries.redemptions import normalized_code
from loyalty.rewards.queries.rewards import pictures_of, rewards_for
from web import cookies
from web.fields import ErrorResponse
from web.forms import body_of, form_fields, notify, valid
from web.permissions import PUBLIC
from web.views import FormResponse, ObjectResponse, Page, PageView

SIGNING_IN = ("/member-sign-in/", "/member-email/", "/signup", "/members")  # pages whose forms set the cookie
REWARDS_SHOWN = 4  # on the sign-up page


@dataclass(frozen=True, slots=True)
class Invitation:
    """An invitation to get a card, at the location whose code was scanned."""

    location: Location | None
    programme: Programme


# See "Enrolment" in docs/behaviour/loyalty.md.
class Signup(PageView):
    """The sign-up page, for members' phones and for the till."""

    access = PUBLIC
    throttle_scope = "public"
    template_name = "loyalty/cards/signup.html"
    context_object_name = "invitation"

    @extend_schema(
        parameters=[OpenApiParameter("location", str, description="Where the code was scanned.")],
        responses={
            200: members_serializers.SignupDetails,
            302: OpenApiResponse(description="To the card of whoever has one, or to check in with it."),
        },
    )
    def get(self, request: Request) -> Any:
        invitation = _invitation(request.query_params.get("location"))
        own = None if member_session.works_at_till(request) else member_session.signed_in_member(request)
        if own is not None:
            location = invitation.location
            page = f"/checkin/{location.pk}?member={own.pk}" if location else f"/member/{own.pk}"
            return HttpResponseRedirect(page)
        return ObjectResponse(members_serializers.SignupDetails(invitation))

    def page_context(self, invitation: Invitation) -> dict[str, Any]:
        return _context_of_form(self.request, invitation)


def _invitation(location_id: str | None) -> Invitation:
    location = None
    with suppress(LocationUnknown):
        location = location_by_id(location_id or "")
    return Invitation(location, current_programme())


def _context_of_form(request: Request, invitation: Invitation) -> dict[str, Any]:
    """Return the first tier, the cheapest rewards, how far the bonus is from the first, and if an email is needed."""
    bonus, rewards = invitation.programme.signup_bonus, list(rewards_for(None)[:REWARDS_SHOWN])
    return {
        "is_optional": member_session.works_at_till(request),
        "first_tier": invitation.programme.tier_of(bonus),
        "rewards": rewards,
        "pictures": pictures_of(rewards),
        "first_missing": max(rewards[0].points_required - bonus, 0) if rewards else 0,
    }


class Members(PageView):
    """Enrol a member."""

    access = PUBLIC
    throttle_scope = "enrolment"
    template_name = "loyalty/cards/signup.html"
    error_statuses = frozenset({400, 409, 429, 503})

    @extend_schema(
        request=members_serializers.EnrolmentBody,
        responses={201: members_serializers.Enrolled, **dict.fromkeys((409, 503), ErrorResponse)},
    )
    def post(self, request: Request) -> Response:
        is_staff = member_session.works_at_till(request)
        body = members_serializers.StaffEnrolmentBody if is_staff else members_serializers.EnrolmentBody
        values = valid(body(data=body_of(request)))
        member = enrolment.enrol(
            email=values["email"],
            name=values["name"],
            phone=values["phone"] or "",
            offers=values["offers"],
            recorded_by=member_session.recorded_by(request),
        )
        serializer = members_serializers.Enrolled(member)
        notify(request, serializer.get_message(member))
        response = FormResponse(serializer, redirect_to=f"/member/{member.pk}", status=201)
        if not is_staff:  # a till must not become the guest's phone
            member_session.sign_in(request, response, member)
        return response

    def error_page(self, error: dict[str, Any], status: int) -> Page | None:
        """Return the form again; for an address that has a card, with a way to it."""
        entered = form_fields(self.request)
        if entered is None:
            return None
        invitation = _invitation(entered.get("location"))
        context = {"invitation": invitation, **_context_of_form(self.request, invitation)}
        return Page(
            self.template_name,
            {**context, "entered": entered, "has_card": status == 409 and bool(entered.get("email"))},
        )


# See "Member card" in docs/behaviour/loyalty.md.
class Card(PageView):
    """A member's card, as the member, staff at the till or anyone else sees it."""

    access = PUBLIC
    throttle_scope = "public"
    template_name = "loyalty/cards/card.html"
    context_object_name = "card"
    error_statuses = frozenset({404})

    @extend_schema(
        parameters=[
            OpenApiParameter("view", str, description="`card`: for staff, their own card."),
            OpenApiParameter("show", str, description="Of the page, one code alone: `card`, or a redemption's code."),
        ],
        responses={200: serializers.MemberCard, 404: ErrorResponse},
    )
    def get(self, request: Request, customer_id: str) -> Response:
        member = member_by_id(customer_id)
        card = self._card(request, member)
        response = ObjectResponse(serializers.MemberCard(card))
        self.shown = "" if card.viewer == "staff" else request.query_params.get("show", "")
        if card.viewer == "staff":
            self.template_name = "loyalty/cards/till.html"
        elif card.viewer == "member":
            member_session.sign_in(request, response, member)
        # A code alone on its page: nobody takes a reward's for the card's.
        code = normalized_code(self.shown)
        self.redemption = next((redemption for redemption in card.codes if redemption.redemption_code == code), None)
        if self.redemption is not None or self.shown == "card":
            self.template_name = "loyalty/cards/code.html"
        return response

    def _card(self, request: Request, member: Member) -> queries.Card:
        is_own = member_session.is_own_card(request, member)
        # Staff may have a card too.
        wants_own = is_own and (request.query_params.get("view") == "card" or "show" in request.query_params)
        if member_session.works_at_till(request) and not wants_own:
            return queries.till_card(member, now=timezone.now())
        return queries.own_card(member, now=timezone.now()) if is_own else queries.card(member)

    def page_context(self, card: queries.Card) -> dict[str, Any]:
        if isinstance(card, queries.TillCard) and card.viewer == "staff":
            return till_forms.award_form(self.request, card)
        is_shown = self.shown == "card" or self.redemption is not None
        return {
            "member": card.member,
            "viewer": card.viewer,
            "held": card.held,
            "redemption": self.redemption,
            "has_no_cookies": card.viewer == "guest" and cookies.are_off(self.request, after=SIGNING_IN),
            "code_is_gone": bool(self.shown) and not is_shown,
            # Also of rewards that there are codes for, which may be offered no more.
            "pictures": pictures_of([*card.rewards, *(redemption.reward for redemption in card.codes)]),
        }

    def error_page(self, error: dict[str, Any], status: int) -> Page | None:
        return Page("loyalty/cards/erased.html") if error.get("erased") else None
