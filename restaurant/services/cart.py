"""What a phone has chosen and not ordered yet."""

from dataclasses import dataclass

from django.db import connection, transaction
from django.utils import timezone

from restaurant import queries
from restaurant.errors import ItemUnavailable, OrderUnknown, SessionEnded
from restaurant.models import CartLine, MenuItem, Order, TableSession
from web.fields import is_uuid

MAX_QUANTITY = 99
MAX_LINES = 100
MAX_NOTE = 500  # characters


_ADD = """
INSERT INTO restaurant_cartline AS line (session_id, guest, menu_item_id, quantity, special_instructions, created_at)
VALUES (%s, %s, %s, %s, '', %s)
ON CONFLICT ON CONSTRAINT cart_line_once_per_item
DO UPDATE SET quantity = LEAST(line.quantity + EXCLUDED.quantity, %s)
"""


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry of a cart or an order."""

    menu_item_id: str
    quantity: int = 1
    special_instructions: str = ""


def _check_open(session: TableSession) -> None:
    if not queries.is_open(session):
        raise SessionEnded


def add(*, session: TableSession, guest: str, menu_item_id: str, quantity: int = 1) -> None:
    """Put an item into the cart; one that is there already gets more, up to 99.

    Raises ItemUnavailable, SessionEnded.
    """
    _check_open(session)
    known = is_uuid(menu_item_id)
    item = MenuItem.objects.filter(pk=menu_item_id, available=True).first() if known else None
    if item is None:
        raise ItemUnavailable(item_id=menu_item_id)
    # One statement: two taps may arrive at once, and both count.
    with connection.cursor() as cursor:
        cursor.execute(_ADD, [session.pk, guest, item.pk, quantity, timezone.now(), MAX_QUANTITY])


def add_again(*, session: TableSession, guest: str, order_id: str) -> None:
    """Put what this order of the same session had into the cart, as far as it can be had.

    Raises OrderUnknown, SessionEnded.
    """
    _check_open(session)
    order = Order.objects.filter(pk=order_id, session=session).first() if is_uuid(order_id) else None
    if order is None:
        raise OrderUnknown
    for item in order.items.filter(menu_item__available=True):
        add(
            session=session, guest=guest, menu_item_id=str(item.menu_item_id), quantity=min(item.quantity, MAX_QUANTITY)
        )


def _merged(one: Entry, other: Entry) -> Entry:
    """A cart has one line for an item: two entries of it become one."""
    notes = [note for note in (one.special_instructions, other.special_instructions) if note]
    quantity = min(one.quantity + other.quantity, MAX_QUANTITY)
    return Entry(one.menu_item_id, quantity, "\n".join(dict.fromkeys(notes))[:MAX_NOTE])


def replace(*, session: TableSession, guest: str, entries: list[Entry]) -> None:
    """Make the cart hold these entries and nothing else. Items that the menu does not know are left out.

    Raises SessionEnded.
    """
    _check_open(session)
    by_item: dict[str, Entry] = {}
    for entry in entries:
        item_id = entry.menu_item_id.lower()
        if is_uuid(item_id):
            by_item[item_id] = _merged(by_item[item_id], entry) if item_id in by_item else entry
    known = {str(pk) for pk in MenuItem.objects.filter(pk__in=by_item).values_list("pk", flat=True)}
    lines = [
        CartLine(
            session=session,
            guest=guest,
            menu_item_id=item_id,
            quantity=entry.quantity,
            special_instructions=entry.special_instructions,
        )
        for item_id, entry in by_item.items()
        if item_id in known and entry.quantity > 0
    ]
    with transaction.atomic():
        # Two tabs of one phone: the session's row makes them take turns.
        TableSession.objects.select_for_update(no_key=True).get(pk=session.pk)
        CartLine.objects.filter(session=session, guest=guest).delete()
        # A tap on the menu may add a line at this moment, without that lock.
        CartLine.objects.bulk_create(
            lines,
            update_conflicts=True,
            unique_fields=["session", "guest", "menu_item"],
            update_fields=["quantity", "special_instructions"],
        )
