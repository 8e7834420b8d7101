"""Taking and voiding payments. Both lock the session's row, so that two tills don't take the same euros."""

from decimal import Decimal
from typing import Any

from django.db import transaction
from django.utils import timezone

from restaurant import events, queries
from restaurant.errors import MoreThanDue, NothingDue, PaymentUnknown
from restaurant.models import Payment, TableSession
from web.fields import is_uuid
from web.idempotency import Key, KeyReused


def take(
    *,
    table_number: int,
    session_id: str | None,
    method: str,
    amount: Decimal | None = None,
    tip: Decimal = Decimal("0"),
    user: Any,
    key: Key | None = None,
) -> Payment:
    """Note a payment; `amount` is what is due if it is None. Also for a session that has ended.

    Without a session it is the table's open one. A repeat with the same key returns the first payment. Raises
    TableUnknown, SessionUnknown, NothingDue, MoreThanDue, KeyReused.
    """
    session = queries.session_of_staff(table_number, session_id)
    with transaction.atomic():
        TableSession.objects.select_for_update(no_key=True).get(pk=session.pk)
        earlier = Payment.objects.filter(paid_in=session.pk, idempotency_key=key.text).first() if key else None
        if earlier is not None and key and earlier.request_digest != key.digest:
            raise KeyReused
        if earlier is not None:
            return earlier
        due = queries.due(session)
        if due <= 0:
            raise NothingDue
        paid = due if amount is None else amount
        if paid > due:
            raise MoreThanDue(due=due)
        payment = Payment.objects.create(
            session=session,
            method=method,
            amount=paid,
            tip=tip,
            due_after=due - paid,
            taken_by=user,
            taken_by_name=user.get_username(),
            paid_in=session.pk,
            idempotency_key=key.text if key else None,
            request_digest=key.digest if key else "",
        )
        events.floor_update()
    return payment


def void(*, payment_id: str, user_name: str, note: str = "") -> tuple[Payment, Decimal]:
    """Take a payment back, and return what is due now; again changes nothing. Raises PaymentUnknown."""
    found = Payment.objects.filter(pk=payment_id).first() if is_uuid(payment_id) else None
    with transaction.atomic():
        while found is not None:
            session = TableSession.objects.select_for_update(no_key=True).get(pk=found.session_id)
            payment = Payment.objects.select_for_update().get(pk=found.pk)
            if payment.session_id != session.pk:  # it was moved while the lock was waited for
                found = payment
                continue
            if payment.voided_at is None:
                payment.voided_at, payment.voided_by_name, payment.void_note = timezone.now(), user_name, note
                payment.save(update_fields=["voided_at", "voided_by_name", "void_note"])
                events.floor_update()
            return payment, max(queries.due(session), Decimal("0.00"))
    raise PaymentUnknown
