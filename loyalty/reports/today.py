"""What the programme has done today, and yesterday until the same time; or in a period, and the one before."""

from dataclasses import dataclass
from datetime import datetime
from functools import reduce
from operator import or_
from typing import Any
from zoneinfo import ZoneInfo

from django.db.models import Count, Q, QuerySet, Sum

from loyalty.members.models import Member
from loyalty.points.models import PointTransaction
from loyalty.points.queries import points
from loyalty.points.queries.points import Points
from loyalty.rewards.models import Confirmation
from web.reporting import days
from web.windows import Period


@dataclass(frozen=True, slots=True)
class Figures:
    new_members: int
    points: Points


@dataclass(frozen=True, slots=True)
class Today:
    """`today`: or of a period."""

    today: Figures
    before: Figures


def read(*, now: datetime, zone: ZoneInfo) -> Today:
    """Beside yesterday."""
    bounds = days(now, zone)
    today = Q(created_at__range=(bounds.began, now))
    before = Q(created_at__range=(bounds.before, bounds.until))
    ledger = PointTransaction.objects
    joined, joined_before = _joined(today, before)
    return Today(
        today=Figures(joined, points.total(ledger.filter(today))),
        before=Figures(joined_before, points.total(ledger.filter(before))),
    )


def in_period(period: Period) -> Today:
    joined = _joined(*(each.within("created_at") for each in (period.window, period.before)))
    moved = (points.in_window(each) for each in (period.window, period.before))
    return Today(*(Figures(*each) for each in zip(joined, moved, strict=True)))


def _joined(*times: Q) -> tuple[int, ...]:
    counts = {f"joined_{place}": Count("pk", filter=each) for place, each in enumerate(times)}
    return tuple(Member.objects.filter(reduce(or_, times)).aggregate(**counts).values())


def served(since: datetime, until: datetime) -> int:
    """How many members collected points with a purchase. Both ends are included."""
    purchases = PointTransaction.objects.filter(created_at__range=(since, until)).purchases().standing()
    return purchases.aggregate(members=Count("customer", distinct=True))["members"]


def guests_by_staff(since: datetime, until: datetime) -> dict[str, int]:
    """By user name: to how many guests they gave points at the till. Both ends are included."""
    made = PointTransaction.objects.filter(created_at__range=(since, until)).exclude(recorded_by="")
    rows: QuerySet[Any, Any] = made.purchases().standing().order_by()
    return dict(rows.values_list("recorded_by").annotate(guests=Count("customer", distinct=True)))


@dataclass(frozen=True, slots=True)
class Given:
    """`points` that came onto `cards`; `rewards` that were handed out, which had cost `spent` points."""

    points: int
    cards: int
    rewards: int
    spent: int


def given(since: datetime, until: datetime) -> Given:
    """Without what was taken back or undone. `until` is not in it."""
    lines = PointTransaction.objects.filter(created_at__gte=since, created_at__lt=until, points__gt=0).standing()
    handed_out = Confirmation.objects.filter(created_at__gte=since, created_at__lt=until, undone_at=None)
    return Given(
        **lines.aggregate(points=Sum("points", default=0), cards=Count("customer", distinct=True)),
        **handed_out.order_by().aggregate(rewards=Count("pk"), spent=Sum("redemption__points_spent", default=0)),
    )


def figures(since: datetime, until: datetime) -> Figures:
    """Both ends are included."""
    ledger = PointTransaction.objects.filter(created_at__range=(since, until))
    joined = Member.objects.filter(created_at__range=(since, until)).count()
    return Figures(joined, points.total(ledger))
