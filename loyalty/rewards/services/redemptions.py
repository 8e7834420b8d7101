"""Rewards for points, redeemed and cancelled."""

import json
import secrets
import uuid
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import Exists, F, OuterRef, Subquery
from django.utils import timezone
from django.utils.translation import gettext as _

from loyalty import rules
from loyalty.errors import (
    MemberErased,
    MemberUnknown,
    NotCancellable,
    NotEnoughPoints,
    PriceChanged,
    RedemptionUnknown,
    RewardUnavailable,
    TooManyPoints,
)
from loyalty.members.models import Member
from loyalty.members.services import codes
from loyalty.members.services.members import locked_member
from loyalty.points.models import PointTransaction
from loyalty.points.services import points, reversals
from loyalty.rewards.models import Redemption, Reward
from loyalty.rewards.queries.redemptions import normalized_code, redemption_by_code, state_of
from qrservice import gateway
from web.idempotency import Key, KeyReused

VALIDITY = timedelta(days=30)
# Without characters that are read as one another: O and 0, I, L and 1. Codes from before that have them stay valid.
_ALPHABET = "ABCDEFGHJKMNPQRSTUVWXYZ23456789"
_ATTEMPTS = 5


def new_code() -> str:
    """Return `RWD-` and six random characters: one of 887 million codes."""
    return "RWD-" + "".join(secrets.choice(_ALPHABET) for _ in range(6))


def make_qr_code(redemption: Redemption) -> gateway.NewCode:
    """Raises gateway.QRServiceError."""
    metadata = {
        "redemption_id": str(redemption.pk),
        "customer_id": str(redemption.customer_id),
        "reward_id": str(redemption.reward_id),
        "type": "reward_redemption",
    }
    return codes.create(f"use/{redemption.redemption_code}", metadata)


@dataclass(frozen=True, slots=True)
class Redeemed:
    """A new redemption: its code, the address of its image, the name of the reward, and a message for the guest."""

    code: str
    image_url: str
    reward: str
    expires_at: datetime
    message: str


def redeem(
    *,
    member_id: str,
    reward_id: str,
    key: Key | None = None,
    expected_price: int | None = None,
    recorded_by: str | None = None,
) -> Redeemed:
    """Spend points on a reward. Locks the member's row. `recorded_by` is who was signed in as staff.

    The QR code is created first, outside the transaction, and disabled if the redemption can't be stored after all.
    A repeat with the same key returns the first call's result.

    Raises MemberUnknown, RewardUnavailable, PriceChanged, NotEnoughPoints, KeyReused, gateway.QRServiceError;
    nothing is stored then.
    """
    for _attempt in range(_ATTEMPTS):
        member = _member_with_offer(member_id, reward_id, key)
        if member.earlier_result is not None:
            if key is None or member.earlier_digest != key.digest:
                raise KeyReused
            values = json.loads(member.earlier_result)
            return Redeemed(**values | {"expires_at": datetime.fromisoformat(values["expires_at"])})
        _check_offer(member, expected_price)
        redemption = _new_redemption(member, reward_id, recorded_by)
        code = make_qr_code(redemption)
        codes.assign(redemption, code)
        result = _result_of(redemption, member.reward_name)
        try:
            if _store(redemption, result, key):
                return result
        except IntegrityError:
            pass  # the same key in another process, or a redemption code that exists: start again
        codes.disable(code)
    raise RewardUnavailable(_("This reward is being changed at the moment. Please try again."))


def _member_with_offer(member_id: str, reward_id: str, key: Key | None) -> Any:
    """Return the member, with the reward if it is available, and the result of an earlier request with this key."""
    reward = Reward.objects.filter(pk=reward_id, available=True)
    earlier = PointTransaction.objects.filter(
        customer=OuterRef("pk"), type=PointTransaction.Type.REDEEM, idempotency_key=key.text if key else ""
    )
    members = Member.objects.annotate(
        reward_name=Subquery(reward.values("name")),
        reward_price=Subquery(reward.values("points_required")),
        earlier_result=Subquery(earlier.values("result")),
        earlier_digest=Subquery(earlier.values("request_digest")),
    )
    member = members.filter(pk=member_id).first()
    if member is None:
        raise MemberUnknown
    if member.merged_into_id is not None:
        return _member_with_offer(str(member.merged_into_id), reward_id, key)
    if member.erased_at is not None:
        raise MemberErased
    return member


def _check_offer(member: Any, expected_price: int | None) -> None:
    if member.reward_price is None:
        raise RewardUnavailable
    if expected_price is not None and member.reward_price != expected_price:
        raise PriceChanged(price=member.reward_price)
    if member.points_balance < member.reward_price:
        raise NotEnoughPoints(needed=member.reward_price - member.points_balance)


def _new_redemption(member: Any, reward_id: str, recorded_by: str | None) -> Redemption:
    now = timezone.now()
    return Redemption(
        customer_id=member.pk,
        reward_id=uuid.UUID(reward_id),
        points_spent=member.reward_price,
        redemption_code=new_code(),
        recorded_by=recorded_by,
        created_at=now,
        expires_at=now + VALIDITY,
    )


def _result_of(redemption: Redemption, reward_name: str) -> Redeemed:
    return Redeemed(
        code=redemption.redemption_code,
        image_url=redemption.image_url(),
        reward=reward_name,
        expires_at=redemption.expires_at,
        message=_("Show this code to the staff to get: %(reward)s") % {"reward": reward_name},
    )


def _store(redemption: Redemption, result: Redeemed, key: Key | None) -> bool:
    """Return False, with nothing stored, if the balance or the reward has changed since it was read."""
    price = redemption.points_spent
    with transaction.atomic():
        offered = Reward.objects.filter(pk=redemption.reward_id, available=True, points_required=price)
        present = Member.objects.filter(pk=redemption.customer_id, erased_at=None)
        payer = present.filter(Exists(offered), points_balance__gte=price)
        if not payer.update(points_balance=F("points_balance") - price):
            return False
        redemption.save(force_insert=True)
        spent = PointTransaction.objects.create(
            customer_id=redemption.customer_id,
            type=PointTransaction.Type.REDEEM,
            points=-price,
            description=_("Redeemed: %(reward)s") % {"reward": result.reward},
            recorded_by=redemption.recorded_by,
            created_at=redemption.created_at,
            **points.idempotency_columns(key, asdict(result) | {"expires_at": result.expires_at.isoformat()})
            | ({} if key else {"result": json.dumps({"reward": result.reward})}),
        )
        spent.entry.save()
    return True


def locked_redemption(code: str) -> Redemption:
    """Return the redemption, locked in the caller's transaction, with its reward. Raises RedemptionUnknown."""
    rows = Redemption.objects.select_for_update(of=("self",), no_key=True).select_related("reward")
    redemption = rows.filter(redemption_code=normalized_code(code)).first()
    if redemption is None:
        raise RedemptionUnknown
    return redemption


def cancel(
    *, code: str, recorded_by: str | None = None, customer_id: uuid.UUID | None = None
) -> tuple[Redemption, int]:
    """Cancel an active redemption and give the points back. Locks the member's row, then the redemption's.

    Return the redemption and the member's balance after it; a repeat returns the first call's balance. With
    `customer_id`, only this member's redemption is cancelled.

    Raises RedemptionUnknown, MemberErased, NotCancellable, TooManyPoints.
    """
    now = timezone.now()
    member_id = redemption_by_code(code).customer_id
    if customer_id is not None and member_id != customer_id:
        raise RedemptionUnknown
    with transaction.atomic():
        member = locked_member(member_id)
        redemption = locked_redemption(code)
        spent = PointTransaction.objects.filter(
            customer=member,
            type=PointTransaction.Type.REDEEM,
            points=-redemption.points_spent,
            created_at=redemption.created_at,
        ).first()
        earlier = spent and PointTransaction.reversals_of(spent).first()
        if earlier is not None:
            return redemption, json.loads(earlier.result)["balance"]
        if spent is None or state_of(redemption, now) != Redemption.Status.ACTIVE:
            raise NotCancellable
        return redemption, _cancel(redemption, member, spent, recorded_by=recorded_by, now=now)


def _cancel(
    redemption: Redemption, member: Member, spent: PointTransaction, *, recorded_by: str | None, now: datetime
) -> int:
    """Return the balance after it."""
    balance = member.points_balance + redemption.points_spent
    if balance > rules.MAX_POINTS:
        raise TooManyPoints
    redemption.status = Redemption.Status.CANCELLED
    redemption.save(update_fields=["status"])
    Member.objects.filter(pk=member.pk).update(points_balance=F("points_balance") + redemption.points_spent)
    reversals.write_reversal(
        spent,
        points=redemption.points_spent,
        description=_("Cancelled: %(reward)s") % {"reward": redemption.reward.name},
        recorded_by=recorded_by,
        result={"balance": balance},
        now=now,
    )
    return balance


def expire_overdue(*, now: datetime) -> int:
    """Store the status `expired` for overdue active redemptions; return how many. Points are not given back."""
    return Redemption.objects.overdue_at(now).update(status=Redemption.Status.EXPIRED)
