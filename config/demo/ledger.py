"""Members and their points: the rows that loyalty's services would have written in the past."""

import json
import random
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from decimal import Decimal
from uuid import UUID

from django.utils.translation import gettext as _

from config.demo import crowd
from loyalty import rules
from loyalty.messages.services import notifications
from loyalty.models import Confirmation, Letter, Location, Member, Notification, PointTransaction, Redemption, Reward
from loyalty.points.services.orders import key_of
from loyalty.rewards.services import redemptions

# User names of the demonstration's staff.
CASHIER, MANAGER, STALL = "cashier", "manager", "stall"


@dataclass(slots=True)
class Ledger:
    """Rows to store. A member's transactions are in chronological order."""

    now: datetime
    # With weights.
    locations: Mapping[Location, int]
    rewards: Mapping[Reward, int]
    # The owner's settings, else the defaults.
    programme: rules.Programme = rules.DEFAULTS
    members: list[Member] = field(default_factory=list)
    transactions: list[PointTransaction] = field(default_factory=list)
    notifications: list[Notification] = field(default_factory=list)
    redemptions: list[Redemption] = field(default_factory=list)
    confirmations: list[Confirmation] = field(default_factory=list)
    letters: list[Letter] = field(default_factory=list)
    sightings: list[crowd.Sighting] = field(default_factory=list)

    def giver_at(self, location: Location) -> str:
        """Return the user name at this location: a cashier can't be at two locations at the same time."""
        return CASHIER if location == next(iter(self.locations)) else STALL


def enrol(ledger: Ledger, *, name: str, phone: str, at: datetime) -> Member:
    member = Member(name=name, email=crowd.email_of(name), phone=phone, created_at=at)
    ledger.members.append(member)
    bonus = PointTransaction(points=ledger.programme.signup_bonus, description=_("Welcome bonus"))
    _earn(ledger, member, bonus, at=at)
    return member


def purchase(
    rng: random.Random, ledger: Ledger, member: Member, *, total: Decimal, location: Location, at: datetime
) -> PointTransaction:
    """Award points for a purchase. The cashier scans the member's card; half of the members have checked in before."""
    if rng.random() < 0.5:
        ledger.sightings.append(crowd.scan_by_guest(rng, location.pk, at - timedelta(minutes=rng.uniform(20, 60))))
    ledger.sightings.append(crowd.scan_at_till(rng, member.pk, at - timedelta(seconds=20)))
    earned = PointTransaction(
        points=rules.points_for(order_total=total, tier=member.tier, programme=ledger.programme),
        description=_("Purchase at %(location)s") % {"location": location.name},
        order_total=total,
        location=location,
        staff_id=ledger.giver_at(location),
        recorded_by=ledger.giver_at(location),
    )
    _earn(ledger, member, earned, at=at)
    return earned


def take_back(ledger: Ledger, purchase: PointTransaction, *, note: str, at: datetime) -> None:
    """Reverse the latest purchase, whose points are still on the card."""
    member = purchase.customer
    what = _("Taken back: %(what)s") % {"what": purchase.description}
    reversal = _reverse(ledger, purchase, description=f"{what} ({note})", recorded_by=CASHIER, at=at)
    member.lifetime_points -= purchase.points
    member.awards -= 1
    member.spend -= purchase.order_total or 0
    member.tier = rules.tier_of(member.lifetime_points, ledger.programme)
    earned = (row for row in reversed(ledger.transactions) if row.customer is member and row.type == purchase.type)
    member.last_activity_at = next(row.created_at for row in earned if row is not purchase)
    result = {"taken": purchase.points, "missing": 0, "balance": member.points_balance, "tier": member.tier}
    reversal.result = json.dumps(result)


def _reverse(
    ledger: Ledger, row: PointTransaction, *, description: str, recorded_by: str | None, at: datetime
) -> PointTransaction:
    reversal = PointTransaction(
        type=PointTransaction.Type.REVERSAL,
        points=-row.points,
        description=description,
        order_total=None if row.order_total is None else -row.order_total,
        staff_id=recorded_by or "",
        recorded_by=recorded_by,
        reverses=row,
    )
    _write(ledger, row.customer, reversal, at=at)
    return reversal


def collect(ledger: Ledger, member: Member, *, order_id: UUID, total: Decimal, location: Location, at: datetime) -> int:
    """Award points for an order of a closed table, without a cashier, and return them."""
    key = key_of(str(order_id))
    earned = PointTransaction(
        points=rules.points_for(order_total=total, tier=member.tier, programme=ledger.programme),
        description=_("Purchase at %(location)s") % {"location": location.name},
        order_total=total,
        location=location,
        idempotency_key=key.text,
        request_digest=key.digest,
    )
    _earn(ledger, member, earned, at=at)
    return earned.points


def _earn(ledger: Ledger, member: Member, earned: PointTransaction, *, at: datetime) -> None:
    earned.type = PointTransaction.Type.EARN
    _write(ledger, member, earned, at=at)
    member.lifetime_points += earned.points
    member.awards += 1
    member.spend += earned.order_total or 0
    member.last_activity_at = at
    tier = rules.tier_of(member.lifetime_points, ledger.programme)
    if tier != member.tier:
        _tell(ledger, member, tier, at=at)
        member.tier = tier


def _tell(ledger: Ledger, member: Member, tier: str, *, at: datetime) -> None:
    """Add the notification of a new tier as sent, because `send_notifications` must not mail it."""
    title, message = notifications.tier_change_texts(old=member.tier, new=tier)
    sent_at = at + timedelta(seconds=2)
    ledger.notifications.append(
        Notification(
            customer=member,
            title=title,
            message=message,
            created_at=at,
            sent_at=sent_at,
            attempts=1,
            next_attempt_at=sent_at,
        )
    )


def give(ledger: Ledger, member: Member, points: int, *, reason: str, at: datetime) -> None:
    bonus = PointTransaction(
        type=PointTransaction.Type.BONUS,
        points=points,
        description=reason,
        staff_id=MANAGER,
        recorded_by=MANAGER,
    )
    _write(ledger, member, bonus, at=at)


def _write(ledger: Ledger, member: Member, transaction: PointTransaction, *, at: datetime) -> None:
    transaction.customer = member
    transaction.created_at = at
    ledger.transactions.append(transaction)
    member.points_balance += transaction.points


def redeem(ledger: Ledger, member: Member, reward: Reward, *, at: datetime) -> Redemption:
    """Add an active redemption, even if it has expired by now: see `redeeming.expire_overdue`."""
    spent = PointTransaction(
        type=PointTransaction.Type.REDEEM,
        points=-reward.points_required,
        description=_("Redeemed: %(reward)s") % {"reward": reward.name},
    )
    _write(ledger, member, spent, at=at)
    redemption = Redemption(
        customer=member,
        reward=reward,
        points_spent=reward.points_required,
        redemption_code=_new_code(ledger),
        created_at=at,
        expires_at=at + redemptions.VALIDITY,
    )
    ledger.redemptions.append(redemption)
    return redemption


def cancel(ledger: Ledger, redemption: Redemption, *, at: datetime) -> None:
    """Cancel it as the member, who gets the points back."""
    spent = next(
        row
        for row in reversed(ledger.transactions)
        if row.type == PointTransaction.Type.REDEEM and row.created_at == redemption.created_at
    )
    description = _("Cancelled: %(reward)s") % {"reward": redemption.reward.name}
    reversal = _reverse(ledger, spent, description=description, recorded_by=None, at=at)
    reversal.result = json.dumps({"balance": redemption.customer.points_balance})
    redemption.status = Redemption.Status.CANCELLED


def _new_code(ledger: Ledger) -> str:
    taken = {redemption.redemption_code for redemption in ledger.redemptions}
    while (code := redemptions.new_code()) in taken:
        pass
    return code
