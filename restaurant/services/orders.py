"""Placing orders, and moving them on."""

import json
import uuid
from datetime import datetime
from decimal import Decimal
from typing import Any, NamedTuple

from django.db import connection, transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from restaurant import events, queries
from restaurant.errors import (
    ItemUnavailable,
    MenuChanged,
    OrderUnknown,
    SessionEnded,
    SessionUnknown,
    TotalTooLarge,
)
from restaurant.models import CartLine, MenuItem, Order, OrderItem
from restaurant.services.cart import Entry
from web.fields import is_uuid
from web.idempotency import Key, KeyReused

MAX_TOTAL = Decimal("99999999.99")


def place(
    *,
    table_number: int,
    session_id: str,
    entries: list[Entry],
    guest: str = "",
    key: Key | None = None,
    expected_total: Decimal | None = None,
) -> dict[str, Any]:
    """Store an order and tell the kitchen; return `{orderId, status, items, total}` (document 3).

    Holds a lock on the session's row, so that orders, their repeats and the closing of the session take turns.
    What was ordered leaves the cart of `guest`. A repeat with the same key answers the first one's order. With
    `expected_total`, the total that the guest saw, an order that would not come to that is not placed.

    Raises TableUnknown, SessionUnknown, SessionEnded, ItemUnavailable, MenuChanged, TotalTooLarge, KeyReused.
    """
    with transaction.atomic():
        session = _lock_session(session_id)
        if session is None or session.table_number != table_number:
            queries.table(table_number)
            raise SessionUnknown
        earlier = _earlier(session, key)
        if earlier is not None:
            return earlier
        if not queries.is_open(session):
            raise SessionEnded
        menu = _on_the_menu(entries)
        if expected_total is not None:
            _check_expected(menu, entries, expected_total)
        items = _items(menu, entries)
        order = _store(session, items, key)
        if guest:
            CartLine.objects.filter(
                session=session.pk, guest=guest, menu_item__in=[item.menu_item_id for item in items]
            ).delete()
    return _answer(order, items)


class _Session(NamedTuple):
    """What an order needs to know of its session, whose row is locked."""

    pk: uuid.UUID
    table_id: uuid.UUID
    table_number: int
    started_at: datetime
    ended_at: datetime | None


_LOCK = """
SELECT stay.id, stay.table_id, place.table_number, stay.started_at, stay.ended_at
  FROM restaurant_tablesession AS stay JOIN restaurant_table AS place ON place.id = stay.table_id
 WHERE stay.id = %s
   FOR NO KEY UPDATE OF stay
"""


def _lock_session(session_id: str) -> _Session | None:
    with connection.cursor() as cursor:
        cursor.execute(_LOCK, [session_id])
        row = cursor.fetchone()
    return row and _Session(*row)


def _earlier(session: _Session, key: Key | None) -> dict[str, Any] | None:
    """What the first call with this key was answered (decision 1.7)."""
    if key is None:
        return None
    order = Order.objects.filter(session=session.pk, idempotency_key=key.text).first()
    if order is None:
        return None
    if order.request_digest != key.digest:
        raise KeyReused(
            _(
                "This was ordered already, and has been changed since. It was not ordered again;"
                " to do that, please place it anew."
            )
        )
    return _answer(order, list(order.items.select_related("menu_item")))


def _on_the_menu(entries: list[Entry]) -> dict[str, MenuItem]:
    """The items by the ids as they were given, available or not. Raises ItemUnavailable for what never was one."""
    ids = [entry.menu_item_id for entry in entries]
    found = {str(item.pk): item for item in MenuItem.objects.filter(pk__in=[each for each in ids if is_uuid(each)])}
    for item_id in ids:
        if item_id.lower() not in found:
            raise ItemUnavailable(item_id=item_id)
    return {item_id: found[item_id.lower()] for item_id in ids}


def _check_expected(menu: dict[str, MenuItem], entries: list[Entry], expected_total: Decimal) -> None:
    """Raises MenuChanged, saying what every entry is now."""
    now = [(menu[entry.menu_item_id], entry) for entry in entries]
    total = sum((item.price * entry.quantity for item, entry in now if item.available), Decimal("0.00"))
    if total == expected_total and all(item.available for item, _entry in now):
        return
    items = [
        {
            "menuItemId": str(item.pk),
            "name": item.name,
            "quantity": entry.quantity,
            "price": item.price,
            "available": item.available,
        }
        for item, entry in now
    ]
    raise MenuChanged(expectedTotal=expected_total, total=total, items=items)


def _items(menu: dict[str, MenuItem], entries: list[Entry]) -> list[OrderItem]:
    """Raises ItemUnavailable for the first that can't be had."""
    items = []
    for position, entry in enumerate(entries):
        menu_item = menu[entry.menu_item_id]
        if not menu_item.available:
            raise ItemUnavailable(item_id=entry.menu_item_id, name=menu_item.name)
        items.append(
            OrderItem(
                menu_item=menu_item,
                position=position,
                name=menu_item.name,
                quantity=entry.quantity,
                special_instructions=entry.special_instructions,
                price=menu_item.price,
            )
        )
    return items


# One statement for all that an order writes, and for telling the kitchen: most of a call's time is talk with the
# database and the building of SQL. Under the session's lock nobody else changes its figures.
_STORE = """
WITH counted AS (
    UPDATE restaurant_tablesession
       SET total_orders = total_orders + 1, total_revenue = total_revenue + %(total)s
     WHERE id = %(session)s
), placed AS (
    INSERT INTO restaurant_order
        (id, table_id, session_id, status, total, created_at, idempotency_key, request_digest)
    VALUES (%(order)s, %(table)s, %(session)s, %(status)s, %(total)s, %(at)s, %(key)s, %(digest)s)
), entries AS (
    INSERT INTO restaurant_orderitem
        (id, order_id, menu_item_id, "position", name, quantity, special_instructions, price)
    SELECT gen_random_uuid(), %(order)s, entry.*
      FROM jsonb_to_recordset(%(entries)s::jsonb)
        AS entry(item uuid, at integer, name text, quantity integer, note text, price numeric)
)
SELECT pg_notify(%(channel)s, %(event)s)
"""


def _store(session: _Session, items: list[OrderItem], key: Key | None) -> Order:
    total = sum((item.price * item.quantity for item in items), Decimal("0.00"))
    if total > MAX_TOTAL:
        raise TotalTooLarge
    order = Order(table_id=session.table_id, session_id=session.pk, total=total)
    entries = [
        {
            "item": str(item.menu_item_id),
            "at": item.position,
            "name": item.name,
            "quantity": item.quantity,
            "note": item.special_instructions,
            "price": str(item.price),
        }
        for item in items
    ]
    values: dict[str, Any] = {
        "session": session.pk,
        "order": order.pk,
        "table": order.table_id,
        "status": order.status,
        "total": total,
        "at": order.created_at,
        "key": key.text if key else None,
        "digest": key.digest if key else "",
        "entries": json.dumps(entries),
        "channel": events.CHANNEL,
        "event": events.new_order(order.pk),
    }
    with connection.cursor() as cursor:
        cursor.execute(_STORE, values)
    return order


def _answer(order: Order, items: list[OrderItem]) -> dict[str, Any]:
    return {
        "orderId": str(order.pk),
        "status": Order.Status.PENDING.value,  # what it was when it was placed, also for a repeat
        "items": [queries.entry_face(item) for item in items],
        "total": order.total,
    }


def set_status(*, order_id: str, status: str) -> None:
    """Give the order this status and tell every display (decision 5.4). Raises OrderUnknown.

    The same status again changes nothing and is announced all the same.
    """
    if not is_uuid(order_id):
        raise OrderUnknown
    now = timezone.now()
    with transaction.atomic():
        order = Order.objects.select_for_update(no_key=True).filter(pk=order_id).first()
        if order is None:
            raise OrderUnknown
        if order.status != status:
            order.status = status
            order.completed_at = now if status == Order.Status.COMPLETED else None
            order.save(update_fields=["status", "completed_at"])
        events.status_update(order.pk, status)
