"""Numbers of bills: from 1 on, each once, none left out. See "Numbers of bills" in docs/behaviour/restaurant.md."""

from dataclasses import replace
from typing import Any

from django.db import transaction
from django.utils import timezone

from restaurant.billing.models import Payer
from restaurant.billing.queries import Bill, receipt_of
from restaurant.ordering.models import BillCounter, Order, TableSession
from restaurant.ordering.queries.sessions import session_of_staff


def give_number(session_id: Any) -> int | None:
    """Return the number of the session's bill, or give it the next one. None while nothing is on the bill.

    Locks the session, then the counter, until the transaction ends: of two requests at once the second waits.
    """
    with transaction.atomic():
        session = TableSession.objects.select_for_update(no_key=True).get(pk=session_id)
        is_new = session.bill_number is None
        if is_new and session.orders.exclude(status__in=Order.UNCOUNTED).exists():
            session.bill_number, session.billed_at = _next_number(), timezone.now()
            session.save(update_fields=["bill_number", "billed_at"])
    return session.bill_number


def prepare_print(*, table_number: int, session_id: str | None) -> TableSession:
    """Return the session whose bill staff are about to print, with its number. Raises TableUnknown, SessionUnknown."""
    session = session_of_staff(table_number, session_id)
    give_number(session.pk)
    session.refresh_from_db(fields=["bill_number", "billed_at"])
    return session


def make_out(
    *, table_number: int, session_id: str | None, part_id: str | None, payer: dict[str, str] | None, by_name: str
) -> Bill:
    """Give the bill its number, store to whom its receipt, or that of a part, is made out, and return the receipt.

    Raises TableUnknown, SessionUnknown, PartUnknown.
    """
    with transaction.atomic():
        session = prepare_print(table_number=table_number, session_id=session_id)
        receipt = receipt_of(session, part_id)
        if payer is None:
            return receipt
        made_out = Payer.objects.create(session=session, part=receipt.part, by_name=by_name, **payer)
    return replace(receipt, payer=made_out)


def hand_over_number(session: TableSession, host: TableSession) -> None:
    """Give the number to the session that this one joins, if that has none yet. The rows of both are locked."""
    if session.bill_number is None or host.bill_number is not None:
        return
    host.bill_number, host.billed_at = session.bill_number, session.billed_at
    session.bill_number = session.billed_at = None
    session.save(update_fields=["bill_number", "billed_at"])
    host.save(update_fields=["bill_number", "billed_at"])


def _next_number() -> int:
    counter, _is_new = BillCounter.objects.select_for_update().get_or_create(pk=1)
    counter.last += 1
    counter.save()
    return counter.last
