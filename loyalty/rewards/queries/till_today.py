"""What one user has done at the till today."""

from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from zoneinfo import ZoneInfo

from django.db.models import Count, QuerySet, Sum

from loyalty.points.models import PointTransaction, PointTransactionQuerySet
from loyalty.rewards.models import Confirmation
from web.reporting import days


def latest_awards(user_name: str, *, now: datetime, zone: ZoneInfo, most: int) -> list[PointTransaction]:
    """Today's purchases for which this user gave points, the latest first, with their members."""
    own = _awards(user_name, now, zone).filter(customer__erased_at=None).select_related("customer")
    return list(own.order_by("-created_at", "-id")[:most])


@dataclass(frozen=True, slots=True)
class Done:
    """What one user did for a member: gave points, or handed a reward out."""

    at: datetime
    award: PointTransaction | None = None
    handed_out: Confirmation | None = None


def done(user_name: str, awards: list[PointTransaction], *, now: datetime, zone: ZoneInfo, most: int) -> list[Done]:
    """These awards and the rewards that this user handed out today, the latest first."""
    own = _confirmations(user_name, now, zone).filter(redemption__customer__erased_at=None)
    own = own.select_related("redemption__customer", "redemption__reward").order_by("-created_at", "-id")
    found = [Done(each.created_at, award=each) for each in awards]
    found += [Done(each.created_at, handed_out=each) for each in own[:most]]
    return sorted(found, key=lambda each: each.at, reverse=True)


@dataclass(frozen=True, slots=True)
class AtTill:
    """What one user did: `bills` is the sum of those for which points were given."""

    guests: int
    bills: Decimal
    points: int
    rewards: int


def at_till(user_name: str, *, now: datetime, zone: ZoneInfo) -> AtTill:
    """Today, without what was taken back or undone."""
    awards = _awards(user_name, now, zone).aggregate(
        guests=Count("customer", distinct=True),
        bills=Sum("order_total", default=Decimal("0.00")),
        points=Sum("points", default=0),
    )
    return AtTill(**awards, rewards=_confirmations(user_name, now, zone).count())


def _awards(user_name: str, now: datetime, zone: ZoneInfo) -> PointTransactionQuerySet:
    made = PointTransaction.objects.filter(created_at__range=(days(now, zone).began, now), recorded_by=user_name)
    return made.purchases().standing()


def _confirmations(user_name: str, now: datetime, zone: ZoneInfo) -> QuerySet[Confirmation]:
    made = Confirmation.objects.filter(created_at__range=(days(now, zone).began, now), recorded_by=user_name)
    return made.filter(undone_at=None)
