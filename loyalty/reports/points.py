"""Points that came onto cards and left them, which several reports count."""

from dataclasses import dataclass

from django.db.models import Q, QuerySet, Sum

from loyalty.models import PointTransaction

EARNED = Sum("points", filter=Q(points__gt=0), default=0)
REDEEMED = -Sum("points", filter=Q(points__lt=0), default=0)


@dataclass(frozen=True, slots=True)
class Points:
    earned: int
    redeemed: int


def total(transactions: QuerySet[PointTransaction]) -> Points:
    return Points(**transactions.aggregate(earned=EARNED, redeemed=REDEEMED))
