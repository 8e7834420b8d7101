"""What points buy, and buying it."""

from typing import Any

from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from loyalty import queries, serializers
from loyalty.errors import RewardUnavailable
from loyalty.services import redemptions
from loyalty.views import forms, proof


class Rewards(APIView):
    """`GET /rewards?customerId=`: the catalogue, as far as this member's points go (document 2)."""

    access = "public"
    throttle_scope = "public"

    @extend_schema(
        parameters=[OpenApiParameter("customerId", str, required=True)],
        responses={200: serializers.RewardsFace, **dict.fromkeys((400, 404), serializers.Refusal)},
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


class Redeem(APIView):
    """`POST /rewards/{rewardId}/redeem` (document 2); `GET ?customerId=` asks whether to, for the page."""

    access = "public"  # but not without proof: see decision 2.4
    throttle_scope = "public"
    template_name = "loyalty/redeem.html"
    sign_in_page = "/member-sign-in"

    @extend_schema(
        parameters=[OpenApiParameter("customerId", str, required=True)],
        responses={
            200: serializers.RedeemQuestion,
            **dict.fromkeys((400, 403, 404), serializers.Refusal),
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
        return {"idempotency_key": forms.new_key()}

    @extend_schema(
        request=serializers.RedeemBody,
        parameters=[OpenApiParameter("Idempotency-Key", {"type": "string", "maxLength": 100}, OpenApiParameter.HEADER)],
        responses={
            200: serializers.Redeemed,
            400: serializers.PointsError,
            **dict.fromkeys((404, 409, 503), serializers.Refusal),
        },
    )
    def post(self, request: Request, reward_id: str) -> Response:
        proof.check_somebody(request)
        body = serializers.RedeemBody(data=forms.body_of(request, numbers=("expectedPoints",)))
        body.is_valid(raise_exception=True)
        customer_id = body.validated_data["customerId"]
        proof.check(request, customer_id)
        if not queries.is_uuid(reward_id):
            raise RewardUnavailable
        key = forms.idempotency_key(request, customer_id, reward_id.lower())
        price = body.validated_data["expectedPoints"]
        answer = redemptions.redeem(member_id=customer_id, reward_id=reward_id, key=key, expected_price=price)
        self.next_page = f"/member/{customer_id}?redeemed={answer['redemptionCode']}#codes"
        forms.tell(request, _("Redeemed: %(reward)s") % {"reward": answer["reward"]}, about=customer_id)
        return Response(answer)

    refused_statuses = frozenset({400, 404, 409})

    def refused_page(self, error: dict[str, Any]) -> tuple[str, dict[str, Any]] | None:
        """What went wrong, with the way back to the card."""
        form = forms.fields(self.request)
        return None if form is None else ("loyalty/not_redeemed.html", {"customerId": form.get("customerId", "")})
