"""Moving a party to another table, or to the party that sits there."""

from collections.abc import Collection, Sequence
from typing import Any

from django.db import transaction
from django.db.models import Exists, F, OuterRef, Q
from django.utils import timezone

from restaurant import events
from restaurant.billing.services import adjustments, bills, parts
from restaurant.errors import (
    BillNotDivisible,
    NotPushedTogether,
    OrderUnknown,
    SessionEnded,
    SessionUnknown,
    TableUnknown,
)
from restaurant.ordering.models import MAX_COVERS, CartLine, Order, TableCall, TableMove, TableSession
from restaurant.ordering.queries.orders import phone_key
from restaurant.ordering.queries.sessions import due, present
from restaurant.ordering.services import dockets
from restaurant.tables.models import Table
from restaurant.tables.queries import table
from web import journal
from web.money import NOTHING


def move(*, table_number: int, session_id: str, to: int, user: Any) -> TableSession:
    """Move the session and return it, or the session of a party that sits at the other table and that this one joins.

    Locks the tables, so that no scan opens a session there meanwhile and moves take turns, and then the sessions.
    Moving again changes nothing. Raises TableUnknown, SessionUnknown, SessionEnded.
    """
    with transaction.atomic():
        tables = _lock_tables(table_number, to)
        here, there = tables[table_number], tables[to]
        earlier = _moved_already(session_id, here, there)
        if earlier is not None:
            return earlier
        session, host = _lock_sessions(session_id, there)
        if session.ended_at:
            raise SessionEnded
        orders = list(session.orders.filter(status__in=(*Order.OPEN, Order.Status.HELD)).order_by("created_at", "pk"))
        # Of these tables alone, which are locked.
        Table.objects.filter(pk=there.pk if host is None else here.pk).update(joined=host)
        if host is None:
            session.table = there
            session.save(update_fields=["table"])
            session.orders.update(table=there)
        else:
            _join(session, host)
        _tell(session, here, there, orders, user)
    return host or session


def free(*, table_number: int) -> Table:
    """End that the table is pushed together with another one; again changes nothing. Raises TableUnknown."""
    with transaction.atomic():
        table = _lock_tables(table_number)[table_number]
        if table.joined_id:
            table.joined = None
            table.save(update_fields=["joined"])
            events.floor_update()
    return table


def separate(*, table_number: int, order_ids: Collection[str], user: Any) -> TableSession:
    """Take all orders of the phones that placed these from the party that the table is pushed together with.

    They are a session of their own at this table, which is returned. What staff ordered goes by itself. Raises
    TableUnknown, NotPushedTogether, OrderUnknown, BillNotDivisible.
    """
    with transaction.atomic():
        host = _party_of(table(table_number))
        tables = _lock_tables(table_number, host.table.table_number)
        here, there = tables[table_number], tables[host.table.table_number]
        host = TableSession.objects.select_for_update(no_key=True).get(pk=host.pk)
        if _party_of(here) != host or host.table_id != there.pk or host.ended_at:
            raise NotPushedTogether
        chosen = host.orders.filter(pk__in=order_ids)
        if len(chosen) < len(set(order_ids)):
            raise OrderUnknown
        keys = [order.phone_key for order in chosen if order.phone_key]
        orders = list(host.orders.filter(Q(pk__in=order_ids) | Q(phone_key__in=keys)).order_by("created_at", "pk"))
        own = TableSession.objects.create(table=here, total_scans=0)
        _take(orders, host, own)
        for line in CartLine.objects.filter(session=host):
            if phone_key(line.guest) in keys:
                CartLine.objects.filter(pk=line.pk).update(session=own)
        Table.objects.filter(pk=here.pk).update(joined=None)
        _tell(own, there, here, orders, user)
    return own


def _tell(session: TableSession, here: Table, there: Table, orders: Sequence[Order], user: Any) -> None:
    """Note that the session has moved, and tell the kitchen, the floor and its guests."""
    moved = TableMove.objects.create(
        session=session, from_table=here, to_table=there, user=user, user_name=user.get_username()
    )
    to_cook = [order for order in orders if order.status in Order.OPEN]
    dockets.make_moved(moved, to_cook, moved.at)
    for order in orders:
        events.order_update(order.pk, for_kitchen=order in to_cook)
    events.floor_update()


def _party_of(table: Table) -> TableSession:
    """Raises NotPushedTogether."""
    if table.joined is None:
        raise NotPushedTogether
    return present(table.joined)


def _take(orders: Sequence[Order], host: TableSession, own: TableSession) -> None:
    """Raises BillNotDivisible."""
    adjusted = host.adjustments.filter(voided_at=None, items__item__order__in=orders)
    if host.parts.exists() or adjusted.exists():
        raise BillNotDivisible
    Order.objects.filter(pk__in=[order.pk for order in orders]).update(session=own, table=own.table_id, taken_off=None)
    for order in orders:
        journal.write("moved", order.pk, into=own.pk)
    counted = [order for order in orders if order.is_counted]
    number, revenue = len(counted), sum((order.total for order in counted), NOTHING)
    for session, sign in ((host, -1), (own, 1)):
        TableSession.objects.filter(pk=session.pk).update(
            total_orders=F("total_orders") + sign * number, total_revenue=F("total_revenue") + sign * revenue
        )
        session.refresh_from_db()
    adjustments.follow(session=host)
    if due(host) < 0 < revenue:
        raise BillNotDivisible


def _lock_tables(*numbers: int) -> dict[int, Table]:
    """Raises TableUnknown."""
    locked = Table.objects.select_for_update(no_key=True).filter(table_number__in=numbers).order_by("pk")
    tables = {table.table_number: table for table in locked}
    if not set(numbers) <= tables.keys():
        raise TableUnknown
    return tables


def _moved_already(session_id: str, here: Table, there: Table) -> TableSession | None:
    """Return the session of the party if it was moved before. Raises SessionUnknown, SessionEnded.

    Reads without a lock: no other move changes a session whose table is locked. A lock on a session that has joined
    another would be taken in the opposite order by the requests of its phones, which go from it to the other one.
    """
    session = TableSession.objects.filter(pk=session_id).first()
    if session is None or session.table_id not in (here.pk, there.pk):
        raise SessionUnknown
    if session.merged_into_id:
        joined = present(session)
        if joined.table_id != there.pk:
            raise SessionEnded
        return joined
    if session.table_id == here.pk and here != there:
        return None
    if here != there and not session.moves.filter(from_table=here).exists():
        raise SessionUnknown
    return session


def _lock_sessions(session_id: str, there: Table) -> tuple[TableSession, TableSession | None]:
    """Return the session to move, and the one that it joins."""
    open_there = TableSession.objects.open_at(there).exclude(pk=session_id).values_list("pk", flat=True).first()
    ids = {session_id, str(open_there or session_id)}
    rows = TableSession.objects.select_for_update(no_key=True).filter(pk__in=ids).order_by("pk")
    locked = {str(session.pk): session for session in rows}
    host = locked.get(str(open_there))
    if host is not None and host.ended_at:  # closed while its lock was waited for
        host = None
    if host is not None:
        host.table = there
    return locked[session_id], host


def _join(session: TableSession, host: TableSession) -> None:
    """Give everything of the session to the host, and end the empty session."""
    journal.write("moved", session.pk, into=host.pk)
    bills.hand_over_number(session, host)
    session.orders.update(session=host, table=host.table_id)
    parts.join(session, host)
    session.payments.update(session=host)
    session.refunds.update(session=host)
    session.payers.update(session=host)
    adjustments.join(session, host)
    _join_calls(session, host)
    chosen = CartLine.objects.filter(session=host, guest=OuterRef("guest"), menu_item=OuterRef("menu_item"))
    CartLine.objects.filter(~Exists(chosen), session=session).update(session=host)
    TableSession.objects.filter(pk=host.pk).update(
        total_scans=F("total_scans") + session.total_scans,
        total_orders=F("total_orders") + session.total_orders,
        total_revenue=F("total_revenue") + session.total_revenue,
        covers=_covers(session, host),
    )
    session.covers = None
    session.total_scans = session.total_orders = 0
    session.total_revenue = NOTHING
    session.ended_at, session.merged_into = timezone.now(), host
    session.save(update_fields=["total_scans", "total_orders", "total_revenue", "covers", "ended_at", "merged_into"])
    host.refresh_from_db(fields=["covers"])
    adjustments.follow(session=host)


def _covers(*parties: TableSession) -> int | None:
    """Return the number of guests of both, or of one if nobody has counted the other; None if of neither."""
    known = [party.covers for party in parties if party.covers]
    return min(sum(known), MAX_COVERS) if known else None


def _join_calls(session: TableSession, host: TableSession) -> None:
    of_table = TableCall.objects.filter(done_at=None, part=None)
    for call in of_table.filter(session=session, taken_at__isnull=False):
        twin = of_table.filter(session=host, kind=call.kind, code=call.code, taken_at=None)
        twin.update(taken_by=call.taken_by_id, taken_by_name=call.taken_by_name, taken_at=call.taken_at)
    same = of_table.filter(session=host, kind=OuterRef("kind"), code=OuterRef("code"))
    of_table.filter(Exists(same), session=session).update(done_at=timezone.now())
    session.calls.update(session=host)
