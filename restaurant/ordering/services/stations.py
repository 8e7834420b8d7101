"""The entries of an order that the kitchen's stations are done with."""

from collections.abc import Iterable
from datetime import datetime

from django.db import transaction
from django.utils import timezone

from restaurant import events
from restaurant.errors import EntryCancelled, EntryUnknown, OrderCancelled, OrderHeld, OrderServed
from restaurant.ordering.models import Order, OrderItem
from restaurant.ordering.services.order_steps import lock, move_to


def set_done(*, order_id: str, position: int, done: bool) -> None:
    """Mark an entry as done, or as not done. The last one makes the order ready; undoing it takes that back.

    Doing it again changes nothing. Raises OrderUnknown, EntryUnknown, OrderHeld, OrderCancelled, OrderServed,
    EntryCancelled.
    """
    now = timezone.now()
    with transaction.atomic():
        order = lock(order_id)
        items = list(order.items.all())
        item = next((item for item in items if item.position == position), None)
        if item is None:
            raise EntryUnknown
        _require_open(order, item)
        if done == (item.done_at is not None):
            return
        item.done_at = now if done else None
        item.save(update_fields=["done_at"])
        events.order_update(order.pk)
        if done:
            finish_if_done(order, items, now)
        elif order.status == Order.Status.READY:
            move_to(order, Order.Status.PREPARING, now)
            events.status_update(order.pk, order.status)


def _require_open(order: Order, item: OrderItem) -> None:
    if order.status == Order.Status.HELD:
        raise OrderHeld
    if order.status == Order.Status.CANCELLED:
        raise OrderCancelled
    if order.status not in Order.OPEN:
        raise OrderServed
    if not item.remaining:
        raise EntryCancelled


def finish_if_done(order: Order, items: Iterable[OrderItem], now: datetime) -> None:
    """Make a locked order ready when everything that is left of it is done."""
    left = [item for item in items if item.remaining]
    if order.is_cooking and left and all(item.done_at for item in left):
        move_to(order, Order.Status.READY, now)
        events.status_update(order.pk, order.status)
