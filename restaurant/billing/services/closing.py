"""Closing a table's session."""

from typing import Any

from django.db import transaction
from django.db.models import Exists, OuterRef
from django.utils import timezone

from restaurant import events
from restaurant.billing.services import bills
from restaurant.ordering.models import Order, TableCall, TableSession
from restaurant.ordering.queries.sessions import session_of_table
from restaurant.ordering.services import order_changes, order_points


def close_session(*, table_number: int, session_id: str, user: Any = None) -> TableSession:
    """End the session and its calls, cancel what the kitchen never got, number its bill, and collect its points.

    Closing it again changes nothing.

    Raises TableUnknown, SessionUnknown.
    """
    session = session_of_table(table_number, session_id)
    now = timezone.now()
    with transaction.atomic():
        if TableSession.objects.filter(pk=session.pk, ended_at=None).update(ended_at=now):
            TableCall.objects.filter(session=session, done_at=None).update(done_at=now)
            order_changes.cancel_kept(session, user=user)
            order_changes.cancel_waiting(session, user=user)
            bills.give_number(session.pk)
            events.floor_update()
    waiting = Order.objects.to_be_collected().filter(session=OuterRef("pk"))
    closed = TableSession.objects.annotate(has_points=Exists(waiting)).select_related("table").get(pk=session.pk)
    if closed.has_points:
        order_points.collect(closed)
    return closed
