"""The rules of points, tiers and addresses. No database and no clock."""

import calendar
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from decimal import ROUND_HALF_UP, Decimal
from typing import NamedTuple
from zoneinfo import ZoneInfo

from django.utils.translation import gettext_noop

MAX_POINTS = 2_147_483_647  # what the database columns hold
MIN_TOTAL, MAX_TOTAL = Decimal("0.01"), Decimal("99999999.99")  # of an order

# Highest first. The names are marked for translation; JSON has them as they are.
TIER_NAMES = (gettext_noop("platinum"), gettext_noop("gold"), gettext_noop("silver"), gettext_noop("bronze"))


@dataclass(frozen=True, slots=True)
class Tier:
    name: str
    threshold: int  # lifetime points
    multiplier: Decimal


@dataclass(frozen=True, slots=True)
class Programme:
    """What an owner may change. The defaults hold until somebody does."""

    signup_bonus: int = 100
    points_per_unit: Decimal = Decimal(1)  # points for one unit of the currency, in bronze
    silver_from: int = 1_000  # lifetime points
    gold_from: int = 5_000
    platinum_from: int = 10_000
    silver_multiplier: Decimal = Decimal("1.25")
    gold_multiplier: Decimal = Decimal("1.5")
    platinum_multiplier: Decimal = Decimal(2)
    confirm_above: Decimal = Decimal(500)  # an order total
    expires_after_months: int | None = None  # None: points don't expire

    @property
    def tiers(self) -> tuple[Tier, ...]:
        """Highest first."""
        thresholds = (self.platinum_from, self.gold_from, self.silver_from, 0)
        multipliers = (self.platinum_multiplier, self.gold_multiplier, self.silver_multiplier, Decimal(1))
        return tuple(map(Tier, TIER_NAMES, thresholds, multipliers))

    @property
    def counts_whole_units(self) -> bool:
        """Whether the cents of a bill give no points in bronze."""
        return self.points_per_unit == 1

    def rate(self, tier: str) -> Decimal:
        """Points for one unit of the currency, without zeros at the end."""
        return (self.points_per_unit * multiplier_of(tier, self)).normalize()


DEFAULTS = Programme()


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


def points_for(*, order_total: Decimal, tier: str, programme: Programme = DEFAULTS) -> int:
    """floor(floor(total x points per unit) x multiplier); an unknown tier multiplies by 1."""
    return int(int(order_total * programme.points_per_unit) * multiplier_of(tier, programme))


def multiplier_of(tier: str, programme: Programme = DEFAULTS) -> Decimal:
    return next((each.multiplier for each in programme.tiers if each.name == tier), Decimal(1))


class Multiplied(NamedTuple):
    """The points of a bill in bronze, and what a tier multiplied them by."""

    points: int
    multiplier: Decimal


def multiplied(points: int, *, order_total: Decimal, programme: Programme) -> Multiplied | None:
    """How a tier above bronze made these points. None where several may have: the tier of that day isn't stored."""
    fitting = {
        tier.multiplier
        for tier in programme.tiers
        if points_for(order_total=order_total, tier=tier.name, programme=programme) == points
    }
    [multiplier] = fitting if len(fitting) == 1 else [Decimal(1)]
    if multiplier == 1:
        return None
    in_bronze = points_for(order_total=order_total, tier=TIER_NAMES[-1], programme=programme)
    return Multiplied(in_bronze, multiplier.normalize())


def tier_of(lifetime_points: int, programme: Programme = DEFAULTS) -> str:
    """The highest tier whose threshold is reached."""
    return next((tier.name for tier in programme.tiers if lifetime_points >= tier.threshold), TIER_NAMES[-1])


def rank(tier: str) -> int:
    """0 for the highest tier; unknown tiers come last."""
    return TIER_NAMES.index(tier) if tier in TIER_NAMES else len(TIER_NAMES)


@dataclass(frozen=True, slots=True)
class NextTier:
    """The lowest tier that is not reached yet. `percent` is the progress from the current tier to it.

    `rate`: see `Programme.rate`.
    """

    tier: str
    threshold: int
    points_to_go: int
    percent: int
    rate: Decimal


def next_tier(lifetime_points: int, programme: Programme = DEFAULTS) -> NextTier | None:
    """None at the top."""
    tiers = programme.tiers
    following = next((tier for tier in reversed(tiers) if tier.threshold > lifetime_points), None)
    if following is None:
        return None
    current = max((tier.threshold for tier in tiers if tier.threshold <= lifetime_points), default=0)
    return NextTier(
        tier=following.name,
        threshold=following.threshold,
        points_to_go=following.threshold - lifetime_points,
        percent=100 * (lifetime_points - current) // (following.threshold - current),
        rate=programme.rate(following.name),
    )


def months_before(moment: datetime, months: int, zone: ZoneInfo) -> datetime:
    """The same time of day on the same day of an earlier month, or on that month's last day."""
    local = moment.astimezone(zone).replace(tzinfo=None)
    year, month = divmod(local.year * 12 + local.month - 1 - months, 12)
    day = min(local.day, calendar.monthrange(year, month + 1)[1])
    return local.replace(year=year, month=month + 1, day=day, fold=0).replace(tzinfo=zone)


def expires_on(earned: datetime, months: int, zone: ZoneInfo) -> date:
    """The day from which `months_before` is later than `earned`."""
    day = earned.astimezone(zone).date()
    year, month = divmod(day.year * 12 + day.month - 1 + months, 12)
    last = calendar.monthrange(year, month + 1)[1]
    if day.day > last:
        return date(year, month + 1, last) + timedelta(days=1)
    return date(year, month + 1, day.day)


def weeks_to_tiers(programme: Programme, *, weekly: Decimal) -> dict[str, int | None]:
    """After how many weeks a guest who spends `weekly` a week, once, reaches silver, gold and platinum. None: never.

    The bonus counts, so somebody may begin in a tier: after 0 weeks.
    """
    lifetime, weeks = programme.signup_bonus, 0
    reached: dict[str, int | None] = {}
    for tier in list(reversed(programme.tiers))[1:]:
        points = points_for(order_total=weekly, tier=tier_of(lifetime, programme), programme=programme)
        missing = max(tier.threshold - lifetime, 0)
        if missing and (not points or None in reached.values()):
            reached[tier.name] = None
            continue
        needed = -(-missing // points) if missing else 0
        lifetime, weeks = lifetime + needed * points, weeks + needed
        reached[tier.name] = weeks
    return reached
