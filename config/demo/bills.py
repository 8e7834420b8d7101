"""Cancellations and payments."""

import random
from collections import defaultdict
from datetime import datetime, timedelta
from decimal import Decimal

from config.demo import chance
from config.demo.visits import FLOOR, Diary
from restaurant.models import Order, OrderChange, OrderItem, Payment, TableSession

Kind, Reason, Method = OrderChange.Kind, OrderChange.Reason, Payment.Method

CASHIER = "cashier"

_PART_CANCELLED = 0.025
_ORDER_CANCELLED = 0.015
_NOTES = {
    Reason.SOLD_OUT: ("Last portion just went", "", ""),
    Reason.MISTAKE: ("Ordered twice", "Wrong table", ""),
    Reason.GUEST_LEFT: ("Had to catch a train", ""),
    Reason.OTHER: ("Dropped on the way: on the house",),
}
_METHODS = {Method.CARD: 72, Method.CASH: 28}
_VOUCHERS = (Decimal(20), Decimal(25), Decimal(50))
_VOUCHER_CHANCE = 0.02
_TWO_PAY = 0.12
_TIP_CHANCE = 0.4


def cancel_some(diary: Diary) -> None:
    """Cancel some past orders, and parts of others."""
    rng = chance.stream("cancellations")
    items: dict[Order, list[OrderItem]] = defaultdict(list)
    for item in diary.items:
        items[item.order].append(item)
    for order in diary.orders:
        luck = rng.random()
        if order.completed_at is None:
            continue
        if luck < _ORDER_CANCELLED:
            _cancel_order(rng, diary, order, items[order])
        elif luck < _ORDER_CANCELLED + _PART_CANCELLED and len(items[order]) > 1:
            _cancel_part(rng, diary, order, rng.choice(items[order]))


def _cancel_order(rng: random.Random, diary: Diary, order: Order, items: list[OrderItem]) -> None:
    """Cancel it as the guest at once, or as a member of staff a little later."""
    is_guest = rng.random() < 0.5
    reason = Reason.MISTAKE if is_guest else rng.choice((Reason.MISTAKE, Reason.GUEST_LEFT))
    at = order.created_at + timedelta(minutes=rng.uniform(0.4, 1.5) if is_guest else rng.uniform(2, 5))
    parts = [(item, item.quantity) for item in items]
    _write(rng, diary, order, parts, at=at, reason=reason, by="" if is_guest else FLOOR)
    order.status, order.completed_at, order.ready_at = Order.Status.CANCELLED, None, None
    order.cancelled_at, order.acknowledged_at = at, at + timedelta(seconds=40)
    order.session.total_orders -= 1


def _cancel_part(rng: random.Random, diary: Diary, order: Order, item: OrderItem) -> None:
    reason = rng.choice((Reason.SOLD_OUT, Reason.MISTAKE, Reason.OTHER))
    at = order.created_at + timedelta(minutes=rng.uniform(1.5, 4))
    _write(rng, diary, order, [(item, rng.randint(1, item.quantity))], at=at, reason=reason, by=FLOOR)


def _write(
    rng: random.Random,
    diary: Diary,
    order: Order,
    parts: list[tuple[OrderItem, int]],
    *,
    at: datetime,
    reason: OrderChange.Reason,
    by: str,
) -> None:
    amount = sum((item.price * quantity for item, quantity in parts), Decimal("0.00"))
    for item, quantity in parts:
        item.cancelled_quantity += quantity
    order.total -= amount
    order.session.total_revenue -= amount
    diary.changes.append(
        OrderChange(
            order=order,
            kind=Kind.CANCELLED,
            at=at,
            user_name=by,
            reason=reason,
            note=rng.choice(_NOTES[reason]) if by else "",
            amount=amount,
            items=[{"position": item.position, "quantity": quantity} for item, quantity in parts],
        )
    )


def pay(diary: Diary) -> None:
    """Pay the bills of all ended sessions, just before their end."""
    rng = chance.stream("payments")
    for session in diary.sessions:
        if session.ended_at is not None and session.total_revenue:
            _pay(rng, diary, session, session.ended_at - timedelta(seconds=rng.uniform(5, 50)))


def _pay(rng: random.Random, diary: Diary, session: TableSession, at: datetime) -> None:
    due = session.total_revenue
    taken_by = CASHIER if rng.random() < 0.3 else FLOOR
    for method, amount in _parts(rng, due):
        due -= amount
        diary.payments.append(
            Payment(
                session=session,
                method=method,
                amount=amount,
                tip=_tip(rng, amount) if method != Method.VOUCHER else Decimal(0),
                due_after=due,
                created_at=at,
                taken_by_name=taken_by,
                paid_in=session.pk,
            )
        )


def _parts(rng: random.Random, due: Decimal) -> list[tuple[Payment.Method, Decimal]]:
    """Split the sum by method: the whole, two halves, or a voucher and the rest."""
    luck, voucher = rng.random(), rng.choice(_VOUCHERS)
    if luck < _VOUCHER_CHANCE and voucher < due:
        return [(Method.VOUCHER, voucher), (chance.pick(rng, _METHODS), due - voucher)]
    if luck < _VOUCHER_CHANCE + _TWO_PAY:
        half = (due / 2).quantize(Decimal("0.01"))
        return [(chance.pick(rng, _METHODS), half), (chance.pick(rng, _METHODS), due - half)]
    return [(chance.pick(rng, _METHODS), due)]


def _tip(rng: random.Random, amount: Decimal) -> Decimal:
    """Return zero, or some ten percent in halves."""
    if rng.random() > _TIP_CHANCE:
        return Decimal(0)
    return Decimal(round(float(amount) * rng.uniform(0.06, 0.14) * 2)) / 2
