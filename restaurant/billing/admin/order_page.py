"""One order in the admin: how far it is, who ordered it, and whether it is paid."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any

from django.contrib.auth import get_user_model
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from loyalty import gateway as loyalty
from restaurant.ordering.models import Order
from web.templatetags.moments import recent_words, short_day
from web.templatetags.money import format_money
from web.templatetags.reports import shown

_STATUS = Order.Status


@dataclass(frozen=True, slots=True)
class Step:
    """`time` is empty for what is ahead, and for what is not recorded."""

    label: str
    state: str  # done, now or ahead
    time: str = ""
    took: str = ""  # since the order was placed


def steps(order: Order) -> list[Step]:
    """Return what has happened to the order with its times, and what is still to come."""
    reached = _reached(order)
    is_over = order.status in (_STATUS.SERVED, _STATUS.COMPLETED)
    states = ["done"] * (len(reached) - 1) + ["done" if is_over else "now"]
    past = [_step(order, at, label, state) for (label, at), state in zip(reached, states, strict=True)]
    return past + [Step(label, "ahead") for label in _ahead(order)]


def _reached(order: Order) -> list[tuple[str, datetime | None]]:
    """Return the steps until now. When the kitchen began, and since when an order waits, is not recorded."""
    moments = [
        (_("Sent to the kitchen") if order.kept_at and not order.is_kept else _("Placed"), order.created_at),
        (_("Approved"), None if order.kept_at else order.approved_at),
        (_("Ready"), order.ready_at),
        (_("Served"), served_at(order)),
        (_("Completed"), order.completed_at),
    ]
    now: dict[str, list[tuple[str, datetime | None]]] = {
        _STATUS.CANCELLED: [(_("Cancelled"), order.cancelled_at)],
        _STATUS.HELD: [(_("Kept for later") if order.is_kept else _("Waits for approval"), None)],
        _STATUS.PREPARING: [(_("Preparing"), None)],
    }
    return [(label, at) for label, at in moments if at is not None] + now.get(order.status, [])


def _ahead(order: Order) -> list[str]:
    first: dict[str, int] = {_STATUS.HELD: 0, _STATUS.PENDING: 0, _STATUS.PREPARING: 1, _STATUS.READY: 2}
    return [_("Preparing"), _("Ready"), _("Served")][first.get(order.status, 3) :]


def served_at(order: Order) -> datetime | None:
    """Return None also for an order that was completed without being served: it left the kitchen by that."""
    return None if order.served_at == order.completed_at else order.served_at


def _step(order: Order, at: datetime | None, label: str, state: str) -> Step:
    if at is None:
        return Step(label, state)
    took = _time_taken(order, at) if at != order.created_at else ""
    return Step(label, state, time_of(order, at), _("after %(time)s") % {"time": took} if took else "")


def time_of(order: Order, at: datetime) -> str:
    """Return the time of an event: with the day where the order was placed, and on another day."""
    return recent_words(at) if at == order.created_at else time_within(order, at)


def _time_taken(order: Order, until: datetime) -> str:
    """Return `12 min` since the order was placed, by the two times as pages write them: without seconds.

    Return nothing for days and for negative times, after a clock was set or rows were imported.
    """
    began, ended = (moment.replace(second=0, microsecond=0) for moment in (order.created_at, until))
    took = ended - began
    if not timedelta(0) <= took < timedelta(days=1):
        return ""
    return _("%(number)d min") % {"number": took // timedelta(minutes=1)}


def time_within(order: Order, at: datetime) -> str:
    """Return a time, with its day unless the order was placed on it."""
    is_same_day = timezone.localdate(at) == timezone.localdate(order.created_at)
    return _time_of_day(at) if is_same_day else recent_words(at)


def _time_of_day(moment: datetime) -> str:
    return date_format(timezone.localtime(moment), "TIME_FORMAT")


def until(order: Order) -> str | None:
    """Return the time when the order was completed, and how long that took."""
    if order.completed_at is None:
        return None
    is_same_day = timezone.localdate(order.completed_at) == timezone.localdate(order.created_at)
    day = "" if is_same_day else f"{short_day(order.completed_at)}, "
    return " · ".join(filter(None, [day + _time_of_day(order.completed_at), _time_taken(order, order.completed_at)]))


def names_of(logins: Iterable[str]) -> dict[str, str]:
    """Return full names by user name, of the users who have one."""
    users = get_user_model().objects.filter(username__in=set(logins))
    return {user.get_username(): user.get_full_name() for user in users if user.get_full_name()}


def ordered_by(order: Order) -> str:
    if order.placed_by:
        return names_of([order.placed_by]).get(order.placed_by, order.placed_by)
    return _("Guest, on their phone") if order.phone_key else _("Guest")


def collected_by(order: Order, user: Any) -> str:
    """Return whose card gets the points, with a link for users who may see members; nothing if no card does."""
    card = loyalty.card(order.collector) if order.collector and loyalty.collects_at_tables() else None
    if card is None:
        return ""
    holder = loyalty.holder(order.collector, user)
    who = format_html('<a href="{}">{}</a>', holder.path, holder.name) if holder else card.first_name or _("A member")
    if not order.points_collected:
        return who
    points = ngettext("%(points)s point", "%(points)s points", order.points_collected) % {
        "points": shown(order.points_collected, "number")
    }
    return format_html('{} <span class="card-points">{}</span>', who, points)


PAID, PARTLY, DUE = gettext_lazy("Paid"), gettext_lazy("Partly paid"), gettext_lazy("To be paid")


def state_of_payment(order: Order, total: Decimal, paid: Decimal) -> str:
    """Return paid, partly or due, by the total of its bill and what is paid; nothing for an order on no bill."""
    if total <= 0 or not order.is_counted:
        return ""
    return "paid" if paid >= total else "partly" if paid else "due"


def payment_label(state: str) -> str:
    label = {"paid": PAID, "partly": PARTLY, "due": DUE}.get(state)
    return format_html('<span class="paid-{}">{}</span>', state, label) if label else ""


def left_unpaid(due: Decimal) -> str:
    """Return the warning for guests who have gone without paying everything."""
    warning = _("Left, %(amount)s due") % {"amount": format_money(due)}
    return format_html('<span class="order-warning">{}</span>', warning)


def payment_details(order: Order, total: Decimal, paid: Decimal, paid_at: datetime | None) -> str:
    """Return the state of payment, with what is left to pay or when the last payment was."""
    state = state_of_payment(order, total, paid)
    if state == "partly":
        left = _("%(amount)s left") % {"amount": format_money(total - paid)}
        return format_html("{}<br>{}", payment_label(state), left)
    if state == "paid" and paid_at is not None:
        return format_html('{} <span class="paid-at">{}</span>', payment_label(state), time_within(order, paid_at))
    return payment_label(state)


def bill_link(order: Order, total: Decimal) -> str:
    """Return a link to the bill with its sum and number of orders; nothing for an order on no bill."""
    if total <= 0 or not order.is_counted:
        return ""
    number = order.session.total_orders
    orders = ngettext("%(number)d order", "%(number)d orders", number) % {"number": number}
    text = f"{format_money(total)}, {orders}" if number > 1 else format_money(total)
    return format_html('<a class="bill-link" href="{}">{}</a>', order.session.bill_url, text)
