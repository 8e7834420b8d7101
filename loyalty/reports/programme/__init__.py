"""The programme at a glance. See "Member reports" in docs/behaviour/loyalty.md."""

from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from decimal import Decimal
from itertools import chain, repeat
from math import ceil
from typing import Any
from zoneinfo import ZoneInfo

from django.db.models import Count, Exists, F, OuterRef, Q, QuerySet, Sum

from loyalty.members.models import Member
from loyalty.points.models import PointTransaction
from loyalty.points.queries import points
from loyalty.points.queries.points import NONE, Points
from loyalty.reports.segments import active_within
from loyalty.rewards.models import Redemption
from web.money import worth
from web.reporting import share
from web.windows import WEEK, Period, Window, this_month

RECENT = timedelta(days=30)  # in which a member is active and a reward popular
TOP_CUSTOMERS = 10
POPULAR_REWARDS = 5
TIERS = tuple(reversed(Member.Tier.values))  # platinum first


def point_cost() -> Decimal:
    return worth(Decimal("0.01"))


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
    """`active`: in the latest 30 times 24 hours. If a period was given, `recent`: by whole days, as in the segments;
    `joined`: in the period and in the one before; `popular_rewards`: of the period, else of 30 days.
    """

    until: datetime
    members: int
    active: int
    recent: int
    joined: int
    joined_before: int
    outstanding_points: int
    tiers: list[TierCount]
    month: Points
    top_customers: list[Member]
    popular_rewards: list[PopularReward]

    @property
    def liability(self) -> Decimal:
        return self.outstanding_points * point_cost()


@dataclass(frozen=True, slots=True)
class Day:
    """`before`: of the same weekday, in `same_weekdays`; None if that has fewer days."""

    date: date
    points: Points
    before: Points | None


@dataclass(frozen=True, slots=True)
class Moved:
    """`active` members earned points in a period; of these `redeemed` had a reward, too. `spent`: points."""

    active: int
    redemptions: int
    spent: int
    redeemed: int
    points: Points

    @property
    def redemption(self) -> Decimal | None:
        """Percent of the points earned that were spent on rewards; None of nothing."""
        return share(self.spent, self.points.earned) if self.points.earned else None

    @property
    def redeeming(self) -> Decimal | None:
        """Percent of the active members who had a reward; None of nothing."""
        return share(self.redeemed, self.active) if self.active else None


@dataclass(frozen=True, slots=True)
class Activity:
    """`days` are all of the period."""

    now: Moved
    before: Moved
    days: list[Day]


def read(*, now: datetime, zone: ZoneInfo, period: Period | None = None) -> Programme:
    """The month is that of `zone`. `period`: of the members who joined, whom only page and CSV show."""
    recent = period.window.within("created_at") if period else Q(created_at__gte=now - RECENT)
    tiers = {row.pop("tier"): row for row in _members_by_tier(now, period)}

    def total(name: str) -> int:
        return sum(row.get(name, 0) for row in tiers.values())

    return Programme(
        until=now,
        members=total("members"),
        active=total("active"),
        recent=total("recent"),
        joined=total("joined"),
        joined_before=total("joined_before"),
        outstanding_points=total("balance"),
        tiers=[TierCount(tier, tiers[tier]["members"] if tier in tiers else 0) for tier in TIERS],
        month=points.in_window(this_month(now, zone).window),
        top_customers=list(Member.objects.order_by("-lifetime_points", "name", "pk")[:TOP_CUSTOMERS]),
        popular_rewards=_popular_rewards(recent),
    )


def _members_by_tier(now: datetime, period: Period | None) -> QuerySet[Any, dict[str, Any]]:
    tiers: QuerySet[Any, Any] = Member.objects.filter(merged_into=None).order_by().values("tier")
    return tiers.annotate(
        members=Count("*"),
        active=Count("pk", filter=Q(last_activity_at__gte=now - RECENT)),
        balance=Sum("points_balance"),
        **(_of_page(now, period) if period else {}),
    )


def _of_page(now: datetime, period: Period) -> dict[str, Count]:
    return {
        "recent": Count("pk", filter=active_within(RECENT.days, now)),
        "joined": Count("pk", filter=period.window.within("created_at")),
        "joined_before": Count("pk", filter=period.before.within("created_at")),
    }


def _redeemed() -> QuerySet[Redemption]:
    return Redemption.objects.exclude(status=Redemption.Status.CANCELLED)


def _popular_rewards(within: Q) -> list[PopularReward]:
    redeemed = _redeemed().filter(within).values("reward_id", name=F("reward__name"))
    counted = redeemed.annotate(redemptions=Count("*")).order_by("-redemptions", "name", "reward_id")
    return [PopularReward(*row) for row in counted.values_list("name", "redemptions")[:POPULAR_REWARDS]]


def compare(*, period: Period) -> Activity:
    """Return what only page and CSV show."""
    days, days_before = (_by_day(window, period.zone) for window in (period.window, period.before))
    beside = same_weekdays(period)
    alike = days_before if beside == period.before else _by_day(beside, period.zone)
    earlier = chain(alike.values(), repeat(None))
    return Activity(
        now=_moved(period.window, days),
        before=_moved(period.before, days_before),
        days=[Day(day, moved, old) for (day, moved), old in zip(days.items(), earlier, strict=False)],
    )


def _moved(window: Window, days: dict[date, Points]) -> Moved:
    within = window.within("created_at")
    # A member's last_activity_at is the latest time alone: who was active is read from the transactions.
    earned = PointTransaction.objects.standing().filter(within, type=PointTransaction.Type.EARN)
    is_active = Exists(earned.filter(customer=OuterRef("customer")))
    return Moved(
        **earned.aggregate(active=Count("customer", distinct=True)),
        **_redeemed()
        .filter(within)
        .aggregate(
            redemptions=Count("pk"),
            spent=Sum("points_spent", default=0),
            redeemed=Count("customer", filter=is_active, distinct=True),
        ),
        points=sum(days.values(), NONE),
    )


def same_weekdays(period: Period) -> Window:
    """The period before, moved by a few days where its first is another weekday, such as that of a month: a day is
    compared with the same one of a week, as a house that is closed on Mondays would."""
    window, before, zone = period.window, period.before, period.zone
    days = (window.first - before.first).days
    if not window.is_calendar or days % WEEK.days == 0:
        return before
    weeks = max(round(days / WEEK.days), ceil(window.days / WEEK.days))
    start, until = (moment.astimezone(zone) - weeks * WEEK for moment in (window.start, window.until))
    return replace(before, start=start, until=until, first=start.date(), last=until.date(), is_month=False)


def has_data_until(moment: datetime) -> bool:
    return PointTransaction.objects.filter(created_at__lte=moment).exists()


def _by_day(window: Window, zone: ZoneInfo) -> dict[date, Points]:
    days = dict.fromkeys(window.dates, NONE)
    for second, moved in points.by_quarter(window):
        days[datetime.fromtimestamp(second, zone).date()] += moved
    return days
