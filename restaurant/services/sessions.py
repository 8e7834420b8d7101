"""A table's session: opened or continued by a scan, closed by staff."""

import re
import secrets

from django.db import connection, transaction
from django.utils import timezone

from restaurant import queries
from restaurant.models import SESSION_WINDOW, Table, TableSession

LIFETIME = SESSION_WINDOW  # also of a phone's cookies

_GUEST = re.compile(r"[A-Za-z0-9_-]{1,64}")

# One statement, so that the most frequent call of the guests' side takes one trip and no lock that outlives it.
# A session that is being closed at this moment is seen as closed: PostgreSQL checks the condition again
# after waiting for the other one's lock.
_CONTINUE = """
UPDATE restaurant_tablesession SET total_scans = total_scans + 1
 WHERE ended_at IS NULL AND id = (
    SELECT id FROM restaurant_tablesession
     WHERE table_id = %s AND ended_at IS NULL AND started_at > %s
     ORDER BY started_at DESC LIMIT 1)
RETURNING id, started_at, total_scans, total_orders
"""


def guest_of(cookie: str | None) -> str:
    """The phone's own id: the cookie's value if it has a sane form (decision 5.2), else a new one."""
    return cookie if cookie and _GUEST.fullmatch(cookie) else secrets.token_urlsafe(24)


def _continue_open(table: Table) -> TableSession | None:
    with connection.cursor() as cursor:
        cursor.execute(_CONTINUE, [table.pk, timezone.now() - SESSION_WINDOW])
        row = cursor.fetchone()
    if row is None:
        return None
    return TableSession(id=row[0], table=table, started_at=row[1], total_scans=row[2], total_orders=row[3])


def open_or_continue(*, table: Table) -> TableSession:
    """One more scan at this table. Two at the same moment open one session, not two (decision 5.2).

    Locks the table's row while it opens one. The returned instance is for reading.
    """
    session = _continue_open(table)
    if session is not None:
        return session
    with transaction.atomic():
        # NO KEY: orders that are being placed hold a key-share lock on the table, and need not wait.
        Table.objects.select_for_update(no_key=True).get(pk=table.pk)
        return _continue_open(table) or TableSession.objects.create(table=table)


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
