"""The timeline of a party at its table, from the rows that services leave."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from operator import attrgetter

from django.db.models import Model

from restaurant.ordering.models import Order, OrderChange, TableMove, TableSession
from restaurant.ordering.queries.orders import order_changes


@dataclass(frozen=True, slots=True)
class Event:
    """One row of a timeline. The page has a sentence for each kind."""

    at: datetime
    kind: str
    row: Model | None = None  # the order, its change, the call, the move or the payment
    by: str = ""  # a user name


def of_session(session: TableSession, orders: Iterable[Order], payments: Iterable[Event]) -> list[Event]:
    """Return what has happened since the party came, the oldest first."""
    events = [Event(session.started_at, "opened"), *_calls(session)]
    events += [_move(move) for move in session.moves.select_related("from_table")]
    events += payments
    for order in orders:
        events += _steps(order)
    events += [_change(change) for change in order_changes(session)]
    if session.ended_at is not None:
        events.append(Event(session.ended_at, "closed"))
    return sorted(events, key=attrgetter("at"))


def _steps(order: Order) -> Iterator[Event]:
    yield Event(order.kept_at or order.created_at, "kept" if order.kept_at else "ordered", order, order.placed_by)
    for item in {item.fired_at: item for item in order.items.all() if item.fired_by}.values():
        yield Event(item.fired_at or order.created_at, "fired", item, item.fired_by)
    if order.ready_at is not None:
        yield Event(order.ready_at, "ready", order)
    if order.served_at is not None:
        yield Event(order.served_at, "served", order)


def _change(change: OrderChange) -> Event:
    if change.kind == OrderChange.Kind.APPROVED:
        kind = "sent" if change.order.kept_at else "approved"
    else:
        kind = "refused" if change.is_refusal else "cancelled"
    return Event(change.at, kind, change, change.user_name)


def _calls(session: TableSession) -> Iterator[Event]:
    for call in session.calls.all():
        yield Event(call.created_at, "called", call)
        if call.done_at is not None and call.done_by:
            yield Event(call.done_at, "came", call, call.done_by)


def _move(move: TableMove) -> Event:
    return Event(move.at, "moved", move, move.user_name)
