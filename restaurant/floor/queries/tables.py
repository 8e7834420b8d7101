"""Reading tables with the parties that sit there."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from decimal import Decimal
from functools import cached_property
from typing import Any
from uuid import UUID

from django.contrib.auth import get_user_model
from django.db import models
from django.db.models import Count, Exists, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.utils import timezone
from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from restaurant.billing.queries import Bill, bill_of
from restaurant.floor.queries.owners import mark, owners_of
from restaurant.floor.queries.statements import compiled_once
from restaurant.ordering.models import (
    SESSION_WINDOW,
    CartLine,
    Order,
    OrderItem,
    TableCall,
    TableSession,
    TableSessionQuerySet,
)
from restaurant.ordering.queries.courses import LaterCourse, later_courses
from restaurant.ordering.queries.orders import cooking_entries, orders_with_items, undone_entries
from restaurant.ordering.queries.sessions import NOTHING, open_session, present, session_of_table
from restaurant.rules import late_after
from restaurant.tables.models import Table
from restaurant.tables.queries import table

_IS_CHOOSING = Exists(CartLine.objects.filter(session=OuterRef("pk")))
LATEST_BY_STAFF = Order.objects.filter(session=OuterRef("pk")).exclude(placed_by="").order_by("-created_at")
_HAS_ORDERS = Exists(Order.objects.filter(session=OuterRef("pk")).exclude(status=Order.Status.CANCELLED))
_ORDERS_WITH_ALLERGIES = Count("orders", filter=~Q(orders__allergies=[]) & ~Q(orders__status=Order.Status.CANCELLED))


class State(models.TextChoices):
    """The state of a table, the most urgent first."""

    CALLING = "calling", pgettext_lazy("a table does", "Calls")
    BILL = "bill", _("Wants the bill")
    HELD = "held", _("To approve")
    READY = "ready", _("Ready")
    ORDERED = "ordered", _("Ordered")
    CHOOSING = "choosing", _("Choosing")
    SERVED = "served", _("Served")
    SEATED = "seated", _("Seated")
    LEFT_OPEN = "left_open", _("Left open")
    JOINED = "joined", _("With another table")
    FREE = "free", _("Free")


@dataclass(frozen=True)
class TableOnFloor:
    """A table with its open session, which `with_open_orders` and `is_choosing` annotate.

    `call`, `held`, `ready` and `left_open` are the oldest of each, a call for the waiter before one for the bill.
    """

    table: Table
    session: Any = None  # a `TableSession`
    has_allergies: bool = False  # the open session's guests have named some
    waiter: str = ""  # who of the staff took the open session's latest order for its guests, by first name
    call: TableCall | None = None
    held: Order | None = None
    ready: Order | None = None
    left_open: TableSession | None = None
    owner: str = ""  # the user name of who has the table, or that of the party

    @cached_property
    def state(self) -> State:
        if self.call is not None:
            return State.BILL if self.call.kind == TableCall.Kind.BILL else State.CALLING
        if self.held is not None:
            return State.HELD
        if self.session is not None:
            return _state_of(self.session)
        return State.LEFT_OPEN if self.left_open else State.JOINED if self.joined else State.FREE

    @property
    def label(self) -> str:
        if self.state == State.JOINED and self.joined:
            return gettext("with %(table)s") % {"table": self.joined.table.table_number}
        if self.state == State.ORDERED and self.is_between_courses:
            return gettext("Between courses")
        return gettext("Preparing") if self._is_preparing else str(self.state.label)

    @cached_property
    def joined(self) -> TableSession | None:
        """The party with whose table this one is pushed together."""
        party = self.table.joined
        if party and party.merged_into_id:
            party = present(party)
        return party if party and party.is_open and self.session is None else None

    @cached_property
    def since(self) -> datetime | None:
        """The time when its state began; None where nothing has happened but that a party came."""
        if waiting := self.call or self.held:
            return waiting.created_at
        if self.state == State.READY and self.ready:
            return self.ready.ready_at or self.ready.created_at
        return self.waiting_since if self.state == State.ORDERED and not self.is_between_courses else None

    @property
    def is_since_ordered(self) -> bool:
        """Return whether an order was placed at `since`, though the label says something else."""
        if self.state == State.READY:
            return self.ready is not None and self.ready.ready_at is None
        return self._is_preparing

    @property
    def waiting_since(self) -> Any:
        """The time when the oldest order was placed that is not served."""
        return self.session and self.session.waiting_since

    @property
    def waits_for_kitchen(self) -> bool:
        is_cooking = self.session is not None and bool(self.session.pending_orders + self.session.preparing_orders)
        return is_cooking and not self.is_between_courses

    @property
    def is_between_courses(self) -> bool:
        """Return whether a later course waits, and the kitchen makes nothing for the table."""
        return self.session is not None and self.session.has_later and self.session.late_at is None

    @property
    def is_late(self) -> bool:
        """Return whether the kitchen is late while the table waits for something else."""
        if self.state not in (State.CALLING, State.BILL, State.HELD) or not self.waits_for_kitchen:
            return False
        late_at = self.waiting_since + timedelta(minutes=self.late_after)
        return not self.session.ready_orders and late_at <= timezone.now()

    @property
    def late_after(self) -> int:
        """The minutes after `waiting_since` from which on the kitchen is late with something."""
        at = self.session and self.session.late_at
        return int((at - self.waiting_since if at else late_after()).total_seconds() / 60)

    @property
    def party(self) -> TableSession | None:
        """The session of those who sit there; of a table that was left open, of those who have left."""
        return self.left_open if self.state == State.LEFT_OPEN else self.session

    @property
    def occupancy(self) -> str:
        return "busy" if self.session or self.joined else "left_open" if self.left_open else "free"

    @property
    def _is_preparing(self) -> bool:
        return self.state == State.ORDERED and bool(self.session.preparing_orders)


def _state_of(session: Any) -> State:
    if session.ready_orders:
        return State.READY
    if session.open_orders:
        return State.ORDERED
    if session.is_choosing:
        return State.CHOOSING
    return State.SERVED if session.total_orders else State.SEATED


@dataclass(frozen=True)
class TableDetail:
    """A table with a party that sits or sat there: `session`, which `with_open_orders` annotates.

    `orders` and `calls` have the oldest first; what was kept for later stays where it was taken. `others` are sessions
    of the table whose bills are open besides.
    """

    table: Table
    session: TableSession | None
    waiter: str  # as `TableOnFloor.waiter`
    bill: Bill | None
    orders: list[Order]
    calls: list[TableCall]
    others: list[TableSession]
    owner: str = ""  # as `TableOnFloor.owner`

    @property
    def due(self) -> Decimal:
        return self.bill.due if self.bill else NOTHING

    @property
    def kept_total(self) -> Decimal:
        return sum((order.total for order in self.orders if order.is_kept), NOTHING)

    @property
    def has_held(self) -> bool:
        """Return whether an order was not sent to the kitchen yet."""
        return any(order.status == Order.Status.HELD for order in self.orders)

    @property
    def is_served(self) -> bool:
        """Return whether nothing that was ordered is to be brought any more: what comes next is the bill."""
        return bool(self.orders) and not any(order.is_outstanding for order in self.orders)

    @cached_property
    def next_course(self) -> LaterCourse | None:
        """Return the course that the floor fires next."""
        return next(iter(later_courses(self.orders)), None)

    @property
    def sends_next(self) -> bool:
        """Return whether everything is served but what is kept for later."""
        outstanding = [order for order in self.orders if order.is_outstanding]
        return bool(outstanding) and all(order.is_kept for order in outstanding)


def tables_with_sessions() -> list[TableOnFloor]:
    """Return every table, by number, with its open session if it has one, and with its own owner."""
    sessions, tables = unclosed_sessions(), Table.objects.select_related("joined__table", "owner__user").in_bulk()
    (open_at, _left_open), owners = seated(sessions, tables), owners_of(tables.values())
    return [replace(open_at.get(pk) or TableOnFloor(table), owner=owners.get(pk, "")) for pk, table in tables.items()]


def table_detail(number: int, session_id: str | None) -> TableDetail:
    """Return the table with the session of this id, where it is now if it was moved, or with its open session.

    Raises TableUnknown, SessionUnknown.
    """
    if session_id:
        session = session_of_table(number, session_id, follow=True)
        return _detail(session.table, session)
    shown = table(number)
    return _detail(shown, open_session(shown))


def _detail(table: Table, session: TableSession | None) -> TableDetail:
    others = TableSession.objects.filter(table=table, ended_at=None).with_orders().order_by("started_at")
    if session is None:
        return TableDetail(table, None, "", None, [], [], list(others), owners_of([table]).get(table.pk, ""))
    sessions = TableSession.objects.filter(pk=session.pk).select_related("table__owner__user")
    shown = _annotated(sessions, late_after()).get()
    owner = owners_of([shown.table]).get(table.pk, "")
    shown.table = table
    calls = shown.calls.filter(done_at=None).select_related("session__table", "part").order_by("created_at", "pk")
    mark((call, call.created_at, owner) for call in calls)
    return TableDetail(
        table=table,
        session=shown,
        waiter=shown.waiter_name or shown.waiter or "",
        bill=bill_of(shown),
        orders=list(orders_with_items().filter(session=shown).order_by(Coalesce("kept_at", "created_at"), "pk")),
        calls=list(calls),
        others=list(others.exclude(pk=shown.pk)),
        owner=owner,
    )


def _annotated(sessions: TableSessionQuerySet, usually_late: timedelta) -> QuerySet[Any, Any]:
    """Add open orders, `is_choosing`, and who took the latest order: `waiter`, and `waiter_name` if known."""
    late = undone_entries(usually_late).filter(order__session=OuterRef("pk"))
    names = get_user_model().objects.filter(username=OuterRef("waiter")).values("first_name")
    return sessions.with_open_orders().annotate(
        is_choosing=_IS_CHOOSING,
        has_later=Exists(cooking_entries().filter(OrderItem.WAITS, order__session=OuterRef("pk"))),
        late_at=Subquery(late.order_by("late_at").values("late_at")[:1]),
        waiter=Subquery(LATEST_BY_STAFF.values("placed_by")[:1]),
        waiter_name=Subquery(names),
    )  # fmt: skip


def unclosed_at(now: datetime, usually_late: timedelta) -> QuerySet[Any, Any]:
    unclosed = TableSession.objects.filter(ended_at=None).annotate(has_orders=_HAS_ORDERS)
    shown = _annotated(unclosed.filter(Q(has_orders=True) | Q(started_at__gt=now - SESSION_WINDOW)), usually_late)
    return shown.annotate(with_allergies=_ORDERS_WITH_ALLERGIES).order_by("-started_at")


_unclosed_at = compiled_once(unclosed_at)


def unclosed_sessions() -> list[Any]:
    """Return the sessions that are open or were left open, the latest first."""
    return list(TableSession.objects.raw(*_unclosed_at(timezone.now(), late_after())))


def seated(
    sessions: Iterable[Any], tables: Mapping[UUID, Table]
) -> tuple[dict[UUID, TableOnFloor], list[TableSession]]:
    """Return the tables with an open session, by id, and the sessions that were left open, the oldest first."""
    latest: dict[UUID, TableOnFloor] = {}
    left_open: list[TableSession] = []
    for session in sessions:
        session.table = tables[session.table_id]
        if session.is_open and session.table_id not in latest:
            waiter = session.waiter_name or session.waiter or ""
            latest[session.table_id] = TableOnFloor(session.table, session, bool(session.with_allergies), waiter)
        elif session.has_orders:  # as in `TableSessionQuerySet.left_open`
            left_open.append(session)
    return latest, left_open[::-1]
