"""Staff validate a redemption's code and confirm it. See "Validating and confirming" in docs/behaviour/loyalty.md."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.core.exceptions import PermissionDenied
from django.utils import timezone
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework.exceptions import NotAuthenticated, Throttled
from rest_framework.request import Request
from rest_framework.response import Response

from loyalty.cards.views import till_forms
from loyalty.errors import RedemptionUnknown
from loyalty.members.models import Member
from loyalty.members.queries import normalized_code
from loyalty.members.views import member_session
from loyalty.rewards import models as rewards_models
from loyalty.rewards import queries as rewards_queries
from loyalty.rewards import serializers as rewards_serializers
from loyalty.rewards.models import Redemption
from loyalty.rewards.services import redemptions
from web import throttling
from web.fields import ErrorResponse
from web.forms import body_of, form_fields, notify
from web.permissions import PUBLIC
from web.views import FormResponse, ObjectResponse, Page, PageView

_VALIDATE = "loyalty.validate_redemption"
_CONFIRM_USED = "loyalty.confirm_used"


@contextmanager
def _counting_wrong_codes(request: Request, *, member: Member | None = None) -> Iterator[None]:
    """Limit how many codes that don't exist somebody tries: staff, or this member.

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
    """Whether a redemption's code is valid, and for what. It changes nothing."""

    access = _VALIDATE
    template_name = "loyalty/cards/use.html"
    context_object_name = "redemption"
    error_statuses = frozenset({400, 404})

    @extend_schema(
        responses={
            200: rewards_serializers.ValidRedemption,
            400: rewards_serializers.UsedError,
            **dict.fromkeys((404, 429), ErrorResponse),
        }
    )
    def get(self, request: Request, code: str) -> Response:
        with _counting_wrong_codes(request):
            redemption = rewards_queries.valid_redemption(code, now=timezone.now())
        return ObjectResponse(rewards_serializers.ValidRedemption(redemption))

    def page_context(self, redemption: Redemption) -> dict[str, Any]:
        return till_forms.confirm_form(self.request)

    def error_page(self, error: dict[str, Any], status: int) -> Page:
        """Why it is not valid, and a way to hand the reward out all the same."""
        code = normalized_code(self.kwargs["code"])
        try:
            redemption = rewards_queries.redemption(code)
        except RedemptionUnknown:
            return Page("loyalty/cards/use_refused.html", {"code": code, "state": "unknown"})
        context = {
            "code": code,
            "state": rewards_queries.state_of(redemption, timezone.now()),
            "redemption": redemption,
            "handed_out": rewards_queries.handed_out(redemption),
            "can_undo": rewards_queries.is_undoable(redemption, timezone.now()),
            "may_hand_out": self._may_hand_out(redemption),
        }
        return Page("loyalty/cards/use_refused.html", context | till_forms.confirm_form(self.request))

    def _may_hand_out(self, redemption: Redemption) -> bool:
        """Whether the page offers to hand the reward out all the same. The JSON never refuses that."""
        if redemption.status == Redemption.Status.USED:
            return bool(self.request.user.has_perm(_CONFIRM_USED))
        return redemption.status != Redemption.Status.CANCELLED


class Confirm(PageView):
    """Mark a redemption used, whatever its status unless it is cancelled."""

    access = _VALIDATE
    template_name = "loyalty/cards/confirmed.html"

    @extend_schema(
        request=rewards_serializers.ConfirmBody,
        responses={200: rewards_serializers.Confirmed, **dict.fromkeys((404, 409, 429), ErrorResponse)},
    )
    def post(self, request: Request, code: str) -> Response:
        body = rewards_serializers.ConfirmBody(data=body_of(request))
        body.is_valid(raise_exception=True)
        values, form = body.validated_data, form_fields(request) or {}
        with _counting_wrong_codes(request):
            confirmation = redemptions.confirm(
                code=code,
                staff_id=values["staffId"] or request.user.get_username(),
                location_id=values["locationId"],
                tap=form.get("tap", "")[:100],
                recorded_by=member_session.recorded_by(request),
            )
        data = rewards_serializers.Confirmed(confirmation)
        response = FormResponse(data, redirect_to=f"/confirmations/{confirmation.pk}")
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
        responses={200: rewards_serializers.Undone, **dict.fromkeys((404, 409, 429), ErrorResponse)},
    )
    def post(self, request: Request, code: str) -> Response:
        with _counting_wrong_codes(request):
            redemption = redemptions.undo(code=code, recorded_by=request.user.get_username())
        return FormResponse(rewards_serializers.Undone(redemption), redirect_to=f"/use/{redemption.redemption_code}")


class Cancel(PageView):
    """Cancel an active redemption: its points go back to the card."""

    access = PUBLIC  # and `_canceller`
    throttle_scope = "public"
    template_name = "loyalty/cards/use.html"
    sign_in_url = "/member-sign-in"

    @extend_schema(
        request=None,
        responses={
            200: rewards_serializers.CancelledRedemption,
            **dict.fromkeys((400, 403, 404, 409, 429), ErrorResponse),
        },
    )
    def post(self, request: Request, code: str) -> Response:
        own = self._canceller(request)
        with _counting_wrong_codes(request, member=own):
            cancelled = redemptions.cancel(
                code=code,
                recorded_by=member_session.recorded_by(request),
                customer_id=own.pk if own else None,
            )
        words = {"reward": cancelled.reward, "balance": cancelled.balance}
        sentence = (
            _("Given back: %(reward)s. New balance: %(balance)d.")
            if own
            else _("Cancelled: %(reward)s. New balance: %(balance)d.")
        )
        notify(request, sentence % words, about=str(cancelled.customer_id))
        page = f"/member/{cancelled.customer_id}"
        return FormResponse(rewards_serializers.CancelledRedemption(cancelled), redirect_to=page)

    @staticmethod
    def _canceller(request: Request) -> Member | None:
        """The member whose phone this is; None for staff. Raises NotAuthenticated, PermissionDenied."""
        if request.user.has_perm(_VALIDATE):
            return None
        own = member_session.signed_in_member(request)
        if own is None:
            raise PermissionDenied if request.user.is_authenticated else NotAuthenticated
        return own


class Confirmation(PageView):
    """One confirmation of a redemption, as staff see it afterwards."""

    access = _VALIDATE
    template_name = "loyalty/cards/confirmed.html"
    context_object_name = "confirmation"

    @extend_schema(responses={200: rewards_serializers.ConfirmationDetails, 404: ErrorResponse})
    def get(self, request: Request, confirmation_id: str) -> Response:
        confirmation = rewards_queries.confirmation(confirmation_id)
        return ObjectResponse(rewards_serializers.ConfirmationDetails(confirmation))

    def page_context(self, confirmation: rewards_models.Confirmation) -> dict[str, Any]:
        can_undo = confirmation.found != Redemption.Status.USED and confirmation.undone_at is None
        return {"can_undo": can_undo and rewards_queries.is_undoable(confirmation.redemption, timezone.now())}
