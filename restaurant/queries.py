"""Reading tables, the menu, carts and orders, in the shapes that JSON and pages show."""

import re
import uuid
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Any, Protocol

from django.db import connection
from django.db.models import Count, Q
from django.utils import timezone
from django.utils.translation import gettext as _

from qrservice import gateway
from restaurant.errors import OrderUnknown, SessionUnknown, TableUnknown
from restaurant.models import (
    MAX_TABLE_NUMBER,
    SESSION_WINDOW,
    CartLine,
    MenuItem,
    Order,
    OrderItem,
    Table,
    TableSession,
)
from web.fields import is_uuid

_MENU_FIELDS = ("id", "name", "description", "price", "category", "image_url", "available", "created_at")


def table_number(text: str) -> int:
    """The number in a path. Raises TableUnknown for what can't be one."""
    if not re.fullmatch(r"[0-9]{1,5}", text) or not 0 < int(text) <= MAX_TABLE_NUMBER:
        raise TableUnknown
    return int(text)


def table(table_number: int) -> Table:
    """Raises TableUnknown."""
    found = Table.objects.filter(table_number=table_number).first()
    if found is None:
        raise TableUnknown
    return found


@dataclass(frozen=True, eq=False)
class Menu:
    """The available items in one state of the menu. Requests share it: it must not be changed."""

    version: str
    by_category: dict[str, list[dict[str, Any]]]
    prices: dict[str, Decimal]


# Another text after every change of the menu, by whomever and however it was made: an item that is written gets
# another place in its table's file (ctid) and the number of the transaction that wrote it (xmin). Both start anew in
# another server's files, hence its time. 0.05 ms for 200 items.
MENU_VERSION = """(SELECT concat(pg_postmaster_start_time(), md5(string_agg(ctid::text || xmin::text, ' ')))
                     FROM restaurant_menuitem)"""
_menus: dict[str, Menu] = {}  # by what items without category are grouped as, which depends on the language
_MENU = f"""
WITH state AS (SELECT {MENU_VERSION} AS version)
SELECT version, {", ".join(f"item.{name}" for name in _MENU_FIELDS)}
  FROM state LEFT JOIN restaurant_menuitem AS item ON available AND version <> %s
 ORDER BY name, item.id
"""  # noqa: S608 (constants)


def menu(version: str | None = None) -> Menu:
    """The available items by category, ordered by category, then name; items without category under `Other`.

    `Other` stands where its name puts it among the categories. Asks the database for no more than the version, and
    for nothing if the caller has just read that, when the menu is still the one that this process knows.
    """
    other = _("Other")
    known = _menus.get(other)
    if known and known.version == version:
        return known
    # Version and items by one statement: read one after the other, a change could come between them.
    with connection.cursor() as cursor:
        cursor.execute(_MENU, [known.version if known else ""])
        rows = cursor.fetchall()
    version = rows[0][0]
    if known and known.version == version:
        return known
    by_category: dict[str, list[dict[str, Any]]] = {}
    prices = {}
    for _version, *values in rows:
        item = dict(zip(_MENU_FIELDS, values, strict=True))
        if item["id"] is not None:
            by_category.setdefault(item["category"] or other, []).append(item)
            prices[str(item["id"])] = item["price"]
    _menus[other] = Menu(version, dict(sorted(by_category.items())), prices)
    return _menus[other]


def sold_out() -> list[str]:
    """The items that can't be had at the moment."""
    return [str(pk) for pk in MenuItem.objects.filter(available=False).order_by("id").values_list("pk", flat=True)]


class Stay(Protocol):
    """A session, as far as its time goes."""

    @property
    def started_at(self) -> datetime: ...

    @property
    def ended_at(self) -> datetime | None: ...


def is_open(session: Stay) -> bool:
    return session.ended_at is None and session.started_at > timezone.now() - SESSION_WINDOW


def find_session(table_number: int, session_id: str | None) -> TableSession | None:
    """The session with this id at this table, its table with it."""
    if session_id is None or not is_uuid(session_id):
        return None
    return TableSession.objects.select_related("table").filter(pk=session_id, table__table_number=table_number).first()


def session_of_table(table_number: int, session_id: str | None) -> TableSession:
    """`find_session`, or what is wrong. Raises TableUnknown, SessionUnknown."""
    found = find_session(table_number, session_id)
    if found is None:
        table(table_number)
        raise SessionUnknown
    return found


def session_face(session: TableSession) -> dict[str, Any]:
    return {"id": str(session.id), "startedAt": session.started_at}


def table_face(table: Table) -> dict[str, Any]:
    return {"number": table.table_number, "section": table.section}


# --- the floor ------------------------------------------------------------------------------------


def session_metrics(session: TableSession) -> dict[str, Any]:
    """The figures of a session, ended or not, and how many of its orders the guests still wait for."""
    waiting = Order.objects.filter(session=session, status__in=Order.OPEN).count()
    return {
        "sessionId": str(session.pk),
        "tableNumber": session.table.table_number,
        "section": session.table.section,
        "startedAt": session.started_at,
        "endedAt": session.ended_at,
        "totalScans": session.total_scans,
        "totalOrders": session.total_orders,
        "totalRevenue": session.total_revenue,
        "openOrders": waiting,
    }


def floor() -> list[dict[str, Any]]:
    """Every table, by number, with its open session if it has one."""
    since = timezone.now() - SESSION_WINDOW
    waiting = Count("orders", filter=Q(orders__status__in=Order.OPEN))
    # The latest one of a table comes last, and stays.
    sessions = TableSession.objects.filter(ended_at=None, started_at__gt=since).annotate(waiting=waiting)
    open_at = {session.table_id: session for session in sessions.order_by("started_at")}
    return [
        {"tableNumber": table.table_number, "section": table.section, "capacity": table.capacity}
        | {"session": _open_session(open_at.get(table.pk))}
        for table in Table.objects.order_by("table_number")
    ]


def _open_session(session: Any) -> dict[str, Any] | None:
    if session is None:
        return None
    return {
        "id": str(session.pk),
        "startedAt": session.started_at,
        "totalScans": session.total_scans,
        "totalOrders": session.total_orders,
        "totalRevenue": session.total_revenue,
        "openOrders": session.waiting,
    }


def table_cards(numbers: list[int] | None, *, edge: int) -> list[dict[str, Any]]:
    """The tables with these numbers, or all, and their codes' images with this edge in pixels."""
    tables = Table.objects.order_by("table_number")
    if numbers is not None:
        tables = tables.filter(table_number__in=numbers)
    return [
        {
            "tableNumber": table.table_number,
            "section": table.section,
            "shortUrl": table.short_url,
            "qrCodeUrl": gateway.image_url(table.qr_code_url, size=edge) if table.qr_code_url else "",
        }
        for table in tables
    ]


# --- carts ----------------------------------------------------------------------------------------


def chosen(session: TableSession, guest: str) -> dict[str, int]:
    """How many of each item this phone has in its cart, by the items' ids."""
    lines = CartLine.objects.filter(session=session, guest=guest)
    return {str(item): quantity for item, quantity in lines.values_list("menu_item_id", "quantity")}


def cart(session: TableSession, guest: str) -> dict[str, Any]:
    """What this phone has chosen: `{items, count, total}`. The total is of what can be ordered now."""
    lines = CartLine.objects.filter(session=session, guest=guest).select_related("menu_item").order_by("id")
    items: list[dict[str, Any]] = [
        {
            "menuItemId": str(line.menu_item_id),
            "name": line.menu_item.name,
            "quantity": line.quantity,
            "price": line.menu_item.price,
            "lineTotal": line.menu_item.price * line.quantity,
            "specialInstructions": line.special_instructions,
            "available": line.menu_item.available,
        }
        for line in lines
    ]
    orderable = [item for item in items if item["available"]]
    return {
        "items": items,
        "count": sum(item["quantity"] for item in items),
        "total": sum((item["lineTotal"] for item in orderable), Decimal("0.00")),
    }


# --- orders ---------------------------------------------------------------------------------------


def entry_face(item: OrderItem) -> dict[str, Any]:
    return {
        "menuItemId": str(item.menu_item_id),
        "name": item.name or item.menu_item.name,
        "quantity": item.quantity,
        "price": item.price,
        "specialInstructions": item.special_instructions,
    }


def _faces(orders: Iterable[Order]) -> list[dict[str, Any]]:
    return [
        {
            "orderId": str(order.id),
            "tableNumber": order.table.table_number,
            "status": order.status,
            "items": [entry_face(item) for item in order.items.all()],
            "total": order.total,
            "createdAt": order.created_at,
            "completedAt": order.completed_at,
        }
        for order in orders
    ]


def _orders() -> Any:
    return Order.objects.select_related("table").prefetch_related("items__menu_item")


def _ticket(face: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in face.items() if name != "completedAt"}


def open_orders() -> list[dict[str, Any]]:
    """What the kitchen has to do, oldest first (decision 5.6)."""
    return [_ticket(face) for face in _faces(_orders().filter(status__in=Order.OPEN).order_by("created_at", "id"))]


def ticket(order_id: str) -> dict[str, Any] | None:
    """One order as the kitchen sees it, whatever its status; None when there is none."""
    faces = _faces(_orders().filter(pk=order_id))
    return _ticket(faces[0]) if faces else None


def order(order_id: str) -> dict[str, Any]:
    """One order as its guest sees it (decision 5.7). Raises OrderUnknown."""
    faces = _faces(_orders().filter(pk=order_id)) if is_uuid(order_id) else []
    if not faces:
        raise OrderUnknown
    return faces[0]


def order_exists(order_id: str) -> bool:
    return is_uuid(order_id) and Order.objects.filter(pk=order_id).exists()


def orders_of_session(session_id: uuid.UUID) -> dict[str, Any]:
    """The table's orders so far, oldest first, and what they come to: `{orders: [...], total}`."""
    found = Order.objects.filter(session=session_id).order_by("created_at", "id")
    orders: list[dict[str, Any]] = [
        {"orderId": str(pk), "status": Order.Status(status), "total": total, "createdAt": placed}
        for pk, status, total, placed in found.values_list("pk", "status", "total", "created_at")
    ]
    return {"orders": orders, "total": sum((order["total"] for order in orders), Decimal("0.00"))}


def orders_beside(order_id: str) -> dict[str, Any]:
    """The same, of the session that this order belongs to."""
    return orders_of_session(Order.objects.values_list("session_id", flat=True).get(pk=order_id))
