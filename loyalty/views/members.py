"""Enrolling, and the card: the member's own, the till's, or anyone's."""

from datetime import timedelta
from typing import Any

from django.contrib.messages import get_messages
from django.http import HttpResponseRedirect
from django.utils import timezone
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from loyalty import queries, serializers, tiers
from loyalty.errors import LocationUnknown, MemberUnknown
from loyalty.services import members
from loyalty.views import proof
from web import idempotency
from web.fields import ErrorResponse
from web.forms import body_of, form_fields, notify
from web.permissions import PUBLIC
from web.views import FormResponse, Page, PageView


def _location_of(text: str | None) -> dict[str, str] | None:
    try:
        location = queries.location(text or "")
    except LocationUnknown:
        return None
    return {"id": str(location.pk), "name": location.name}


class Signup(PageView):
    """`GET /signup[?location=<id>]`: two fields, and done (decisions 4.1, 4.2)."""

    access = PUBLIC
    throttle_scope = "public"
    template_name = "loyalty/signup.html"

    @extend_schema(
        parameters=[OpenApiParameter("location", str, description="Where the code was scanned.")],
        responses={
            200: serializers.SignupFace,
            302: OpenApiResponse(description="To the card of whoever has one, or to check in with it."),
        },
    )
    def get(self, request: Request) -> Any:
        location = _location_of(request.query_params.get("location"))
        own = None if proof.works_at_till(request) else proof.signed_in_member(request)
        if own is not None:
            page = f"/checkin/{location['id']}?member={own.pk}" if location else f"/member/{own.pk}"
            return HttpResponseRedirect(page)
        return Response({"location": location, "signupBonus": tiers.SIGNUP_BONUS})


class Members(PageView):
    """`POST /members`: enrolment (document 2, decision 4.1)."""

    access = PUBLIC
    throttle_scope = "enrolment"
    template_name = "loyalty/signup.html"

    @extend_schema(
        request=serializers.EnrolmentBody,
        responses={201: serializers.Enrolled, **dict.fromkeys((409, 503), ErrorResponse)},
    )
    def post(self, request: Request) -> Response:
        body = serializers.EnrolmentBody(data=body_of(request))
        body.is_valid(raise_exception=True)
        values = body.validated_data
        member = members.enrol(email=values["email"], name=values["name"], phone=values["phone"] or "")
        message = _("Welcome, %(name)s! Your first %(points)d points are on your card.") % {
            "name": member.name,
            "points": member.points_balance,
        }
        response = FormResponse(
            {
                "customerId": str(member.pk),
                "qrCodeUrl": queries.image(member.qr_code_url),
                "pointsBalance": member.points_balance,
                "message": message,
            },
            redirect_to=f"/member/{member.pk}",
            status=201,
        )
        notify(request, message)
        if not proof.works_at_till(request):  # a till that enrols a guest must not turn into the guest's phone
            proof.sign_in(response, member)
        return response

    error_statuses = frozenset({400, 409, 429, 503})

    def error_page(self, error: dict[str, Any], status: int) -> Page | None:
        """The form again, with what was entered; for an address that has a card, with a way to it."""
        entered = form_fields(self.request)
        if entered is None:
            return None
        location = _location_of(entered.get("location"))
        return Page(
            self.template_name,
            {
                "entered": entered,
                "location": location,
                "signupBonus": tiers.SIGNUP_BONUS,
                "taken": status == 409,
            },
        )


class Card(PageView):
    """`GET /member/{customerId}`: the member's card, the till, or the face of it for anyone else (decision 4.13)."""

    access = PUBLIC
    throttle_scope = "public"
    template_name = "loyalty/card.html"

    @extend_schema(responses={200: serializers.CardFace, 404: ErrorResponse})
    def get(self, request: Request, customer_id: str) -> Response:
        member = queries.member(customer_id)
        viewer = self._viewer(request, member)
        face = {"viewer": viewer, **queries.card(member)}
        if viewer != "guest":
            face["redemptions"] = queries.active_redemptions(member, timezone.now())
            face["activity"] = queries.activity(member)
        if viewer == "member":
            face["notifications"] = queries.notifications(member)
            face |= {"email": member.email, "phone": member.phone}
        if viewer == "staff":
            self.template_name = "loyalty/till.html"
        response = Response(face)
        if viewer == "member":
            proof.sign_in(response, member)
        response["Cache-Control"] = "private, no-cache"
        return response

    def _viewer(self, request: Request, member: queries.Member) -> str:
        is_own = proof.is_own_card(request, member)
        # Somebody of the staff may have a card too.
        wants_card = is_own and request.query_params.get("view") == "card"
        if proof.works_at_till(request) and not wants_card:
            return "staff"
        return "member" if is_own else "guest"

    def page_context(self, data: dict[str, Any]) -> dict[str, Any]:
        return _member_context(self.request, data) if data["viewer"] == "staff" else {}


def till_context(request: Request) -> dict[str, Any]:
    """What the staff's forms need."""
    locations = queries.locations()
    return {
        "locations": locations,
        # None before the first time: points that were given at the wrong place by default would spoil the reports.
        "chosen_location": request.COOKIES.get(proof.TILL_COOKIE, ""),
        "idempotency_key": idempotency.new_key(),
    }


_JUST_NOW = timedelta(minutes=10)


def _member_context(request: Request, face: dict[str, Any]) -> dict[str, Any]:
    """What the till's page of one member needs besides the face.

    `said` are the messages about this member: one whose page never arrived must not be read as another's.
    `just_given` is a purchase so recent that giving points again may be a mistake.
    """
    texts = (each.message for each in get_messages(request._request) if each.extra_tags in ("", face["customerId"]))
    since = timezone.now() - _JUST_NOW
    recent = (each for each in face["activity"] if each["order_total"] is not None and each["created_at"] > since)
    return {**till_context(request), "said": list(dict.fromkeys(texts)), "just_given": next(recent, None)}


def till_page(request: Request, customer_id: str, entered: dict[str, Any]) -> Page | None:
    """The till of a member again, with what was entered; None where there is no such member."""
    try:
        member = queries.member(customer_id)
    except MemberUnknown:
        return None
    face = {
        **queries.card(member),
        "redemptions": queries.active_redemptions(member, timezone.now()),
        "activity": queries.activity(member),
    }
    context = _member_context(request, face)
    return Page("loyalty/till.html", {"viewer": "staff", **face, **context, "entered": entered})
