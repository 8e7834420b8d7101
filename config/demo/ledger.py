"""Members, and what happened to their points (document 2)."""

import random
import secrets
import string
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from decimal import ROUND_DOWN, Decimal

from config.demo import chance, crowd, hours
from loyalty.models import Location, Member, PointTransaction, Redemption, Reward

_SIGNUP_BONUS = 100
_REDEMPTION_VALIDITY = timedelta(days=30)
_REDEEM_CHANCE = 0.085
# Lately more than ever, so that whoever looks finds rewards that wait to be used.
_LATELY = timedelta(days=20)
_REDEEM_CHANCE_LATELY = 0.22
_APOLOGY_CHANCE = 0.008
_CODE_ALPHABET = string.ascii_uppercase + string.digits

# Lifetime points from which on a tier holds -> tier, what a point is multiplied by. Highest first.
_TIERS = (
    (10_000, Member.Tier.PLATINUM, Decimal("2")),
    (5_000, Member.Tier.GOLD, Decimal("1.5")),
    (1_000, Member.Tier.SILVER, Decimal("1.25")),
    (0, Member.Tier.BRONZE, Decimal("1")),
)
_MULTIPLIERS = {tier: multiplier for _, tier, multiplier in _TIERS}


@dataclass(slots=True)
class Ledger:
    """Rows that are not stored yet. A member's transactions are in the order of their times."""

    now: datetime
    # Each with how often it is chosen.
    locations: Mapping[Location, int]
    rewards: Mapping[Reward, int]
    members: list[Member] = field(default_factory=list)
    transactions: list[PointTransaction] = field(default_factory=list)
    redemptions: list[Redemption] = field(default_factory=list)
    sightings: list[crowd.Sighting] = field(default_factory=list)


def enrol(ledger: Ledger, *, name: str, phone: str, at: datetime) -> Member:
    member = Member(name=name, email=crowd.email_of(name), phone=phone, created_at=at)
    ledger.members.append(member)
    _earn(ledger, member, _SIGNUP_BONUS, at=at, description="Welcome bonus")
    return member


def purchase(rng: random.Random, ledger: Ledger, member: Member, *, total: Decimal, at: datetime) -> None:
    """Points for a purchase, by the multiplier of the tier that the member has before it."""
    base = total.to_integral_value(ROUND_DOWN)
    points = int(base * _MULTIPLIERS[Member.Tier(member.tier)])
    location = chance.pick(rng, ledger.locations)
    if rng.random() < 0.5:
        ledger.sightings.append(crowd.scan_by_guest(rng, location.pk, at - timedelta(minutes=rng.uniform(20, 60))))
    ledger.sightings.append(crowd.scan_at_till(rng, member.pk, at - timedelta(seconds=20)))
    _earn(ledger, member, points, at=at, description=f"Purchase at {location.name}", total=total, location=location)


def _earn(
    ledger: Ledger,
    member: Member,
    points: int,
    *,
    at: datetime,
    description: str,
    total: Decimal | None = None,
    location: Location | None = None,
) -> None:
    transaction = PointTransaction(type=PointTransaction.Type.EARN, points=points, order_total=total, location=location)
    _write(ledger, member, transaction, at=at, description=description)
    member.lifetime_points += points
    member.last_activity_at = at
    member.tier = next(tier for threshold, tier, _ in _TIERS if member.lifetime_points >= threshold)


def _write(ledger: Ledger, member: Member, transaction: PointTransaction, *, at: datetime, description: str) -> None:
    transaction.customer = member
    transaction.created_at = at
    transaction.description = description
    ledger.transactions.append(transaction)
    member.points_balance += transaction.points


def after_purchase(rng: random.Random, ledger: Ledger, member: Member, *, at: datetime) -> None:
    """Now and then the house gives points for a mishap, or the member spends some."""
    if rng.random() < _APOLOGY_CHANCE:
        gift = PointTransaction(type=PointTransaction.Type.BONUS, points=50)
        _write(ledger, member, gift, at=at + timedelta(minutes=1), description="With our apologies for the wait")
    in_reach = {
        reward: weight for reward, weight in ledger.rewards.items() if reward.points_required <= member.points_balance
    }
    redeem_chance = _REDEEM_CHANCE_LATELY if at > ledger.now - _LATELY else _REDEEM_CHANCE
    if in_reach and rng.random() < redeem_chance:
        _redeem(rng, ledger, member, chance.pick(rng, in_reach), at=at + timedelta(minutes=2))


def _redeem(rng: random.Random, ledger: Ledger, member: Member, reward: Reward, *, at: datetime) -> None:
    price = reward.points_required
    spent = PointTransaction(type=PointTransaction.Type.REDEEM, points=-price)
    _write(ledger, member, spent, at=at, description=f"Redeemed: {reward.name}")
    redemption = Redemption(
        customer=member,
        reward=reward,
        points_spent=price,
        redemption_code=_new_redemption_code(ledger),
        created_at=at,
        expires_at=at + _REDEMPTION_VALIDITY,
    )
    used_at = _used_at(rng, at)
    if used_at is not None and used_at < ledger.now:
        redemption.status, redemption.used_at = Redemption.Status.USED, used_at
    elif redemption.expires_at <= ledger.now:
        redemption.status = Redemption.Status.EXPIRED
    ledger.redemptions.append(redemption)


def _used_at(rng: random.Random, redeemed_at: datetime) -> datetime | None:
    """Most come back for it before it expires, at about the same hour; some never do."""
    if rng.random() > 0.85:
        return None
    used_at = redeemed_at + timedelta(days=round(rng.triangular(0, 28, 9)), minutes=rng.uniform(4, 12))
    return used_at if hours.is_open(used_at.date()) else used_at + timedelta(days=1)


def _new_redemption_code(ledger: Ledger) -> str:
    while True:
        code = "RWD-" + "".join(secrets.choice(_CODE_ALPHABET) for _ in range(6))
        if all(redemption.redemption_code != code for redemption in ledger.redemptions):
            return code
