"""A table's session: opened or continued by a scan, closed by staff."""

import re
import secrets
import uuid
from dataclasses import dataclass
from typing import Any

from django.db import connection, transaction
from django.utils import timezone

from restaurant import queries
from restaurant.errors import TableUnknown
from restaurant.models import SESSION_WINDOW, Table, TableSession

LIFETIME = SESSION_WINDOW  # also of a phone's cookies

_GUEST = re.compile(r"[A-Za-z0-9_-]{1,64}")

# One statement, so that the most frequent call of the guests' side takes one trip and no lock that outlives it.
# A session that is being closed at this moment is seen as closed: PostgreSQL checks the condition again
# after waiting for the other one's lock.
_SCANNED_AND_CONTINUED = """
WITH scanned AS (SELECT id, table_number, section FROM restaurant_table WHERE table_number = %(number)s),
continued AS (
    UPDATE restaurant_tablesession SET total_scans = total_scans + 1
     WHERE ended_at IS NULL AND id = (
        SELECT id FROM restaurant_tablesession
         WHERE table_id = (SELECT id FROM scanned) AND ended_at IS NULL AND started_at > %(since)s
         ORDER BY started_at DESC LIMIT 1)
    RETURNING id, started_at, total_scans, total_orders)
"""
# The version of the menu and what this phone has chosen come along: the page needs both.
_FOUND = f"""
SELECT scanned.id, table_number, section, {queries.MENU_VERSION},
       session.id, started_at, total_scans, total_orders,
       (SELECT json_object_agg(line.menu_item_id, line.quantity) FROM restaurant_cartline AS line
         WHERE line.session_id = session.id AND line.guest = %(guest)s)
"""  # noqa: S608 (constants)
_CONTINUE = f"{_SCANNED_AND_CONTINUED} {_FOUND} FROM scanned LEFT JOIN continued AS session ON true"
_CONTINUE_OR_OPEN = f"""{_SCANNED_AND_CONTINUED},
opened AS (
    INSERT INTO restaurant_tablesession (id, table_id, started_at, total_scans, total_orders, total_revenue)
    SELECT %(id)s, id, %(now)s, 1, 0, 0 FROM scanned WHERE NOT EXISTS (SELECT FROM continued)
    RETURNING id, started_at, total_scans, total_orders)
{_FOUND} FROM scanned, (SELECT * FROM continued UNION ALL SELECT * FROM opened) AS session
"""  # noqa: S608 (constants)


@dataclass(frozen=True, slots=True)
class Scan:
    """What a scan found; `session` and its table are for reading."""

    session: TableSession
    menu_version: str
    chosen: dict[str, int]  # by this phone: how many of each item


def guest_of(cookie: str | None) -> str:
    """The phone's own id: the cookie's value if it has a sane form (decision 5.2), else a new one."""
    return cookie if cookie and _GUEST.fullmatch(cookie) else secrets.token_urlsafe(24)


def _run(statement: str, values: dict[str, Any]) -> Scan | None:
    """None if there is no open session to continue. Raises TableUnknown."""
    with connection.cursor() as cursor:
        cursor.execute(statement, values)
        row = cursor.fetchone()
    if row is None:
        raise TableUnknown
    table_id, number, section, menu_version, session_id, started_at, scans, orders, chosen = row
    if session_id is None:
        return None
    table = Table(id=table_id, table_number=number, section=section)
    session = TableSession(id=session_id, table=table, started_at=started_at, total_scans=scans, total_orders=orders)
    return Scan(session, menu_version, chosen or {})


def open_or_continue(*, table_number: int, guest: str) -> Scan:
    """One more scan at this table. Two at the same moment open one session, not two (decision 5.2).

    Locks the table's row while it opens one. Raises TableUnknown.
    """
    now = timezone.now()
    values = {"number": table_number, "since": now - SESSION_WINDOW, "guest": guest}
    scan = _run(_CONTINUE, values)
    if scan is not None:
        return scan
    with transaction.atomic():
        # NO KEY: orders that are being placed hold a key-share lock on the table, and need not wait.
        list(Table.objects.select_for_update(no_key=True).filter(table_number=table_number))
        # A statement of its own, so that it sees what the one who had the lock before has opened.
        scan = _run(_CONTINUE_OR_OPEN, {**values, "id": uuid.uuid4(), "now": now})
    if scan is None:
        raise RuntimeError("A session is open after one was opened.")
    return scan


def current(table: Table) -> TableSession | None:
    """The open session, looked at without counting a scan."""
    cutoff = timezone.now() - SESSION_WINDOW
    sessions = TableSession.objects.filter(table=table, ended_at=None, started_at__gt=cutoff)
    return sessions.order_by("-started_at").first()


def close(*, table_number: int, session_id: str) -> TableSession:
    """End the session; closing again changes nothing (decision 5.5). Raises TableUnknown, SessionUnknown."""
    session = queries.session_of_table(table_number, session_id)
    TableSession.objects.filter(pk=session.pk, ended_at=None).update(ended_at=timezone.now())
    session.refresh_from_db()
    return session


def minutes(session: TableSession) -> int:
    """How long an ended session lasted, in whole minutes, a half rounded up."""
    ended = session.ended_at or timezone.now()
    return int((ended - session.started_at).total_seconds() / 60 + 0.5)
