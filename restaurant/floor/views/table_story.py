"""What has happened at a table since its party came, for the page of the table."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from operator import attrgetter
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from restaurant.floor.queries import TableDetail
from restaurant.ordering import queries as ordering_queries
from restaurant.ordering.models import Order, OrderChange, TableSession
from web.templatetags.money import format_money


@dataclass(frozen=True, slots=True)
class Event:
    """`by`: who, if that is on record: of the staff by first name where there is one."""

    at: datetime
    words: str
    by: str = ""


def events(detail: TableDetail, names: dict[str, str]) -> list[Event]:
    """The oldest first. `names`: first names by user name."""
    if detail.session is None or detail.bill is None:
        return []
    session = detail.session
    found = [Event(session.started_at, _("Opened")), *_calls(session), *_moves(session), *_payments(detail.bill)]
    for order in detail.orders:
        found += _order(order)
    found += [_change(each) for each in ordering_queries.order_changes(session)]
    if session.ended_at is not None:
        found.append(Event(session.ended_at, _("Closed")))
    return [replace(each, by=names.get(each.by, each.by)) for each in sorted(found, key=attrgetter("at"))]


def _order(order: Order) -> Iterator[Event]:
    dishes = sum(item.quantity for item in order.items.all())
    what = ngettext("1 dish", "%(count)s dishes", dishes) % {"count": dishes}
    if order.kept_at is not None:
        yield Event(order.kept_at, _("Kept for later: %(dishes)s") % {"dishes": what}, order.placed_by)
    else:
        yield Event(order.created_at, _("Ordered: %(dishes)s") % {"dishes": what}, order.placed_by or _("guests"))
    if order.ready_at is not None:
        yield Event(order.ready_at, _("Ready: %(dishes)s") % {"dishes": what})
    if order.served_at is not None:
        yield Event(order.served_at, _("Served: %(dishes)s") % {"dishes": what})


def _change(change: OrderChange) -> Event:
    amount = {"amount": format_money(change.amount)}
    if change.kind == OrderChange.Kind.APPROVED:
        words = _("Sent to the kitchen: %(amount)s") if change.order.kept_at else _("Approved: %(amount)s")
    elif change.is_refusal:
        words = _("Refused: %(amount)s")
    else:
        words = _("Cancelled: %(amount)s")
    return Event(change.at, words % amount, change.user_name)


def _calls(session: TableSession) -> Iterator[Event]:
    for call in session.calls.all():
        is_bill = call.kind == call.Kind.BILL
        yield Event(call.created_at, _("Asked to pay") if is_bill else _("Called the waiter"))
        if call.done_at is not None and call.done_by:
            yield Event(call.done_at, _("Bill brought") if is_bill else _("Waiter came"), call.done_by)


def _moves(session: TableSession) -> Iterator[Event]:
    for move in session.moves.select_related("from_table"):
        words = _("Moved from table %(number)s") % {"number": move.from_table.table_number}
        yield Event(move.at, words, move.user_name)


def _payments(bill: Any) -> Iterator[Event]:
    for each in bill.payments:
        amount = {"amount": format_money(each.amount), "method": each.get_method_display()}
        yield Event(each.created_at, _("Paid: %(amount)s, %(method)s") % amount, each.taken_by_name)
        if each.voided_at is not None:
            yield Event(each.voided_at, _("Payment voided: %(amount)s") % amount, each.voided_by_name)
