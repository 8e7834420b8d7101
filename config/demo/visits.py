"""Table sessions with their scans, orders and payments."""

from datetime import datetime, timedelta

from config.demo import bills, hours, meals
from config.demo.history import History
from config.demo.menu import CELLAR
from config.demo.place import SECTION_APPEAL
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
        for service, hour in hours.arrivals(history.rng, day):
            start = history.at(day, hour)
            end = start + history.minutes(service.shortest_visit, service.longest_visit)
            if end < history.now:
                write_visit(history, start, end, evening=service.is_evening)


def write_visit(history: History, start: datetime, end: datetime, *, evening: bool) -> None:
    """Write the visit of a party that has paid and left, unless no table is free."""
    rng, guests = history.rng, history.pick(_GUESTS)
    first, last = start - _TURNAROUND, end + _TURNAROUND
    taken = {
        session.table_id
        for session in history.sessions
        if (session.ended_at is None or session.ended_at > first) and session.started_at < last
    }
    suiting = {
        # Small parties rarely get large tables.
        table: SECTION_APPEAL[table.section] / (1 + (table.capacity or 0) - guests)
        for table in history.tables
        if (table.capacity or 0) >= guests and table.pk not in taken
    }
    if not suiting:
        return
    session = open_session(history, history.pick(suiting), guests, start)
    session.ended_at = end
    if rng.random() < _ONLY_LOOKS:
        return
    orders = [(start + history.minutes(4, 9), meals.main_order(history, guests, evening=evening))]
    if evening and rng.random() < 0.45:
        drinks = meals.choose(history, CELLAR, rng.randint(1, guests), 2)
        orders.append((start + (end - start) * rng.uniform(0.4, 0.5), drinks))
    if rng.random() < (0.6 if evening else 0.45):
        sweets = meals.last_course(history, guests, evening=evening)
        orders.append((start + (end - start) * rng.uniform(0.62, 0.75), sweets))
    for placed, items in orders:
        order = place(history, session, items, placed)
        complete(history, order, min(placed + history.minutes(7, 24), end - timedelta(minutes=1)))
        bills.maybe_cancel(history, order, items)
    bills.pay(history, session, end - timedelta(seconds=rng.uniform(5, 50)))


def open_session(history: History, table: Table, guests: int, start: datetime) -> TableSession:
    """Open a session with the scans of the party."""
    rng = history.rng
    moments = [start]
    moments += [start + history.minutes(0.3, 6) for _ in range(guests - 1) if rng.random() < 0.55]
    if rng.random() < 0.3:  # the menu again
        moments.append(start + history.minutes(0.3, 9))
    session = TableSession(table=table, started_at=start, total_scans=len(moments))
    history.sessions.append(session)
    for moment in moments:
        history.scan_by_guest(table.pk, moment)
    return session


def place(history: History, session: TableSession, items: list[OrderItem], placed: datetime) -> Order:
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
    history.orders.append(order)
    history.items += items
    return order


def complete(history: History, order: Order, at: datetime) -> None:
    order.status, order.completed_at = Order.Status.COMPLETED, at
    order.ready_at = order.created_at + (at - order.created_at) * 0.8
    if history.rng.random() < _ORDERED_BY_WAITER:
        order.placed_by = FLOOR
