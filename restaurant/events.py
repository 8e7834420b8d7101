"""What other processes must hear of (decision 5.6), by PostgreSQL's NOTIFY.

A notification is part of the transaction that causes it: it is delivered if and only if that commits. A payload
has at most 8,000 bytes, so a new order is announced by its id and read by whoever listens.
"""

import json
import uuid

from django.db import connection

CHANNEL = "regulars_orders"
NEW_ORDER = "new_order"
STATUS_UPDATE = "status_update"


def _notify(payload: dict[str, str]) -> None:
    if not connection.in_atomic_block:
        raise RuntimeError("An event belongs into the transaction that causes it.")
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_notify(%s, %s)", [CHANNEL, json.dumps(payload)])


def new_order(order_id: uuid.UUID) -> str:
    """The payload, for the statement that stores the order: it announces it as well."""
    return json.dumps({"type": NEW_ORDER, "orderId": str(order_id)})


def status_update(order_id: uuid.UUID, status: str) -> None:
    _notify({"type": STATUS_UPDATE, "orderId": str(order_id), "status": status})
