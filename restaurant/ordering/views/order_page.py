"""The page of one order, for its guest."""

from typing import Any, NamedTuple

from django.conf import settings
from django.utils.translation import gettext as _
from django.utils.translation import pgettext
from rest_framework.request import Request

from restaurant.live import socket_url
from restaurant.ordering.models import Order
from restaurant.ordering.queries.orders import orders_for_guest, too_late_to_cancel
from restaurant.ordering.queries.points import points_of
from restaurant.ordering.queries.sessions import open_call_times
from restaurant.ordering.queries.waiting import usual_wait
from restaurant.ordering.views import guests, order_points
from restaurant.rules import OrderingRules

LEFT_THE_KITCHEN = (Order.Status.READY, Order.Status.SERVED, Order.Status.COMPLETED)


class State(NamedTuple):
    """A status as the page shows it: a word for the progress bar, a title and a sentence."""

    status: str
    word: str
    title: str
    sentence: str


def context(request: Request, order: Order) -> dict[str, Any]:
    progress = _progress(order)
    states = [*_steps(), _held(order), _cancelled(order)]
    if progress:
        states = [state._replace(sentence=progress) if state.status == order.status else state for state in states]
    ordered = orders_for_guest(order.session, guests.guest_of(request), with_dishes=True)
    may_cancel = order.pk in ordered.linked and order.status in (Order.Status.PENDING, Order.Status.HELD)
    return {
        "order": order,
        "here": f"/orders/{order.pk}",
        "points": points_of(order),
        "socket_url": f"{socket_url(request)}/orders/{order.pk}",
        "states": states,
        "title": next(state.title for state in states if state.status == order.status),
        "done_count": sum(bool(item.done_at) + bool(item.served_at) for item in order.items.all()),
        "is_partly_done": bool(progress),
        "has_left_kitchen": order.status in LEFT_THE_KITCHEN,
        "wait": usual_wait(order),
        "may_tell": bool(settings.PUSH_HOSTS) and order.status in (Order.Status.HELD, *Order.COOKING),
        "may_cancel": may_cancel,
        "too_late": too_late_to_cancel(order) if may_cancel else None,
        # The cookie of its session is for the table's pages alone; who has ordered there has or had it.
        "is_open": order.session.is_open_to_party if ordered.linked else order.session.is_open,
        "ordered": ordered,
        # A stranger who was shown the page's address must neither call for this table nor see its bill.
        "is_at_table": bool(ordered.linked),
        "can_call": order.session.ended_at is None,
        "open_calls": open_call_times(order.session),
        "session": order.session,
        **order_points.order_context(request, order),
    }


def _progress(order: Order) -> str:
    """The sentence for an order of which some dishes are done and others are not; empty for every other one."""
    done, portions = order.portions_done, order.portions
    if not 0 < done < portions:
        return ""
    if all(item.done_at or item.waits for item in order.items.all() if item.remaining):
        return _("%(done)s of %(all)s made. The next course follows in time.") % {"done": done, "all": portions}
    if all(item.served_at for item in order.items.all() if item.is_done):
        return _("%(done)s of %(all)s served. We're working on the rest.") % {"done": done, "all": portions}
    return _("%(done)s of %(all)s ready. We're working on the rest.") % {"done": done, "all": portions}


def _steps() -> list[State]:
    """The states that the kitchen sets, in their order."""
    ready = pgettext("an order's status", "Ready")
    return [
        State("pending", _("Received"), _("Order received"), _("The kitchen will start on it soon.")),
        State("preparing", _("Preparing"), _("Preparing"), _("We're working on it.")),
        State("ready", ready, ready, _("It's on its way to your table.")),
        State("served", _("Served"), _("Served"), _("Enjoy your meal!")),
        State("completed", "", _("Completed"), _("Thank you for your visit.")),
    ]


def _held(order: Order) -> State:
    if order.is_kept:
        return State("held", "", _("For later"), _("The kitchen starts on it when you are ready for it."))
    above = OrderingRules.current().approval_above
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
