"""A table's session: opened or continued by a scan, closed by staff."""

from django.db import transaction
from django.db.models import F
from django.utils import timezone

from restaurant import queries
from restaurant.errors import TableUnknown
from restaurant.models import SESSION_WINDOW, Table, TableSession

LIFETIME = SESSION_WINDOW  # of a session, and of the cookies that name it


def open_or_continue(*, table_number: int, own: TableSession | None = None) -> TableSession:
    """Count a scan: continue the table's open session, or open one. Raises TableUnknown.

    `own` is the open session that this phone has scanned into before: continuing it needs no lock. Otherwise the
    table's row is locked, so that two scans at the same moment open one session.
    """
    if own is not None and _count_scan(own):
        return own
    with transaction.atomic():
        # FOR NO KEY UPDATE: orders, which hold a key-share lock on the table, don't wait.
        table = Table.objects.select_for_update(no_key=True).filter(table_number=table_number).first()
        if table is None:
            raise TableUnknown
        session = TableSession.objects.open_at(table).first()
        if session is None or not _count_scan(session):
            session = TableSession.objects.create(table=table)
        session.table = table
    return session


def _count_scan(session: TableSession) -> bool:
    """False if the session has been closed since it was read."""
    counted = TableSession.objects.filter(pk=session.pk, ended_at=None).update(total_scans=F("total_scans") + 1)
    return bool(counted)


def close(*, table_number: int, session_id: str) -> TableSession:
    """End the session; closing it again changes nothing. Raises TableUnknown, SessionUnknown."""
    session = queries.session_of_table(table_number, session_id)
    TableSession.objects.filter(pk=session.pk, ended_at=None).update(ended_at=timezone.now())
    return TableSession.objects.select_related("table").get(pk=session.pk)
