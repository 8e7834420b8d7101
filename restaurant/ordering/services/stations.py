"""The entries of an order that the kitchen's stations have seen, are done with, and those that were carried."""

from collections.abc import Collection, Iterable
from datetime import datetime

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from restaurant import events
from restaurant.errors import EntryCancelled, EntryUnknown, EntryWaits
from restaurant.ordering.models import Order, OrderItem
from restaurant.ordering.queries.orders import UNSEEN_AFTER
from restaurant.ordering.queries.stations import ready_parts, station_at
from restaurant.ordering.services.order_steps import is_nobodys, lock, move_to, require_open
from web.fields import is_uuid


def set_done(*, order_id: str, position: int, done: bool) -> None:
    """Mark an entry as done, or as not done. The last one makes the order ready; undoing it takes that back.

    Doing it again changes nothing. Raises OrderUnknown, EntryUnknown, OrderHeld, OrderCancelled, OrderServed,
    EntryCancelled, EntryWaits.
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
        item.done_at, item.served_at = (now, item.served_at) if done else (None, None)
        item.save(update_fields=["done_at", "served_at"])
        events.order_update(order.pk)
        if done and order.taken_at and any(part.since == now for part in ready_parts([order])):
            is_nobodys(order)
        if done:
            finish_if_done(order, items, now)
        elif order.status == Order.Status.READY:
            move_to(order, Order.Status.PREPARING, now)
            events.status_update(order.pk, order.status)


def set_seen(*, order_ids: Collection[str], station: str = "") -> int:
    """Note that a display has drawn these orders, of which a station's shows its entries and those of none.

    Returns how many entries nobody had seen; orders that are unknown or wait have none. Raises StationUnknown.
    """
    unseen = OrderItem.objects.filter(order__in=filter(is_uuid, order_ids), seen_at=None).exclude(OrderItem.WAITS)
    if station:
        unseen = unseen.filter(Q(station=station_at(station)) | Q(station=None))
    number = 0
    for order_id in unseen.order_by("order").values_list("order", flat=True).distinct():
        with transaction.atomic():
            order, now = lock(str(order_id)), timezone.now()
            number += unseen.filter(order=order).update(seen_at=now)
            if now - (order.approved_at or order.created_at) >= UNSEEN_AFTER:
                events.floor_update()  # where it was an alarm
    return number


def set_served(*, order_id: str, positions: Collection[int]) -> None:
    """Note that these entries are carried, and so done. The last one makes the order served.

    Doing it again changes nothing, nor does it of an order that is served. Raises OrderUnknown, EntryUnknown,
    OrderHeld, OrderCancelled, EntryCancelled, EntryWaits.
    """
    now = timezone.now()
    with transaction.atomic():
        order = lock(order_id)
        items = list(order.items.all())
        carried = [item for item in items if item.position in positions and not item.served_at]
        if not set(positions) <= {item.position for item in items}:
            raise EntryUnknown
        if order.status in Order.GONE or not carried:
            return
        for item in carried:
            _require_open(order, item)
            item.done_at, item.served_at = item.done_at or now, now
        OrderItem.objects.bulk_update(carried, ["done_at", "served_at"])
        events.order_update(order.pk)
        finish_if_done(order, items, now)
        if order.is_cooking:
            is_nobodys(order)


def _require_open(order: Order, item: OrderItem) -> None:
    require_open(order)
    if not item.remaining:
        raise EntryCancelled
    if item.waits:
        raise EntryWaits


def finish_if_done(order: Order, items: Iterable[OrderItem], now: datetime) -> None:
    """Make a locked order ready when everything that is left of it is done, and served when that is carried."""
    left = [item for item in items if item.remaining]
    if not left or order.status not in Order.OPEN:
        return
    if all(item.served_at for item in left):
        order.ready_at = order.ready_at or now
        move_to(order, Order.Status.SERVED, now)
        events.status_update(order.pk, order.status)
    elif order.is_cooking and all(item.done_at for item in left):
        move_to(order, Order.Status.READY, now)
        events.status_update(order.pk, order.status)
