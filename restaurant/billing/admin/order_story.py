"""What happened to one order, from the rows that its services leave: the oldest first."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from django.utils.text import capfirst
from django.utils.translation import gettext as _

from restaurant.billing.admin import order_page
from restaurant.billing.models import Payment
from restaurant.ordering.models import Order, OrderChange, OrderItem, TableMove, TableSession
from web.admin import change_url
from web.moments import recent_words
from web.templatetags.money import format_money

_Kind, _Method = OrderChange.Kind, Payment.Method


@dataclass(frozen=True, slots=True)
class Event:
    """`by` is empty for what the kitchen's displays do: who pressed is not recorded. `is_step`: one of
    `order_page.steps`, which say all that there is to say of it."""

    at: datetime
    words: str
    time: str
    by: str = ""
    why: str = ""
    url: str = ""
    is_step: bool = False


def events(order: Order, items: Iterable[OrderItem], payments: Iterable[Payment], card: str) -> list[Event]:
    """`payments` are those of its bill that the user may see, `card` whose card has which points."""
    names = {item.position: item.display_name for item in items}
    found = [*_steps(order, card), *_changes(order, names), *_moves(order), *_payments(order, payments)]
    return sorted(_with_names(found), key=lambda event: event.at)


def _with_names(found: list[Event]) -> list[Event]:
    """People by their names: what is stored is how they sign in. With one query at the most."""
    guests = {"", _("Guest"), _("Guest, on their phone")}
    names = order_page.names_of({event.by for event in found} - guests)
    return [replace(event, by=names.get(event.by) or event.by) for event in found]


def _event(order: Order, at: datetime, words: str, **more: Any) -> Event:
    time = recent_words(at) if at == order.created_at else order_page.time_within(order, at)
    return Event(at, words, time, **more)


def _steps(order: Order, card: str) -> Iterator[Event]:
    placed = _("Placed, to be approved first") if order.was_held else _("Placed")
    words = _("Taken, and kept for later") if order.kept_at else placed
    by = order.placed_by or order_page.ordered_by(order)
    yield _event(order, order.kept_at or order.created_at, words, by=by, is_step=order.kept_at is None)
    served_at = order_page.served_at(order)
    for at, words in [(order.ready_at, _("Ready")), (served_at, _("Served")), (order.completed_at, _("Completed"))]:
        if at is not None:
            yield _event(order, at, words, is_step=True)
    if order.collected_at is not None and order.points_collected:
        yield _event(order, order.collected_at, _("Points collected"), why=card)


def _changes(order: Order, names: dict[int, str]) -> Iterator[Event]:
    changes = list(order.changes.order_by("at", "pk"))
    for change in changes:
        is_whole = order.status == Order.Status.CANCELLED and change is changes[-1]
        by = change.user_name or _("Guest")
        if change.kind == _Kind.APPROVED:
            yield _event(order, change.at, _("Sent to the kitchen") if order.kept_at else _("Approved"), by=by)
        else:
            yield _event(order, change.at, _cancelled(change, names, is_whole), by=by, why=_why(change))


def _cancelled(change: OrderChange, names: dict[int, str], is_whole: bool) -> str:
    if is_whole:
        return _("Order refused") if change.is_refusal else _("Order cancelled")
    parts = [f"{each['quantity']} × {names.get(each['position'], '')}" for each in change.items]
    return _("Cancelled: %(dishes)s") % {"dishes": ", ".join(parts)} if parts else _("Cancelled in part")


def _why(change: OrderChange) -> str:
    """The reason, the note, and what it was worth."""
    has_said_more = change.reason == OrderChange.Reason.OTHER and change.note
    reason = "" if has_said_more else str(change.get_reason_display())
    return " · ".join(filter(None, [capfirst(reason), change.note, format_money(change.amount)]))


def _moves(order: Order) -> Iterator[Event]:
    """Those of its party since it was placed: after joining another party, that one's."""
    session: TableSession | None = order.session
    if order.placed_in not in (None, order.session_id):
        session = TableSession.objects.filter(pk=order.placed_in).first() or session
    since = order.created_at
    while session is not None:
        moves = TableMove.objects.filter(session=session, at__gte=since).order_by("at", "pk")
        for move in moves.select_related("from_table", "to_table"):
            words = _("Moved from %(from)s to %(to)s") % {"from": move.from_table, "to": move.to_table}
            yield _event(order, move.at, words, by=move.user_name)
            since = move.at
        session = session.merged_into if session.pk != order.session_id else None


def _payments(order: Order, payments: Iterable[Payment]) -> Iterator[Event]:
    """Of its table's bill, since it was placed."""
    for each in payments:
        if each.created_at >= order.created_at:
            tip = _("Tip %(amount)s") % {"amount": format_money(each.tip)} if each.tip else ""
            yield _event(order, each.created_at, _paid(each), by=each.taken_by_name, why=tip, url=change_url(each))
        if each.voided_at is not None and each.voided_at >= order.created_at:
            words = _("Payment of %(amount)s voided") % {"amount": format_money(each.amount)}
            yield _event(order, each.voided_at, words, by=each.voided_by_name, why=each.void_note, url=change_url(each))


def _paid(payment: Payment) -> str:
    words: dict[Any, str] = {
        _Method.CASH: _("%(amount)s of the bill paid in cash"),
        _Method.CARD: _("%(amount)s of the bill paid by card"),
        _Method.VOUCHER: _("%(amount)s of the bill paid by voucher"),
        _Method.OTHER: _("%(amount)s of the bill paid in another way"),
    }
    return words[payment.method] % {"amount": format_money(payment.amount)}
