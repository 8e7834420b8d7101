"""Reading tables, sessions, the menu, carts and orders."""

import re
import uuid
from dataclasses import dataclass
from decimal import Decimal

from django.db.models import QuerySet
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext as _

from restaurant.errors import OrderUnknown, SessionUnknown, TableUnknown
from restaurant.models import (
    MAX_TABLE_NUMBER,
    CartLine,
    MenuItem,
    MenuVersion,
    Order,
    Table,
    TableSession,
)
from web.fields import is_uuid

# --- tables and sessions ------------------------------------------------------------------------------


def table_number(text: str) -> int:
    """The table number in a path. Raises TableUnknown for what can't be one."""
    if not re.fullmatch(r"[0-9]{1,5}", text) or not 0 < int(text) <= MAX_TABLE_NUMBER:
        raise TableUnknown
    return int(text)


def table(table_number: int) -> Table:
    """Raises TableUnknown."""
    found = Table.objects.filter(table_number=table_number).first()
    if found is None:
        raise TableUnknown
    return found


def tables(numbers: list[int] | None = None) -> QuerySet[Table]:
    """The tables with these numbers, or all, by number."""
    found = Table.objects.order_by("table_number")
    return found if numbers is None else found.filter(table_number__in=numbers)


def find_session(table_number: int, session_id: str | None) -> TableSession | None:
    """The session with this id at this table, with its table."""
    if session_id is None or not is_uuid(session_id):
        return None
    sessions = TableSession.objects.select_related("table")
    try:
        return sessions.get(pk=session_id, table__table_number=table_number)
    except TableSession.DoesNotExist:
        return None


def session_exists(session_id: str) -> bool:
    return is_uuid(session_id) and TableSession.objects.filter(pk=session_id).exists()


def session_of_table(table_number: int, session_id: str | None) -> TableSession:
    """`find_session`, but raises TableUnknown or SessionUnknown."""
    found = find_session(table_number, session_id)
    if found is None:
        table(table_number)
        raise SessionUnknown
    return found


def open_session(table: Table) -> TableSession | None:
    return TableSession.objects.open_at(table).first()


def session_metrics(table_number: int, session_id: str) -> TableSession:
    """A session with its table and `open_orders`. Raises TableUnknown, SessionUnknown."""
    session = session_of_table(table_number, session_id)
    return TableSession.objects.with_open_orders().select_related("table").get(pk=session.pk)


@dataclass(frozen=True, slots=True)
class TableOnFloor:
    table: Table
    session: TableSession | None  # the open one, with `open_orders`


def floor() -> list[TableOnFloor]:
    """Every table, by number, with its open session if it has one."""
    sessions = TableSession.objects.open().with_open_orders().order_by("started_at")
    latest = {session.table_id: session for session in sessions}
    return [TableOnFloor(table, latest.get(table.pk)) for table in tables()]


# --- the menu -----------------------------------------------------------------------------------------


def menu_version() -> int | None:
    """Changes with every change of the menu; None before the first."""
    numbers: list[int] = list(MenuVersion.objects.values_list("number", flat=True))
    return numbers[0] if numbers else None


def menu() -> dict[str, list[MenuItem]]:
    """The available items by category, then name.

    Items without a category are grouped as `Other`, which is sorted among the categories. To cache this by
    `menu_version`, read the version first: a change in between then only shortens the life of what is cached.
    """
    by_category: dict[str, list[MenuItem]] = {}
    for item in MenuItem.objects.filter(available=True).order_by("name", "pk"):
        by_category.setdefault(item.category or _("Other"), []).append(item)
    return dict(sorted(by_category.items()))


def sold_out() -> list[uuid.UUID]:
    """The ids of the items that are not available."""
    return list(MenuItem.objects.filter(available=False).order_by("pk").values_list("pk", flat=True))


# --- carts --------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Cart:
    """What one phone has chosen."""

    session: TableSession
    lines: list[CartLine]  # with their menu items

    @property
    def count(self) -> int:
        return sum(line.quantity for line in self.lines)

    @property
    def orderable(self) -> list[CartLine]:
        return [line for line in self.lines if line.menu_item.available]

    @property
    def total(self) -> Decimal:
        """Of what can be ordered now."""
        return sum((line.total for line in self.orderable), Decimal("0.00"))


def quantities(session: TableSession, guest: str) -> dict[str, int]:
    """How many of each item the phone has in its cart, by the items' ids: what the menu needs of a cart."""
    lines = CartLine.objects.filter(session=session, guest=guest)
    return {str(item): quantity for item, quantity in lines.values_list("menu_item_id", "quantity")}


def cart(session: TableSession, guest: str) -> Cart:
    lines = CartLine.objects.filter(session=session, guest=guest).select_related("menu_item").order_by("pk")
    return Cart(session, list(lines))


# --- orders -------------------------------------------------------------------------------------------


def orders() -> QuerySet[Order]:
    """With their tables and items."""
    return Order.objects.select_related("table").prefetch_related("items__menu_item")


def open_orders() -> QuerySet[Order]:
    """What the kitchen has to do, oldest first."""
    return orders().filter(status__in=Order.OPEN).order_by("created_at", "pk")


def order(order_id: str) -> Order:
    """Raises OrderUnknown."""
    found = orders().select_related("session").filter(pk=order_id).first() if is_uuid(order_id) else None
    if found is None:
        raise OrderUnknown
    return found


def order_exists(order_id: str) -> bool:
    return is_uuid(order_id) and Order.objects.filter(pk=order_id).exists()


def phone_key(guest: str) -> str:
    """What an order keeps of the phone that placed it: the id itself is the phone's cookie."""
    return salted_hmac("restaurant.phone", guest, algorithm="sha256").hexdigest()[:32]


@dataclass(frozen=True, slots=True)
class SessionOrders:
    """What a table has ordered so far, oldest first.

    `linked` are the ids that the viewer may know: whoever knows an order's id can read it.
    """

    orders: list[Order]
    linked: frozenset[uuid.UUID]

    @property
    def total(self) -> Decimal:
        return sum((order.total for order in self.orders), Decimal("0.00"))


def orders_of_session(session: TableSession) -> SessionOrders:
    """For staff, who may open every order."""
    orders = list(Order.objects.filter(session=session).order_by("created_at", "pk"))
    return SessionOrders(orders, frozenset(order.pk for order in orders))


def orders_for_guest(session: TableSession, guest: str) -> SessionOrders:
    """For a phone, which may open what it has placed."""
    found, own = orders_of_session(session), phone_key(guest)
    return SessionOrders(found.orders, frozenset(order.pk for order in found.orders if order.phone_key == own))
