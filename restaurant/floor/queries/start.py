"""Reading the floor for the start page."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db.models import Count, Exists, OuterRef, Q, Subquery
from django.db.models.functions import Coalesce
from django.utils import timezone

from restaurant.floor.queries.owners import owners_of
from restaurant.floor.queries.tables import LATEST_BY_STAFF
from restaurant.ordering.models import Order, OrderItem, TableSession
from restaurant.ordering.queries.orders import RECENT
from restaurant.tables.models import Table


@dataclass(frozen=True, slots=True)
class FloorInFigures:
    """`busy` tables have guests, those `left_open` have none but a bill that nobody has closed.

    `ready` and `cooking` are the numbers of tables, those that wait longest first and each once. `cooking_since` is the
    time when the first order was placed that the kitchen has not finished.
    """

    tables: int
    busy: int
    left_open: int
    ready: list[int]
    cooking: list[int]
    cooking_since: datetime | None


def floor_in_figures() -> FloorInFigures:
    """Return the figures by two statements."""
    here = Q(table=OuterRef("pk")) | Q(pk=OuterRef("joined"))
    has_guests = Exists(TableSession.objects.open().filter(here))
    has_bill = Exists(TableSession.objects.left_open().filter(table=OuterRef("pk")))
    counted = Table.objects.aggregate(
        tables=Count("pk"),
        busy=Count("pk", filter=has_guests),
        left_open=Count("pk", filter=~has_guests & has_bill),
    )
    recent = Order.objects.filter(status__in=Order.OPEN, created_at__gt=timezone.now() - RECENT)
    placed = recent.order_by("created_at", "pk")
    waiting = list(placed.values_list("status", "table__table_number", "created_at"))
    ready = [number for status, number, _since in waiting if status == Order.Status.READY]
    cooking = [(number, since) for status, number, since in waiting if status != Order.Status.READY]
    return FloorInFigures(
        tables=counted["tables"],
        busy=counted["busy"],
        left_open=counted["left_open"],
        ready=list(dict.fromkeys(ready)),
        cooking=list(dict.fromkeys(number for number, _since in cooking)),
        cooking_since=cooking[0][1] if cooking else None,
    )


@dataclass(frozen=True, slots=True)
class ReadyOrder:
    order_id: UUID
    table: int
    section: str
    since: datetime
    portions: int
    dishes: list[str]  # the number of each, its name, and what was asked for it


def ready_to_carry() -> list[ReadyOrder]:
    """Return the ready orders, the one that is ready longest first."""
    recent = Order.objects.filter(status=Order.Status.READY, created_at__gt=timezone.now() - RECENT)
    since = Coalesce("ready_at", "created_at")
    orders = recent.annotate(since=since).order_by("since", "pk").select_related("table").prefetch_related("items")
    return [
        ReadyOrder(
            order.pk,
            order.table.table_number,
            order.table.section,
            order.since,
            order.portions_to_carry,
            [_dish(item) for item in order.to_carry],
        )
        for order in orders
    ]


def _dish(item: OrderItem) -> str:
    note = " ".join(item.special_instructions.split())
    name = f"{item.remaining}\N{NO-BREAK SPACE}×\N{NO-BREAK SPACE}{item.display_name}"
    return f"{name} ({note})" if note else name


def tables_of_waiter(username: str) -> list[int]:
    """Return the tables with guests that the user has, and those of nobody where staff's latest order is the user's."""
    latest = Subquery(LATEST_BY_STAFF.values("placed_by")[:1])
    sessions = TableSession.objects.open().annotate(waiter=latest).select_related("table__owner__user")
    owners = owners_of(session.table for session in sessions)
    theirs = [session.table for session in sessions if owners.get(session.table_id, session.waiter) == username]
    return sorted({table.table_number for table in theirs})


def bills_left_open(most: int) -> list[TableSession]:
    """Return at most so many of the sessions that were left open, with their tables; the oldest first."""
    return list(TableSession.objects.left_open().select_related("table").order_by("started_at")[:most])
