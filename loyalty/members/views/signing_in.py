"""Signing a member's phone in by a link in an email, and out again.

See "Sign-in links" in docs/behaviour/loyalty.md.
"""

import hashlib
from typing import Any

from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from loyalty.errors import MemberUnknown
from loyalty.members import models, queries, serializers
from loyalty.members.services import members
from loyalty.members.views import member_session
from web.fields import ErrorResponse
from web.forms import body_of, form_fields
from web.permissions import PUBLIC
from web.views import FormResponse, ObjectResponse, Page, PageView


def _message(text: str) -> serializers.Message:
    return serializers.Message({"message": text})


def _signed_in(member: models.Member, text: str) -> serializers.SignedIn:
    return serializers.SignedIn({"customerId": member.pk, "message": text})


def identity_of(given: str) -> str:
    """What mails to this address, or to this card, are counted by."""
    digest = hashlib.sha256(given.strip().lower().encode(errors="replace")).hexdigest()
    return f"given-{digest[:32]}"


def _member_named(values: dict[str, str]) -> models.Member | None:
    """The member with this email address or id."""
    if "email" in values:
        return queries.member_by_email(values["email"])
    try:
        return queries.member(values["customerId"])
    except MemberUnknown:
        return None


class SignInLink(PageView):
    """GET is a form for an email address; POST sends a sign-in link to the address, if it has a card.

    The response is the same for an address without a card, and takes as long, so that nobody learns who has one.
    """

    access = PUBLIC
    template_name = "loyalty/members/sign_in.html"
    error_statuses = frozenset({400})
    throttle_scope_of_address = "sign_in_links_of_address"

    @property
    def throttle_scope(self) -> str:  # type: ignore[override]
        return "sign_in_link" if self.request.method == "POST" else "public"

    def throttle_identity(self, request: Request) -> str:
        """By what is given, whether or not it has a card. Mails are counted by member as well."""
        if request.method != "POST":
            return ""
        body = request.data if isinstance(request.data, dict) else {}
        given = body.get("email") or body.get("customerId")
        return identity_of(given) if isinstance(given, str) else ""

    @extend_schema(
        operation_id="member_sign_in_page",
        parameters=[OpenApiParameter("sent", str, description="Set on the page that follows the form.")],
        responses={200: serializers.Message},
    )
    def get(self, request: Request) -> Response:
        return ObjectResponse(_message(_("POST an email address to have a link to its card sent there.")))

    def page_context(self, message: dict[str, str]) -> dict[str, Any]:
        return {"sent": "sent" in self.request.query_params, "next": self.request.query_params.get("next", "")}

    @extend_schema(
        operation_id="member_sign_in_send_link",
        request=serializers.LinkBody,
        responses={202: serializers.Message},
    )
    def post(self, request: Request) -> Response:
        body = serializers.LinkBody(data=body_of(request))
        body.is_valid(raise_exception=True)
        members.send_sign_in_link(member=_member_named(body.validated_data))
        message = _message(_("If there is a card for this address, a link to it is on its way."))
        return FormResponse(message, redirect_to="/member-sign-in?sent=yes", status=202)

    def error_page(self, error: dict[str, Any], status: int) -> Page | None:
        form = form_fields(self.request)
        return Page(self.template_name, {"entered": form}) if form is not None else None


class UseLink(PageView):
    """GET asks first, because mail programs open links too; POST signs in, once."""

    access = PUBLIC
    throttle_scope = "public"
    template_name = "loyalty/members/use_link.html"
    error_statuses = frozenset({410})

    @extend_schema(responses={200: serializers.SignedIn, 410: ErrorResponse})
    def get(self, request: Request, token: str) -> Response:
        self.member = members.member_of_link(token)
        response = ObjectResponse(_signed_in(self.member, _("POST to this address to sign in.")))
        # Not "no-referrer": the form would then be sent with "Origin: null", and refused.
        response["Referrer-Policy"] = "same-origin"
        response["Cache-Control"] = "no-store"
        return response

    def page_context(self, signed_in: dict[str, Any]) -> dict[str, Any]:
        return {"name": self.member.name}

    @extend_schema(request=None, responses={200: serializers.SignedIn, 410: ErrorResponse})
    def post(self, request: Request, token: str) -> Response:
        member = members.use_link(token)
        response = FormResponse(_signed_in(member, _("Signed in.")), redirect_to=f"/member/{member.pk}")
        member_session.sign_in(request, response, member)
        member_session.remember_link(response, member)
        return response

    def error_page(self, error: dict[str, Any], status: int) -> Page:
        return Page("loyalty/members/sign_in.html")


class SignOut(PageView):
    """Sign this phone out of its card."""

    access = PUBLIC
    throttle_scope = "public"

    @extend_schema(request=None, responses={200: serializers.Message})
    def post(self, request: Request) -> Response:
        response = FormResponse(_message(_("Signed out.")), redirect_to="/")
        member_session.sign_out(request, response)
        return response
