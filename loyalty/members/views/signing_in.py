"""Signing a member's phone in by a link in an email, and out again.

See "Sign-in links" in docs/behaviour/loyalty.md.
"""

import hashlib
from typing import Any

from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from loyalty.errors import MemberUnknown, NoEmail
from loyalty.members import serializers
from loyalty.members.models import Member
from loyalty.members.queries import member_by_email, member_by_id
from loyalty.members.services import members
from loyalty.members.views import member_session
from web.fields import ErrorResponse
from web.forms import body_of, form_fields, valid
from web.permissions import PUBLIC
from web.views import FormResponse, ObjectResponse, Page, PageView

# Not "no-referrer": the form would then be sent with "Origin: null", and refused.
LINK_HEADERS = {"Referrer-Policy": "same-origin", "Cache-Control": "no-store"}


def identity_of(text: str) -> str:
    """Return the key by which mails to this address, or to this card, are counted."""
    digest = hashlib.sha256(text.strip().lower().encode(errors="replace")).hexdigest()
    return f"given-{digest[:32]}"


def _member_of(body: dict[str, str]) -> Member | None:
    """Return the member with the email address or id of a body, if there is one."""
    if "email" in body:
        return member_by_email(body["email"])
    try:
        return member_by_id(body["customerId"])
    except MemberUnknown:
        return None


class SignInLink(PageView):
    """GET is a form for an email address; POST sends a sign-in link to the address, if it has a card.

    The response is the same for an address without a card, and takes as long, so that nobody learns who has one.
    """

    access = PUBLIC
    template_name = "loyalty/members/sign_in.html"
    error_statuses = frozenset({400, 409})
    throttle_scope_of_address = "sign_in_links_of_address"

    @property
    def throttle_scope(self) -> str:  # type: ignore[override]
        return "sign_in_link" if self.request.method == "POST" else "public"

    def throttle_identity(self, request: Request) -> str:
        """Count by what is sent, whether or not it has a card. Mails are counted by member as well."""
        if request.method != "POST":
            return ""
        body = request.data if isinstance(request.data, dict) else {}
        text = body.get("email") or body.get("customerId")
        return identity_of(text) if isinstance(text, str) else ""

    @extend_schema(
        operation_id="member_sign_in_page",
        parameters=[OpenApiParameter("sent", str, description="Set on the page that follows the form.")],
        responses={200: serializers.Message},
    )
    def get(self, request: Request) -> Response:
        message = _("POST an email address to have a link to its card sent there.")
        return ObjectResponse(serializers.Message({"message": message}))

    def page_context(self, message: dict[str, str]) -> dict[str, Any]:
        return {"sent": "sent" in self.request.query_params, "next": self.request.query_params.get("next", "")}

    @extend_schema(
        operation_id="member_sign_in_send_link",
        request=serializers.LinkBody,
        responses={202: serializers.Message, 409: ErrorResponse},
    )
    def post(self, request: Request) -> Response:
        values = valid(serializers.LinkBody(data=body_of(request)))
        member = _member_of(values)
        if member is not None and not member.email:
            raise NoEmail
        members.send_sign_in_link(member=member)
        message = {"message": _("If there is a card for this address, a link to it is on its way.")}
        return FormResponse(serializers.Message(message), redirect_to="/member-sign-in?sent=yes", status=202)

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
        data = {"customerId": self.member.pk, "message": _("POST to this address to sign in.")}
        return ObjectResponse(serializers.SignedIn(data), headers=LINK_HEADERS)

    def page_context(self, signed_in: dict[str, Any]) -> dict[str, Any]:
        return {"name": self.member.name}

    @extend_schema(request=None, responses={200: serializers.SignedIn, 410: ErrorResponse})
    def post(self, request: Request, token: str) -> Response:
        member = members.use_link(token)
        data = {"customerId": member.pk, "message": _("Signed in.")}
        response = FormResponse(serializers.SignedIn(data), redirect_to=f"/member/{member.pk}")
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
        response = FormResponse(serializers.Message({"message": _("Signed out.")}), redirect_to="/")
        member_session.sign_out(request, response)
        return response
