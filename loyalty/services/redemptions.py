"""Rewards for points: redeemed by members, confirmed by staff."""

import secrets
import string
import uuid
from datetime import UTC, datetime, timedelta
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import Exists, F, OuterRef, Subquery
from django.utils import timezone
from django.utils.translation import gettext as _

from loyalty import queries
from loyalty.errors import (
    LocationUnknown,
    MemberUnknown,
    NotEnoughPoints,
    PriceChanged,
    RedemptionUnknown,
    RewardUnavailable,
)
from loyalty.models import Confirmation, Location, Member, PointTransaction, Redemption, Reward
from loyalty.services import codes, points
from qrservice import gateway
from web.idempotency import Key, KeyReused

VALIDITY = timedelta(days=30)
_ALPHABET = string.ascii_uppercase + string.digits
_ATTEMPTS = 5


def new_code() -> str:
    """`RWD-` and six characters from a cryptographic source (decision 4.8): one of two billion."""
    return "RWD-" + "".join(secrets.choice(_ALPHABET) for _ in range(6))


def redeem(
    *, member_id: str, reward_id: str, key: Key | None = None, expected_price: int | None = None
) -> dict[str, Any]:
    """Spend points on a reward; return `{redemptionCode, qrCodeUrl, reward, expiresAt, message}` (document 2).

    The QR code is made first, outside the transaction. Then one conditional UPDATE locks the member's row, checks
    the balance and takes the points, and the redemption and the ledger's row are written behind it. A repeat with
    the same key answers what the first call did.

    Raises MemberUnknown, RewardUnavailable, PriceChanged, NotEnoughPoints, KeyReused, gateway.QRServiceError; then
    nothing was stored.
    """
    for _attempt in range(_ATTEMPTS):
        found = _look(member_id, reward_id, key)
        if found.earlier is not None:
            if key is None or found.earlier_digest != key.digest:
                raise KeyReused
            return points.answer_of(found.earlier)
        _check(found, expected_price)
        redemption = _drawn(found, reward_id)
        code = codes.of_redemption(redemption)
        codes.give(redemption, code)
        answer = _answer(redemption, found.reward_name)
        try:
            if _store(redemption, found.reward_name, answer, key):
                return answer
        except IntegrityError:
            # The same key at the same moment, or a redemption code that exists: looked at again from the start.
            codes.drop(code)
            continue
        codes.drop(code)
    raise RewardUnavailable(_("This reward is being changed at the moment. Please try again."))


def _look(member_id: str, reward_id: str, key: Key | None) -> Any:
    """The member's balance, the reward as it is offered, and what an earlier call with this key was answered."""
    reward = Reward.objects.filter(pk=reward_id, available=True)
    earlier = PointTransaction.objects.filter(
        customer=OuterRef("pk"), type=PointTransaction.Type.REDEEM, idempotency_key=key.text if key else ""
    )
    members = Member.objects.annotate(
        reward_name=Subquery(reward.values("name")),
        reward_price=Subquery(reward.values("points_required")),
        earlier=Subquery(earlier.values("answer")),
        earlier_digest=Subquery(earlier.values("request_digest")),
    )
    member = members.filter(pk=member_id).first()
    if member is None:
        raise MemberUnknown
    return member


def _check(found: Any, expected_price: int | None) -> None:
    if found.reward_price is None:
        raise RewardUnavailable
    if expected_price is not None and found.reward_price != expected_price:
        raise PriceChanged(price=found.reward_price)
    if found.points_balance < found.reward_price:
        raise NotEnoughPoints(needed=found.reward_price - found.points_balance)


def _drawn(member: Any, reward_id: str) -> Redemption:
    now = timezone.now()
    return Redemption(
        customer_id=member.pk,
        reward_id=uuid.UUID(reward_id),
        points_spent=member.reward_price,
        redemption_code=new_code(),
        created_at=now,
        expires_at=now + VALIDITY,
    )


def _answer(redemption: Redemption, reward_name: str) -> dict[str, Any]:
    return {
        "redemptionCode": redemption.redemption_code,
        "qrCodeUrl": gateway.image_url(redemption.qr_code_url),
        "reward": reward_name,
        # As text: it is kept with the key, and must be the same when it is answered again.
        "expiresAt": redemption.expires_at.astimezone(UTC).isoformat().replace("+00:00", "Z"),
        "message": _("Show this code to the staff to get: %(reward)s") % {"reward": reward_name},
    }


def _store(redemption: Redemption, reward_name: str, answer: dict[str, Any], key: Key | None) -> bool:
    """False, with nothing stored, if balance or reward are not what they were when we looked."""
    price = redemption.points_spent
    with transaction.atomic():
        offered = Reward.objects.filter(pk=redemption.reward_id, available=True, points_required=price)
        rich_enough = Member.objects.filter(Exists(offered), pk=redemption.customer_id, points_balance__gte=price)
        if not rich_enough.update(points_balance=F("points_balance") - price):
            return False
        redemption.save(force_insert=True)
        points.spend(
            member_id=redemption.customer_id,
            points=price,
            description=_("Redeemed: %(reward)s") % {"reward": reward_name},
            answer=answer,
            key=key,
            now=redemption.created_at,
        )
    return True


# --- staff ----------------------------------------------------------------------------------------


def confirm(*, code: str, staff_id: str = "", location_id: str | None = None, tap: str | None = None) -> Confirmation:
    """Mark a redemption used, whatever it was (document 2), and leave a row that says who did (decision 4.9).

    Holds a lock on the redemption, so that of several tills exactly one is told that all is well. The same
    `tap` again (a double tap on one form) is the same confirmation. Raises RedemptionUnknown, LocationUnknown.
    """
    try:
        with transaction.atomic():
            return _confirm(code, staff_id, location_id, tap)
    except IntegrityError as error:  # the location was deleted since we looked
        raise LocationUnknown from error


def _confirm(code: str, staff_id: str, location_id: str | None, tap: str | None) -> Confirmation:
    now = timezone.now()
    rows = Redemption.objects.select_for_update(of=("self",), no_key=True).select_related("reward")
    redemption = rows.filter(redemption_code=queries.normal_code(code)).first()
    if redemption is None:
        raise RedemptionUnknown
    confirmation_id = uuid.uuid5(redemption.pk, tap) if tap else uuid.uuid4()
    earlier = Confirmation.objects.filter(pk=confirmation_id).first() if tap else None
    if earlier is not None:
        return earlier
    if location_id is not None and not Location.objects.filter(pk=location_id).exists():
        raise LocationUnknown
    found = queries.state_of(redemption, now)
    confirmation = Confirmation.objects.create(
        pk=confirmation_id,
        redemption=redemption,
        staff_id=staff_id,
        location_id=location_id,
        found=found,
        message=confirmed_message(redemption, found),
        created_at=now,
    )
    redemption.status, redemption.used_at = Redemption.Status.USED, now
    redemption.save(update_fields=["status", "used_at"])
    return confirmation


def confirmed_message(redemption: Redemption, found: str) -> str:
    """What staff are told who confirm it: `found` is its state, and `used_at` still that of an earlier confirmation."""
    names = {"reward": redemption.reward.name, "time": queries.moment(redemption.used_at)}
    if found == Redemption.Status.USED:
        return _("Attention: this code was used before, on %(time)s. It was for: %(reward)s") % names
    if found == Redemption.Status.EXPIRED:
        names["time"] = queries.moment(redemption.expires_at)
        return _("Attention: this code had expired on %(time)s. It was for: %(reward)s") % names
    return _("Confirmed: %(reward)s") % names


def expire_overdue(*, now: datetime) -> int:
    """Give overdue active redemptions the stored state `expired` (decision 4.10); return how many."""
    overdue = Redemption.objects.filter(status=Redemption.Status.ACTIVE, expires_at__lt=now)
    return overdue.update(status=Redemption.Status.EXPIRED)
