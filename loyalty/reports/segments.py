"""Members by how recently, how often and for how much they came. See "Segments" in docs/behaviour.md."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal

from django.db.models import Case, Count, Q, Sum, Value, When

from loyalty.models import Member
from web.reporting import average

OTHERS = "new_or_casual"
# In the order in which they are tried.
SEGMENTS = ("champions", "loyal", "potential_loyalist", "at_risk", "hibernating", OTHERS)


@dataclass(frozen=True, slots=True)
class Segment:
    name: str
    members: int
    average_spend: Decimal


@dataclass(frozen=True, slots=True)
class Segments:
    """Those that have members, the highest average spend first."""

    until: datetime
    segments: list[Segment]


def _rules(now: datetime) -> dict[str, Q]:
    """Days are whole days of 24 hours. A member who was never active fits no rule."""

    def active_within(days: int) -> Q:
        return Q(last_activity_at__gt=now - timedelta(days=days + 1))

    def inactive_for_more_than(days: int) -> Q:
        return Q(last_activity_at__lte=now - timedelta(days=days + 1))

    return {
        "champions": active_within(30) & Q(awards__gte=4, spend__gte=200),
        "loyal": active_within(30) & Q(awards__gte=2),
        "potential_loyalist": active_within(60) & Q(spend__gte=100),
        "at_risk": inactive_for_more_than(90) & Q(spend__gte=100),
        "hibernating": inactive_for_more_than(180),
    }


def read(*, now: datetime) -> Segments:
    rules = [When(rule, then=Value(name)) for name, rule in _rules(now).items()]
    members = Member.objects.annotate(segment=Case(*rules, default=Value(OTHERS)))
    counts = members.aggregate(
        **{f"{name}_members": Count("pk", filter=Q(segment=name)) for name in SEGMENTS},
        **{f"{name}_spend": Sum("spend", filter=Q(segment=name)) for name in SEGMENTS},
    )
    found = [
        Segment(name, counts[f"{name}_members"], average(counts[f"{name}_spend"], counts[f"{name}_members"]))
        for name in SEGMENTS
        if counts[f"{name}_members"]
    ]
    return Segments(until=now, segments=sorted(found, key=lambda each: (-each.average_spend, each.name)))
