"""Staff validate a redemption's code and confirm it. See "Validating and confirming" in docs/behaviour.md."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework.exceptions import Throttled
from rest_framework.request import Request
from rest_framework.response import Response

from loyalty import queries, serializers
from loyalty.errors import RedemptionUnknown
from loyalty.services import redemptions
from loyalty.views import member_session, till_forms
from web import throttling
from web.fields import ErrorResponse
from web.forms import body_of, form_fields
from web.views import FormResponse, Page, PageView

_VALIDATE = "loyalty.validate_redemption"


@contextmanager
def _counting_wrong_codes(request: Request) -> Iterator[None]:
    """Limit how many codes that don't exist somebody tries. Raises Throttled, also for a right one past the limit."""
    limit = ("wrong_code", f"user-{request.user.pk}")
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
    template_name = "loyalty/use.html"
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
        return Response(serializers.ValidRedemption(redemption).data)

    def page_context(self, data: dict[str, Any]) -> dict[str, Any]:
        return till_forms.confirm_form(self.request)

    def error_page(self, error: dict[str, Any], status: int) -> Page:
        """Why it is not valid, and a way to hand the reward out all the same."""
        code = queries.normalized_code(self.kwargs["code"])
        try:
            redemption = queries.redemption(code)
        except RedemptionUnknown:
            return Page("loyalty/use_refused.html", {"code": code, "state": "unknown"})
        context = {
            "code": code,
            "state": queries.state_of(redemption, timezone.now()),
            "redemption": redemption,
            "reward": redemption.reward,
            "customer": redemption.customer,
        }
        return Page("loyalty/use_refused.html", context | till_forms.confirm_form(self.request))


class Confirm(PageView):
    """Mark a redemption used, whatever its status."""

    access = _VALIDATE
    template_name = "loyalty/confirmed.html"

    @extend_schema(
        request=serializers.ConfirmBody,
        responses={200: serializers.Confirmed, **dict.fromkeys((404, 429), ErrorResponse)},
    )
    def post(self, request: Request, code: str) -> Response:
        body = serializers.ConfirmBody(data=body_of(request))
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
        data = serializers.Confirmed(confirmation).data
        response = FormResponse(data, redirect_to=f"/confirmations/{confirmation.pk}")
        if form and values["locationId"]:
            member_session.remember_location(response, values["locationId"])
        return response


class Confirmation(PageView):
    """One confirmation of a redemption, as staff see it afterwards."""

    access = _VALIDATE
    template_name = "loyalty/confirmed.html"

    @extend_schema(responses={200: serializers.ConfirmationDetails, 404: ErrorResponse})
    def get(self, request: Request, confirmation_id: str) -> Response:
        self.confirmation = queries.confirmation(confirmation_id)
        return Response(serializers.ConfirmationDetails(self.confirmation).data)

    def page_context(self, data: dict[str, Any]) -> dict[str, Any]:
        return {"customer_id": self.confirmation.redemption.customer_id}
