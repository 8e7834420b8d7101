"""Table sessions with their scans and orders."""

import random
import uuid
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta, tzinfo

from config.demo import appetite, chance, crowd, hours
from config.demo.place import SECTION_APPEAL
from restaurant.models import Order, OrderChange, OrderingRules, OrderItem, Payment, Table, TableCall, TableSession

# User name of the demonstration's waiter.
FLOOR = "floor"
HISTORY_DAYS = 60

_GUESTS = {1: 8, 2: 46, 3: 16, 4: 20, 5: 5, 6: 5}
_TURNAROUND = timedelta(minutes=10)
# Some only read the menu, and order from the waiter.
_ONLY_LOOKS = 0.05
_ORDERED_BY_WAITER = 0.06


@dataclass(slots=True)
class Diary:
    """Rows to store. Nothing is later than `now`, and a table has one party at a time."""

    now: datetime
    tables: list[Table]
    menu: appetite.Menu
    rules: OrderingRules
    sessions: list[TableSession] = field(default_factory=list)
    orders: list[Order] = field(default_factory=list)
    items: list[OrderItem] = field(default_factory=list)
    changes: list[OrderChange] = field(default_factory=list)
    payments: list[Payment] = field(default_factory=list)
    calls: list[TableCall] = field(default_factory=list)
    sightings: list[crowd.Sighting] = field(default_factory=list)
    # Keyed by table and day, so that a party is compared with those of its own day.
    _taken: dict[tuple[uuid.UUID, date], list[tuple[datetime, datetime]]] = field(
        default_factory=lambda: defaultdict(list)
    )

    def take(self, table: Table, start: datetime, end: datetime) -> None:
        first, last = start - _TURNAROUND, end + _TURNAROUND
        for day in {first.date(), last.date()}:
            self._taken[table.pk, day].append((first, last))

    def is_free(self, table: Table, start: datetime, end: datetime) -> bool:
        taken = [span for day in {start.date(), end.date()} for span in self._taken[table.pk, day]]
        return all(end <= first or start >= last for first, last in taken)


@dataclass(frozen=True, slots=True)
class Party:
    table: Table
    guests: int
    start: datetime
    end: datetime
    evening: bool


def write_history(diary: Diary, zone: tzinfo) -> None:
    """Write the visits of the last sixty days, and those of today that have ended."""
    today = diary.now.astimezone(zone).date()
    for days_ago in range(HISTORY_DAYS, -1, -1):
        day = today - timedelta(days=days_ago)
        rng = chance.stream(f"visits of {day}")
        for service, hour in hours.arrivals(rng, day):
            start = hours.at(day, hour, zone)
            duration = timedelta(minutes=rng.uniform(service.shortest_visit, service.longest_visit))
            if start + duration < diary.now:
                seat_and_serve(rng, diary, start, start + duration, evening=service.is_evening)


def seat_and_serve(rng: random.Random, diary: Diary, start: datetime, end: datetime, *, evening: bool) -> None:
    """Write a party's visit, unless no table is free."""
    guests = chance.pick(rng, _GUESTS)
    suiting = {
        # Small parties rarely get large tables.
        table: SECTION_APPEAL[table.section] / (1 + (table.capacity or 0) - guests)
        for table in diary.tables
        if (table.capacity or 0) >= guests and diary.is_free(table, start, end)
    }
    if not suiting:
        return
    party = Party(chance.pick(rng, suiting), guests, start, end, evening)
    session = open_session(rng, diary, party)
    session.ended_at = end
    for placed, lines in _courses(rng, diary, party):
        order = place(diary, session, lines, placed)
        done = placed + timedelta(minutes=rng.uniform(7, 24))
        complete(order, min(done, end - timedelta(minutes=1)))


def complete(order: Order, at: datetime) -> None:
    order.status, order.completed_at = Order.Status.COMPLETED, at
    order.ready_at = order.created_at + (at - order.created_at) * 0.8


def note_waiters(diary: Diary) -> None:
    """Let a waiter have taken some past orders."""
    rng = chance.stream("waiters")
    for order in diary.orders:
        if rng.random() < _ORDERED_BY_WAITER and order.completed_at is not None:
            order.placed_by = FLOOR


def open_session(rng: random.Random, diary: Diary, party: Party) -> TableSession:
    """Open a session with the scans of the party."""
    moments = [party.start]
    moments += [_soon(rng, party.start, 6) for _ in range(party.guests - 1) if rng.random() < 0.55]
    if rng.random() < 0.3:  # the menu again
        moments.append(_soon(rng, party.start, 9))
    session = TableSession(table=party.table, started_at=party.start, total_scans=len(moments))
    diary.take(party.table, party.start, party.end)
    diary.sessions.append(session)
    diary.sightings += [crowd.scan_by_guest(rng, party.table.pk, moment) for moment in moments]
    return session


def _soon(rng: random.Random, moment: datetime, minutes: float) -> datetime:
    return moment + timedelta(minutes=rng.uniform(0.3, minutes))


def _courses(rng: random.Random, diary: Diary, party: Party) -> Iterator[tuple[datetime, list[appetite.Line]]]:
    """Yield the party's orders with their times."""
    if rng.random() < _ONLY_LOOKS:
        return
    guests, evening, duration = party.guests, party.evening, party.end - party.start
    first = party.start + timedelta(minutes=rng.uniform(4, 9))
    yield first, appetite.meal(rng, diary.menu, guests=guests, evening=evening)
    if evening and rng.random() < 0.45:
        yield party.start + duration * rng.uniform(0.4, 0.5), appetite.another_drink(rng, diary.menu, guests=guests)
    if rng.random() < (0.6 if evening else 0.45):
        last = party.start + duration * rng.uniform(0.62, 0.75)
        yield last, appetite.last_course(rng, diary.menu, guests=guests, evening=evening)


def place(diary: Diary, session: TableSession, lines: list[appetite.Line], placed: datetime) -> Order:
    """Add a pending order, and count it in its session."""
    order = _order(diary, session, lines, placed)
    session.total_orders += 1
    session.total_revenue += order.total
    return order


def keep(diary: Diary, session: TableSession, lines: list[appetite.Line], taken: datetime) -> None:
    """Add an order that the waiter sends later."""
    order = _order(diary, session, lines, taken)
    order.status, order.was_held, order.kept_at, order.placed_by = Order.Status.HELD, True, taken, FLOOR


def _order(diary: Diary, session: TableSession, lines: list[appetite.Line], placed: datetime) -> Order:
    total = sum(line.item.price * line.quantity for line in lines)
    order = Order(table=session.table, session=session, total=total, created_at=placed)
    diary.orders.append(order)
    diary.items += [
        OrderItem(
            order=order,
            menu_item=line.item,
            position=position,
            name=line.item.name,
            quantity=line.quantity,
            price=line.item.price,
            special_instructions=line.special_instructions,
            vat_rate=diary.rules.rate_of(line.item.vat_rate),
        )
        for position, line in enumerate(lines)
    ]
    return order
