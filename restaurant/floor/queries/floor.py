"""Reading the floor: every table, and what needs a member of staff."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.contrib.auth import get_user_model
from django.db.models import Count, Exists, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.utils import timezone

from restaurant.billing.queries import Bill, bill
from restaurant.kitchen.queries import LatePrinter, late_dockets, late_jobs
from restaurant.menu.models import MenuItem
from restaurant.menu.queries import MenuState, sold_out_items, state, versions
from restaurant.ordering.models import CartLine, Order, OrderItem, TableCall, TableSession
from restaurant.ordering.queries import RECENT, open_calls, open_session, orders, session_of_table
from restaurant.tables.models import Table
from restaurant.tables.queries import table, tables

_IS_CHOOSING = Exists(CartLine.objects.filter(session=OuterRef("pk")))
_TAKEN = Order.objects.filter(session=OuterRef("pk")).exclude(placed_by="").order_by("-created_at")
_WITH_ALLERGIES = ~Q(orders__allergies=[]) & ~Q(orders__status=Order.Status.CANCELLED)


@dataclass(frozen=True, slots=True)
class TableOnFloor:
    table: Table
    session: TableSession | None  # the open one, as `with_open_orders` annotates it, and with `is_choosing`
    has_allergies: bool = False  # the open session's guests have named some
    waiter: str = ""  # who of the staff took the open session's latest order for its guests, by first name


@dataclass(frozen=True, slots=True)
class Floor:
    """`calls`, `held`, `kept` and `ready`: the oldest first.

    `closed_until`: the next opening, outside the opening hours.
    """

    tables: list[TableOnFloor]
    left_open: list[TableSession]
    calls: list[TableCall]
    held: list[Order]  # by guests, to be approved
    kept: list[Order]  # by staff, to be sent later
    ready: list[Order]
    paused_until: datetime | None  # None unless it is in the future
    closed_until: datetime | None
    sold_out: list[MenuItem]
    late_dockets: list[LatePrinter]


@dataclass(frozen=True, slots=True)
class TableDetail:
    """A table with the party that sits there, or with one that sat there: `session`, as `with_open_orders` annotates.

    `orders` and `calls`: the oldest first; what was kept for later stays where it was taken. `others`: sessions of the
    table whose bills are open besides.
    """

    table: Table
    session: TableSession | None
    waiter: str  # as `TableOnFloor.waiter`
    bill: Bill | None
    orders: list[Order]
    calls: list[TableCall]
    others: list[TableSession]


@dataclass(frozen=True, slots=True)
class FloorInFigures:
    """`busy`: tables with guests; `left_open`: without, but with a bill that nobody has closed.

    `ready` and `cooking`: the numbers of tables, those that wait longest first and each once; `cooking_since`: when the
    first of these orders was placed.
    """

    tables: int
    busy: int
    left_open: int
    ready: list[int]
    cooking: list[int]
    cooking_since: datetime | None


def floor_in_figures() -> FloorInFigures:
    """By two statements."""
    has_guests = Exists(TableSession.objects.open().filter(table=OuterRef("pk")))
    has_bill = Exists(TableSession.objects.left_open().filter(table=OuterRef("pk")))
    counted = Table.objects.aggregate(
        tables=Count("pk"),
        busy=Count("pk", filter=has_guests),
        left_open=Count("pk", filter=~has_guests & has_bill),
    )
    recent = Order.objects.filter(status__in=Order.OPEN, created_at__gt=timezone.now() - RECENT)
    placed = recent.order_by("created_at", "pk")
    waiting = list(placed.values_list("status", "table__table_number", "created_at"))
    ready = [number for status, number, _placed in waiting if status == Order.Status.READY]
    cooking = [(number, placed) for status, number, placed in waiting if status != Order.Status.READY]
    return FloorInFigures(
        tables=counted["tables"],
        busy=counted["busy"],
        left_open=counted["left_open"],
        ready=list(dict.fromkeys(ready)),
        cooking=list(dict.fromkeys(number for number, _placed in cooking)),
        cooking_since=cooking[0][1] if cooking else None,
    )


@dataclass(frozen=True, slots=True)
class ReadyOrder:
    order_id: UUID
    table: int
    section: str
    since: datetime
    portions: int
    dishes: list[str]  # how many of each, its name, and what was asked for it


def ready_to_carry() -> list[ReadyOrder]:
    """The one that is ready longest first."""
    recent = Order.objects.filter(status=Order.Status.READY, created_at__gt=timezone.now() - RECENT)
    since = Coalesce("ready_at", "created_at")
    found = recent.annotate(since=since).order_by("since", "pk").select_related("table").prefetch_related("items")
    return [
        ReadyOrder(order.pk, order.table.table_number, order.table.section, order.since, *_dishes(order))
        for order in found
    ]


def _dishes(order: Order) -> tuple[int, list[str]]:
    left = [item for item in order.items.all() if item.remaining]
    return sum(item.remaining for item in left), [_dish(item) for item in left]


def _dish(item: OrderItem) -> str:
    note = " ".join(item.special_instructions.split())
    name = f"{item.remaining}\N{NO-BREAK SPACE}×\N{NO-BREAK SPACE}{item.display_name}"
    return f"{name} ({note})" if note else name


def tables_of_waiter(username: str) -> list[int]:
    """The numbers of the tables for whose open sessions this member of staff took the latest order."""
    open_sessions = TableSession.objects.open().annotate(waiter=Subquery(_TAKEN.values("placed_by")[:1]))
    numbers = open_sessions.filter(waiter=username).values_list("table__table_number", flat=True)
    return sorted(set(numbers))


def bills_left_open(most: int) -> list[TableSession]:
    """Those of `Floor.left_open`, at most so many, with their tables; the oldest first."""
    return list(TableSession.objects.left_open().select_related("table").order_by("started_at")[:most])


def floor(*, only_recent: bool = False) -> Floor:
    """Every table, by number, with its open session if it has one, and what needs attention.

    `only_recent`: without what became ready of orders of more than a day ago.
    """
    now = timezone.now()
    menu, is_late = _menu_and_printers(now)
    latest, left_open = _sessions()
    ready = Q(status=Order.Status.READY)
    if only_recent:
        ready &= Q(created_at__gt=now - RECENT)
    waiting = list(orders().filter(ready | Q(status=Order.Status.HELD)).order_by("created_at", "pk"))
    return Floor(
        tables=[latest.get(table.pk) or TableOnFloor(table, None) for table in tables()],
        left_open=left_open,
        calls=open_calls(),
        held=[order for order in waiting if order.status == Order.Status.HELD and not order.is_kept],
        kept=[order for order in waiting if order.is_kept],
        ready=[order for order in waiting if order.status == Order.Status.READY],
        paused_until=menu.pause_at(now),
        closed_until=menu.opens_at(now),
        sold_out=sold_out_items(menu, now),
        late_dockets=late_dockets(now) if is_late else [],
    )


def _menu_and_printers(now: datetime) -> tuple[MenuState, bool]:
    """The menu's state, and whether dockets are late, by one statement. Without a menu there are no orders to print."""
    rows = versions().annotate(is_late=Exists(late_jobs(now)))
    for number, hours, paused_until, is_late in rows.values_list("number", "hours", "paused_until", "is_late"):
        return state(number, hours, paused_until), is_late
    return MenuState(None), False


def tables_with_sessions() -> list[TableOnFloor]:
    """Every table, by number, with its open session if it has one."""
    latest, _left_open = _sessions()
    return [latest.get(table.pk) or TableOnFloor(table, None) for table in tables()]


def table_detail(number: int, session_id: str | None) -> TableDetail:
    """The session with this id, or without one the table's open session. One that was moved is shown where it is now.

    Raises TableUnknown, SessionUnknown.
    """
    if session_id:
        found = session_of_table(number, session_id, follow=True)
        return _detail(found.table, found)
    shown = table(number)
    return _detail(shown, open_session(shown))


def _detail(table: Table, found: TableSession | None) -> TableDetail:
    others = TableSession.objects.filter(table=table, ended_at=None).with_orders().order_by("started_at")
    if found is None:
        return TableDetail(table, None, "", None, [], [], list(others))
    annotated = _with_waiter(TableSession.objects.with_open_orders().annotate(is_choosing=_IS_CHOOSING))
    session = annotated.select_related("table").get(pk=found.pk)
    return TableDetail(
        table=table,
        session=session,
        waiter=session.waiter_name or session.waiter or "",
        bill=bill(session),
        orders=list(orders().filter(session=session).order_by(Coalesce("kept_at", "created_at"), "pk")),
        calls=list(session.calls.filter(done_at=None).select_related("session__table").order_by("created_at", "pk")),
        others=list(others.exclude(pk=session.pk)),
    )


def _with_waiter(sessions: QuerySet[TableSession]) -> QuerySet[Any, Any]:
    """The sessions, each with who took its latest order: `waiter`, the user name, and `waiter_name`, the first name."""
    names = get_user_model().objects.filter(username=OuterRef("waiter")).values("first_name")
    return sessions.annotate(waiter=Subquery(_TAKEN.values("placed_by")[:1]), waiter_name=Subquery(names))


def _sessions() -> tuple[dict[object, TableOnFloor], list[TableSession]]:
    """The tables with an open session, by id; and the sessions that were left open."""
    now = timezone.now()
    left_open = TableSession.objects.left_open(now)
    unclosed = (TableSession.objects.open(now) | left_open).with_open_orders()
    found = unclosed.annotate(is_left_open=Exists(left_open.filter(pk=OuterRef("pk"))), is_choosing=_IS_CHOOSING)
    found = found.annotate(orders_with_allergies=Count("orders", filter=_WITH_ALLERGIES))
    latest: dict[object, TableOnFloor] = {}
    others: list[TableSession] = []
    for session in _with_waiter(found).select_related("table").order_by("-started_at"):
        if session.is_left_open:
            others.append(session)
        elif session.table_id not in latest:
            waiter = session.waiter_name or session.waiter or ""
            latest[session.table_id] = TableOnFloor(session.table, session, bool(session.orders_with_allergies), waiter)
    return latest, others[::-1]
