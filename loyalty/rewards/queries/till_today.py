"""Points that one user gave at the till today, and rewards that they handed out."""

from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from zoneinfo import ZoneInfo

from django.db.models import Count, QuerySet, Sum

from loyalty.points.models import PointTransaction, PointTransactionQuerySet
from loyalty.rewards.models import Confirmation
from web.money import NOTHING
from web.windows import today


def latest_awards(user_name: str, *, now: datetime, zone: ZoneInfo, most: int) -> list[PointTransaction]:
    """Return today's purchases for which this user gave points, the latest first, with their members."""
    own = _awards(user_name, now, zone).filter(customer__erased_at=None).select_related("customer")
    return list(own.order_by("-created_at", "-id")[:most])


def handed_out_today(user_name: str, *, now: datetime, zone: ZoneInfo, most: int) -> list[Confirmation]:
    """Return the rewards that this user handed out today, the latest first, with their members."""
    own = _confirmations(user_name, now, zone).filter(redemption__customer__erased_at=None)
    own = own.select_related("redemption__customer", "redemption__reward")
    return list(own.order_by("-created_at", "-id")[:most])


@dataclass(frozen=True, slots=True)
class TillTotals:
    """Totals of one user's day. `bills` is the sum of those for which points were given."""

    guests: int
    bills: Decimal
    points: int
    rewards: int


def totals_today(user_name: str, *, now: datetime, zone: ZoneInfo) -> TillTotals:
    """Return the totals without what was taken back or undone."""
    awards = _awards(user_name, now, zone).aggregate(
        guests=Count("customer", distinct=True),
        bills=Sum("order_total", default=NOTHING),
        points=Sum("points", default=0),
    )
    return TillTotals(**awards, rewards=_confirmations(user_name, now, zone).count())


def _awards(user_name: str, now: datetime, zone: ZoneInfo) -> PointTransactionQuerySet:
    made = PointTransaction.objects.filter(
        created_at__range=(today(now, zone).window.start, now), recorded_by=user_name
    )
    return made.purchases().standing()


def _confirmations(user_name: str, now: datetime, zone: ZoneInfo) -> QuerySet[Confirmation]:
    made = Confirmation.objects.filter(created_at__range=(today(now, zone).window.start, now), recorded_by=user_name)
    return made.filter(undone_at=None)
