"""The programme at a glance. See "Loyalty programme report" in docs/behaviour.md."""

from dataclasses import dataclass
from datetime import date, datetime, timedelta
from decimal import Decimal
from typing import Any
from zoneinfo import ZoneInfo

from django.db.models import Count, F, Q, QuerySet, Sum
from django.db.models.functions import TruncDate

from loyalty.models import Member, PointTransaction, Redemption
from loyalty.reports import points
from loyalty.reports.points import EARNED, REDEEMED, Points

RECENT = timedelta(days=30)  # in which a member is active and a reward popular
TOP_CUSTOMERS = 10
POPULAR_REWARDS = 5
TIERS = tuple(reversed(Member.Tier.values))  # platinum first
POINT_COST = Decimal("0.01")


@dataclass(frozen=True, slots=True)
class TierCount:
    tier: str
    count: int


@dataclass(frozen=True, slots=True)
class PopularReward:
    name: str
    redemptions: int


@dataclass(frozen=True, slots=True)
class Programme:
    """`joined`: in the latest 30 days, and in the 30 days before."""

    until: datetime
    members: int
    active: int
    joined: int
    joined_before: int
    outstanding_points: int
    tiers: list[TierCount]
    month: Points
    top_customers: list[Member]
    popular_rewards: list[PopularReward]

    @property
    def liability(self) -> Decimal:
        return self.outstanding_points * POINT_COST


@dataclass(frozen=True, slots=True)
class Day:
    date: date
    points: Points


@dataclass(frozen=True, slots=True)
class Comparison:
    """`redemptions`: of the latest 30 days; `..._before`: of the 30 days before.

    `last_month`: up to the same day and time. `days`: those of this month so far.
    """

    redemptions: int
    redemptions_before: int
    active_before: int
    last_month: Points
    days: list[Day]


@dataclass(frozen=True, slots=True)
class Months:
    """This month and the one before it, by the clocks of a zone."""

    first_day: date
    began: datetime
    before_began: datetime
    before_until: datetime  # the same day and time as now, or the end of a month that has no such day


def months(now: datetime, zone: ZoneInfo) -> Months:
    local = now.astimezone(zone).replace(tzinfo=None)
    first = local.replace(day=1, hour=0, minute=0, second=0, microsecond=0, fold=0)
    before = (first - timedelta(days=1)).replace(day=1)
    return Months(
        first_day=first.date(),
        began=first.replace(tzinfo=zone),
        before_began=before.replace(tzinfo=zone),
        before_until=min(before + (local - first), first).replace(tzinfo=zone),
    )


def read(*, now: datetime, zone: ZoneInfo) -> Programme:
    """The month is that of `zone`."""
    tiers = {row.pop("tier"): row for row in _members_by_tier(now)}

    def total(name: str) -> int:
        return sum(row[name] for row in tiers.values())

    return Programme(
        until=now,
        members=total("members"),
        active=total("active"),
        joined=total("joined"),
        joined_before=total("joined_before"),
        outstanding_points=total("balance"),
        tiers=[TierCount(tier, tiers[tier]["members"] if tier in tiers else 0) for tier in TIERS],
        month=points.total(PointTransaction.objects.filter(created_at__gte=months(now, zone).began)),
        top_customers=list(Member.objects.order_by("-lifetime_points", "name", "pk")[:TOP_CUSTOMERS]),
        popular_rewards=_popular_rewards(now - RECENT),
    )


def _members_by_tier(now: datetime) -> QuerySet[Any, dict[str, Any]]:
    recent, before = _recent(now)
    tiers: QuerySet[Any, Any] = Member.objects.order_by().values("tier")
    return tiers.annotate(
        members=Count("*"),
        active=Count("pk", filter=Q(last_activity_at__gte=now - RECENT)),
        joined=Count("pk", filter=recent),
        joined_before=Count("pk", filter=before),
        balance=Sum("points_balance"),
    )


def _recent(now: datetime) -> tuple[Q, Q]:
    """What was created in the latest 30 days, and in the 30 days before."""
    return Q(created_at__gte=now - RECENT), Q(created_at__gte=now - 2 * RECENT, created_at__lt=now - RECENT)


def _kept() -> QuerySet[Redemption]:
    return Redemption.objects.exclude(status=Redemption.Status.CANCELLED)


def _popular_rewards(since: datetime) -> list[PopularReward]:
    redeemed = _kept().filter(created_at__gte=since).values("reward_id", name=F("reward__name"))
    counted = redeemed.annotate(redemptions=Count("*")).order_by("-redemptions", "name", "reward_id")
    return [PopularReward(*row) for row in counted.values_list("name", "redemptions")[:POPULAR_REWARDS]]


def compare(*, now: datetime, zone: ZoneInfo) -> Comparison:
    """What only page and CSV show."""
    month = months(now, zone)
    recent, before = _recent(now)
    counts = {"redemptions": Count("pk", filter=recent), "redemptions_before": Count("pk", filter=before)}
    # A member's last_activity_at is the latest time alone: who was active before is read from the transactions.
    earned = PointTransaction.objects.standing().filter(before, type=PointTransaction.Type.EARN)
    last_month = Q(created_at__gte=month.before_began, created_at__lt=month.before_until)
    return Comparison(
        **_kept().filter(recent | before).aggregate(**counts),
        active_before=earned.aggregate(members=Count("customer", distinct=True))["members"],
        last_month=points.total(PointTransaction.objects.filter(last_month)),
        days=_days(month, now, zone),
    )


def _days(month: Months, now: datetime, zone: ZoneInfo) -> list[Day]:
    """Each day of the month so far."""
    transactions = PointTransaction.objects.standing().filter(created_at__gte=month.began).order_by()
    by_day = transactions.values(date=TruncDate("created_at", tzinfo=zone)).annotate(earned=EARNED, redeemed=REDEEMED)
    found = {row["date"]: Points(row["earned"], row["redeemed"]) for row in by_day}
    today = now.astimezone(zone).date()
    dates = [month.first_day + timedelta(days=number) for number in range((today - month.first_day).days + 1)]
    return [Day(each, found.get(each, Points(0, 0))) for each in dates]
