"""Staff validate a redemption's code and confirm it. See "Validating and confirming" in docs/behaviour/loyalty.md."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework.exceptions import Throttled
from rest_framework.request import Request
from rest_framework.response import Response

from loyalty.cards.views import till_forms
from loyalty.errors import RedemptionUnknown
from loyalty.members.models import Member
from loyalty.members.views import member_session
from loyalty.rewards import models, serializers
from loyalty.rewards.models import Redemption
from loyalty.rewards.queries import redemptions as queries
from loyalty.rewards.services import confirmations, redemptions
from web import throttling, venue
from web.fields import ErrorResponse
from web.forms import body_of, form_fields, notify, valid
from web.permissions import PUBLIC
from web.views import FormResponse, ObjectResponse, Page, PageView

_VALIDATE = "loyalty.validate_redemption"
_CONFIRM_USED = "loyalty.confirm_used"


@contextmanager
def _counting_wrong_codes(request: Request, *, member: Member | None = None) -> Iterator[None]:
    """Limit how many codes that don't exist a user, or this member, may try.

    Raises Throttled, also for a right one past the limit.
    """
    limit = ("wrong_code", f"member-{member.pk}" if member else f"user-{request.user.pk}")
    seconds = throttling.seconds_to_wait(*limit)
    if seconds:
        raise Throttled(wait=seconds)
    is_wrong = False
    try:
        yield
    except RedemptionUnknown:
        is_wrong = True
        raise
    finally:
        if not is_wrong:
            throttling.give_back(*limit)


class Use(PageView):
    """Validate a redemption's code, and say what it is for. It changes nothing."""

    access = _VALIDATE
    template_name = "loyalty/cards/use.html"
    context_object_name = "redemption"
    error_statuses = frozenset({400, 404})

    @extend_schema(
        responses={
            200: serializers.ValidRedemption,
            400: serializers.UsedError,
            **dict.fromkeys((404, 429), ErrorResponse),
        }
    )
    def get(self, request: Request, code: str) -> Response:
        with _counting_wrong_codes(request):
            redemption = queries.valid_redemption(code, now=timezone.now())
        return ObjectResponse(serializers.ValidRedemption(redemption))

    def page_context(self, redemption: Redemption) -> dict[str, Any]:
        return till_forms.confirm_form(self.request)

    def error_page(self, error: dict[str, Any], status: int) -> Page:
        """Return a page that says why it is not valid, with a way to hand the reward out all the same."""
        code = queries.normalized_code(self.kwargs["code"])
        try:
            redemption = queries.redemption_by_code(code)
        except RedemptionUnknown:
            unknown = {"code": code, "state": "unknown", "bill": till_forms.bill_of(self.request)}
            return Page("loyalty/cards/use_refused.html", unknown)
        context = {
            "code": code,
            "state": queries.state_of(redemption, timezone.now()),
            "redemption": redemption,
            "handed_out": queries.handed_out(redemption),
            "can_undo": queries.is_undoable(redemption, timezone.now()),
            "may_hand_out": self._may_hand_out(redemption),
        }
        return Page("loyalty/cards/use_refused.html", context | till_forms.confirm_form(self.request))

    def _may_hand_out(self, redemption: Redemption) -> bool:
        """Return whether the page offers to hand the reward out all the same. The JSON never refuses that."""
        if redemption.status == Redemption.Status.USED:
            return bool(self.request.user.has_perm(_CONFIRM_USED))
        return redemption.status != Redemption.Status.CANCELLED


class Confirm(PageView):
    """Mark a redemption used, whatever its status unless it is cancelled."""

    access = _VALIDATE
    template_name = "loyalty/cards/confirmed.html"

    @extend_schema(
        request=serializers.ConfirmBody,
        responses={200: serializers.ConfirmedForBill, **dict.fromkeys((404, 409, 429), ErrorResponse)},
    )
    def post(self, request: Request, code: str) -> Response:
        for_bill = ("tableNumber", "sessionId")
        values = valid(serializers.ConfirmBody(data=body_of(request, numbers=for_bill[:1], optional=for_bill)))
        named = values["tableNumber"], values["sessionId"]
        bill = confirmations.Bill(*named) if any(named) else None
        form = form_fields(request) or {}
        with _counting_wrong_codes(request):
            confirmation = confirmations.confirm(
                code=code,
                staff_id=values["staffId"] or request.user.get_username(),
                # What is used at a table is used where tables earn.
                location_id=values["locationId"] or (venue.current().location_id or None if bill else None),
                tap=form.get("tap", "")[:100],
                recorded_by=member_session.recorded_by(request),
                bill=bill,
                user=request.user,
            )
        data = (serializers.ConfirmedForBill if bill else serializers.Confirmed)(confirmation)
        page = f"/confirmations/{confirmation.pk}"
        response = FormResponse(data, redirect_to=f"{page}?{till_forms.bill_query(form)}" if bill else page)
        if form and values["locationId"]:
            member_session.remember_location(response, values["locationId"])
        return response


# See "Undoing and cancelling" in docs/behaviour/loyalty.md.
class Undo(PageView):
    """Make a code active again that was confirmed just now."""

    access = _VALIDATE
    template_name = "loyalty/cards/use.html"

    @extend_schema(
        request=None,
        responses={200: serializers.Undone, **dict.fromkeys((404, 409, 429), ErrorResponse)},
    )
    def post(self, request: Request, code: str) -> Response:
        with _counting_wrong_codes(request):
            redemption = confirmations.undo(code=code, recorded_by=request.user.get_username())
        return FormResponse(serializers.Undone(redemption), redirect_to=f"/use/{redemption.redemption_code}")


class Cancel(PageView):
    """Cancel an active redemption: its points go back to the card."""

    access = PUBLIC  # and staff, or the member's own phone
    throttle_scope = "public"
    template_name = "loyalty/cards/use.html"
    sign_in_url = "/member-sign-in"

    @extend_schema(
        request=None,
        responses={200: serializers.CancelledRedemption, **dict.fromkeys((400, 404, 409), ErrorResponse)},
    )
    def post(self, request: Request, code: str) -> Response:
        own = None if request.user.has_perm(_VALIDATE) else member_session.require_member(request)
        with _counting_wrong_codes(request, member=own):
            redemption, balance = redemptions.cancel(
                code=code,
                recorded_by=member_session.recorded_by(request),
                customer_id=own.pk if own else None,
            )
        given_back = _("Given back: %(reward)s. New balance: %(balance)d.")
        sentence = given_back if own else _("Cancelled: %(reward)s. New balance: %(balance)d.")
        values, member_id = {"reward": redemption.reward.name, "balance": balance}, redemption.customer_id
        notify(request, sentence % values, about=str(member_id))
        return FormResponse(serializers.CancelledRedemption({"balance": balance}), redirect_to=f"/member/{member_id}")


class Confirmation(PageView):
    """One confirmation of a redemption, as staff see it afterwards."""

    access = _VALIDATE
    template_name = "loyalty/cards/confirmed.html"
    context_object_name = "confirmation"

    @extend_schema(responses={200: serializers.ConfirmationDetails, 404: ErrorResponse})
    def get(self, request: Request, confirmation_id: str) -> Response:
        confirmation = queries.confirmation_by_id(confirmation_id)
        return ObjectResponse(serializers.ConfirmationDetails(confirmation))

    def page_context(self, confirmation: models.Confirmation) -> dict[str, Any]:
        can_undo = confirmation.found != Redemption.Status.USED and confirmation.undone_at is None
        context = {"bill": till_forms.bill_of(self.request)}
        return {**context, "can_undo": can_undo and queries.is_undoable(confirmation.redemption, timezone.now())}
