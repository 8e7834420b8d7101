"""The page of one order, for its guest."""

from datetime import datetime, timedelta
from typing import Any, NamedTuple

from django.utils import timezone
from django.utils.translation import gettext as _
from rest_framework.request import Request

from restaurant.live import socket_url
from restaurant.ordering import queries
from restaurant.ordering.models import Order, OrderItem
from restaurant.ordering.views import guests, order_points

LEFT_THE_KITCHEN = (Order.Status.READY, Order.Status.SERVED, Order.Status.COMPLETED)


class State(NamedTuple):
    """A status in words: one for the progress bar, a title and a sentence."""

    status: str
    word: str
    title: str
    sentence: str


def context(request: Request, order: Order) -> dict[str, Any]:
    lines = list(order.items.all())
    progress = _progress(order, lines)
    states = [*_steps(), _held(order), _cancelled(order)]
    if progress:
        states = [
            state._replace(sentence=progress.sentence) if state.status == order.status else state for state in states
        ]
    ordered = queries.orders_for_guest(order.session, guests.guest_of(request), with_dishes=True)
    may_cancel = order.pk in ordered.linked and order.status in (Order.Status.PENDING, Order.Status.HELD)
    return {
        "order": order,
        "here": f"/orders/{order.pk}",
        "points": queries.points_of(order),
        "socket_url": f"{socket_url(request)}/orders/{order.pk}",
        "states": states,
        "title": next(state.title for state in states if state.status == order.status),
        "lines": lines,
        "done_count": sum(line.done_at is not None for line in lines),
        "progress": progress,
        "finished": _finished(order, lines),
        "ready_at": order.ready_at if order.status in LEFT_THE_KITCHEN else None,
        "wait": _wait(order, timezone.now()),
        "told": order.allergy_names,
        "may_cancel": may_cancel,
        "too_late": queries.too_late_to_cancel(order) if may_cancel else None,
        # The cookie of its session is for the table's pages alone; who has ordered there has or had it.
        "is_open": order.session.is_open_to_party if ordered.linked else order.session.is_open,
        "ordered": ordered,
        # A stranger who was shown the page's address must neither call for this table nor see its bill.
        "is_at_table": bool(ordered.linked),
        "can_call": order.session.ended_at is None,
        "open_calls": queries.open_call_times(order.session),
        "session": order.session,
        **order_points.order_context(request, order),
    }


class Progress(NamedTuple):
    """How many dishes of an order the kitchen is done with, of how many. Cancelled ones don't count."""

    done: int
    all: int

    @property
    def sentence(self) -> str:
        return _("%(done)s of %(all)s ready. We're working on the rest.") % self._asdict()


def _progress(order: Order, lines: list[OrderItem]) -> Progress | None:
    """Return None before the first dish is done, when all are, and when the order has left the kitchen."""
    portions = sum(line.remaining for line in lines)
    done = sum(line.remaining for line in lines if line.done_at is not None)
    return Progress(done, portions) if order.is_cooking and 0 < done < portions else None


def _finished(order: Order, lines: list[OrderItem]) -> list[OrderItem]:
    """Return the lines that the kitchen is done with: all of them once the order has left it."""
    has_left = order.status in LEFT_THE_KITCHEN
    return [line for line in lines if has_left or line.done_at is not None]


class Wait(NamedTuple):
    """How many minutes orders at this hour usually take, and whether this one takes longer."""

    low: int
    high: int
    seconds_left: int  # until it takes longer
    ready_from: datetime
    ready_to: datetime

    @property
    def is_late(self) -> bool:
        return self.seconds_left <= 0


def _wait(order: Order, now: datetime) -> Wait | None:
    """Return None if the kitchen doesn't have the order, or has had too few others at this hour."""
    if not order.is_cooking:
        return None
    usual = queries.usual_wait(order)
    if usual is None:
        return None
    begun = queries.begun_at(order)
    left = usual.ready_by(begun) - now
    soonest, latest = (begun + timedelta(minutes=minutes) for minutes in (usual.low, usual.high))
    return Wait(usual.low, usual.high, int(left.total_seconds()), soonest, latest)


def _steps() -> list[State]:
    """Return the states that the kitchen sets, in their order."""
    return [
        State("pending", _("Received"), _("Order received"), _("The kitchen will start on it soon.")),
        State("preparing", _("Preparing"), _("Preparing"), _("We're working on it.")),
        State("ready", _("Ready"), _("Ready"), _("It's on its way to your table.")),
        State("served", _("Served"), _("Served"), _("Enjoy your meal!")),
        State("completed", "", _("Completed"), _("Thank you for your visit.")),
    ]


def _held(order: Order) -> State:
    if order.is_kept:
        return State("held", "", _("For later"), _("The kitchen starts on it when you are ready for it."))
    above = queries.ordering_rules().approval_above
    if above is not None and order.total > above:
        why = _("Somebody comes to your table to confirm large orders like this one. Then the kitchen starts on it.")
    else:
        why = _("Somebody comes to your table to confirm your order. Then the kitchen starts on it.")
    return State("held", "", _("Waiting for a member of staff"), why)


def _cancelled(order: Order) -> State:
    change = order.cancellation
    if change is None:  # for the moment until the page has been read again
        return State("cancelled", "", _("Cancelled"), _("Nothing of it is on your bill."))
    if not change.user_name:
        return State("cancelled", "", _("Cancelled"), _("You cancelled this order. Nothing of it is on your bill."))
    title = _("Not accepted") if change.is_refusal else _("Cancelled")
    return State("cancelled", "", title, f"{_why(change.reason)} {_('Nothing of it is on your bill.')}")


def _why(reason: str) -> str:
    return {
        "mistake": _("This order was a mistake."),
        "sold_out": _("Sorry, what you ordered has sold out."),
        "kitchen_closed": _("Sorry, the kitchen has closed."),
        "guest_left": _("Nobody was at the table any more."),
    }.get(reason, _("A member of staff cancelled this order."))
