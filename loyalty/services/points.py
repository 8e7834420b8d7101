"""The ledger: every change of a balance, and the row that says why, in one transaction.

The order of locks is always the same: the member's row first, and nothing else that anybody waits for.
"""

import json
import uuid
from dataclasses import dataclass
from datetime import datetime
from decimal import ROUND_HALF_UP, Decimal
from typing import Any

from django.db import IntegrityError, connection, transaction
from django.db.models import F
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from loyalty import tiers
from loyalty.errors import LocationUnknown, MemberUnknown, NotEnoughPoints, TooManyPoints
from loyalty.models import Member, Notification, PointTransaction
from loyalty.services import notifications
from web.idempotency import Key, KeyReused

MAX_POINTS = 2_147_483_647  # what the columns hold
MIN_TOTAL, MAX_TOTAL = Decimal("0.01"), Decimal("99999999.99")


@dataclass(frozen=True, slots=True)
class Purchase:
    location_id: str
    location_name: str
    order_total: Decimal
    staff_id: str
    at: datetime


def rounded(order_total: Decimal) -> Decimal:
    """To two decimals, a half away from zero (decision 4.4)."""
    return order_total.quantize(Decimal("0.01"), ROUND_HALF_UP)


def award(
    *, member_id: str, location_id: str, order_total: Decimal, staff_id: str = "", key: Key | None = None
) -> dict[str, Any]:
    """Points for a purchase; return `{pointsEarned, newBalance, tier, message}` (document 2).

    `order_total` is rounded already. Holds a lock on the member's row. A repeat with the same key answers what the
    first call did. A change of tier is mailed after the commit; a failure of that is not the caller's.

    Raises MemberUnknown, LocationUnknown, TooManyPoints, KeyReused.
    """
    now = timezone.now()
    try:
        with transaction.atomic():
            member, location_name = _lock(member_id, location_id)
            purchase = Purchase(location_id, location_name, order_total, staff_id, now)
            answer, notification = _award(member, purchase, key)
    except (IntegrityError, TooManyPoints) as error:  # a repeat must not fit once more
        earlier = replay(member_id, PointTransaction.Type.EARN, key) if key else None
        if earlier is not None:
            return earlier
        if isinstance(error, IntegrityError):  # the location was deleted since we read it
            raise LocationUnknown from error
        raise
    if notification is not None:
        notifications.deliver(notification, member=member)
    return answer


# Written out: the till's busiest call spends more time on building SQL than on running it.
_LOCK = """
SELECT m.id, m.email, m.points_balance, m.lifetime_points, m.tier,
       (SELECT l.name FROM loyalty_location l WHERE l.id = %s) AS location_name
  FROM loyalty_member m WHERE m.id = %s FOR NO KEY UPDATE OF m
"""


_LOCKED = ("id", "email", "points_balance", "lifetime_points", "tier")

# The row and the balance that it changes, at once: both or, with the transaction, neither.
_EARN = """
WITH row AS (
    INSERT INTO loyalty_pointtransaction (id, customer_id, type, points, description, order_total, location_id,
                                          staff_id, created_at, idempotency_key, request_digest, answer)
    VALUES (%(id)s, %(member)s, 'earn', %(points)s, %(description)s, %(total)s, %(location)s,
            %(staff)s, %(at)s, %(key)s, %(digest)s, %(answer)s))
UPDATE loyalty_member
   SET points_balance = points_balance + %(points)s, lifetime_points = lifetime_points + %(points)s,
       last_activity_at = %(at)s, tier = %(tier)s
 WHERE id = %(member)s
"""


def _lock(member_id: str, location_id: str) -> tuple[Member, str]:
    """The member, locked, and the name of the location, read along. Raises MemberUnknown, LocationUnknown."""
    with connection.cursor() as cursor:
        cursor.execute(_LOCK, [location_id, member_id])
        row = cursor.fetchone()
    if row is None:
        raise MemberUnknown
    *values, location_name = row
    if location_name is None:
        raise LocationUnknown
    return Member.from_db(connection.alias, _LOCKED, values), location_name


def _award(member: Member, purchase: Purchase, key: Key | None) -> tuple[dict[str, Any], Notification | None]:
    points = tiers.points_for(order_total=purchase.order_total, tier=member.tier)
    lifetime, balance = member.lifetime_points + points, member.points_balance + points
    if max(lifetime, balance) > MAX_POINTS:
        raise TooManyPoints
    tier = tiers.tier_of(lifetime)
    answer = {
        "pointsEarned": points,
        "newBalance": balance,
        "tier": tier,
        "message": _earned_message(points, tier if tier != member.tier else ""),
    }
    values: dict[str, Any] = {
        "id": uuid.uuid4(),
        "member": member.pk,
        "points": points,
        "description": _("Purchase at %(location)s") % {"location": purchase.location_name},
        "total": purchase.order_total,
        "location": purchase.location_id,
        "staff": purchase.staff_id,
        "at": purchase.at,
        "tier": tier,
        "key": None,
        "digest": "",
        "answer": "",
    }
    if key:
        values |= {"key": key.text, "digest": key.digest, "answer": json.dumps(answer)}
    with connection.cursor() as cursor:
        cursor.execute(_EARN, values)
    if tier == member.tier:
        return answer, None
    return answer, notifications.write_tier_change(member, tier=tier, now=purchase.at)


def _earned_message(points: int, new_tier: str) -> str:
    earned = ngettext("%(points)d point earned.", "%(points)d points earned.", points) % {"points": points}
    return f"{earned} {_('The tier is now %(tier)s.') % {'tier': _(new_tier)}}" if new_tier else earned


def _kept(key: Key | None, answer: dict[str, Any]) -> dict[str, Any]:
    return {"idempotency_key": key.text, "request_digest": key.digest, "answer": json.dumps(answer)} if key else {}


def replay(member_id: uuid.UUID | str, type_: str, key: Key) -> dict[str, Any] | None:
    """What the first call with this key was answered. Raises KeyReused."""
    found = PointTransaction.objects.filter(customer__pk=member_id, type=type_, idempotency_key=key.text).first()
    if found is None:
        return None
    if found.request_digest != key.digest:
        raise KeyReused
    return answer_of(found.answer)


def answer_of(text: str) -> dict[str, Any]:
    """A stored answer, as it was given."""
    answer: dict[str, Any] = json.loads(text)
    return answer


def spend(
    *, member_id: uuid.UUID, points: int, description: str, answer: dict[str, Any], key: Key | None, now: datetime
) -> None:
    """Write the ledger's side of a redemption. To be called in the transaction that took the points."""
    PointTransaction.objects.create(
        customer_id=member_id,
        type=PointTransaction.Type.REDEEM,
        points=-points,
        description=description,
        created_at=now,
        **_kept(key, answer),
    )


def adjust(
    *, member: Member, points: int, reason: str, staff_id: str, key: Key | None = None
) -> tuple[PointTransaction, bool]:
    """Give points (above 0) or take them (below), with a reason (decision 4.11). Lifetime points stay.

    The row, and whether it is new: a repeat with the same key, from a form that was sent twice, changes nothing.

    Raises NotEnoughPoints, TooManyPoints, MemberUnknown, KeyReused.
    """
    type_ = PointTransaction.Type.BONUS if points > 0 else PointTransaction.Type.EXPIRE
    with transaction.atomic():
        locked = Member.objects.select_for_update(no_key=True).filter(pk=member.pk).first()
        if locked is None:
            raise MemberUnknown
        # Before the balance is looked at: the first call may have taken all there was.
        earlier = _earlier(locked, type_, key) if key else None
        if earlier is not None:
            return earlier, False
        if locked.points_balance + points < 0:
            raise NotEnoughPoints(needed=-points - locked.points_balance)
        if locked.points_balance + points > MAX_POINTS:
            raise TooManyPoints
        Member.objects.filter(pk=member.pk).update(points_balance=F("points_balance") + points)
        made = PointTransaction.objects.create(
            customer=locked, type=type_, points=points, description=reason, staff_id=staff_id, **_kept(key, {})
        )
    return made, True


def _earlier(member: Member, type_: str, key: Key) -> PointTransaction | None:
    found = PointTransaction.objects.filter(customer=member, type=type_, idempotency_key=key.text).first()
    if found is not None and found.request_digest != key.digest:
        raise KeyReused
    return found
