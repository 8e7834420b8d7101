"""A table's session: opened or continued by a scan, closed by staff."""

from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.db.models import F
from django.utils import timezone
from django.utils.translation import gettext as _

from restaurant import events
from restaurant.errors import SessionEnded, SessionUnknown, TableUnknown
from restaurant.menu.queries import MenuState, state
from restaurant.ordering.models import SESSION_WINDOW, TableSession
from restaurant.ordering.queries.sessions import present, was_at
from restaurant.rules import OrderingRules
from restaurant.tables import queries as tables_queries
from restaurant.tables.models import Table
from web.fields import is_uuid

# One statement that finds the phone's session (`is_open_to_party`) and counts its scan. As two of the ORM this takes
# 2 ms of processor time instead of 0.3, and that is a third of what the menu's page takes.
_CONTINUE = """
UPDATE restaurant_tablesession AS session
   SET total_scans = total_scans + 1
  FROM restaurant_table AS "table"
 WHERE session.id = %(session)s AND session.ended_at IS NULL
   AND (session.started_at > %(since)s
        OR EXISTS (SELECT FROM restaurant_order WHERE session_id = session.id AND status <> 'cancelled'))
   AND "table".id = session.table_id AND "table".table_number = %(number)s
RETURNING session.*, "table".table_number, "table".section,
          EXISTS (SELECT FROM restaurant_cartline WHERE session_id = session.id AND guest = %(guest)s) AS has_cart
"""


@dataclass(frozen=True, slots=True)
class Visit:
    """A phone in a table's session. `has_cart` is False only where it certainly has no cart there."""

    session: TableSession
    has_cart: bool


def open_or_continue(*, table_number: int) -> TableSession:
    """Count a scan: continue the open session of the table, or of that it is pushed together with, or open one.

    Raises TableUnknown. The table's row is locked, so that two scans at the same moment open one session.
    """
    with transaction.atomic():
        # FOR NO KEY UPDATE: orders, which hold a key-share lock on the table, don't wait.
        table = _lock_table(table_number)
        session = _session_at(table)
        if session is None or not _count_scan(session):
            session = TableSession.objects.create(table=table)
    return session


def open_by_staff(*, table_number: int) -> TableSession:
    """The session that `open_or_continue` finds, or a new one that nobody has scanned into. Raises TableUnknown."""
    with transaction.atomic():
        table = _lock_table(table_number)
        return _session_at(table) or TableSession.objects.create(table=table, total_scans=0)


def _session_at(table: Table) -> TableSession | None:
    session = TableSession.objects.open_at(table).first()
    if session is not None:
        session.table = table
        return session
    party = present(table.joined) if table.joined else None
    return party if party and party.is_open else None


def set_covers(*, table_number: int, session_id: str | None, covers: int | None) -> TableSession:
    """Set the number of guests of the party; None where nobody knows it.

    Without an id it is the table's open session, or a new one that nobody has scanned into: guests have sat down.
    Raises TableUnknown, SessionUnknown, SessionEnded.
    """
    with transaction.atomic():
        if session_id is None:
            session_id = str(open_by_staff(table_number=table_number).pk)
        session = lock(table_number=table_number, session_id=session_id).session
        if session.ended_at:
            raise SessionEnded(_("This table was closed meanwhile."))
        if session.covers != covers:
            session.covers = covers
            TableSession.objects.filter(pk=session.pk).update(covers=covers)
            events.party_changed.send(None, session=session)
            events.floor_update()
    return session


def _lock_table(table_number: int) -> Table:
    """Lock the table, and tell the floor that something happens there. Raises TableUnknown."""
    locked = Table.objects.select_for_update(no_key=True).filter(table_number=table_number)
    table: Table | None = events.with_floor_update(locked).first()
    if table is None:
        raise TableUnknown
    return table


def continue_own(*, table_number: int, own_id: str | None, guest: str) -> Visit | None:
    """Count a scan by the phone with the id `guest` that has scanned into the session `own_id` at this table before.

    That needs no lock, and a session with a bill that nobody has closed is continued whatever its age, so that a party
    has one bill. None if there is no such session. Of the table only number and section are read.
    """
    if not is_uuid(own_id):
        return None
    since = timezone.now() - SESSION_WINDOW
    values = {"session": own_id, "number": table_number, "since": since, "guest": guest}
    session: Any = next(iter(TableSession.objects.raw(_CONTINUE, values)), None)
    if session is None:
        return None
    _read_table(session, "table_number", "section")
    return Visit(session, session.has_cart)


def _read_table(session: Any, *names: str) -> None:
    """Give the session its table with these fields, which the statement has read beside it."""
    columns = [session.table_id, *(getattr(session, name) for name in names)]
    session.table = Table.from_db(session._state.db, ["id", *names], columns)


def _count_scan(session: TableSession) -> int:
    """0 if the session has been closed since it was read."""
    return TableSession.objects.filter(pk=session.pk, ended_at=None).update(total_scans=F("total_scans") + 1)


# --- one request at a time ----------------------------------------------------------------------------


# By the ORM it takes 1.3 ms of processor time instead of 0.3.
_LOCK = """
SELECT session.*, "table".table_number, "table".qr_analytics_id,
       rules.gate, rules.approval_above, rules.default_vat_rate, rules.paused_until,
       (SELECT number FROM restaurant_menuversion WHERE id = 1) AS menu_version,
       ARRAY(SELECT json_build_object('weekday', weekday, 'opens', opens, 'closes', closes)
               FROM restaurant_openinghours) AS hours
  FROM restaurant_tablesession AS session
  JOIN restaurant_table AS "table" ON "table".id = session.table_id
  LEFT JOIN restaurant_orderingrules AS rules ON rules.id = 1
 WHERE session.id = %s
   FOR NO KEY UPDATE OF session
"""


@dataclass(frozen=True, slots=True)
class Locked:
    """A session whose row is locked until the transaction ends, with all that an order depends on."""

    session: TableSession
    rules: OrderingRules
    menu: MenuState
    table_code: str  # the analytics id of the table's present code


def lock(*, table_number: int, session_id: str) -> Locked:
    """Lock a session of this table, so that orders, cancellations, payments and moves of a party take turns.

    A session that was moved from this table is found where it is now. Raises TableUnknown, SessionUnknown.
    """
    locked = _lock(session_id)
    if locked is None or not _belongs(locked, table_number):
        tables_queries.table(table_number)
        raise SessionUnknown
    while locked.session.merged_into_id:
        target = _lock(str(locked.session.merged_into_id))
        if target is None:
            raise SessionUnknown
        locked = target
    return locked


def _lock(session_id: str) -> Locked | None:
    # Again where nothing was found but it exists: it was moved while its lock was waited for, and the statement still
    # sees the old table.
    session: Any = None
    while session is None:
        session = next(iter(TableSession.objects.raw(_LOCK, [session_id])), None)
        if session is None and not TableSession.objects.filter(pk=session_id).exists():
            return None
    _read_table(session, "table_number", "qr_analytics_id")
    rules = OrderingRules(pk=1, approval_above=session.approval_above, default_vat_rate=session.default_vat_rate)
    rules.gate = session.gate or rules.gate
    menu = state(session.menu_version, session.hours, session.paused_until)
    return Locked(session, rules, menu, session.qr_analytics_id)


def _belongs(locked: Locked, table_number: int) -> bool:
    session: Any = locked.session
    return session.table_number == table_number or was_at(session, table_number)
