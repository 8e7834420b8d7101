"""Staff check a member's code, and mark it used."""

import uuid
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from loyalty import queries, serializers
from loyalty.errors import RedemptionUnknown
from loyalty.services import redemptions
from loyalty.views import members, proof
from web.fields import ErrorResponse
from web.forms import body_of, form_fields
from web.views import FormResponse, Page, PageView

_VALIDATE = "loyalty.validate_redemption"


def _confirm_form(request: Request) -> dict[str, Any]:
    """What the form that confirms a redemption needs."""
    return {**members.till_context(request), "tap": uuid.uuid4().hex}


class Use(PageView):
    """`GET /use/{code}`: is it valid, and for what (document 2)?"""

    access = _VALIDATE
    template_name = "loyalty/use.html"
    error_statuses = frozenset({400, 404})

    @extend_schema(
        responses={
            200: serializers.ValidRedemption,
            400: serializers.UsedError,
            404: ErrorResponse,
        }
    )
    def get(self, request: Request, code: str) -> Response:
        redemption = queries.redemption(code)
        queries.check_valid(redemption, timezone.now())
        face = {
            "valid": True,
            "redemption": {
                "code": redemption.redemption_code,
                "reward": redemption.reward.name,
                "value": redemption.reward.reward_value,
                "customer": redemption.customer.name,
                "tier": redemption.customer.tier,
            },
            "actions": [{"action": "confirm", "label": _("Confirm: the guest has it")}],
        }
        return Response(face)

    def page_context(self, data: dict[str, Any]) -> dict[str, Any]:
        return _confirm_form(self.request)

    def error_page(self, error: dict[str, Any], status: int) -> Page:
        code = queries.normal_code(self.kwargs["code"])
        try:
            redemption = queries.redemption(code)
        except RedemptionUnknown:
            return Page("loyalty/use_refused.html", {"code": code, "state": "unknown"})
        state = queries.state_of(redemption, timezone.now())
        shown = {"redemption": redemption, "reward": redemption.reward, "customer": redemption.customer}
        form = _confirm_form(self.request)
        return Page("loyalty/use_refused.html", {"code": code, "state": state, **shown, **form})


class Confirm(PageView):
    """`POST /use/{code}/confirm` (document 2, decision 4.9)."""

    access = _VALIDATE
    template_name = "loyalty/confirmed.html"

    @extend_schema(
        request=serializers.ConfirmBody,
        responses={200: serializers.Done, 404: ErrorResponse},
    )
    def post(self, request: Request, code: str) -> Response:
        body = serializers.ConfirmBody(data=body_of(request))
        body.is_valid(raise_exception=True)
        values, form = body.validated_data, form_fields(request) or {}
        confirmation = redemptions.confirm(
            code=code,
            staff_id=values["staffId"] or request.user.get_username(),
            location_id=values["locationId"],
            tap=form.get("tap", "")[:100],
        )
        data = {"success": True, "message": confirmation.message}
        response = FormResponse(data, redirect_to=f"/confirmations/{confirmation.pk}")
        if form and values["locationId"]:
            proof.remember_till(response, values["locationId"])
        return response


class Confirmation(PageView):
    """`GET /confirmations/{id}`: what staff see after they confirmed."""

    access = _VALIDATE
    template_name = "loyalty/confirmed.html"

    @extend_schema(responses={200: serializers.ConfirmationFace, 404: ErrorResponse})
    def get(self, request: Request, confirmation_id: str) -> Response:
        confirmation = queries.confirmation(confirmation_id)
        redemption = confirmation.redemption
        face = {
            "id": str(confirmation.pk),
            "message": confirmation.message,
            "found": confirmation.found,
            "code": redemption.redemption_code,
            "reward": redemption.reward.name,
            "value": redemption.reward.reward_value,
            "customer": redemption.customer.name,
            "location": confirmation.location.name if confirmation.location else "",
            "createdAt": confirmation.created_at,
        }
        return Response(face)

    def page_context(self, data: dict[str, Any]) -> dict[str, Any]:
        return {"customer_id": str(queries.redemption(data["code"]).customer_id)}
