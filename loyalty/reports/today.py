"""What the programme has done today, and on an earlier day until the same time; or in a period, and the one before."""

from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from functools import reduce
from operator import or_
from typing import Any
from zoneinfo import ZoneInfo

from django.db.models import Count, Q, QuerySet, Sum

from loyalty.models import Confirmation, Member, PointTransaction
from loyalty.models.ledger import PointTransactionQuerySet
from loyalty.queries import points
from loyalty.queries.points import Points
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


def read(*, now: datetime, zone: ZoneInfo, ago: int = 1) -> Today:
    """`ago`: how many days before today the other is."""
    bounds = days(now, zone, ago=ago)
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


def guests_by_staff(since: datetime, until: datetime) -> dict[str, int]:
    """By user name: to how many guests they gave points at the till. Both ends are included."""
    made = PointTransaction.objects.filter(created_at__range=(since, until)).exclude(recorded_by="")
    rows: QuerySet[Any, Any] = made.purchases().standing().order_by()
    return dict(rows.values_list("recorded_by").annotate(guests=Count("customer", distinct=True)))


def _awards(user_name: str, now: datetime, zone: ZoneInfo) -> PointTransactionQuerySet:
    made = PointTransaction.objects.filter(created_at__range=(days(now, zone).began, now), recorded_by=user_name)
    return made.purchases().standing()


def _confirmations(user_name: str, now: datetime, zone: ZoneInfo) -> QuerySet[Confirmation]:
    made = Confirmation.objects.filter(created_at__range=(days(now, zone).began, now), recorded_by=user_name)
    return made.filter(undone_at=None)


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
