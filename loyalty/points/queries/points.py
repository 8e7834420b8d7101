"""Points that came onto cards and left them: sums of days that are over, and the transactions of the rest.

See "Sums of days" in docs/behaviour/common.md.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime
from itertools import chain
from typing import Any

from django.db.models import Q, QuerySet, Sum

from loyalty.points.models import LedgerDay, PointsOfQuarter, PointTransaction, PointTransactionQuerySet
from web import sums_of_days
from web.quarter_hours import Epoch, by_quarter_hour
from web.windows import Window

EARNED = Sum("points", filter=Q(points__gt=0) & ~Q(type="import"), default=0)
REDEEMED = -Sum("points", filter=Q(points__lt=0), default=0)


@dataclass(frozen=True, slots=True)
class Points:
    earned: int
    redeemed: int

    def __add__(self, other: "Points") -> "Points":
        return Points(self.earned + other.earned, self.redeemed + other.redeemed)


NONE = Points(0, 0)


def total(transactions: PointTransactionQuerySet) -> Points:
    """Return the points of the transactions that were not taken back."""
    return Points(**transactions.standing().aggregate(earned=EARNED, redeemed=REDEEMED))


def in_window(window: Window) -> Points:
    """Return the same as `total` of the window's transactions."""
    days = _summed_days(window)
    rest = total(PointTransaction.objects.filter(sums_of_days.others(window, days, "created_at")))
    if not days:
        return rest
    stored = PointsOfQuarter.objects.filter(day__in=days).aggregate(
        Sum("earned", default=0), Sum("redeemed", default=0)
    )
    return rest + Points(*map(int, stored.values()))  # PostgreSQL's sum of bigint is numeric


def by_quarter(window: Window) -> Iterator[tuple[int, Points]]:
    """Return seconds since 1970, each in a quarter hour, and its points. A quarter hour may come more than once."""
    days = _summed_days(window)
    sums: QuerySet[Any, Any] = PointsOfQuarter.objects.filter(day__in=days)
    stored = sums.values_list(Epoch("quarter"), "earned", "redeemed") if days else ()
    rest = of_transactions(sums_of_days.others(window, days, "created_at"))
    return ((second, Points(*points)) for second, *points in chain(stored, rest))


def of_transactions(times: Q) -> QuerySet[Any, Any]:
    transactions = PointTransaction.objects.standing().filter(times)
    return by_quarter_hour(transactions, "created_at", earned=EARNED, redeemed=REDEEMED)


def changed_days(since: datetime, window: Window | None) -> set[date]:
    """Return the days of transactions that were taken back since then. Nothing else changes a transaction."""
    reversals = PointTransaction.objects.filter(reverses__isnull=False, created_at__gte=since - sums_of_days.LATENESS)
    if window:
        reversals = reversals.filter(window.within("reverses__created_at"))
    return {sums_of_days.day_of(at) for at in reversals.values_list("reverses__created_at", flat=True)}


def _summed_days(window: Window) -> list[date]:
    return sums_of_days.right_days(LedgerDay.objects.all(), window, changed_days)


def wrong_days() -> dict[date, sums_of_days.Comparison]:
    """Return the days whose sums are not what the transactions say."""
    return sums_of_days.wrong_days(LedgerDay.objects.all(), changed_days, _compare)


def _compare(day: date) -> sums_of_days.Comparison:
    rows: QuerySet[Any, Any] = PointsOfQuarter.objects.filter(day=day)
    stored = sums_of_days.by_quarter(rows.values_list(Epoch("quarter"), "earned", "redeemed"))
    counted = of_transactions(sums_of_days.window_of(day).within("created_at"))
    return sums_of_days.compared(("earned", "redeemed"), stored, sums_of_days.by_quarter(counted))
