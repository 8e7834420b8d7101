"""Members by how recently, how often and for how much they came. See "Member reports" in docs/behaviour/loyalty.md."""

import operator
from collections import Counter
from collections.abc import Iterator
from dataclasses import astuple, dataclass
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any
from uuid import UUID

from django.core.cache import cache
from django.db.models import (
    BooleanField,
    Case,
    Count,
    ExpressionWrapper,
    F,
    OuterRef,
    Q,
    QuerySet,
    Subquery,
    Sum,
    Value,
    When,
)
from django.db.models.functions import Coalesce
from django.utils import timezone

from loyalty.members.models import Member
from loyalty.messages.models import WinBackEmail
from loyalty.points.models import PointTransaction
from loyalty.reports.re_engagement import LEAST_POINTS, SINCE, is_to_win_back
from web.money import NOTHING, MoneyField
from web.reporting import average

SPENT_MUCH, SPENT_SOME = Decimal(200), Decimal(100)
OTHERS = "new_or_casual"
SLIPPING = "slipping"  # some of the others, who stand apart where people read: between good spenders and those at risk
# In the order in which they are tried.
SEGMENTS = ("champions", "loyal", "potential_loyalist", "at_risk", "hibernating", OTHERS)
EARLIER = timedelta(days=30)  # ago: the page compares with that
REMEMBERED = 24 * 60 * 60  # seconds


@dataclass(frozen=True, slots=True)
class Rule:
    """Active `within` so many whole days, or else `away` for more than so many; at least `awards` and `spend`."""

    within: int | None = None
    away: int = 0
    awards: int = 0
    spend: Decimal = Decimal(0)

    def query(self, now: datetime) -> Q:
        """A member who was never active fits no rule."""
        is_away = Q(last_activity_at__lte=now - timedelta(days=self.away + 1))
        active = is_away if self.within is None else active_within(self.within, now)
        return active & Q(awards__gte=self.awards, spend__gte=self.spend)

    def fits(self, days: int, awards: int, spend: Decimal) -> bool:
        """`days`: whole ones since the last activity."""
        is_so = days > self.away if self.within is None else days <= self.within
        return is_so and awards >= self.awards and spend >= self.spend


# In the order in which they are tried.
RULES = {
    "champions": Rule(within=30, awards=4, spend=SPENT_MUCH),
    "loyal": Rule(within=30, awards=2),
    "potential_loyalist": Rule(within=60, spend=SPENT_SOME),
    "at_risk": Rule(away=90, spend=SPENT_SOME),
    "hibernating": Rule(away=180),
    SLIPPING: Rule(within=90, spend=SPENT_SOME),
}


@dataclass(frozen=True, slots=True)
class Segment:
    """`agreed`: of its members, those who get offers by email.

    Of these, `to_win_back` are in the report of that and were not written to lately, `written` are and were, `gone`
    have been away for longer than that report goes back, and `poor` have too few points for it. The others came lately.
    """

    name: str
    members: int = 0
    spend: Decimal = Decimal(0)
    agreed: int = 0
    to_win_back: int = 0
    written: int = 0
    gone: int = 0
    poor: int = 0

    @property
    def average_spend(self) -> Decimal:
        return average(self.spend, self.members)

    def plus(self, other: "Segment") -> "Segment":
        return Segment(self.name, *map(operator.add, astuple(self)[1:], astuple(other)[1:]))


@dataclass(frozen=True, slots=True)
class Segments:
    """Segments that have members, the highest average spend first. `apart`: with SLIPPING beside the others."""

    until: datetime
    segments: list[Segment]
    apart: list[Segment]


def active_within(days: int, now: datetime) -> Q:
    """Whole days of 24 hours."""
    return Q(last_activity_at__gt=now - timedelta(days=days + 1))


def read(*, now: datetime) -> Segments:
    segments: dict[str, Segment] = {}
    for segment in _by_segment(Member.objects.filter(merged_into=None), now):
        segments[segment.name] = segments.get(segment.name, Segment(segment.name)).plus(segment)
    apart = _sorted(segments)
    if SLIPPING in segments:
        segments[OTHERS] = segments.get(OTHERS, Segment(OTHERS)).plus(segments.pop(SLIPPING))
    return Segments(until=now, segments=_sorted(segments), apart=apart)


def _sorted(segments: dict[str, Segment]) -> list[Segment]:
    return sorted(segments.values(), key=lambda segment: (-segment.average_spend, segment.name))


def members(name: str, *, now: datetime) -> QuerySet[Member]:
    """Return the members of one segment, SLIPPING apart, for the admin's list and that of whom to win back."""
    rules = [When(rule.query(now), then=Value(key)) for key, rule in RULES.items()]
    return Member.objects.annotate(segment=Case(*rules, default=Value(OTHERS))).filter(segment=name)


def ids_among(ids: list[UUID], name: str, *, now: datetime) -> set[UUID]:
    """Which of these members are in the segment."""
    return set(members(name, now=now).filter(pk__in=ids).values_list("pk", flat=True))


def _by_segment(rows: QuerySet[Member], now: datetime) -> Iterator[Segment]:
    """A segment may come several times.

    Grouped by truths and not by a name: PostgreSQL then expects few groups, and sorts nothing.
    """
    truths = {name: ExpressionWrapper(rule.query(now), output_field=BooleanField()) for name, rule in RULES.items()}
    agreed = Q(offers_agreed_at__isnull=False, erased_at=None)
    lately = Q(pk__in=WinBackEmail.objects.filter(written_at__gt=now - WinBackEmail.PAUSE).values("customer"))
    to_win_back, is_gone = agreed & is_to_win_back(now), Q(last_activity_at__lt=now - SINCE)
    grouped: QuerySet[Any, Any] = rows.annotate(**truths).values(*truths)
    sums = grouped.annotate(
        members=Count("*"),
        total=Sum("spend"),
        agreed=Count("pk", filter=agreed),
        to_win_back=Count("pk", filter=to_win_back & ~lately),
        written=Count("pk", filter=to_win_back & lately),
        gone=Count("pk", filter=agreed & is_gone),
        poor=Count("pk", filter=agreed & ~is_gone & Q(lifetime_points__lt=LEAST_POINTS)),
    )
    for row in sums.values_list(*truths, "members", "total", "agreed", "to_win_back", "written", "gone", "poor"):
        fits, figures = row[: len(RULES)], row[len(RULES) :]
        yield Segment(next((name for name, is_so in zip(RULES, fits, strict=True) if is_so), OTHERS), *figures)


# --- 30 days ago --------------------------------------------------------------------------------------


def before(*, now: datetime) -> Counter[str]:
    """Count each segment's members 30 days ago, SLIPPING apart, as the ledger stands now. Empty without any.

    Read once a day: of those who came since it takes their part of the ledger.
    """
    key = f"segments-before:{timezone.localdate(now)}"
    counts: Counter[str] | None = cache.get(key)
    if counts is None:
        counts = _at(now - EARLIER)
        cache.set(key, counts, REMEMBERED)
    return counts


def _at(then: datetime) -> Counter[str]:
    """Count them then; what is stored of members who did not come since is as it was."""
    joined = Member.objects.filter(created_at__lte=then, merged_into=None)
    count: Counter[str] = Counter()
    for segment in _by_segment(joined.exclude(last_activity_at__gt=then), then):
        count[segment.name] += segment.members
    for active, awards, spend in _of_those_who_came(joined.filter(last_activity_at__gt=then), then):
        days = (then - active).days if active else None
        fitting = (name for name, rule in RULES.items() if days is not None and rule.fits(days, awards, spend))
        count[next(fitting, OTHERS)] += 1
    return count


def _of_those_who_came(rows: QuerySet[Member], then: datetime) -> Iterator[tuple[datetime | None, int, Decimal]]:
    """When they were last active then, with how many awards, and what they had spent."""
    earned = PointTransaction.objects.standing().filter(type=PointTransaction.Type.EARN, customer=OuterRef("pk"))
    earlier = earned.filter(created_at__lte=then).order_by("-created_at")
    since: QuerySet[Any, Any] = earned.filter(created_at__gt=then).order_by().values("customer")
    count, spent = since.annotate(figure=Count("pk")), since.annotate(figure=Sum("order_total"))
    members = rows.annotate(
        active_then=Subquery(earlier.values("created_at")[:1]),
        awards_then=F("awards") - Coalesce(Subquery(count.values("figure")), 0),
        spend_then=F("spend") - Coalesce(Subquery(spent.values("figure")), NOTHING, output_field=MoneyField()),
    )
    yield from members.order_by().values_list("active_then", "awards_then", "spend_then").iterator()
