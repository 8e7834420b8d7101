"""Moving orders on, from the kitchen to the table."""

from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import F
from django.utils import timezone

from restaurant import events
from restaurant.errors import OrderCancelled, OrderHasMovedOn, OrderHeld, OrderServed, OrderUnknown
from restaurant.ordering.models import Order, OrderItem
from restaurant.ordering.queries.orders import earlier_open_orders
from restaurant.ordering.queries.stations import ready_parts
from web.fields import is_uuid

_BATCH = 500  # orders that are completed in one transaction


def set_status(*, order_id: str, status: str, seen: str = "") -> None:
    """Set the order's status and announce it; the same status again is announced too.

    While courses wait, `ready` and `served` are what was fired of it, and the order is `preparing`.
    `seen` is the status that whoever moves it has seen, if known. Raises OrderUnknown, OrderCancelled, OrderHeld,
    OrderHasMovedOn.
    """
    now = timezone.now()
    with transaction.atomic():
        order = lock(order_id)
        _require_sent(order)
        if seen and order.status not in (seen, status):
            raise OrderHasMovedOn
        if status in (Order.Status.READY, Order.Status.SERVED) and order.items.filter(OrderItem.WAITS).exists():
            _finish_fired(order, now, carried=status == Order.Status.SERVED)
        elif order.status != status:
            move_to(order, status, now)
        events.status_update(order.pk, order.status)


def _finish_fired(order: Order, now: datetime, *, carried: bool) -> None:
    """Note that all is done, or carried, that does not wait for its course."""
    fired = order.items.filter(quantity__gt=F("cancelled_quantity")).exclude(OrderItem.WAITS)
    fired.filter(done_at=None).update(done_at=now)
    if carried:
        fired.filter(served_at=None).update(served_at=now)
    if order.status != Order.Status.PREPARING:
        move_to(order, Order.Status.PREPARING, now)
    events.order_update(order.pk)


def prioritise(*, order_id: str, on: bool) -> None:
    """Put an open order before the others on displays, or back among them. Again changes nothing.

    Raises OrderUnknown, OrderCancelled, OrderHeld, OrderServed.
    """
    with transaction.atomic():
        order = lock(order_id)
        require_open(order)
        if on != (order.prioritised_at is not None):
            order.prioritised_at = timezone.now() if on else None
            order.save(update_fields=["prioritised_at"])
            events.order_update(order.pk)


def take(*, order_id: str, user: Any) -> str:
    """Note that this user goes to approve the order, or to carry what is ready of it, unless somebody does.

    Return who does, or did where nothing is left to do; empty if nobody known. Raises OrderUnknown.
    """
    with transaction.atomic():
        order = lock(order_id)
        waits = order.status == Order.Status.READY or (order.status == Order.Status.HELD and not order.is_kept)
        if order.taken_at is None and (waits or ready_parts([order])):
            order.taken_by_name, order.taken_at = user.get_username(), timezone.now()
            order.save(update_fields=["taken_by_name", "taken_at"])
            events.floor_update()
        if order.taken_by_name or order.status in Order.GONE:
            return str(order.taken_by_name)
        change = order.changes.order_by("at", "pk").last()
    return change.user_name if change else ""


def is_nobodys(order: Order) -> None:
    """Forget who went to a locked order: something else waits there now."""
    if order.taken_at:
        order.taken_by_name, order.taken_at = "", None
        order.save(update_fields=["taken_by_name", "taken_at"])


def _require_sent(order: Order) -> None:
    if order.status == Order.Status.CANCELLED:
        raise OrderCancelled
    if order.status == Order.Status.HELD:
        raise OrderHeld


def require_open(order: Order) -> None:
    """Raises OrderCancelled, OrderHeld, OrderServed."""
    _require_sent(order)
    if order.status not in Order.OPEN:
        raise OrderServed


def lock(order_id: str) -> Order:
    """Lock the order alone, not its session. Raises OrderUnknown."""
    order = Order.objects.select_for_update(no_key=True).filter(pk=order_id).first() if is_uuid(order_id) else None
    if order is None:
        raise OrderUnknown
    return order


def move_to(order: Order, status: str, now: datetime) -> None:
    """Set the status of a locked order, and the times that belong to it."""
    is_gone = status in Order.GONE
    if not is_gone:
        is_nobodys(order)
    if order.status in Order.GONE and not is_gone:
        order.items.update(served_at=None)
    order.status = status
    order.ready_at = now if status == Order.Status.READY else order.ready_at if is_gone else None
    order.served_at = (order.served_at or now) if is_gone else None
    order.completed_at = now if status == Order.Status.COMPLETED else None
    order.save(update_fields=["status", "ready_at", "served_at", "completed_at"])


def complete_earlier() -> int:
    """Complete the open orders of more than a day ago, and announce each. Returns their number."""
    number = 0
    while completed := _complete_batch(timezone.now()):
        number += completed
    return number


def _complete_batch(now: datetime) -> int:
    with transaction.atomic():
        earlier = earlier_open_orders(now).select_for_update(no_key=True, of=("self",))
        ids = list(earlier.order_by("pk").values_list("pk", flat=True)[:_BATCH])
        done = Order.Status.COMPLETED
        Order.objects.filter(pk__in=ids).update(status=done, served_at=now, completed_at=now)
        for order_id in ids:
            events.status_update(order_id, done)
    return len(ids)
