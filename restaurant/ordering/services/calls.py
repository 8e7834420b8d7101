"""Calls for the waiter or the bill, or with a reward for it."""

from decimal import Decimal
from typing import Any

from django.db import transaction
from django.utils import timezone

from restaurant import events
from restaurant.errors import CallUnknown, SessionEnded
from restaurant.ordering.models import TableCall
from restaurant.ordering.services import sessions
from web.fields import is_uuid


def call(
    *,
    table_number: int,
    session_id: str,
    kind: str,
    code: str = "",
    reward: str = "",
    part: Any = None,
    method: str = "",
    amount: Decimal | None = None,
) -> tuple[TableCall, bool]:
    """Call somebody to the table. Return the call, and whether it is new: one of a kind is open at a time.

    Of a reward, one of each code is; of parts of the bill, one of each `part`, to take this amount for it.

    A party that stays longer than a session can be continued may call all the same. Raises TableUnknown,
    SessionUnknown, SessionEnded.
    """
    with transaction.atomic():
        session = sessions.lock(table_number=table_number, session_id=session_id).session
        if session.ended_at:
            raise SessionEnded
        open_call, is_new = TableCall.objects.get_or_create(
            session=session,
            kind=kind,
            code=code,
            part=part,
            done_at=None,
            defaults={"reward": reward, "method": method, "amount": amount},
        )
        if is_new:
            events.floor_update()
    return open_call, is_new


def take(*, call_id: str, user: Any) -> str:
    """Note that this user goes there, unless somebody does or has come. Return who: empty if nobody known.

    Raises CallUnknown.
    """
    with transaction.atomic():
        call = _lock(call_id)
        if call.done_at is None and call.taken_at is None:
            call.taken_by, call.taken_by_name, call.taken_at = user, user.get_username(), timezone.now()
            call.save(update_fields=["taken_by", "taken_by_name", "taken_at"])
            events.floor_update()
    return str(call.done_by or call.taken_by_name)


def _lock(call_id: str) -> TableCall:
    """Raises CallUnknown."""
    call = TableCall.objects.select_for_update().filter(pk=call_id).first() if is_uuid(call_id) else None
    if call is None:
        raise CallUnknown
    return call


def done(*, call_id: str, user_name: str) -> None:
    """Note that somebody has come; doing it again changes nothing. Raises CallUnknown."""
    with transaction.atomic():
        call = _lock(call_id)
        if call.done_at is None:
            call.done_at, call.done_by = timezone.now(), user_name
            call.save(update_fields=["done_at", "done_by"])
            events.floor_update()
