"""Members by how recently, how often and for how much they came. See "Segments" in docs/behaviour.md."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal

from django.db.models import BooleanField, Case, Count, ExpressionWrapper, Q, QuerySet, Sum, Value, When

from loyalty.models import Member
from web.reporting import average

SPENT_MUCH, SPENT_SOME = Decimal(200), Decimal(100)
OTHERS = "new_or_casual"
SLIPPING = "slipping"  # some of the others, who stand apart where people read: between good spenders and those at risk
AWAY = {"at_risk": 90, "hibernating": 180}  # days without earning: more than these
# In the order in which they are tried.
SEGMENTS = ("champions", "loyal", "potential_loyalist", "at_risk", "hibernating", OTHERS)


@dataclass(frozen=True, slots=True)
class Segment:
    """`came`: how many of the members came into it in 30 days, where it is for being away: nobody in it has spent or
    earned since. For the other segments it would take the ledger, and 25 times as long as this whole report.
    """

    name: str
    members: int
    average_spend: Decimal
    came: int | None


@dataclass(frozen=True, slots=True)
class Segments:
    """Those that have members, the highest average spend first. `apart`: with SLIPPING beside the others."""

    until: datetime
    segments: list[Segment]
    apart: list[Segment]


def active_within(days: int, now: datetime) -> Q:
    """Whole days of 24 hours."""
    return Q(last_activity_at__gt=now - timedelta(days=days + 1))


def _rules(now: datetime) -> dict[str, Q]:
    """A member who was never active fits no rule."""

    def inactive_for_more_than(days: int) -> Q:
        return Q(last_activity_at__lte=now - timedelta(days=days + 1))

    return {
        "champions": active_within(30, now) & Q(awards__gte=4, spend__gte=SPENT_MUCH),
        "loyal": active_within(30, now) & Q(awards__gte=2),
        "potential_loyalist": active_within(60, now) & Q(spend__gte=SPENT_SOME),
        "at_risk": inactive_for_more_than(AWAY["at_risk"]) & Q(spend__gte=SPENT_SOME),
        "hibernating": inactive_for_more_than(AWAY["hibernating"]),
        SLIPPING: active_within(AWAY["at_risk"], now) & Q(spend__gte=SPENT_SOME),
    }


def read(*, now: datetime) -> Segments:
    members: Counter[str] = Counter()
    came: Counter[str] = Counter()
    spend: dict[str, Decimal] = {}
    rules = _rules(now)
    for fits, count, total, new in _by_rules(rules, now):
        name = next((name for name, is_so in zip(rules, fits, strict=True) if is_so), OTHERS)
        members[name] += count
        came[name] += new.get(name, 0)
        spend[name] = spend.get(name, Decimal(0)) + total
    apart = _sorted(members, spend, came)
    if SLIPPING in members:
        members[OTHERS] += members.pop(SLIPPING)
        spend[OTHERS] = spend.get(OTHERS, Decimal(0)) + spend.pop(SLIPPING)
    return Segments(until=now, segments=_sorted(members, spend, came), apart=apart)


def _sorted(members: Counter[str], spend: dict[str, Decimal], came: Counter[str]) -> list[Segment]:
    found = [
        Segment(name, count, average(spend[name], count), came[name] if name in AWAY else None)
        for name, count in members.items()
    ]
    return sorted(found, key=lambda each: (-each.average_spend, each.name))


def members(name: str, *, now: datetime) -> QuerySet[Member]:
    """Those of one segment, SLIPPING apart. No report lists them; the admin's list of members is filtered by it."""
    rules = [When(rule, then=Value(each)) for each, rule in _rules(now).items()]
    return Member.objects.annotate(segment=Case(*rules, default=Value(OTHERS))).filter(segment=name)


def _by_rules(rules: dict[str, Q], now: datetime) -> Iterator[tuple[list[bool | None], int, Decimal, dict[str, int]]]:
    """Which rules fit, how many members, their spending, and how many of them came by being away for too long.

    Grouped by truths and not by a name: PostgreSQL then expects few groups, and sorts nothing.
    """
    truths = {name: ExpressionWrapper(rule, output_field=BooleanField()) for name, rule in rules.items()}
    came = {f"came_{name}": Count("pk", filter=active_within(days + 30, now)) for name, days in AWAY.items()}
    grouped = Member.objects.annotate(**truths).values(*truths).annotate(members=Count("*"), total=Sum("spend"), **came)
    for *fits, members, total, risky, asleep in grouped.values_list(*truths, "members", "total", *came):
        yield fits, members, total, dict(zip(AWAY, (risky, asleep), strict=True))
