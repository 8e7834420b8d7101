"""Deletes many rows while everything runs."""

from datetime import datetime
from typing import Any

from django.db import connection
from django.db.models import QuerySet
from django.utils import timezone

BATCH = 2000  # rows of one transaction


def now() -> datetime:
    """Return the time by this machine's or the database's clock, whichever is behind, to delete nothing too early."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT statement_timestamp()")
        return min(timezone.now(), cursor.fetchone()[0])


def delete(rows: QuerySet[Any]) -> int:
    """Delete the rows in parts, so that nobody waits long for a lock, and return their number."""
    number = 0
    while ids := list(rows.order_by("pk").values_list("pk", flat=True)[:BATCH]):
        _total, by_model = rows.filter(pk__in=ids).delete()
        deleted = by_model.get(rows.model._meta.label, 0)
        number += deleted
        if not deleted:  # they are needed again
            break
    return number
