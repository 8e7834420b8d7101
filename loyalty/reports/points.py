"""Points that came onto cards and left them, which several reports count."""

from dataclasses import dataclass

from django.db.models import Q, Sum

from loyalty.models import PointTransactionQuerySet

EARNED = Sum("points", filter=Q(points__gt=0), default=0)
REDEEMED = -Sum("points", filter=Q(points__lt=0), default=0)


@dataclass(frozen=True, slots=True)
class Points:
    earned: int
    redeemed: int


def total(transactions: PointTransactionQuerySet) -> Points:
    """Of those that were not taken back."""
    return Points(**transactions.standing().aggregate(earned=EARNED, redeemed=REDEEMED))
