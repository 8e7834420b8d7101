"""Deletes rows that are not needed any more. See "Tidying" in docs/behaviour/common.md."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date, datetime, timedelta

from axes.models import AccessAttempt, AccessLog
from django.contrib.sessions.models import Session
from django.db import connection

from config.models import Presence, StaffToken
from loyalty import tidying as loyalty
from qrservice.models import Scan
from restaurant import tidying as restaurant
from web import tidying
from web.services import push

SIGN_INS_KEPT = timedelta(days=30)
PRESENCES_KEPT = timedelta(days=365)
_LOCK = 7_305_002  # an arbitrary number, the same in every process


def tidy(*, scans_older_than: timedelta | None = None, sums_since: date | None = None) -> dict[str, int] | None:
    """Delete them, and return their numbers by name; None if another process is doing it.

    Scans are kept unless an age is given. Days since `sums_since` are summed up again.
    """
    now = tidying.now()
    with _alone() as is_alone:
        if not is_alone:
            return None
        deleted = restaurant.tidy(now=now, sums_since=sums_since)
        deleted |= loyalty.tidy(now=now, sums_since=sums_since) | _tidy_access(now)
        if scans_older_than is not None:
            deleted["scans"] = tidying.delete(Scan.objects.filter(scanned_at__lt=now - scans_older_than))
    return deleted


def _tidy_access(now: datetime) -> dict[str, int]:
    old = now - SIGN_INS_KEPT
    return {
        "sign-in attempts": sum(
            tidying.delete(model.objects.filter(attempt_time__lt=old)) for model in (AccessAttempt, AccessLog)
        ),
        "days of staff": tidying.delete(Presence.objects.filter(last_at__lt=now - PRESENCES_KEPT)),
        "expired tokens": tidying.delete(StaffToken.objects.filter(expiry__lt=now)),
        "messages to phones": push.tidy(now),
        "expired browser sessions": tidying.delete(Session.objects.filter(expire_date__lt=now)),
    }


@contextmanager
def _alone() -> Iterator[bool]:
    """Yield whether no other process on this database is tidying; none begins meanwhile."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_lock(%s)", [_LOCK])
        is_alone = bool(cursor.fetchone()[0])
        try:
            yield is_alone
        finally:
            if is_alone:
                cursor.execute("SELECT pg_advisory_unlock(%s)", [_LOCK])
