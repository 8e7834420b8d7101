"""Locks on what belongs to a session."""

from typing import Any

from restaurant.ordering.models import TableSession
from web.errors import Unknown
from web.fields import is_uuid


def locked(model: type[Any], row_id: object, unknown: type[Unknown]) -> Any:
    """Lock the session of the payment or adjustment with this id, and then it, which is returned. Raises `unknown`."""
    row = model.objects.filter(pk=row_id).first() if is_uuid(str(row_id)) else None
    if row is None:
        raise unknown
    while True:  # again if it was moved to another session meanwhile
        session = TableSession.objects.select_for_update(no_key=True).get(pk=row.session_id)
        row = model.objects.select_for_update().get(pk=row_id)
        if row.session_id == session.pk:
            row.session = session
            return row
