"""A member's account: details, the file of what is stored, and leaving.

See "Privacy" in docs/behaviour/loyalty.md.
"""

from typing import Any, cast

from django.contrib.auth.models import User
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from loyalty.cards import queries, serializers
from loyalty.cards.services import privacy
from loyalty.errors import LinkNeeded
from loyalty.members.models import Member
from loyalty.members.queries import member_by_id
from loyalty.members.serializers import AccountBody
from loyalty.members.services import members
from loyalty.members.views import member_session
from loyalty.rewards.queries.redemptions import active_redemptions
from web.fields import ErrorResponse, SuccessResponse
from web.forms import form_fields, notify, valid
from web.permissions import PUBLIC
from web.rendering import JSONRenderer
from web.views import FormResponse, ObjectResponse, Page, PageView


class MemberView(PageView):
    """A page of one member, for their own phone and for some of the staff."""

    access = PUBLIC  # and `_member`
    _permission: str | None = None  # of staff who may see the page too
    throttle_scope = "public"
    sign_in_url = "/member-sign-in"
    error_statuses = frozenset({403, 404})

    def _member(self) -> Member:
        """Raises MemberUnknown, and what `member_session.check_may` raises."""
        member = member_by_id(self.kwargs["customer_id"])
        member_session.check_may(self.request, str(member.pk), permission=self._permission)
        return member

    def error_page(self, error: dict[str, Any], status: int) -> Page | None:
        return Page("loyalty/cards/erased.html") if error.get("erased") else None


class Account(MemberView):
    """A member's account: details, earlier news, signing out, data and leaving.

    POST changes the name, the phone, and whether they agree to offers.
    """

    template_name = "loyalty/cards/account.html"
    context_object_name = "account"
    error_statuses = MemberView.error_statuses | {400}

    @extend_schema(responses={200: serializers.Account, **dict.fromkeys((403, 404), ErrorResponse)})
    def get(self, request: Request, customer_id: str) -> Response:
        account = queries.account(self._member(), now=timezone.now())
        return ObjectResponse(serializers.Account(account), headers={"Cache-Control": "no-store"})

    @extend_schema(
        operation_id="member_account_change",
        request=AccountBody,
        responses={200: serializers.Account, 404: ErrorResponse},
    )
    def post(self, request: Request, customer_id: str) -> Response:
        member = self._member()
        values = valid(AccountBody(data=_changed(request)))
        members.correct(member=member, changes=values)
        member.refresh_from_db()
        notify(request, _("Your details are saved."))
        page = reverse("member_account", args=[member.pk])
        account = serializers.Account(queries.account(member, now=timezone.now()))
        return FormResponse(account, redirect_to=page, headers={"Cache-Control": "no-store"})

    def page_context(self, account: queries.Account) -> dict[str, Any]:
        member, offers = account.member, "yes" if account.member.offers_agreed_at else ""
        shown = {"nameShown": member.name, "phoneShown": member.phone, "offersShown": offers}
        return {
            "entered": {"name": member.name, "phone": member.phone, "offers": offers, **shown},
            "works_at_till": member_session.works_at_till(self.request),
        }

    def error_page(self, error: dict[str, Any], status: int) -> Page | None:
        entered = form_fields(self.request) if status == 400 else None
        return super().error_page(error, status) if entered is None else self._page_again(entered=entered)

    def _page_again(self, **entered: Any) -> Page:
        account = queries.account(self._member(), now=timezone.now())
        return Page(self.template_name, {"account": account, **self.page_context(account), **entered})


def _changed(request: Request) -> Any:
    """Return the body; of a form only what was changed: the rest may have been changed on another phone meanwhile."""
    form = form_fields(request)
    if form is None:
        return request.data
    sent = {name: form[name] for name in ("name", "phone") if name in form and form[name] != form.get(f"{name}Shown")}
    wants, wanted = "offers" in form, bool(form.get("offersShown"))
    return sent if wants == wanted else {**sent, "offers": wants}


class Data(MemberView):
    """Everything that is stored about a member, as a JSON file."""

    _permission = "loyalty.view_member"

    @extend_schema(responses={200: serializers.StoredData, **dict.fromkeys((403, 404), ErrorResponse)})
    def get(self, request: Request, customer_id: str) -> Response:
        member = self._member()
        serializer = serializers.StoredData(privacy.stored_about(member))
        # A browser too gets the file. Errors remain pages.
        request.accepted_renderer, request.accepted_media_type = JSONRenderer(), JSONRenderer.media_type
        file_name = f"card-{timezone.localdate()}.json"
        headers = {"Content-Disposition": f'attachment; filename="{file_name}"', "Cache-Control": "no-store"}
        return ObjectResponse(serializer, headers=headers)


class Erase(MemberView):
    """GET says what is lost; POST erases the member."""

    _permission = "loyalty.delete_member"
    template_name = "loyalty/cards/erase.html"
    context_object_name = "offer"

    @extend_schema(
        operation_id="member_erase_page",
        responses={200: serializers.ErasureOffer, **dict.fromkeys((403, 404), ErrorResponse)},
    )
    def get(self, request: Request, customer_id: str) -> Response:
        member = self._member()
        redemptions = active_redemptions(member, timezone.now())
        offer = queries.ErasureOffer(member, redemptions, may_erase=self._may_erase(request, member))
        return ObjectResponse(serializers.ErasureOffer(offer), headers={"Cache-Control": "no-store"})

    def page_context(self, offer: queries.ErasureOffer) -> dict[str, Any]:
        return {"is_staff": not member_session.is_own_card(self.request, offer.member)}

    @extend_schema(
        operation_id="member_erase",
        request=None,
        responses={200: SuccessResponse, 404: ErrorResponse},
    )
    def post(self, request: Request, customer_id: str) -> Response:
        member = self._member()
        if not self._may_erase(request, member):
            raise LinkNeeded
        is_own = member_session.is_own_card(request, member)
        privacy.erase(member_id=str(member.pk), by=None if is_own else cast("User", request.user))
        page = f"/member/{member.pk}?left=yes" if is_own else reverse("admin:loyalty_member_change", args=[member.pk])
        response = FormResponse(SuccessResponse({"success": True}), redirect_to=page)
        if is_own:
            member_session.forget_phone(response)
        else:
            notify(request, _("The card is erased."))
        return response

    def _may_erase(self, request: Request, member: Member) -> bool:
        return request.user.has_perm(self._permission) or member_session.used_link_lately(request, member)
