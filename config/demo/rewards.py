"""Rewards that members redeem, use, cancel, or let expire."""

import json
from datetime import datetime, timedelta

from django.utils.translation import gettext as _

from config.demo import hours, points
from config.demo.history import History
from config.demo.staff import CASHIER
from loyalty.models import Confirmation, Location, Member, PointTransaction, Redemption, Reward
from loyalty.rewards.queries.redemptions import state_of
from loyalty.rewards.services import confirmations, redemptions

_REDEEM_CHANCE = 0.085
# More often lately, so that there are unused rewards to look at.
_LATELY = timedelta(days=20)
_REDEEM_CHANCE_LATELY = 0.22
_COMES_BACK = 0.85
# Codes that were confirmed a second time, which the admin points out.
_USED_TWICE = 3


def redeem(history: History, member: Member, reward: Reward, *, at: datetime) -> Redemption:
    """Add an active redemption, even if it has expired by now."""
    description, result = _("Redeemed: %(reward)s") % {"reward": reward.name}, json.dumps({"reward": reward.name})
    spent = reward.points_required
    points.write(history, member, -spent, at, type=PointTransaction.Type.REDEEM, description=description, result=result)
    taken = {redemption.redemption_code for redemption in history[Redemption]}
    redemption = Redemption(
        customer=member,
        reward=reward,
        points_spent=spent,
        redemption_code=next(code for code in iter(redemptions.new_code, "") if code not in taken),
        created_at=at,
        expires_at=at + redemptions.VALIDITY,
    )
    history[Redemption].append(redemption)
    return redemption


def cancel(history: History, redemption: Redemption, *, at: datetime) -> None:
    """Cancel the latest redemption as its member, who gets the points back."""
    spent = history[PointTransaction][-1]
    description = _("Cancelled: %(reward)s") % {"reward": redemption.reward.name}
    reversal = points.reverse(history, spent, at, description=description)
    reversal.result = json.dumps({"balance": redemption.customer.points_balance})
    redemption.status = Redemption.Status.CANCELLED


def confirm(history: History, redemption: Redemption, location: Location, *, at: datetime) -> None:
    """Scan and confirm the code as the cashier, whatever its state."""
    history.scan_at_till(redemption.pk, at - timedelta(seconds=15))
    state = state_of(redemption, at)
    giver = points.giver_at(history, location)
    history[Confirmation].append(
        Confirmation(
            redemption=redemption,
            staff_id=giver,
            recorded_by=giver,
            location=location,
            found=state,
            message=confirmations.confirmation_message(redemption, state),
            created_at=at,
        )
    )
    redemption.status, redemption.used_at = Redemption.Status.USED, at


def undo(history: History, redemption: Redemption, *, at: datetime) -> None:
    """Undo the latest confirmation as the cashier: the reward was not handed out after all."""
    confirmation = history[Confirmation][-1]
    confirmation.undone_at, confirmation.undone_by = at, CASHIER
    redemption.status, redemption.used_at = Redemption.Status.ACTIVE, None


def maybe_redeem(history: History, member: Member, *, at: datetime) -> None:
    """Sometimes redeem a reward, and use it later, mostly before it expires and at about the same hour."""
    affordable = {
        reward: weight
        for reward, weight in history.reward_weights.items()
        if reward.points_required <= member.points_balance
    }
    chance = _REDEEM_CHANCE_LATELY if at > history.now - _LATELY else _REDEEM_CHANCE
    if not affordable or not history.happens(chance):
        return
    redemption = redeem(history, member, history.pick(affordable), at=at)
    if history.happens(_COMES_BACK):
        days = timedelta(days=round(history.rng.triangular(0, 28, 9)))
        used_at = _when_open(at + days + history.minutes(4, 12))
        if used_at < history.now:
            confirm(history, redemption, history.pick(history.location_weights), at=used_at)


def _when_open(at: datetime) -> datetime:
    return at if hours.is_open(at.date()) else at + timedelta(days=1)


def use_a_few_twice(history: History) -> None:
    """Confirm the latest used codes again, at the other location and a little earlier in the day."""
    used = [row for row in history[Confirmation] if row.redemption.status == Redemption.Status.USED]
    repeats = [(_when_open(row.created_at + timedelta(hours=23, minutes=10)), row) for row in used]
    valid = [(at, row) for at, row in repeats if at < min(history.now, row.redemption.expires_at)]
    for at, row in sorted(valid, key=lambda repeat: repeat[0])[-_USED_TWICE:]:
        elsewhere = next(location for location in history[Location] if location is not row.location)
        confirm(history, row.redemption, elsewhere, at=at)
