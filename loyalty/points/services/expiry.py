"""Points that expire. See "Expiry of points" in docs/behaviour/loyalty.md."""

import json
import uuid
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction
from django.db.models import F, OuterRef, Subquery
from django.utils.translation import gettext as _

from loyalty.members.models import Member
from loyalty.points.models import PointTransaction
from loyalty.points.queries.expiry import expiry_limit, members_with_expired_points
from web.journal import JournalEntry
from web.templatetags.moments import whole_day

BATCH = 500  # members of one transaction, whose rows are locked


@dataclass(frozen=True, slots=True)
class Expired:
    members: int
    points: int


def expire(*, now: datetime) -> Expired:
    """Take points off every card that are older than the programme allows. A repeat takes none."""
    earned_before = expiry_limit(now)
    members = points = 0
    last = uuid.UUID(int=0)
    while earned_before is not None:
        holders = Member.objects.filter(pk__gt=last, points_balance__gt=0).order_by("pk")
        ids = list(holders.values_list("pk", flat=True)[:BATCH])
        if not ids:
            break
        last = ids[-1]
        members_to_lock = members_with_expired_points(ids, earned_before=earned_before)
        rows = _expire_batch(list(members_to_lock.values_list("pk", flat=True)), earned_before, now)
        members, points = members + len(rows), points - sum(row.points for row in rows)
    return Expired(members, points)


def _expire_batch(member_ids: list[uuid.UUID], earned_before: datetime, now: datetime) -> list[PointTransaction]:
    """Lock the members' rows and write what is expired then: others may have spent or expired it meanwhile."""
    if not member_ids:
        return []
    with transaction.atomic():
        locked = Member.objects.select_for_update(no_key=True).filter(pk__in=member_ids).order_by("pk")
        ids = list(locked.values_list("pk", flat=True))
        expired = members_with_expired_points(ids, earned_before=earned_before).values_list("pk", "expired")
        rows = [_expiry(pk, points, earned_before, now) for pk, points in expired]
        PointTransaction.objects.bulk_create(rows)
        JournalEntry.objects.bulk_create(row.entry for row in rows)
        written = PointTransaction.objects.filter(pk__in=[row.pk for row in rows], customer=OuterRef("pk"))
        Member.objects.filter(pk__in=[row.customer_id for row in rows]).update(
            points_balance=F("points_balance") + Subquery(written.values("points"))
        )
    return rows


def _expiry(member_id: uuid.UUID, points: int, earned_before: datetime, now: datetime) -> PointTransaction:
    """Return a transaction that nobody entered: that tells it from points which a manager has removed."""
    return PointTransaction(
        customer_id=member_id,
        type=PointTransaction.Type.EXPIRE,
        points=-points,
        description=_("Expired: earned before %(day)s") % {"day": whole_day(earned_before)},
        created_at=now,
        result=json.dumps({"earned_before": earned_before.isoformat()}),
    )


def expired_points_of(purchase: PointTransaction) -> int:
    """Return how many of a purchase's points have expired: without the purchase they would not have.

    The caller holds the member's lock.
    """
    of_member = PointTransaction.objects.filter(customer_id=purchase.customer_id)
    runs = of_member.filter(type=PointTransaction.Type.EXPIRE, created_at__gt=purchase.created_at).exclude(result="")
    expired = sum(
        -points
        for points, result in runs.values_list("points", "result")
        if datetime.fromisoformat(json.loads(result).get("earned_before", "0001-01-01T00:00+00:00"))
        > purchase.created_at
    )
    if not expired:
        return 0
    taken_back = of_member.filter(reverses__type=PointTransaction.Type.EARN)
    others = taken_back.filter(reverses__created_at__gte=purchase.created_at)
    expired -= sum(json.loads(result).get("expired", 0) for result in others.values_list("result", flat=True))
    return min(purchase.points, max(expired, 0))
