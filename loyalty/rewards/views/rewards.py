"""The rewards that points buy, and redeeming them."""

from typing import Any

from django.utils import timezone
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from loyalty.errors import RewardUnavailable
from loyalty.members.models import Member
from loyalty.members.queries import member_by_id
from loyalty.members.views import member_session
from loyalty.points.queries.programme import current_programme
from loyalty.rewards import serializers
from loyalty.rewards.models import Redemption
from loyalty.rewards.queries.redemptions import active_redemptions, by_reward
from loyalty.rewards.queries.rewards import Catalogue, RedemptionOffer, pictures_of, redemption_offer, rewards_for
from loyalty.rewards.services import redemptions
from web import idempotency
from web.fields import ErrorResponse, is_uuid
from web.forms import body_of, form_fields, is_page, notify, valid
from web.permissions import PUBLIC
from web.views import FormResponse, ObjectResponse, Page, PageView


def _member(request: Request) -> Member:
    """Raises ValidationError, MemberUnknown."""
    customer_id = request.query_params.get("customerId")
    if not customer_id:
        raise ValidationError({"customerId": _("This parameter is required.")})
    return member_by_id(customer_id)


# See "Rewards list" in docs/behaviour/loyalty.md.
class Rewards(PageView):
    """The available rewards, as far as this member's points go."""

    access = PUBLIC
    throttle_scope = "public"
    template_name = "loyalty/rewards/rewards.html"
    context_object_name = "catalogue"

    @extend_schema(
        parameters=[OpenApiParameter("customerId", str, required=True)],
        responses={200: serializers.Catalogue, **dict.fromkeys((400, 404), ErrorResponse)},
    )
    def get(self, request: Request) -> Response:
        self.own = member_session.signed_in_member(request) if is_page(request) else None
        is_named = bool(request.query_params.get("customerId"))
        # The page needs no member: it shows what there is to a phone that is signed in to no card.
        member = _member(request) if is_named or not is_page(request) else self.own
        return ObjectResponse(serializers.Catalogue(Catalogue(member, list(rewards_for(member)))))

    def page_context(self, catalogue: Catalogue) -> dict[str, Any]:
        pictures, member = pictures_of(catalogue.rewards), catalogue.member
        if member is None:
            return {"viewer": "nobody", "pictures": pictures}
        is_own = member == self.own
        # Codes are for the member alone: whoever knows the card's id sees none.
        codes = active_redemptions(member, timezone.now()) if is_own else []
        held = by_reward(codes)
        programme = current_programme()
        return {
            "member": member,
            "viewer": "member" if is_own else "guest",
            "codes": codes,
            "held": held,
            "pictures": pictures,
            "programme": programme,
            "rate": programme.rate(member.tier),
            "next_tier": programme.next_tier(member.lifetime_points),
            **_in_groups(catalogue.rewards, held),
        }


def _in_groups(rewards: list[Any], held: dict[str, list[Redemption]]) -> dict[str, list[Any]]:
    """Group the rewards: one with an unused code isn't offered a second time. The code that ends first comes first."""
    without_code = [reward for reward in rewards if str(reward.pk) not in held]
    with_code = [reward for reward in rewards if str(reward.pk) in held]
    return {
        "ready": [reward for reward in without_code if reward.can_redeem],
        "with_code": sorted(with_code, key=lambda reward: held[str(reward.pk)][0].expires_at),
        "later": [reward for reward in without_code if not reward.can_redeem],
    }


# See "Redeeming" in docs/behaviour/loyalty.md.
class Redeem(PageView):
    """GET shows what a reward costs this member; POST redeems it."""

    access = PUBLIC  # and `member_session.check_may`
    throttle_scope = "public"
    template_name = "loyalty/rewards/redeem.html"
    context_object_name = "offer"
    sign_in_url = "/member-sign-in"
    error_statuses = frozenset({400, 404, 409})

    @extend_schema(
        parameters=[OpenApiParameter("customerId", str, required=True)],
        responses={200: serializers.RedemptionOffer, **dict.fromkeys((400, 403, 404), ErrorResponse)},
    )
    def get(self, request: Request, reward_id: str) -> Response:
        member_session.require_credentials(request)
        member = _member(request)
        member_session.check_may(request, str(member.pk), permission=member_session.AWARD_POINTS)
        return ObjectResponse(serializers.RedemptionOffer(redemption_offer(member, reward_id)))

    def page_context(self, offer: RedemptionOffer) -> dict[str, Any]:
        at_till = member_session.works_at_till(self.request)
        codes = [] if at_till else active_redemptions(offer.member, timezone.now())
        reward_id = str(offer.reward.pk)
        return {
            "at_till": at_till,
            "idempotency_key": idempotency.new_key(),
            "codes": by_reward(codes).get(reward_id),
            "picture": pictures_of([offer.reward], large=True).get(reward_id),
        }

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
        member_session.require_credentials(request)
        values = valid(serializers.RedeemBody(data=body_of(request, numbers=("expectedPoints",))))
        customer_id, price = values["customerId"], values["expectedPoints"]
        member_session.check_may(request, customer_id, permission=member_session.AWARD_POINTS)
        if not is_uuid(reward_id):
            raise RewardUnavailable
        redeemed = redemptions.redeem(
            member_id=customer_id,
            reward_id=reward_id,
            key=idempotency.key_of(request, customer_id, reward_id.lower()),
            expected_price=price,
            recorded_by=member_session.recorded_by(request),
        )
        notify(request, _("Redeemed: %(reward)s") % {"reward": redeemed.reward}, about=customer_id)
        page = f"/member/{customer_id}?show={redeemed.code}"
        if member_session.works_at_till(request):
            page = f"/member/{customer_id}?redeemed={redeemed.code}#codes"
        return FormResponse(serializers.Redeemed(redeemed), redirect_to=page)

    def error_page(self, error: dict[str, Any], status: int) -> Page | None:
        """Return a page that says what went wrong, with the way back to the card."""
        form = form_fields(self.request) if self.request.method == "POST" else None
        if form is None:
            return None
        return Page("loyalty/rewards/not_redeemed.html", {"member_id": form.get("customerId", "")})
