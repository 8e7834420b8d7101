"""The rules of points, tiers and addresses. No database and no clock."""

from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal

from django.utils.translation import gettext_noop

SIGNUP_BONUS = 100  # points
MAX_POINTS = 2_147_483_647  # what the database columns hold
MIN_TOTAL, MAX_TOTAL = Decimal("0.01"), Decimal("99999999.99")  # of an order


@dataclass(frozen=True, slots=True)
class Tier:
    name: str
    threshold: int  # lifetime points
    multiplier: Decimal


# Highest first. The names are marked for translation; JSON has them as they are.
TIERS = (
    Tier(gettext_noop("platinum"), 10_000, Decimal("2")),
    Tier(gettext_noop("gold"), 5_000, Decimal("1.5")),
    Tier(gettext_noop("silver"), 1_000, Decimal("1.25")),
    Tier(gettext_noop("bronze"), 0, Decimal("1")),
)
_MULTIPLIERS = {tier.name: tier.multiplier for tier in TIERS}


def mailbox(address: str) -> str:
    """The address with its host in one spelling, as mail is delivered to it: one mailbox has one card.

    Full-width letters, other characters with a plain equivalent and `xn--` name the same host. Raises ValueError for
    what no mail can be delivered to.
    """
    name, _at, host = address.rpartition("@")
    if not name.isascii() or not address.isprintable():
        raise ValueError("invisible characters, or a name that is not ASCII")
    plain = host.encode("idna")
    try:
        return f"{name}@{plain.decode('idna')}"
    except UnicodeError:  # a host of the newer standard, which has this spelling alone
        return f"{name}@{plain.decode('ascii').lower()}"


def rounded(order_total: Decimal) -> Decimal:
    """To two decimals, half up."""
    return order_total.quantize(Decimal("0.01"), ROUND_HALF_UP)


def points_for(*, order_total: Decimal, tier: str) -> int:
    """floor(floor(total) x multiplier); an unknown tier multiplies by 1."""
    return int(int(order_total) * _MULTIPLIERS.get(tier, Decimal(1)))


def tier_of(lifetime_points: int) -> str:
    """The highest tier whose threshold is reached."""
    return next((tier.name for tier in TIERS if lifetime_points >= tier.threshold), TIERS[-1].name)


def rank(tier: str) -> int:
    """0 for the highest tier; unknown tiers come last."""
    names = [each.name for each in TIERS]
    return names.index(tier) if tier in names else len(names)


@dataclass(frozen=True, slots=True)
class NextTier:
    """The lowest tier that is not reached yet. `percent` is the progress from the current tier to it."""

    tier: str
    threshold: int
    points_to_go: int
    percent: int


def next_tier(lifetime_points: int) -> NextTier | None:
    """None at the top."""
    following = next((tier for tier in reversed(TIERS) if tier.threshold > lifetime_points), None)
    if following is None:
        return None
    current = max((tier.threshold for tier in TIERS if tier.threshold <= lifetime_points), default=0)
    return NextTier(
        tier=following.name,
        threshold=following.threshold,
        points_to_go=following.threshold - lifetime_points,
        percent=100 * (lifetime_points - current) // (following.threshold - current),
    )
