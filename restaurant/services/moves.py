"""Moving a party to another table, or to the party that sits there."""

from decimal import Decimal
from typing import Any

from django.db import transaction
from django.db.models import F
from django.utils import timezone

from restaurant import events
from restaurant.errors import SessionEnded, SessionUnknown, TableUnknown
from restaurant.models import CartLine, Order, Table, TableCall, TableMove, TableSession


def move(*, table_number: int, session_id: str, to: int, user: Any) -> TableSession:
    """The session with its new table. If a party sits there already, it is that party's, which this one joins.

    Locks the tables, so that no scan opens a session there meanwhile, and then the sessions. Raises TableUnknown,
    SessionUnknown, SessionEnded.
    """
    with transaction.atomic():
        tables = _lock_tables(table_number, to)
        here, there = tables[table_number], tables[to]
        session, host = _lock_sessions(session_id, here, there)
        if session.merged_into_id and host and session.merged_into_id == host.pk:
            return host  # a repeat
        if session.ended_at:
            raise SessionEnded
        if session.table == there:
            return session  # a repeat
        TableMove.objects.create(
            session=session, from_table=here, to_table=there, user=user, user_name=user.get_username()
        )
        if host is None:
            session.table = there
            session.save(update_fields=["table"])
            session.orders.update(table=there)
        else:
            _join(session, host)
        moved = host or session
        for order_id in moved.orders.filter(status__in=Order.OPEN).values_list("pk", flat=True):
            events.order_update(order_id)
        events.floor_update()
    return moved


def _lock_tables(*numbers: int) -> dict[int, Table]:
    """Raises TableUnknown."""
    locked = Table.objects.select_for_update(no_key=True).filter(table_number__in=numbers).order_by("pk")
    found = {table.table_number: table for table in locked}
    if not set(numbers) <= found.keys():
        raise TableUnknown
    return found


def _lock_sessions(session_id: str, here: Table, there: Table) -> tuple[TableSession, TableSession | None]:
    """The session to move, and the one that it joins. Raises SessionUnknown."""
    open_there = TableSession.objects.open_at(there).exclude(pk=session_id).values_list("pk", flat=True).first()
    ids = [each for each in (session_id, open_there) if each]
    locked = {
        str(each.pk): each
        for each in TableSession.objects.select_for_update(no_key=True).filter(pk__in=ids).order_by("pk")
    }
    session = locked.get(session_id)
    if session is None or not (session.table_id == here.pk or _is_repeat(session, here, there)):
        raise SessionUnknown
    session.table = here if session.table_id == here.pk else there
    host = locked.get(str(open_there))
    if host is not None and host.ended_at:  # closed while its lock was waited for
        host = None
    if host is not None:
        host.table = there
    return session, host


def _is_repeat(session: TableSession, here: Table, there: Table) -> bool:
    return session.table_id == there.pk and session.moves.filter(from_table=here).exists()


def _join(session: TableSession, host: TableSession) -> None:
    """Everything of the session becomes the host's; what is left of it is ended and empty."""
    session.orders.update(session=host, table=host.table_id)
    session.payments.update(session=host)
    _join_calls(session, host)
    chosen = CartLine.objects.filter(session=host).values("guest", "menu_item")
    for line in CartLine.objects.filter(session=session):
        if {"guest": line.guest, "menu_item": line.menu_item_id} not in list(chosen):
            CartLine.objects.filter(pk=line.pk).update(session=host)
    TableSession.objects.filter(merged_into=session).update(merged_into=host)
    TableSession.objects.filter(pk=host.pk).update(
        total_scans=F("total_scans") + session.total_scans,
        total_orders=F("total_orders") + session.total_orders,
        total_revenue=F("total_revenue") + session.total_revenue,
    )
    session.total_scans = session.total_orders = 0
    session.total_revenue = Decimal("0.00")
    session.ended_at, session.merged_into = timezone.now(), host
    session.save(update_fields=["total_scans", "total_orders", "total_revenue", "ended_at", "merged_into"])


def _join_calls(session: TableSession, host: TableSession) -> None:
    kinds = TableCall.objects.filter(session=host, done_at=None).values_list("kind", flat=True)
    TableCall.objects.filter(session=session, done_at=None, kind__in=list(kinds)).update(done_at=timezone.now())
    session.calls.update(session=host)
