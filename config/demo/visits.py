"""Table sessions with their scans, orders and payments."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from decimal import Decimal

from config.demo import hours, meals
from config.demo.history import History
from config.demo.staff import CASHIER, FLOOR
from restaurant.models import Order, OrderChange, OrderItem, Payment, Table, TableSession
from web.money import NOTHING, rounded, worth

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
    pay(history, session, end - timedelta(seconds=history.rng.uniform(5, 50)))


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
    maybe_cancel(history, order, items)


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


# --- cancellations and payments ----------------------------------------------------------------------------


Reason, Method = OrderChange.Reason, Payment.Method

_ORDER_CANCELLED = 0.015
_DISH_CANCELLED = 0.025
_NOTES = {
    Reason.SOLD_OUT: "Last portion just went",
    Reason.MISTAKE: "Ordered twice",
    Reason.GUEST_LEFT: "Had to catch a train",
    Reason.OTHER: "Dropped on the way: on the house",
}
_METHODS = {Method.CARD: 72, Method.CASH: 28}
_VOUCHER_CHANCE = 0.02
_TWO_PAY = 0.12
_TIP_CHANCE = 0.4


def maybe_cancel(history: History, order: Order, items: list[OrderItem]) -> None:
    """Cancel a few completed orders, and a dish of others."""
    if history.happens(_ORDER_CANCELLED):
        _cancel_order(history, order, items)
    elif len(items) > 1 and history.happens(_DISH_CANCELLED):
        item, reason = history.rng.choice(items), history.rng.choice((Reason.SOLD_OUT, Reason.MISTAKE, Reason.OTHER))
        quantities = {item: history.rng.randint(1, item.quantity)}
        _cancel(history, order, quantities, at=order.created_at + history.minutes(1.5, 4), reason=reason, by=FLOOR)


def _cancel_order(history: History, order: Order, items: list[OrderItem]) -> None:
    """Cancel it as the guest at once, or as a member of staff a little later."""
    by_guest = history.happens(0.5)
    reason = Reason.MISTAKE if by_guest else Reason.GUEST_LEFT
    at = order.created_at + (history.minutes(0.4, 1.5) if by_guest else history.minutes(2, 5))
    quantities = {item: item.quantity for item in items}
    _cancel(history, order, quantities, at=at, reason=reason, by="" if by_guest else FLOOR)
    order.status, order.completed_at, order.ready_at = Order.Status.CANCELLED, None, None
    order.cancelled_at, order.acknowledged_at = at, at + timedelta(seconds=40)
    order.session.total_orders -= 1


def _cancel(
    history: History,
    order: Order,
    quantities: dict[OrderItem, int],
    *,
    at: datetime,
    reason: OrderChange.Reason,
    by: str,
) -> None:
    amount = sum((item.price * quantity for item, quantity in quantities.items()), NOTHING)
    for item, quantity in quantities.items():
        item.cancelled_quantity += quantity
    order.total -= amount
    order.session.total_revenue -= amount
    history[OrderChange].append(
        OrderChange(
            order=order,
            kind=OrderChange.Kind.CANCELLED,
            at=at,
            user_name=by,
            reason=reason,
            note=_NOTES[reason] if by else "",
            amount=amount,
            items=[{"position": item.position, "quantity": quantity} for item, quantity in quantities.items()],
        )
    )


def pay(history: History, session: TableSession, at: datetime) -> None:
    due = session.total_revenue
    taken_by = CASHIER if history.happens(0.3) else FLOOR
    for method, amount in _shares(history, due):
        due -= amount
        history[Payment].append(
            Payment(
                session=session,
                method=method,
                amount=amount,
                tip=_tip(history, amount) if method != Method.VOUCHER else Decimal(0),
                due_after=due,
                created_at=at,
                taken_by_name=taken_by,
                paid_in=session.pk,
            )
        )


def _shares(history: History, due: Decimal) -> Iterator[tuple[Payment.Method, Decimal]]:
    """Yield the payments of a bill: the whole, two halves, or a voucher and the rest; nothing for nothing."""
    voucher = worth(Decimal(20))
    if due > voucher and history.happens(_VOUCHER_CHANCE):
        yield Method.VOUCHER, voucher
        due -= voucher
    elif history.happens(_TWO_PAY):
        half = rounded(due / 2)
        if half:
            yield history.pick(_METHODS), half
        due -= half
    if due:
        yield history.pick(_METHODS), due


def _tip(history: History, amount: Decimal) -> Decimal:
    """Return zero, or some ten percent in halves."""
    if not history.happens(_TIP_CHANCE):
        return Decimal(0)
    return rounded(Decimal(round(float(amount) * history.rng.uniform(0.06, 0.14) * 2)) / 2)
