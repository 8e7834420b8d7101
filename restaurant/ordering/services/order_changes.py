"""Approving, refusing and cancelling orders.

Every change locks the order's session first and then the order, so that it takes turns with orders, payments, moves
and the kitchen's status changes.
"""

import uuid
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Any

from django.db import transaction
from django.db.models import F
from django.utils import timezone
from django.utils.translation import gettext as _

from restaurant import events, staff
from restaurant.errors import (
    NotCancelled,
    NothingLeft,
    NotYourOrder,
    OrderCancelled,
    OrderCompleted,
    OrderUnknown,
    SessionEnded,
)
from restaurant.menu.services import menu
from restaurant.ordering.models import Order, OrderChange, OrderItem, TableSession
from restaurant.ordering.queries.orders import cooking_entries, is_from_phone, too_late_to_cancel
from restaurant.ordering.services import courses, dockets, order_points, order_steps, stations
from web import journal
from web.fields import is_uuid
from web.idempotency import Key, KeyReused
from web.money import NOTHING

Status = Order.Status


@dataclass(frozen=True, slots=True)
class Part:
    """An entry to cancel: its position in the order, and a quantity; None for all that is left of it."""

    position: int
    quantity: int | None = None


def approve(*, order_id: str, user: Any) -> None:
    """Send a held order to the kitchen, and count it. Approving again changes nothing.

    What staff kept for later is placed at this moment: the kitchen's minutes begin.

    Raises OrderUnknown, OrderCancelled, SessionEnded.
    """
    with transaction.atomic():
        order = _lock(order_id)
        now = timezone.now()
        if order.status == Status.CANCELLED:
            raise OrderCancelled
        if order.status != Status.HELD:
            return
        if order.session.ended_at:
            raise SessionEnded(_("This table was closed, so its order can't be approved any more. Please refuse it."))
        if order.kept_at:
            order.created_at = now
        items = list(order.items.all())
        courses.fire_first(order.session, items, now, is_sent=order.is_kept)
        OrderItem.objects.bulk_update([item for item in items if item.fired_at], ["fired_at"])
        order.status, order.approved_at = Status.PENDING, now
        order.save(update_fields=["status", "approved_at", "created_at"])
        order_steps.is_nobodys(order)
        _count(order, orders=1, revenue=order.total)
        _record(order, OrderChange.Kind.APPROVED, now, order.total, user=user)
        _tell_bill(order)
        dockets.make(order, now)
        events.new_order(order.pk)
        events.status_update(order.pk, order.status, for_kitchen=False)


def cancel(
    *,
    order_id: str,
    user: Any,
    reason: str,
    note: str = "",
    parts: Sequence[Part] | None = None,
    key: Key | None = None,
) -> None:
    """Cancel an order, or these parts of it, for a member of staff. What is held is refused.

    What is completed is cancelled by whoever may adjust bills.

    Cancelling the whole of what is cancelled already changes nothing, nor does a repeat with the same key. Raises
    OrderUnknown, OrderCompleted, NothingLeft, KeyReused.
    """
    with transaction.atomic():
        order = _lock(order_id)
        if key and _is_repeat(order, key):
            return
        if parts is None and order.status == Status.CANCELLED:
            return
        if order.status == Status.COMPLETED and not user.has_perm(staff.ADJUST_BILL):
            raise OrderCompleted
        _cancel(order, parts, user=user, reason=reason, note=note, key=key)
    # Of an order whose table was closed before. After the commit: it is cancelled whatever fails here.
    if order.status == Status.CANCELLED and order.points_collected is not None:
        order_points.take_back(order)


def cancel_by_guest(*, order_id: str, guest: str, reason: str, note: str = "") -> None:
    """Cancel the whole of an order that this phone has placed, before the kitchen starts on it or it is paid.

    Cancelling it again changes nothing. Raises OrderUnknown, NotYourOrder, TooLateToCancel.
    """
    with transaction.atomic():
        order = _lock(order_id)
        if not is_from_phone(order, guest):
            raise NotYourOrder
        if order.status == Status.CANCELLED:
            return
        dockets.withdraw(order)
        if too_late := too_late_to_cancel(order):
            raise too_late
        _cancel(order, None, user=None, reason=reason, note=note)


def cancel_kept(session: TableSession, *, user: Any) -> None:
    """Cancel orders that are kept for later, as their guests leave. The caller has locked the session."""
    for order in Order.objects.kept().filter(session=session).select_for_update(no_key=True).order_by("pk"):
        _cancel(order, None, user=user, reason=OrderChange.Reason.GUEST_LEFT)


def cancel_waiting(session: TableSession, *, user: Any) -> None:
    """Cancel what waits for its course, as its guests leave. The caller has locked the session."""
    waiting = cooking_entries().filter(OrderItem.WAITS, order__session=session)
    for order in Order.objects.filter(pk__in=waiting.values("order")).select_for_update(no_key=True).order_by("pk"):
        parts = [Part(item.position) for item in order.items.all() if item.waits and not item.done_at]
        _cancel(order, parts, user=user, reason=OrderChange.Reason.GUEST_LEFT)


def acknowledge(*, order_id: str) -> None:
    """Note that a cook has seen that the order is cancelled. Raises OrderUnknown, NotCancelled."""
    with transaction.atomic():
        order = _lock(order_id)
        if order.status != Status.CANCELLED:
            raise NotCancelled
        if order.acknowledged_at is None:
            order.acknowledged_at = timezone.now()
            order.save(update_fields=["acknowledged_at"])
        events.order_update(order.pk)


def _lock(order_id: str) -> Order:
    """Lock the order's session, then the order. Raises OrderUnknown."""
    order = Order.objects.filter(pk=order_id).first() if is_uuid(order_id) else None
    while order is not None:
        session = TableSession.objects.select_for_update(no_key=True).get(pk=order.session_id)
        order = Order.objects.select_for_update(no_key=True).get(pk=order.pk)
        if order.session_id == session.pk:  # else it was moved while the lock was waited for
            order.session = session
            return order
    raise OrderUnknown


def _is_repeat(order: Order, key: Key) -> bool:
    """True if a request with this key has changed the order before. Raises KeyReused."""
    earlier = order.changes.filter(idempotency_key=key.text).first()
    if earlier is not None and earlier.request_digest != key.digest:
        raise KeyReused
    return earlier is not None


def _cancel(order: Order, parts: Sequence[Part] | None, **why: Any) -> None:
    """Raises NothingLeft."""
    now = timezone.now()
    items = list(order.items.all())
    taken = _taken(items, parts)
    for item, quantity in taken:
        item.cancelled_quantity += quantity
    OrderItem.objects.bulk_update([item for item, _quantity in taken], ["cancelled_quantity"])
    _give_portions_back(taken)
    amount = sum((item.price * quantity for item, quantity in taken), NOTHING)
    is_whole = not any(item.remaining for item in items)
    was_held = order.status == Status.HELD
    if not was_held:
        _count(order, orders=-1 if is_whole else 0, revenue=-amount)
    order.total -= amount
    if is_whole:
        # A cook has to acknowledge it if the kitchen has it on a display.
        order.acknowledged_at = None if order.status in Order.OPEN else now
        order.status, order.cancelled_at = Status.CANCELLED, now
    order.save(update_fields=["total", "status", "cancelled_at", "acknowledged_at"])
    if not was_held:
        dockets.make_cancelled(order, taken, now)
    kind = OrderChange.Kind.REFUSED if was_held else OrderChange.Kind.CANCELLED
    _record(order, kind, now, amount, items=taken, **why)
    _tell_bill(order)
    if is_whole:
        events.status_update(order.pk, order.status, for_kitchen=not was_held)
    else:
        events.order_update(order.pk, for_kitchen=not was_held)
        stations.finish_if_done(order, items, now)


def _give_portions_back(taken: list[tuple[OrderItem, int]]) -> None:
    portions: Counter[uuid.UUID] = Counter()
    for item, quantity in taken:
        if item.took_portions:
            portions[item.menu_item_id] += quantity
    if portions:
        menu.give_portions_back(portions)


def _taken(items: list[OrderItem], parts: Sequence[Part] | None) -> list[tuple[OrderItem, int]]:
    """The entries to cancel, each with its quantity. Raises NothingLeft."""
    if parts is None:
        return [(item, item.remaining) for item in items if item.remaining]
    taken: dict[int, tuple[OrderItem, int]] = {}
    for part in parts:
        if part.position in taken or not 0 <= part.position < len(items):
            raise NothingLeft(position=part.position)
        item = items[part.position]
        quantity = item.remaining if part.quantity is None else part.quantity
        if not 1 <= quantity <= item.remaining:
            raise NothingLeft(position=part.position)
        taken[part.position] = item, quantity
    return list(taken.values())


def _count(order: Order, *, orders: int, revenue: Decimal) -> None:
    """Change the session's figures."""
    session = TableSession.objects.filter(pk=order.session_id)
    session.update(total_orders=F("total_orders") + orders, total_revenue=F("total_revenue") + revenue)


def _tell_bill(order: Order) -> None:
    """To be called when all is stored: what changes the bill follows its orders."""
    if order.session.adjusted is not None:
        events.party_changed.send(None, session=order.session)


def _record(
    order: Order,
    kind: OrderChange.Kind,
    at: datetime,
    amount: Decimal,
    *,
    user: Any,
    items: Sequence[tuple[OrderItem, int]] = (),
    key: Key | None = None,
    **why: str,
) -> None:
    change = OrderChange.objects.create(
        order=order,
        kind=kind,
        at=at,
        amount=amount,
        user=user,
        user_name=user.get_username() if user else "",
        items=[{"position": item.position, "quantity": quantity} for item, quantity in items],
        idempotency_key=key.text if key else None,
        request_digest=key.digest if key else "",
        **why,
    )
    journal.write(f"order_{kind}", order.pk, by=change.user_name, at=at, **change.recorded)
