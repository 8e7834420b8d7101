"""The rules of document 2 on tiers and points. Pure: no database, no clock."""

from dataclasses import dataclass
from decimal import Decimal

from django.utils.translation import gettext_noop

SIGNUP_BONUS = 100


@dataclass(frozen=True, slots=True)
class Tier:
    name: str
    threshold: int  # lifetime points needed, at least
    multiplier: Decimal


# Highest first. The names are marked for translation; JSON has them as they are.
TIERS = (
    Tier(gettext_noop("platinum"), 10_000, Decimal("2")),
    Tier(gettext_noop("gold"), 5_000, Decimal("1.5")),
    Tier(gettext_noop("silver"), 1_000, Decimal("1.25")),
    Tier(gettext_noop("bronze"), 0, Decimal("1")),
)
_MULTIPLIERS = {tier.name: tier.multiplier for tier in TIERS}


def tier_of(lifetime_points: int) -> str:
    """The highest tier whose threshold is reached."""
    return next((tier.name for tier in TIERS if lifetime_points >= tier.threshold), TIERS[-1].name)


def points_for(*, order_total: Decimal, tier: str) -> int:
    """floor(floor(total) x multiplier); an unknown tier multiplies by 1."""
    return int(int(order_total) * _MULTIPLIERS.get(tier, Decimal(1)))


def next_tier(lifetime_points: int) -> Tier | None:
    """The lowest tier that is not reached yet; None at the top."""
    return next((tier for tier in reversed(TIERS) if tier.threshold > lifetime_points), None)


def rank(tier: str) -> int:
    """0 for the highest; unknown tiers come last."""
    names = [each.name for each in TIERS]
    return names.index(tier) if tier in names else len(names)
