"""Points that expire."""

from dataclasses import dataclass
from datetime import date, datetime
from typing import Any
from uuid import UUID
from zoneinfo import ZoneInfo

from django.conf import settings
from django.db.models import Count, F, OuterRef, Q, QuerySet, Subquery, Sum
from django.db.models.functions import Coalesce

from loyalty import rules
from loyalty.members.models import Member
from loyalty.points.models import PointTransaction
from loyalty.points.queries.programme import current_programme
from loyalty.rules import CARD_ROWS

# Points are spent oldest first, so those that a card still has are the latest that came onto it.
_CREDITS = (PointTransaction.Type.EARN, PointTransaction.Type.BONUS, PointTransaction.Type.IMPORT)
MOST_COUNTED = 5_000  # members, whose ledgers are read while somebody waits


def expiry_limit(now: datetime) -> datetime | None:
    """Return the time before which points were earned that expire now. None where nothing expires."""
    months = current_programme().expires_after_months
    return None if months is None else rules.months_before(now, months, ZoneInfo(settings.TIME_ZONE))


def members_with_expired_points(member_ids: list[UUID], *, earned_before: datetime) -> QuerySet[Any]:
    """Return those of these members who have points that are older, as `expired`.

    A purchase that was taken back counts with what could not be taken; a redemption that was cancelled not at all.
    """
    # A row that takes another one back is younger than it.
    recent = PointTransaction.objects.filter(customer=OuterRef("pk"), created_at__gte=earned_before)
    of_purchase = Q(reverses__type=PointTransaction.Type.EARN, reverses__created_at__gte=earned_before)
    credit = recent.filter(Q(type__in=_CREDITS) | of_purchase).order_by().values("customer")
    return (
        Member.objects.filter(pk__in=member_ids)
        .annotate(expired=F("points_balance") - Coalesce(Subquery(credit.values(total=Sum("points"))), 0))
        .filter(expired__gt=0)
        .order_by("pk")
    )


def expired_already(*, months: int, now: datetime) -> tuple[int, int] | None:
    """Return how many points are older than this, and of how many members; None where counting would take long."""
    holders = Member.objects.filter(points_balance__gt=0, erased_at=None).values_list("pk", flat=True)
    ids = list(holders[: MOST_COUNTED + 1])
    if len(ids) > MOST_COUNTED:
        return None
    earned_before = rules.months_before(now, months, ZoneInfo(settings.TIME_ZONE))
    members = members_with_expired_points(ids, earned_before=earned_before)
    sums = members.order_by().aggregate(points=Sum("expired", default=0), members=Count("pk"))
    return sums["points"], sums["members"]


@dataclass(frozen=True, slots=True)
class Expiring:
    """The number of points that expire on a day, unless they are spent before."""

    points: int
    on: date


def expiring(member: Member, *, months: int | None, now: datetime) -> list[Expiring]:
    """Return the next days on which points of this card expire, at most CARD_ROWS; today for what is overdue."""
    if months is None:
        return []
    taken_back = Coalesce(Sum("reversals__points"), 0)
    credits = member.transactions.filter(type__in=_CREDITS).annotate(net=F("points") + taken_back)
    zone, left = ZoneInfo(settings.TIME_ZONE), member.points_balance
    today = now.astimezone(zone).date()
    days: dict[date, int] = {}
    for earned, points in credits.order_by("-created_at", "-pk").values_list("created_at", "net"):
        if left <= 0:
            break
        on = max(rules.expires_on(earned, months, zone), today)
        days[on] = days.get(on, 0) + min(points, left)
        left -= points
    return [Expiring(days[on], on) for on in sorted(days) if days[on]][:CARD_ROWS]
