"""What a phone has chosen and not ordered yet. Changes lock the session's row, so that they take turns."""

from dataclasses import dataclass

from django.db import transaction
from django.db.models import F
from django.db.models.functions import Least

from restaurant.errors import ItemUnavailable, OrderUnknown, SessionEnded
from restaurant.models import CartLine, MenuItem, Order, TableSession
from web.fields import is_uuid

MAX_QUANTITY = 99
MAX_LINES = 100
MAX_NOTE = 500  # characters


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry of a cart or an order."""

    menu_item_id: str
    quantity: int = 1
    special_instructions: str = ""


def add(*, session: TableSession, guest: str, menu_item_id: str, quantity: int = 1) -> None:
    """Put an item into the cart; one that is there already gets more, up to MAX_QUANTITY.

    Raises SessionEnded, ItemUnavailable.
    """
    with transaction.atomic():
        session = _lock_open(session)
        item = MenuItem.objects.filter(pk=menu_item_id, available=True).first() if is_uuid(menu_item_id) else None
        if item is None:
            raise ItemUnavailable(item_id=menu_item_id)
        _add(session, guest, item, quantity)


def add_again(*, session: TableSession, guest: str, order_id: str) -> None:
    """Put the items of an order of the same session into the cart, except what has sold out.

    Raises SessionEnded, OrderUnknown.
    """
    with transaction.atomic():
        session = _lock_open(session)
        order = Order.objects.filter(pk=order_id, session=session).first() if is_uuid(order_id) else None
        if order is None:
            raise OrderUnknown
        for entry in order.items.filter(menu_item__available=True).select_related("menu_item"):
            _add(session, guest, entry.menu_item, entry.quantity)


def replace(*, session: TableSession, guest: str, entries: list[Entry]) -> None:
    """Make the cart hold these entries and nothing else. Items that the menu does not know are left out.

    Raises SessionEnded.
    """
    by_item = _merge(entries)
    with transaction.atomic():
        session = _lock_open(session)
        items = {str(pk): item for pk, item in MenuItem.objects.in_bulk(list(by_item)).items()}
        CartLine.objects.filter(session=session, guest=guest).delete()
        CartLine.objects.bulk_create(
            CartLine(
                session=session,
                guest=guest,
                menu_item=items[item_id],
                quantity=entry.quantity,
                special_instructions=entry.special_instructions,
            )
            for item_id, entry in by_item.items()
            if item_id in items and entry.quantity > 0
        )


def _lock_open(session: TableSession) -> TableSession:
    """Lock the session's row; that of the one it has joined meanwhile. Raises SessionEnded."""
    locked = TableSession.objects.select_for_update(no_key=True).get(pk=session.pk)
    while locked.merged_into_id:
        locked = TableSession.objects.select_for_update(no_key=True).get(pk=locked.merged_into_id)
    if not locked.is_open:
        raise SessionEnded
    return locked


def _add(session: TableSession, guest: str, item: MenuItem, quantity: int) -> None:
    line = CartLine.objects.filter(session=session, guest=guest, menu_item=item)
    if not line.update(quantity=Least(F("quantity") + quantity, MAX_QUANTITY)):
        CartLine.objects.create(session=session, guest=guest, menu_item=item, quantity=min(quantity, MAX_QUANTITY))


def _merge(entries: list[Entry]) -> dict[str, Entry]:
    """By item id. A cart has one line for an item: two entries of it become one."""
    by_item: dict[str, Entry] = {}
    for entry in entries:
        item_id = entry.menu_item_id.lower()
        if is_uuid(item_id):
            by_item[item_id] = _sum(by_item[item_id], entry) if item_id in by_item else entry
    return by_item


def _sum(one: Entry, other: Entry) -> Entry:
    notes = [note for note in (one.special_instructions, other.special_instructions) if note]
    quantity = min(one.quantity + other.quantity, MAX_QUANTITY)
    return Entry(one.menu_item_id, quantity, "\n".join(dict.fromkeys(notes))[:MAX_NOTE])
