"""What the owner has set."""

from dataclasses import dataclass, fields
from decimal import Decimal

from loyalty import rules
from loyalty.members.queries import member
from loyalty.points.models import Programme

PROGRAMME_FIELDS = tuple(field.name for field in fields(rules.Programme))


def programme() -> rules.Programme:
    """What the owner has set, else the defaults."""
    values = Programme.objects.filter(pk=1).values(*PROGRAMME_FIELDS).first()
    return rules.Programme(**values) if values else rules.DEFAULTS


@dataclass(frozen=True, slots=True)
class UnusualAward:
    """A bill above what the owner calls usual, and the points that it would give."""

    total: Decimal
    points: int


def unusual_award(member_id: str, order_total: Decimal) -> UnusualAward | None:
    """None for a usual bill. Raises MemberUnknown."""
    current = programme()
    if order_total <= current.confirm_above:
        return None
    tier = member(member_id).tier
    return UnusualAward(order_total, rules.points_for(order_total=order_total, tier=tier, programme=current))
