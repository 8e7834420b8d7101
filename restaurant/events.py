"""Events for other processes, by PostgreSQL's NOTIFY. See "Kitchen channel" in docs/behaviour/restaurant.md.

A notification belongs to the transaction that causes it: it is delivered if and only if that commits. A payload has
at most 8,000 bytes, so an order is announced by its id and read by the listener. Every event also tells the floor that
something has changed.
"""

import json
import uuid
from typing import Any

from django.db import connection
from django.db.models import Func, QuerySet, TextField, Value
from django.dispatch import Signal

# Within this process: sent with a locked `session` whose orders or guests have changed, in the same transaction.
party_changed = Signal()

CHANNEL = "regulars_orders"
NEW_ORDER = "new_order"
STATUS_UPDATE = "status_update"
ORDER_UPDATE = "order_update"
FLOOR_UPDATE = "floor_update"
KITCHEN_UPDATE = "kitchen_update"


def payload(kind: str, **values: object) -> str:
    """The payload of an event, for statements that send it themselves."""
    return json.dumps({"type": kind, **values})


def new_order(order_id: uuid.UUID) -> None:
    """Announce a new order."""
    _notify(NEW_ORDER, orderId=str(order_id))


def status_update(order_id: uuid.UUID, status: str, *, for_kitchen: bool = True) -> None:
    """Announce an order's status; without `for_kitchen` to its guests alone, and not to displays."""
    _notify(STATUS_UPDATE, orderId=str(order_id), status=status, forKitchen=for_kitchen)


def order_update(order_id: uuid.UUID, *, for_kitchen: bool = True) -> None:
    """Announce that something else about an order has changed."""
    _notify(ORDER_UPDATE, orderId=str(order_id), forKitchen=for_kitchen)


def floor_update() -> None:
    """Announce a change that only the floor shows."""
    _notify(FLOOR_UPDATE)


def kitchen_update() -> None:
    """Announce a change that displays show besides orders: a pause, or a dish that has sold out."""
    _notify(KITCHEN_UPDATE)


def with_floor_update(rows: QuerySet[Any]) -> QuerySet[Any]:
    """Announce a floor update by the statement that locks these rows: it must find one, in a transaction."""
    notify = Func(Value(CHANNEL), Value(payload(FLOOR_UPDATE)), function="pg_notify", output_field=TextField())
    return rows.annotate(notified=notify)


def _notify(kind: str, **values: object) -> None:
    if not connection.in_atomic_block:
        raise RuntimeError("An event belongs to the transaction that causes it.")
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_notify(%s, %s)", [CHANNEL, payload(kind, **values)])
