"""The present of the demonstration restaurant: open orders, a bill left open, and visits earlier today at any hour."""

from datetime import timedelta

from config.demo import meals, visits
from config.demo.history import History
from config.demo.staff import FLOOR
from restaurant.models import Order, OrderItem, Table, TableCall, TableSession, alerts

# Table -> the order's status, and how many minutes ago it was placed. Table 1 stays free to try.
_IN_THE_KITCHEN = {
    3: (Order.Status.READY, 8.5),
    7: (Order.Status.PREPARING, 4.0),
    12: (Order.Status.PENDING, 1.2),
}
_LEFT_OPEN_TABLE, _LEFT_OPEN_HOURS_AGO = 10, 5.2
_FEWEST_VISITS = 6
_LOOK_BACK = timedelta(hours=5)


def write_open_tables(history: History) -> None:
    """Must be called before other visits are written, which then leave these tables free."""
    for number in _IN_THE_KITCHEN:
        _write_open_order(history, number)
    _write_left_open(history)


def _write_open_order(history: History, number: int) -> None:
    status, minutes_ago = _IN_THE_KITCHEN[number]
    table = history[Table][number - 1]
    guests = table.capacity or 2
    placed = history.now - timedelta(minutes=minutes_ago)
    session = visits.open_session(history, table, guests, placed - history.minutes(9.5, 15))
    session.covers = guests
    items = _items_with_a_request(history, guests)
    order = visits.place_order(history, session, items, placed)
    order.status = status
    if status == Order.Status.READY:
        order.ready_at = history.now - timedelta(minutes=minutes_ago / 3)
    elif status == Order.Status.PREPARING:  # the guests want something else
        called = history.now - timedelta(minutes=1.5)
        history[TableCall].append(TableCall(session=session, kind=TableCall.Kind.WAITER, created_at=called))
        _write_held_order(history, order)
    else:  # the guests have told the waiter what to leave out
        order.allergies, order.placed_by = ["nuts"], FLOOR
        for item in items:
            item.alert = alerts(order.allergies, [item.menu_item.allergens])


def _items_with_a_request(history: History, guests: int) -> list[OrderItem]:
    while True:
        items = meals.main_order(history, guests, evening=True)
        if len(items) > 2 and any(item.special_instructions for item in items):
            return items


def _write_held_order(history: History, earlier: Order) -> None:
    """Add a last course that the waiter sends to the kitchen later."""
    taken = earlier.created_at + timedelta(seconds=30)
    order = visits.add_order(history, earlier.session, meals.last_course(history, 2, evening=True), taken)
    order.status, order.was_held, order.kept_at, order.placed_by = Order.Status.HELD, True, taken, FLOOR


def _write_left_open(history: History) -> None:
    """Add a session without an end whose bill nobody has paid."""
    start = history.now - timedelta(hours=_LEFT_OPEN_HOURS_AGO)
    session = visits.open_session(history, history[Table][_LEFT_OPEN_TABLE - 1], 3, start)
    placed = start + timedelta(minutes=8)
    order = visits.place_order(history, session, meals.main_order(history, 3, evening=True), placed)
    visits.complete(history, order, placed + timedelta(minutes=21))


def write_earlier_today(history: History) -> None:
    """Write visits for today's figures, which would be empty before lunch and on Mondays."""
    midnight = history.at(history.today, 0)
    written = sum(session.started_at >= midnight and session.ended_at is not None for session in history[TableSession])
    for _ in range(_FEWEST_VISITS - written):
        duration = history.minutes(30, 50)
        earliest = max(midnight, history.now - _LOOK_BACK)
        latest = history.now - duration - timedelta(minutes=1)
        if earliest < latest:
            start = earliest + (latest - earliest) * history.rng.random()
            visits.write_visit(history, start, start + duration, evening=False)
