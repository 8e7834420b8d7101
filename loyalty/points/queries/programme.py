"""The owner's settings, and bills that are unusual by them."""

from dataclasses import dataclass
from decimal import Decimal

from loyalty.members.queries import member_by_id
from loyalty.points.models import Programme


def current_programme() -> Programme:
    """Return what the owner has set, else the defaults."""
    return Programme.objects.filter(pk=1).first() or Programme()


@dataclass(frozen=True, slots=True)
class UnusualAward:
    """A bill above what the owner calls usual, and the points that it would give."""

    total: Decimal
    points: int


def unusual_award(member_id: str, order_total: Decimal) -> UnusualAward | None:
    """Return None for a usual bill. Raises MemberUnknown."""
    programme = current_programme()
    if order_total <= programme.confirm_above:
        return None
    return UnusualAward(order_total, programme.points_for(order_total, member_by_id(member_id).tier))
