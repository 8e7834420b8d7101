"""The ledger: every change of a balance together with the transaction that explains it.

Each function locks the member's row first, and takes no other contended lock.
"""

import json
import uuid
from dataclasses import asdict, dataclass
from decimal import Decimal
from typing import Any

from django.db import IntegrityError, connection, transaction
from django.db.models import F
from django.db.models.functions import Coalesce
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from loyalty import rules
from loyalty.errors import LocationUnknown, MemberErased, MemberUnknown, NotEnoughPoints, TooManyPoints
from loyalty.members.models import Member
from loyalty.members.queries import member_by_id
from loyalty.members.services.members import locked_member
from loyalty.messages.services import notifications
from loyalty.points.models import PointTransaction, Programme
from loyalty.points.services.orders import key_of
from loyalty.restaurant import restaurant
from web.idempotency import Key, KeyReused


@dataclass(frozen=True, slots=True)
class Award:
    """The points for a purchase, with balance and tier after them. `message` is for the cashier."""

    transaction_id: uuid.UUID | None
    points: int
    balance: int
    tier: str
    message: str


def award(
    *,
    member_id: str,
    location_id: str,
    order_total: Decimal,
    staff_id: str = "",
    recorded_by: str | None = None,
    key: Key | None = None,
) -> Award:
    """Award points for a purchase; `order_total` is rounded already. Locks the member's row.

    `staff_id` is whom the request names, `recorded_by` the user who was signed in. A repeat with the same key returns
    the first call's result. A change of tier is mailed after the commit.

    Raises MemberUnknown, LocationUnknown, TooManyPoints, KeyReused.
    """
    now = timezone.now()
    notification = None
    try:
        with transaction.atomic():
            member = _lock(member_id, location_id)
            result = _award_for(member, order_total)
            purchase = {"location": location_id, "total": order_total, "at": now}
            _write_award(member, result, purchase | {"staff": staff_id, "recorded_by": recorded_by}, key)
            if result.tier != member.tier:
                notification = notifications.write_tier_change(member, tier=result.tier, now=now)
    except (IntegrityError, TooManyPoints) as error:
        # A repeat: its key exists, or the same points no longer fit.
        earlier = earlier_transaction(member_id, PointTransaction.Type.EARN, key) if key else None
        if earlier is not None:
            return Award(earlier.pk, **json.loads(earlier.result))
        if isinstance(error, IntegrityError):  # the location was deleted meanwhile
            raise LocationUnknown from error
        raise
    if notification is not None:
        notifications.deliver(notification, member=member)
    return result


def settle(*, member_id: str, session_id: str) -> Award:
    """Have the points given that a card collects at a table, once however often, and return them as one award.

    Raises MemberUnknown, MemberErased, and the errors of `Restaurant.settle`.
    """
    member_id = str(member_by_id(member_id).pk)
    orders = restaurant().settle(member_id=member_id, session_id=session_id)
    keys = [key_of(order).text for order in orders]
    rows = PointTransaction.objects.filter(customer__pk=member_id, type="earn", idempotency_key__in=keys)
    given = list(rows.order_by("created_at", "pk"))
    points, member = sum(row.points for row in given), member_by_id(member_id)
    sentence = ngettext("%(points)d point from the table.", "%(points)d points from the table.", points)
    message = sentence % {"points": points}
    return Award(given[-1].pk if given else None, points, member.points_balance, member.tier, message)


# By the ORM, with the name as a subquery, it takes 1.7 ms of processor time instead of 0.3.
_LOCK = """
SELECT member.*, location.name AS location_name,
       programme.signup_bonus AS programme_signup_bonus, programme.points_per_unit AS programme_points_per_unit,
       programme.silver_from AS programme_silver_from, programme.gold_from AS programme_gold_from,
       programme.platinum_from AS programme_platinum_from, programme.silver_multiplier AS programme_silver_multiplier,
       programme.gold_multiplier AS programme_gold_multiplier,
       programme.platinum_multiplier AS programme_platinum_multiplier,
       programme.confirm_above AS programme_confirm_above,
       programme.expires_after_months AS programme_expires_after_months
  FROM loyalty_member AS member
  LEFT JOIN loyalty_location AS location ON location.id = %(location)s
  LEFT JOIN loyalty_programme AS programme ON programme.id = 1
 WHERE member.id = %(member)s
   FOR NO KEY UPDATE OF member
"""


def _lock(member_id: str, location_id: str) -> Any:
    """Return the member, locked, with `location_name` and the programme.

    Raises MemberUnknown, MemberErased, LocationUnknown.
    """
    member: Any = next(iter(Member.objects.raw(_LOCK, {"member": member_id, "location": location_id})), None)
    if member is None:
        raise MemberUnknown
    if member.merged_into_id is not None:
        return _lock(str(member.merged_into_id), location_id)
    if member.erased_at is not None:
        raise MemberErased
    if member.location_name is None:
        raise LocationUnknown
    return member


def _programme_of(member: Any) -> Programme:
    """Return the programme that `_lock` has read."""
    if member.programme_signup_bonus is None:  # there is no row
        return Programme()
    names = [field.name for field in Programme._meta.fields if not field.primary_key]
    return Programme(**{name: getattr(member, f"programme_{name}") for name in names})


def _award_for(member: Any, order_total: Decimal) -> Award:
    programme = _programme_of(member)
    points = programme.points_for(order_total, member.tier)
    balance, lifetime = member.points_balance + points, member.lifetime_points + points
    if max(balance, lifetime) > rules.MAX_POINTS:
        raise TooManyPoints
    tier = programme.tier_of(lifetime)
    message = ngettext("%(points)d point earned.", "%(points)d points earned.", points) % {"points": points}
    if tier != member.tier:
        message = f"{message} {_('The tier is now %(tier)s.') % {'tier': _(tier)}}"
    return Award(uuid.uuid4(), points, balance, tier, message)


# One statement: as two of the ORM the writes take 2.8 ms of processor time instead of 0.8, and one more round trip
# while the member's row is locked.
_EARN = """
WITH earned AS (
    INSERT INTO loyalty_pointtransaction (id, customer_id, type, points, description, order_total, location_id,
                                          staff_id, recorded_by, created_at, idempotency_key, request_digest, result)
    VALUES (%(id)s, %(member)s, 'earn', %(points)s, %(description)s, %(total)s, %(location)s,
            %(staff)s, %(recorded_by)s, %(at)s, %(idempotency_key)s, %(request_digest)s, %(result)s)
), entry AS (
    INSERT INTO web_journalentry (kind, at, user_name, subject, content)
    VALUES ('award', %(at)s, coalesce(%(recorded_by)s, ''), %(id)s, %(content)s))
UPDATE loyalty_member
   SET points_balance = points_balance + %(points)s, lifetime_points = lifetime_points + %(points)s,
       awards = awards + 1, spend = spend + %(total)s, last_activity_at = %(at)s, tier = %(tier)s
 WHERE id = %(member)s
"""


def _write_award(member: Any, award: Award, purchase: dict[str, Any], key: Key | None) -> None:
    description = _("Purchase at %(location)s") % {"location": member.location_name}
    result = asdict(award)
    transaction_id = result.pop("transaction_id")  # of the row that stores the result
    values = {"id": transaction_id, "member": member.pk, "description": description, **purchase, **result}
    earned = PointTransaction(
        pk=transaction_id,
        type=PointTransaction.Type.EARN,
        customer_id=member.pk,
        points=award.points,
        order_total=purchase["total"],
        location_id=purchase["location"],
    )
    values["content"] = earned.entry.content
    with connection.cursor() as cursor:
        cursor.execute(_EARN, values | idempotency_columns(key, result))


def adjust(
    *, member: Member, points: int, reason: str, staff_id: str, key: Key | None = None
) -> tuple[PointTransaction, bool]:
    """Add points (above 0) or remove them (below). Lifetime points don't change. Locks the member's row.

    `staff_id` is who is signed in. Return the transaction, and whether it is new: a repeat with the same key changes
    nothing.

    Raises NotEnoughPoints, TooManyPoints, MemberUnknown, KeyReused.
    """
    type_ = PointTransaction.Type.BONUS if points > 0 else PointTransaction.Type.EXPIRE
    with transaction.atomic():
        locked = locked_member(member.pk)
        # Before the balance is checked: the first call may have used it up.
        earlier = earlier_transaction(locked.pk, type_, key) if key else None
        if earlier is not None:
            return earlier, False
        if locked.points_balance + points < 0:
            raise NotEnoughPoints(needed=-points - locked.points_balance)
        if locked.points_balance + points > rules.MAX_POINTS:
            raise TooManyPoints
        Member.objects.filter(pk=locked.pk).update(points_balance=F("points_balance") + points)
        created = PointTransaction.objects.create(
            customer=locked,
            type=type_,
            points=points,
            description=reason,
            staff_id=staff_id,
            recorded_by=staff_id,
            **idempotency_columns(key, {}),
        )
        created.entry.save()
    return created, True


# --- repeated requests ----------------------------------------------------------------------------


def idempotency_columns(key: Key | None, result: dict[str, Any]) -> dict[str, Any]:
    """Return what a transaction stores of its request: the key, a digest, and the service's result as JSON."""
    if key is None:
        return {"idempotency_key": None, "request_digest": "", "result": ""}
    return {"idempotency_key": key.text, "request_digest": key.digest, "result": json.dumps(result)}


def earlier_transaction(member_id: uuid.UUID | str, type_: str, key: Key) -> PointTransaction | None:
    """Return the transaction of an earlier request with this key. Raises KeyReused if that was another request."""
    holder = Member.objects.filter(pk=member_id).values(holder=Coalesce("merged_into", "pk"))
    earlier = PointTransaction.objects.filter(customer__in=holder, type=type_, idempotency_key=key.text).first()
    if earlier is not None and earlier.request_digest != key.digest:
        raise KeyReused
    return earlier
