"""What points buy, and buying it."""

from typing import Any

from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from loyalty import queries, serializers
from loyalty.errors import RewardUnavailable
from loyalty.services import redemptions
from loyalty.views import proof
from web import idempotency
from web.fields import ErrorResponse, is_uuid
from web.forms import body_of, form_fields, notify
from web.permissions import PUBLIC
from web.views import FormResponse, JSONView, Page, PageView


class Rewards(JSONView):
    """`GET /rewards?customerId=`: the catalogue, as far as this member's points go (document 2)."""

    access = PUBLIC
    throttle_scope = "public"

    @extend_schema(
        parameters=[OpenApiParameter("customerId", str, required=True)],
        responses={200: serializers.RewardsFace, **dict.fromkeys((400, 404), ErrorResponse)},
    )
    def get(self, request: Request) -> Response:
        customer_id = request.query_params.get("customerId")
        if not customer_id:
            raise ValidationError({"customerId": _("Whose rewards? This parameter is needed.")})
        member = queries.member(customer_id)
        face = {
            "pointsBalance": member.points_balance,
            "tier": member.tier,
            "rewards": queries.rewards_for(member),
        }
        return Response(face)


class Redeem(PageView):
    """`POST /rewards/{rewardId}/redeem` (document 2); `GET ?customerId=` asks whether to, for the page."""

    access = PUBLIC  # but not without proof: see decision 2.4
    throttle_scope = "public"
    template_name = "loyalty/redeem.html"
    sign_in_url = "/member-sign-in"

    @extend_schema(
        parameters=[OpenApiParameter("customerId", str, required=True)],
        responses={
            200: serializers.RedeemQuestion,
            **dict.fromkeys((400, 403, 404), ErrorResponse),
        },
    )
    def get(self, request: Request, reward_id: str) -> Response:
        proof.check_somebody(request)
        customer_id = request.query_params.get("customerId")
        if not customer_id:
            raise ValidationError({"customerId": _("Whose points? This parameter is needed.")})
        member = queries.member(customer_id)
        proof.check(request, str(member.pk))
        reward = next((each for each in queries.rewards_for(member) if str(each["id"]) == reward_id.lower()), None)
        if reward is None:
            raise RewardUnavailable
        face = {
            "customerId": str(member.pk),
            "pointsBalance": member.points_balance,
            "balanceAfter": member.points_balance - reward["points_required"],
            "reward": reward,
        }
        return Response(face)

    def page_context(self, data: dict[str, Any]) -> dict[str, Any]:
        return {"idempotency_key": idempotency.new_key()}

    @extend_schema(
        request=serializers.RedeemBody,
        parameters=[idempotency.PARAMETER],
        responses={
            200: serializers.Redeemed,
            400: serializers.PointsError,
            **dict.fromkeys((404, 409, 503), ErrorResponse),
        },
    )
    def post(self, request: Request, reward_id: str) -> Response:
        proof.check_somebody(request)
        body = serializers.RedeemBody(data=body_of(request, numbers=("expectedPoints",)))
        body.is_valid(raise_exception=True)
        customer_id = body.validated_data["customerId"]
        proof.check(request, customer_id)
        if not is_uuid(reward_id):
            raise RewardUnavailable
        key = idempotency.key_of(request, customer_id, reward_id.lower())
        price = body.validated_data["expectedPoints"]
        answer = redemptions.redeem(member_id=customer_id, reward_id=reward_id, key=key, expected_price=price)
        notify(request, _("Redeemed: %(reward)s") % {"reward": answer["reward"]}, about=customer_id)
        page = f"/member/{customer_id}?redeemed={answer['redemptionCode']}#codes"
        return FormResponse(answer, redirect_to=page)

    error_statuses = frozenset({400, 404, 409})

    def error_page(self, error: dict[str, Any], status: int) -> Page | None:
        """What went wrong, with the way back to the card."""
        form = form_fields(self.request) if self.request.method == "POST" else None
        return None if form is None else Page("loyalty/not_redeemed.html", {"customerId": form.get("customerId", "")})
