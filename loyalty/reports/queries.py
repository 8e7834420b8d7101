"""What members and staff did between two times: who joined, the points, and the rewards."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Count, QuerySet, Sum

from loyalty.members.models import Member
from loyalty.points.models import PointTransaction
from loyalty.points.queries import points
from loyalty.points.queries.points import Points
from loyalty.rewards.models import Confirmation
from web.windows import Compared, Period, Window


@dataclass(frozen=True, slots=True)
class ProgrammeFigures:
    new_members: int
    points: Points


def compared_figures(period: Period) -> Compared[ProgrammeFigures]:
    now, before = period.window.within("created_at"), period.before.within("created_at")
    joined = Member.objects.filter(now | before, merged_into=None).aggregate(
        now=Count("pk", filter=now), before=Count("pk", filter=before)
    )
    return Compared(
        ProgrammeFigures(joined["now"], points.in_window(period.window)),
        ProgrammeFigures(joined["before"], points.in_window(period.before)),
    )


def members_served(window: Window) -> int:
    """Count the members who collected points with a purchase."""
    purchases = PointTransaction.objects.filter(window.within("created_at")).purchases().standing()
    return purchases.aggregate(members=Count("customer", distinct=True))["members"]


def guests_by_staff(window: Window) -> dict[str, int]:
    """Count the guests to whom each of the staff gave points at the till, by user name."""
    made = PointTransaction.objects.filter(window.within("created_at")).exclude(recorded_by="")
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
    """Leave out what was taken back or undone. `until` is not in it."""
    lines = PointTransaction.objects.filter(created_at__gte=since, created_at__lt=until, points__gt=0).standing()
    lines = lines.exclude(type=PointTransaction.Type.IMPORT)
    handed_out = Confirmation.objects.filter(created_at__gte=since, created_at__lt=until, undone_at=None)
    return Given(
        **lines.aggregate(points=Sum("points", default=0), cards=Count("customer", distinct=True)),
        **handed_out.order_by().aggregate(rewards=Count("pk"), spent=Sum("redemption__points_spent", default=0)),
    )
