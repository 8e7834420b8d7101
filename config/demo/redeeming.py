"""Rewards that members redeem, use, or let expire."""

import random
from datetime import datetime, timedelta

from config.demo import chance, crowd, hours
from config.demo.ledger import CASHIER, Ledger, redeem
from loyalty.models import Confirmation, Location, Member, Redemption
from loyalty.rewards import queries as rewards_queries
from loyalty.rewards.services import redemptions

_REDEEM_CHANCE = 0.085
# More often lately, so that there are unused rewards to look at.
_LATELY = timedelta(days=20)
_REDEEM_CHANCE_LATELY = 0.22
_COMES_BACK = 0.85
# Codes that were confirmed a second time, which the admin points out.
_USED_TWICE = 3


def maybe_redeem(rng: random.Random, ledger: Ledger, member: Member, *, at: datetime) -> None:
    """Sometimes redeem a reward, and use it later."""
    in_reach = {
        reward: weight for reward, weight in ledger.rewards.items() if reward.points_required <= member.points_balance
    }
    redeem_chance = _REDEEM_CHANCE_LATELY if at > ledger.now - _LATELY else _REDEEM_CHANCE
    if not in_reach or rng.random() >= redeem_chance:
        return
    redemption = redeem(ledger, member, chance.pick(rng, in_reach), at=at)
    used_at = _used_at(rng, at)
    if used_at is not None and used_at < ledger.now:
        confirm(rng, ledger, redemption, location=chance.pick(rng, ledger.locations), at=used_at)


def _used_at(rng: random.Random, redeemed_at: datetime) -> datetime | None:
    """Return when the reward is used, mostly before it expires, at about the same hour; None for never."""
    if rng.random() > _COMES_BACK:
        return None
    used_at = redeemed_at + timedelta(days=round(rng.triangular(0, 28, 9)), minutes=rng.uniform(4, 12))
    return used_at if hours.is_open(used_at.date()) else used_at + timedelta(days=1)


def confirm(rng: random.Random, ledger: Ledger, redemption: Redemption, *, location: Location, at: datetime) -> None:
    """Scan and confirm the code as the cashier, whatever its state."""
    ledger.sightings.append(crowd.scan_at_till(rng, redemption.pk, at - timedelta(seconds=15)))
    state = rewards_queries.state_of(redemption, at)
    ledger.confirmations.append(
        Confirmation(
            redemption=redemption,
            staff_id=ledger.giver_at(location),
            recorded_by=ledger.giver_at(location),
            location=location,
            found=state,
            message=redemptions.confirmation_message(redemption, state),
            created_at=at,
        )
    )
    redemption.status, redemption.used_at = Redemption.Status.USED, at


def undo(ledger: Ledger, redemption: Redemption, *, at: datetime) -> None:
    """Undo the latest confirmation as the cashier: the reward was not handed out after all."""
    confirmation = next(row for row in reversed(ledger.confirmations) if row.redemption is redemption)
    confirmation.undone_at, confirmation.undone_by = at, CASHIER
    redemption.status, redemption.used_at = Redemption.Status.ACTIVE, None


def use_some_twice(ledger: Ledger) -> None:
    """Confirm a few of the latest used codes again, at the other location."""
    rng = chance.stream("used twice")
    at_first = {confirmation.redemption_id: confirmation.location for confirmation in ledger.confirmations}
    used = [(row, _once_more(row)) for row in ledger.redemptions if row.used_at is not None]
    possible = [(row, again) for row, again in used if again < min(ledger.now, row.expires_at)]
    latest = sorted(possible, key=lambda one: one[1])[-5 * _USED_TWICE :]
    for redemption, again in rng.sample(latest, min(_USED_TWICE, len(latest))):
        elsewhere = next(location for location in ledger.locations if location != at_first[redemption.pk])
        confirm(rng, ledger, redemption, location=elsewhere, at=again)


def _once_more(redemption: Redemption) -> datetime:
    """Return a time on the next open day, a little earlier in the day."""
    assert redemption.used_at is not None  # noqa: S101 (for used redemptions only)
    again = redemption.used_at + timedelta(hours=23, minutes=10)
    return again if hours.is_open(again.date()) else again + timedelta(days=1)


def expire_overdue(ledger: Ledger) -> None:
    """Expire as the command `expire_redemptions` does every night."""
    for redemption in ledger.redemptions:
        if redemption.status == Redemption.Status.ACTIVE and redemption.expires_at < ledger.now:
            redemption.status = Redemption.Status.EXPIRED
