"""Courses: what the kitchen makes of an order at once, and what waits until the floor fires its course."""

from collections.abc import Sequence
from datetime import datetime
from operator import attrgetter

from django.db import transaction
from django.utils import timezone

from restaurant import events
from restaurant.errors import SessionEnded
from restaurant.ordering.models import Order, OrderItem, TableSession
from restaurant.ordering.queries.orders import cooking_entries
from restaurant.ordering.queries.sessions import session_of_staff
from restaurant.ordering.services import dockets, sessions


def fire_first(session: TableSession, items: Sequence[OrderItem], now: datetime, *, is_sent: bool = False) -> None:
    """Fire the lowest course of an order that the kitchen gets, unless something earlier waits or cooks at its table.

    With `is_sent`, by staff who kept it until now, whatever waits or cooks. The items are not stored; the caller has
    locked the session.
    """
    first = min((item.course for item in items if item.course is not None and item.remaining), default=None)
    if first is None:
        return
    if is_sent or not cooking_entries().filter(order__session=session, course__lt=first).exists():
        for item in items:
            if item.course == first:
                item.fired_at = now


def fire(*, table_number: int, session_id: str | None, course: int, user_name: str) -> int:
    """Fire what waits of this course and of earlier ones, and return how many entries. Again changes nothing.

    Without an id it is the table's open session. Raises TableUnknown, SessionUnknown, SessionEnded.
    """
    with transaction.atomic():
        session_id = str(session_of_staff(table_number, session_id).pk)
        session = sessions.lock(table_number=table_number, session_id=session_id).session
        if session.ended_at:
            raise SessionEnded
        # A cook who marks the whole of an order ready means what is fired by then.
        cooking = Order.objects.filter(session=session, status__in=Order.COOKING)
        orders = list(cooking.select_for_update(no_key=True).order_by("pk"))
        now = timezone.now()
        waiting = list(cooking_entries().filter(OrderItem.WAITS, order__in=orders, course__lte=course))
        for item in waiting:
            item.fired_at, item.fired_by = now, user_name
        OrderItem.objects.bulk_update(waiting, ["fired_at", "fired_by"])
        for order in sorted(orders, key=attrgetter("created_at")):
            if fired := [item for item in waiting if item.order_id == order.pk]:
                dockets.make_fired(order, fired, now)
                events.order_update(order.pk)
    return len(waiting)
