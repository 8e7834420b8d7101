"""Members and their points: the rows that loyalty's services would have written in the past."""

import json
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any

from django.utils.translation import gettext as _

from config.demo import people
from config.demo.history import History
from config.demo.staff import CASHIER, MANAGER, STALL
from loyalty.messages.services import notifications
from loyalty.models import Location, Member, Notification, PointTransaction
from loyalty.points.services.orders import key_of
from restaurant.models import Order

Type = PointTransaction.Type


def write(history: History, member: Member, points: int, at: datetime, **values: Any) -> PointTransaction:
    """Add a transaction, and change the balance but nothing else of the member."""
    transaction = PointTransaction(customer=member, points=points, created_at=at, **values)
    history[PointTransaction].append(transaction)
    member.points_balance += points
    return transaction


def giver_at(history: History, location: Location) -> str:
    """Return the user name at this location: a cashier can't be at two locations at the same time."""
    return CASHIER if location is history[Location][0] else STALL


def enrol(history: History, *, name: str, phone: str, at: datetime) -> Member:
    member = Member(name=name, email=people.email_of(name), phone=phone, created_at=at)
    history[Member].append(member)
    _earn(history, member, history.programme.signup_bonus, at, description=_("Welcome bonus"))
    return member


def purchase(history: History, member: Member, *, total: Decimal, location: Location, at: datetime) -> PointTransaction:
    """Award points for a purchase. The cashier scans the member's card; half of the members have checked in before."""
    if history.happens(0.5):
        history.scan_by_guest(location.pk, at - history.minutes(20, 60))
    history.scan_at_till(member.pk, at - timedelta(seconds=20))
    giver = giver_at(history, location)
    return _buy(history, member, total, location, at, staff_id=giver, recorded_by=giver)


def collect(history: History, member: Member, order: Order, *, at: datetime) -> None:
    """Award points for an order of a closed table, without a cashier."""
    key = key_of(str(order.pk))
    location = history[Location][0]
    earned = _buy(history, member, order.total, location, at, idempotency_key=key.text, request_digest=key.digest)
    order.collector, order.collected_at, order.points_collected = str(member.pk), at, earned.points


def _buy(
    history: History, member: Member, total: Decimal, location: Location, at: datetime, **values: Any
) -> PointTransaction:
    points = history.programme.points_for(total, member.tier)
    description = _("Purchase at %(location)s") % {"location": location.name}
    return _earn(history, member, points, at, description=description, order_total=total, location=location, **values)


def _earn(history: History, member: Member, points: int, at: datetime, **values: Any) -> PointTransaction:
    earned = write(history, member, points, at, type=Type.EARN, **values)
    member.lifetime_points += points
    member.awards += 1
    member.spend += earned.order_total or 0
    member.last_activity_at = at
    tier = history.programme.tier_of(member.lifetime_points)
    if tier != member.tier:
        _notify(history, member, tier, at=at)
        member.tier = tier
    return earned


def _notify(history: History, member: Member, tier: str, *, at: datetime) -> None:
    """Add the notification of a new tier as sent, because `send_notifications` must not mail it."""
    title, message = notifications.tier_change_texts(old=member.tier, new=tier)
    notification = Notification(customer=member, title=title, message=message, created_at=at, attempts=1)
    notification.sent_at = notification.next_attempt_at = at + timedelta(seconds=2)
    history[Notification].append(notification)


def take_back(history: History, purchase: PointTransaction, *, note: str, at: datetime) -> None:
    """Reverse the member's latest purchase, whose points are still on the card."""
    member = purchase.customer
    what = _("Taken back: %(what)s") % {"what": purchase.description}
    reversal = reverse(history, purchase, at, description=f"{what} ({note})", staff_id=CASHIER, recorded_by=CASHIER)
    total = purchase.order_total or Decimal(0)
    reversal.order_total = -total
    member.lifetime_points -= purchase.points
    member.awards -= 1
    member.spend -= total
    member.tier = history.programme.tier_of(member.lifetime_points)
    result = {
        "taken": purchase.points,
        "missing": 0,
        "balance": member.points_balance,
        "tier": member.tier,
        "note": note,
    }
    reversal.result = json.dumps(result)


def reverse(history: History, row: PointTransaction, at: datetime, **values: Any) -> PointTransaction:
    return write(history, row.customer, -row.points, at, type=Type.REVERSAL, reverses=row, **values)


def give(history: History, member: Member, points: int, *, reason: str, at: datetime) -> None:
    write(history, member, points, at, type=Type.BONUS, description=reason, staff_id=MANAGER, recorded_by=MANAGER)
