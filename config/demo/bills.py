"""Cancellations and payments."""

from datetime import datetime, timedelta
from decimal import Decimal

from config.demo.history import History
from config.demo.staff import CASHIER, FLOOR
from restaurant.models import Order, OrderChange, OrderItem, Payment, TableSession

Reason, Method = OrderChange.Reason, Payment.Method

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


def maybe_cancel(history: History, order: Order, items: list[OrderItem]) -> None:
    """Cancel a few completed orders, and parts of others."""
    luck = history.rng.random()
    if luck < _ORDER_CANCELLED:
        _cancel_order(history, order, items)
    elif luck < _ORDER_CANCELLED + _PART_CANCELLED and len(items) > 1:
        item, reason = history.rng.choice(items), history.rng.choice((Reason.SOLD_OUT, Reason.MISTAKE, Reason.OTHER))
        at = order.created_at + history.minutes(1.5, 4)
        _cancel(history, order, {item: history.rng.randint(1, item.quantity)}, at=at, reason=reason, by=FLOOR)


def _cancel_order(history: History, order: Order, items: list[OrderItem]) -> None:
    """Cancel it as the guest at once, or as a member of staff a little later."""
    is_guest = history.rng.random() < 0.5
    reason = Reason.MISTAKE if is_guest else history.rng.choice((Reason.MISTAKE, Reason.GUEST_LEFT))
    at = order.created_at + (history.minutes(0.4, 1.5) if is_guest else history.minutes(2, 5))
    quantities = {item: item.quantity for item in items}
    _cancel(history, order, quantities, at=at, reason=reason, by="" if is_guest else FLOOR)
    order.status, order.completed_at, order.ready_at = Order.Status.CANCELLED, None, None
    order.cancelled_at, order.acknowledged_at = at, at + timedelta(seconds=40)
    order.session.total_orders -= 1


def _cancel(
    history: History,
    order: Order,
    quantities: dict[OrderItem, int],
    *,
    at: datetime,
    reason: OrderChange.Reason,
    by: str,
) -> None:
    amount = sum((item.price * quantity for item, quantity in quantities.items()), Decimal("0.00"))
    for item, quantity in quantities.items():
        item.cancelled_quantity += quantity
    order.total -= amount
    order.session.total_revenue -= amount
    history.changes.append(
        OrderChange(
            order=order,
            kind=OrderChange.Kind.CANCELLED,
            at=at,
            user_name=by,
            reason=reason,
            note=history.rng.choice(_NOTES[reason]) if by else "",
            amount=amount,
            items=[{"position": item.position, "quantity": quantity} for item, quantity in quantities.items()],
        )
    )


def pay(history: History, session: TableSession, at: datetime) -> None:
    due = session.total_revenue
    taken_by = CASHIER if history.rng.random() < 0.3 else FLOOR
    for method, amount in _parts(history, due):
        due -= amount
        history.payments.append(
            Payment(
                session=session,
                method=method,
                amount=amount,
                tip=_tip(history, amount) if method != Method.VOUCHER else Decimal(0),
                due_after=due,
                created_at=at,
                taken_by_name=taken_by,
                paid_in=session.pk,
            )
        )


def _parts(history: History, due: Decimal) -> list[tuple[Payment.Method, Decimal]]:
    """Split the sum by method: the whole, two halves, or a voucher and the rest; nothing for nothing."""
    luck, voucher = history.rng.random(), history.rng.choice(_VOUCHERS)
    if not due:
        return []
    if luck < _VOUCHER_CHANCE and voucher < due:
        return [(Method.VOUCHER, voucher), (history.pick(_METHODS), due - voucher)]
    if luck < _VOUCHER_CHANCE + _TWO_PAY:
        half = (due / 2).quantize(Decimal("0.01"))
        return [(history.pick(_METHODS), half), (history.pick(_METHODS), due - half)]
    return [(history.pick(_METHODS), due)]


def _tip(history: History, amount: Decimal) -> Decimal:
    """Return zero, or some ten percent in halves."""
    if history.rng.random() > _TIP_CHANCE:
        return Decimal(0)
    return Decimal(round(float(amount) * history.rng.uniform(0.06, 0.14) * 2)) / 2
