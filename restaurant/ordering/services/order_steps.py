"""Moving orders on, from the kitchen to the table."""

from datetime import datetime

from django.db import transaction
from django.utils import timezone

from restaurant import events
from restaurant.errors import OrderCancelled, OrderHasMovedOn, OrderHeld, OrderUnknown
from restaurant.ordering import queries
from restaurant.ordering.models import Order
from web.fields import is_uuid

_AT_ONCE = 500  # orders that are completed in one transaction


def set_status(*, order_id: str, status: str, seen: str = "") -> None:
    """Set the order's status and announce it; the same status again is announced too.

    `seen`: the status that whoever moves it has seen, if known. Raises OrderUnknown, OrderCancelled, OrderHeld,
    OrderHasMovedOn.
    """
    if not is_uuid(order_id):
        raise OrderUnknown
    now = timezone.now()
    with transaction.atomic():
        order = Order.objects.select_for_update(no_key=True).filter(pk=order_id).first()
        if order is None:
            raise OrderUnknown
        if order.status == Order.Status.CANCELLED:
            raise OrderCancelled
        if order.status == Order.Status.HELD:
            raise OrderHeld
        if seen and order.status not in (seen, status):
            raise OrderHasMovedOn
        if order.status != status:
            move_to(order, status, now)
        events.status_update(order.pk, status)


def move_to(order: Order, status: str, now: datetime) -> None:
    """Set the status of a locked order, and since when it has it."""
    is_gone = status in (Order.Status.SERVED, Order.Status.COMPLETED)
    order.status = status
    order.ready_at = now if status == Order.Status.READY else order.ready_at if is_gone else None
    order.served_at = (order.served_at or now) if is_gone else None
    order.completed_at = now if status == Order.Status.COMPLETED else None
    order.save(update_fields=["status", "ready_at", "served_at", "completed_at"])


def complete_earlier() -> int:
    """Complete the open orders of more than a day ago, and announce each; how many."""
    number = 0
    while found := _complete_some(timezone.now()):
        number += found
    return number


def _complete_some(now: datetime) -> int:
    with transaction.atomic():
        earlier = queries.earlier_open_orders(now).select_for_update(no_key=True, of=("self",))
        ids = list(earlier.order_by("pk").values_list("pk", flat=True)[:_AT_ONCE])
        done = Order.Status.COMPLETED
        Order.objects.filter(pk__in=ids).update(status=done, served_at=now, completed_at=now)
        for order_id in ids:
            events.status_update(order_id, done)
    return len(ids)
