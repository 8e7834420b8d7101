"""Another email address for a card. See "Another email" in docs/behaviour/loyalty.md."""

from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework.exceptions import Throttled
from rest_framework.request import Request
from rest_framework.response import Response

from loyalty.cards.views.privacy import Account
from loyalty.members import serializers
from loyalty.members.models import Member
from loyalty.members.services import emails
from loyalty.members.views import member_session
from loyalty.members.views.signing_in import LINK_HEADERS, identity_of
from web.errors import sentence_of
from web.fields import ErrorResponse
from web.forms import body_of, form_fields, notify, valid
from web.permissions import PUBLIC
from web.throttling import seconds_to_wait
from web.views import FormResponse, ObjectResponse, Page, PageView


class Email(Account):
    """Mail a link to another address, by which the card gets it. The response is the same if that has a card."""

    http_method_names = ["post", "options"]
    error_statuses = Account.error_statuses | {429}

    @extend_schema(
        operation_id="member_email_ask",
        request=serializers.EmailBody,
        responses={202: serializers.Message, 404: ErrorResponse},
    )
    def post(self, request: Request, customer_id: str) -> Response:
        member = self._member()
        values = valid(serializers.EmailBody(data=body_of(request)))
        email = values["email"]
        _count(member, email)
        message = _("This is the email of your card already.")
        if emails.ask(member=member, email=email):
            message = _("Check your inbox: a link is on its way to %(email)s.") % {"email": email}
        notify(request, message)
        page = reverse("member_account", args=[member.pk])
        return FormResponse(serializers.Message({"message": message}), redirect_to=page, status=202)

    def error_page(self, error: dict[str, Any], status: int) -> Page | None:
        form = form_fields(self.request) if status in (400, 429) else None
        if form is None:
            return super().error_page(error, status)
        return self._page_again(wanted_email=form.get("email", ""), wrong_email=sentence_of(error))


def _count(member: Member, email: str) -> None:
    """Count by member, and together with the sign-in links to this address. Raises Throttled."""
    for identity in (f"email-of-{member.pk}", identity_of(email)):
        seconds = seconds_to_wait("sign_in_link", identity)
        if seconds:
            raise Throttled(wait=seconds)


class UseEmailLink(PageView):
    """GET asks first, because mail programs open links too; POST gives the card its new address, and signs in."""

    access = PUBLIC
    throttle_scope = "public"
    template_name = "loyalty/cards/email_link.html"
    context_object_name = "member"
    error_statuses = frozenset({409, 410})

    @extend_schema(operation_id="member_email_page", responses={200: serializers.EmailOffer, 410: ErrorResponse})
    def get(self, request: Request, token: str) -> Response:
        member = emails.member_of_link(token)
        return ObjectResponse(serializers.EmailOffer(member), headers=LINK_HEADERS)

    @extend_schema(
        operation_id="member_email_confirm",
        request=None,
        responses={200: serializers.SignedIn, **dict.fromkeys((409, 410), ErrorResponse)},
    )
    def post(self, request: Request, token: str) -> Response:
        member = emails.use_link(token)
        message = _("Your email is changed.")
        notify(request, message)
        data = serializers.SignedIn({"customerId": member.pk, "message": message})
        response = FormResponse(data, redirect_to=reverse("member_account", args=[member.pk]))
        member_session.sign_in(request, response, member)
        member_session.remember_link(response, member)
        return response

    def error_page(self, error: dict[str, Any], status: int) -> Page:
        """Return a page with the way to the account, where this phone is signed in to a card."""
        own = member_session.signed_in_member(self.request)
        return Page(self.template_name, {"is_taken": status == 409, "own": own})
