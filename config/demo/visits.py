"""Table sessions with their scans, orders and payments."""

from datetime import datetime, timedelta

from config.demo import bills, hours, meals
from config.demo.history import History
from config.demo.staff import FLOOR
from restaurant.models import Order, OrderItem, Table, TableSession

HISTORY_DAYS = 60

_GUESTS = {1: 8, 2: 46, 3: 16, 4: 20, 5: 5, 6: 5}
_TURNAROUND = timedelta(minutes=10)
# Some only read the menu, and order from the waiter.
_ONLY_LOOKS = 0.05
_ORDERED_BY_WAITER = 0.06


def write(history: History) -> None:
    """Write the visits of the last sixty days, and those of today that have ended."""
    for days_ago in range(HISTORY_DAYS, -1, -1):
        day = history.today - timedelta(days=days_ago)
        for service, hour in sorted(hours.arrivals(history.rng, day), key=lambda arrival: arrival[1]):
            start = history.at(day, hour)
            end = start + history.minutes(service.shortest_visit, service.longest_visit)
            if end < history.now:
                write_visit(history, start, end, evening=service.is_evening)


def write_visit(history: History, start: datetime, end: datetime, *, evening: bool) -> None:
    """Write the visit of a party that has paid and left, unless no table is free."""
    guests = history.pick(_GUESTS)
    tables = _free_tables(history, guests, start - _TURNAROUND, end + _TURNAROUND)
    if not tables:
        return
    session = open_session(history, history.pick(tables), guests, start)
    session.ended_at = end
    if history.happens(_ONLY_LOOKS):
        return
    _order(history, session, meals.main_order(history, guests, evening=evening), start + history.minutes(4, 9), end)
    if evening and history.happens(0.45):
        drinks = meals.choose(history, meals.CELLAR, history.rng.randint(1, guests), 2)
        _order(history, session, drinks, start + (end - start) * history.rng.uniform(0.4, 0.5), end)
    if history.happens(0.6 if evening else 0.45):
        sweets = meals.last_course(history, guests, evening=evening)
        _order(history, session, sweets, start + (end - start) * history.rng.uniform(0.62, 0.75), end)
    bills.pay(history, session, end - timedelta(seconds=history.rng.uniform(5, 50)))


def _free_tables(history: History, guests: int, first: datetime, last: datetime) -> dict[Table, float]:
    """Return tables with enough seats by how gladly they are chosen: small parties rarely get large ones."""
    taken = {
        session.table_id
        for session in history[TableSession]
        if (session.ended_at is None or session.ended_at > first) and session.started_at < last
    }
    seats = {table: table.capacity or 0 for table in history[Table] if table.pk not in taken}
    return {table: 1 / (1 + capacity - guests) for table, capacity in seats.items() if capacity >= guests}


def _order(history: History, session: TableSession, items: list[OrderItem], placed: datetime, end: datetime) -> None:
    order = place_order(history, session, items, placed)
    complete(history, order, min(placed + history.minutes(7, 24), end - timedelta(minutes=1)))
    bills.maybe_cancel(history, order, items)


def open_session(history: History, table: Table, guests: int, start: datetime) -> TableSession:
    """Open a session with the scans of the party."""
    moments = [start, *(start + history.minutes(0.3, 6) for _ in range(guests - 1) if history.happens(0.6))]
    session = TableSession(table=table, started_at=start, total_scans=len(moments))
    history[TableSession].append(session)
    for moment in moments:
        history.scan_by_guest(table.pk, moment)
    return session


def place_order(history: History, session: TableSession, items: list[OrderItem], placed: datetime) -> Order:
    """Add a pending order, and count it in its session."""
    order = add_order(history, session, items, placed)
    session.total_orders += 1
    session.total_revenue += order.total
    return order


def add_order(history: History, session: TableSession, items: list[OrderItem], placed: datetime) -> Order:
    total = sum(item.price * item.quantity for item in items)
    order = Order(table=session.table, session=session, total=total, created_at=placed)
    for position, item in enumerate(items):
        item.order, item.position = order, position
    history[Order].append(order)
    history[OrderItem].extend(items)
    return order


def complete(history: History, order: Order, at: datetime) -> None:
    order.status, order.completed_at = Order.Status.COMPLETED, at
    order.ready_at = order.created_at + (at - order.created_at) * 0.8
    if history.happens(_ORDERED_BY_WAITER):
        order.placed_by = FLOOR
