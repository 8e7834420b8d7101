"""Cancellations and payments."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from decimal import Decimal

from config.demo.history import History
from config.demo.staff import CASHIER, FLOOR
from restaurant.models import Order, OrderChange, OrderItem, Payment, TableSession

Reason, Method = OrderChange.Reason, Payment.Method

_ORDER_CANCELLED = 0.015
_DISH_CANCELLED = 0.025
_NOTES = {
    Reason.SOLD_OUT: "Last portion just went",
    Reason.MISTAKE: "Ordered twice",
    Reason.GUEST_LEFT: "Had to catch a train",
    Reason.OTHER: "Dropped on the way: on the house",
}
_METHODS = {Method.CARD: 72, Method.CASH: 28}
_VOUCHER, _VOUCHER_CHANCE = Decimal(20), 0.02
_TWO_PAY = 0.12
_TIP_CHANCE = 0.4


def maybe_cancel(history: History, order: Order, items: list[OrderItem]) -> None:
    """Cancel a few completed orders, and a dish of others."""
    if history.happens(_ORDER_CANCELLED):
        _cancel_order(history, order, items)
    elif len(items) > 1 and history.happens(_DISH_CANCELLED):
        item, reason = history.rng.choice(items), history.rng.choice((Reason.SOLD_OUT, Reason.MISTAKE, Reason.OTHER))
        quantities = {item: history.rng.randint(1, item.quantity)}
        _cancel(history, order, quantities, at=order.created_at + history.minutes(1.5, 4), reason=reason, by=FLOOR)


def _cancel_order(history: History, order: Order, items: list[OrderItem]) -> None:
    """Cancel it as the guest at once, or as a member of staff a little later."""
    by_guest = history.happens(0.5)
    reason = Reason.MISTAKE if by_guest else Reason.GUEST_LEFT
    at = order.created_at + (history.minutes(0.4, 1.5) if by_guest else history.minutes(2, 5))
    quantities = {item: item.quantity for item in items}
    _cancel(history, order, quantities, at=at, reason=reason, by="" if by_guest else FLOOR)
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
    history[OrderChange].append(
        OrderChange(
            order=order,
            kind=OrderChange.Kind.CANCELLED,
            at=at,
            user_name=by,
            reason=reason,
            note=_NOTES[reason] if by else "",
            amount=amount,
            items=[{"position": item.position, "quantity": quantity} for item, quantity in quantities.items()],
        )
    )


def pay(history: History, session: TableSession, at: datetime) -> None:
    due = session.total_revenue
    taken_by = CASHIER if history.happens(0.3) else FLOOR
    for method, amount in _shares(history, due):
        due -= amount
        history[Payment].append(
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


def _shares(history: History, due: Decimal) -> Iterator[tuple[Payment.Method, Decimal]]:
    """Yield the payments of a bill: the whole, two halves, or a voucher and the rest; nothing for nothing."""
    if due > _VOUCHER and history.happens(_VOUCHER_CHANCE):
        yield Method.VOUCHER, _VOUCHER
        due -= _VOUCHER
    elif history.happens(_TWO_PAY):
        half = (due / 2).quantize(Decimal("0.01"))
        if half:
            yield history.pick(_METHODS), half
        due -= half
    if due:
        yield history.pick(_METHODS), due


def _tip(history: History, amount: Decimal) -> Decimal:
    """Return zero, or some ten percent in halves."""
    if not history.happens(_TIP_CHANCE):
        return Decimal(0)
    return Decimal(round(float(amount) * history.rng.uniform(0.06, 0.14) * 2)) / 2
