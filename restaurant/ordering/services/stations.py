"""What the stations of the kitchen have done of an order."""

from collections.abc import Iterable
from datetime import datetime

from django.db import transaction
from django.utils import timezone

from restaurant import events
from restaurant.errors import EntryCancelled, EntryUnknown, OrderCancelled, OrderHeld, OrderServed, OrderUnknown
from restaurant.ordering.models import Order, OrderItem
from restaurant.ordering.services.order_steps import move_to
from web.fields import is_uuid


def set_done(*, order_id: str, position: int, done: bool) -> None:
    """Mark an entry as done or not. The last one makes the order ready; one that is not done takes that back.

    Doing it again changes nothing. Raises OrderUnknown, EntryUnknown, OrderHeld, OrderCancelled, OrderServed,
    EntryCancelled.
    """
    now = timezone.now()
    with transaction.atomic():
        order = Order.objects.select_for_update(no_key=True).filter(pk=order_id).first() if is_uuid(order_id) else None
        if order is None:
            raise OrderUnknown
        items = list(order.items.all())
        item = next((each for each in items if each.position == position), None)
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
    is_cooking = order.status in (Order.Status.PENDING, Order.Status.PREPARING)
    if is_cooking and left and all(item.done_at for item in left):
        move_to(order, Order.Status.READY, now)
        events.status_update(order.pk, order.status)
