"""Reading the floor: every table, and what needs a member of staff."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import chain
from typing import Any, TypeVar
from uuid import UUID

from django.db.models import Exists, OuterRef, Prefetch, Q, QuerySet
from django.utils import timezone

from restaurant.floor.queries.owners import mark, owners_of
from restaurant.floor.queries.statements import compiled_once
from restaurant.floor.queries.tables import TableOnFloor, seated, unclosed_sessions
from restaurant.kitchen.queries import LatePrinter, late_dockets, late_jobs
from restaurant.menu.models import MenuItem, Station
from restaurant.menu.queries import MenuState, sold_out_items, state, versions
from restaurant.ordering.models import Order, OrderItem, TableCall, TableSession
from restaurant.ordering.queries.courses import LaterCourse, later_courses
from restaurant.ordering.queries.orders import RECENT, orders_with_items, unseen_entries
from restaurant.ordering.queries.sessions import open_calls
from restaurant.ordering.queries.stations import IS_DONE, ReadyPart, ready_parts
from restaurant.tables.models import Table

Row = TypeVar("Row", Order, TableCall, TableSession)
_NEEDS = ("calls", "held", "ready", "ready_parts")


@dataclass(frozen=True, slots=True)
class UnseenTicket:
    """An order of which a station, or for None the kitchen, has drawn nothing on a display since `since`."""

    order: Order
    station: Station | None
    since: datetime

    @property
    def table(self) -> Table:
        return self.order.table


def count_by_occupancy(tables: Iterable[TableOnFloor]) -> Counter[str]:
    """Count the tables that are `busy` with guests, have none but a bill that was `left_open`, and are `free`."""
    return Counter(table.occupancy for table in tables)


@dataclass(frozen=True, slots=True)
class Floor:
    """Lists of what waits have the oldest first. `closed_until` is the next opening, outside hours."""

    tables: list[TableOnFloor]
    left_open: list[TableSession]
    calls: list[TableCall]
    held: list[Order]  # by guests, to be approved
    kept: list[Order]  # by staff, to be sent later
    courses: list[LaterCourse]  # to be fired
    ready: list[Order]
    ready_parts: list[ReadyPart]  # of orders that are not ready
    unseen: list[UnseenTicket]
    paused_until: datetime | None  # None unless it is in the future
    stations: list[Station]  # by name
    paused_stations: list[Station]
    closed_until: datetime | None
    sold_out: list[MenuItem]
    late_dockets: list[LatePrinter]

    def seen_by(self, user_name: str, *, everything: bool) -> "tuple[Floor, Floor]":
        """Return what is for this user, of their own tables first, and the rest: nothing with `everything`."""
        mine: dict[str, Any] = {}
        others: dict[str, Any] = {}
        for name in _NEEDS:
            mine[name], others[name] = [], []
            for row in getattr(self, name):
                is_mine = everything or row.is_for(user_name)
                row.rings = is_mine and not row.taken_by_name
                (mine if is_mine else others)[name].append(row)
            if not everything:
                mine[name].sort(key=lambda row: row.owner != user_name)
        return replace(self, **mine), replace(self, unseen=[], **others)

    def of_section(self, section: str) -> "Floor":
        """Return the floor with the tables of this section alone, and what happens there."""
        names = ("tables", "left_open", "kept", "courses", "unseen", *_NEEDS)
        lists = {name: getattr(self, name) for name in names}
        here: dict[str, Any] = {
            name: [row for row in rows if row.table.section == section] for name, rows in lists.items()
        }
        return replace(self, **here)

    @property
    def sections(self) -> list[str]:
        """The sections by their first tables; without the tables that are in none."""
        return list(dict.fromkeys(table.table.section for table in self.tables if table.table.section))

    @property
    def later(self) -> list[LaterCourse | Order]:
        """What the floor sends to the kitchen in time."""
        return [*self.courses, *self.kept]

    @property
    def counts(self) -> Counter[str]:
        return count_by_occupancy(self.tables)

    @property
    def needs(self) -> int:
        """The number of things that wait for a member of staff."""
        return len(self.unseen) + sum(len(getattr(self, name)) for name in _NEEDS)

    @property
    def is_shared_out(self) -> bool:
        """Return whether somebody has a table, or went to something."""
        return any(table.owner for table in self.tables) or any(row.taken_by_name for row in self._waiting())

    @property
    def everybodys_at(self) -> datetime | None:
        """When something of this that nobody has taken is everybody's next."""
        now = timezone.now()
        times = [row.everybodys_at for row in self._waiting() if row.everybodys_at and not row.taken_by_name]
        return min((at for at in times if at > now), default=None)

    def _waiting(self) -> Iterator[Any]:
        return chain.from_iterable(getattr(self, name) for name in _NEEDS)

    @property
    def waiting_longest(self) -> list[TableOnFloor]:
        """The tables with orders that the kitchen has not finished, the longest wait first."""
        waiting = [table for table in self.tables if table.waits_for_kitchen]
        return sorted(waiting, key=lambda table: table.waiting_since)


def _ready_since(order: Order) -> datetime:
    return order.ready_at or order.created_at


def _first_by_table(rows: list[Row]) -> dict[UUID, Row]:
    return {row.table.pk: row for row in reversed(rows)}


def _menu_and_printers(now: datetime) -> tuple[MenuState, bool]:
    """Return the menu's state, and whether dockets are late, by one statement.

    Without a menu there are no orders to print.
    """
    rows = versions().annotate(is_late=Exists(late_jobs(now)))
    for number, hours, paused_until, is_late in rows.values_list("number", "hours", "paused_until", "is_late"):
        return state(number, hours, paused_until), is_late
    return MenuState(None), False


def unseen_at(now: datetime) -> QuerySet[Any, Any]:
    return unseen_entries(now).order_by("asked_at", "pk")


_unseen_at = compiled_once(unseen_at)


def _unseen_tickets(now: datetime, tables: dict[UUID, Table]) -> list[UnseenTicket]:
    tickets: dict[tuple[UUID, int | None], UnseenTicket] = {}
    entries: Any = OrderItem.objects.raw(*_unseen_at(now)).prefetch_related("order", "station")
    for entry in entries:
        entry.order.table = tables[entry.order.table_id]
        ticket = UnseenTicket(entry.order, entry.station, entry.asked_at)
        tickets.setdefault((entry.order_id, entry.station_id), ticket)
    return list(tickets.values())


def current_floor(*, for_page: bool = False) -> Floor:
    """Return every table, by number, with its open session if it has one, and what needs attention.

    The page leaves out what became ready of orders of more than a day ago.
    """
    now = timezone.now()
    menu, is_late = _menu_and_printers(now)
    sessions = unclosed_sessions()
    done = OrderItem.objects.filter(IS_DONE | OrderItem.WAITS, order=OuterRef("pk"))
    orders, is_ready = orders_with_items(), Q(status=Order.Status.READY) | Q(Exists(done), status__in=Order.COOKING)
    if for_page:
        orders = Order.objects.prefetch_related(Prefetch("items", OrderItem.objects.select_related("station")))
        is_ready &= Q(created_at__gt=now - RECENT)
    waiting = list(orders.filter(is_ready | Q(status=Order.Status.HELD)).order_by("created_at", "pk"))
    tables = Table.objects.select_related("joined__table", "owner__user").in_bulk()  # read last: none is missing
    open_at, left_open = seated(sessions, tables)
    for order in waiting:
        order.table = tables[order.table_id]
    calls = open_calls()
    held = [order for order in waiting if order.status == Order.Status.HELD and not order.is_kept]
    ready = [order for order in waiting if order.status == Order.Status.READY]
    parts = ready_parts(waiting)
    owners = owners_of(tables.values())
    since: list[tuple[Any, datetime]] = [
        *((call, call.created_at) for call in calls),
        *((order, order.created_at) for order in held),
        *((order, _ready_since(order)) for order in ready),
        *((part, part.since) for part in parts),
    ]
    mark((row, at, owners.get(row.table.pk, "")) for row, at in since)
    # A table that calls the waiter and for the bill calls the waiter.
    first_call = _first_by_table(sorted(calls, key=lambda call: call.kind == TableCall.Kind.BILL))
    first_held, first_ready = _first_by_table(held), _first_by_table(sorted(ready, key=_ready_since))
    first_left_open = _first_by_table(left_open)
    tiles = [open_at.get(table.pk) or TableOnFloor(table) for table in tables.values()]
    return Floor(
        tables=[
            replace(
                tile,
                owner=owners.get(tile.joined.table_id if tile.joined else tile.table.pk, ""),
                call=first_call.get(tile.table.pk),
                held=first_held.get(tile.table.pk),
                ready=first_ready.get(tile.table.pk),
                left_open=first_left_open.get(tile.table.pk),
            )
            for tile in tiles
        ],
        left_open=left_open,
        calls=calls,
        held=held,
        kept=[order for order in waiting if order.is_kept],
        courses=later_courses(waiting),
        ready=sorted(ready, key=_ready_since) if for_page else ready,
        ready_parts=parts,
        unseen=_unseen_tickets(now, tables),
        paused_until=menu.pause_at(now),
        stations=sorted(menu.catalogue.stations.values(), key=lambda station: station.name),
        paused_stations=menu.catalogue.paused_stations(now),
        closed_until=menu.opens_at(now),
        sold_out=sold_out_items(menu, now),
        late_dockets=late_dockets(now) if is_late else [],
    )
