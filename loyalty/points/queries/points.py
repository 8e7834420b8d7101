"""Points that came onto cards and left them: sums of days that are over, and the lines of the rest.

See "Sums of days" in docs/behaviour/common.md.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime
from itertools import chain
from typing import Any

from django.db.models import Q, QuerySet, Sum

from loyalty.points.models import LedgerDay, PointsOfQuarter, PointTransaction, PointTransactionQuerySet
from web.quarter_hours import Epoch, by_quarter_hour
from web.sums_of_days import LATENESS, day_of, others, right_days
from web.windows import Window

EARNED = Sum("points", filter=Q(points__gt=0), default=0)
REDEEMED = -Sum("points", filter=Q(points__lt=0), default=0)


@dataclass(frozen=True, slots=True)
class Points:
    earned: int
    redeemed: int

    def __add__(self, other: "Points") -> "Points":
        return Points(self.earned + other.earned, self.redeemed + other.redeemed)


NONE = Points(0, 0)


def total(transactions: PointTransactionQuerySet) -> Points:
    """Of those that were not taken back."""
    return Points(**transactions.standing().aggregate(earned=EARNED, redeemed=REDEEMED))


def in_window(window: Window) -> Points:
    """As `total` of its lines."""
    days = _summed_days(window)
    rest = total(PointTransaction.objects.filter(others(window, days, "created_at")))
    if not days:
        return rest
    stored = PointsOfQuarter.objects.filter(day__in=days).aggregate(
        Sum("earned", default=0), Sum("redeemed", default=0)
    )
    return rest + Points(*map(int, stored.values()))  # PostgreSQL's sum of bigint is numeric


def by_quarter(window: Window) -> Iterator[tuple[int, Points]]:
    """A second since 1970 that lies in a quarter hour, and its points. It may come more than once."""
    days = _summed_days(window)
    sums: QuerySet[Any, Any] = PointsOfQuarter.objects.filter(day__in=days)
    stored = sums.values_list(Epoch("quarter"), "earned", "redeemed") if days else ()
    rest = of_lines(others(window, days, "created_at"))
    return ((second, Points(*points)) for second, *points in chain(stored, rest))


def of_lines(times: Q) -> QuerySet[Any, Any]:
    lines = PointTransaction.objects.standing().filter(times)
    return by_quarter_hour(lines, "created_at", earned=EARNED, redeemed=REDEEMED)


def changed_days(since: datetime, window: Window | None) -> set[date]:
    """Those of which a line was taken back since then. Nothing else changes a line."""
    reversals = PointTransaction.objects.filter(reverses__isnull=False, created_at__gte=since - LATENESS)
    if window:
        reversals = reversals.filter(window.within("reverses__created_at"))
    return {day_of(at) for at in reversals.values_list("reverses__created_at", flat=True)}


def _summed_days(window: Window) -> list[date]:
    return right_days(LedgerDay.objects.all(), window, changed_days)
