"""Taking and voiding payments. Both lock the session's row, so that two tills don't take the same euros."""

from decimal import Decimal
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from restaurant import events
from restaurant.billing.models import Payment
from restaurant.errors import MoreThanDue, NothingDue, PaymentUnknown
from restaurant.ordering.models import SESSION_WINDOW, TableSession
from restaurant.ordering.queries.sessions import NOTHING, due, session_named_before, session_of_staff
from restaurant.ordering.services import sessions
from web.fields import is_uuid
from web.idempotency import Key, KeyReused


def take(
    *,
    table_number: int,
    session_id: str | None,
    method: str,
    amount: Decimal | None = None,
    tip: Decimal = NOTHING,
    user: Any,
    key: Key | None = None,
) -> Payment:
    """Store a payment and return it, also for a session that has ended. Without an amount it is all that is due.

    Without a session it is the table's open one. One that was moved from this table is paid where it is now. A repeat
    with the same key returns the first payment. Raises TableUnknown, SessionUnknown, NothingDue, MoreThanDue,
    KeyReused.
    """
    named = session_id or _named_before(table_number, user, key)
    named = named or str(session_of_staff(table_number, None).pk)
    with transaction.atomic():
        session = sessions.lock(table_number=table_number, session_id=named).session
        earlier = Payment.objects.filter(paid_in=named, idempotency_key=key.text).first() if key else None
        if earlier is not None and key and earlier.request_digest != key.digest:
            raise KeyReused(_("This payment was taken already. Nothing more was noted; please look at the bill."))
        if earlier is not None:
            return earlier
        left = due(session)
        if left <= 0:
            raise NothingDue
        paid = left if amount is None else amount
        if paid > left:
            raise MoreThanDue(due=left)
        payment = Payment.objects.create(
            session=session,
            method=method,
            amount=paid,
            tip=tip,
            due_after=left - paid,
            taken_by=user,
            taken_by_name=user.get_username(),
            paid_in=named,
            idempotency_key=key.text if key else None,
            request_digest=key.digest if key else "",
        )
        events.floor_update()
    return payment


def _named_before(table_number: int, user: Any, key: Key | None) -> str | None:
    """Return the id of the session of the first request with this key: it may have been closed since."""
    if key is None:
        return None
    since = timezone.now() - SESSION_WINDOW
    earlier = Payment.objects.filter(taken_by=user, idempotency_key=key.text, created_at__gt=since)
    session = session_named_before(table_number, earlier.values("paid_in"))
    return str(session.pk) if session else None


def void(*, payment_id: str, user_name: str, note: str = "") -> tuple[Payment, Decimal]:
    """Void a payment, and return it with what is due now; again changes nothing. Raises PaymentUnknown."""
    payment = Payment.objects.filter(pk=payment_id).first() if is_uuid(payment_id) else None
    if payment is None:
        raise PaymentUnknown
    with transaction.atomic():
        payment = _lock(payment)
        if payment.voided_at is None:
            payment.voided_at, payment.voided_by_name, payment.void_note = timezone.now(), user_name, note
            payment.save(update_fields=["voided_at", "voided_by_name", "void_note"])
            events.floor_update()
        return payment, max(due(payment.session), NOTHING)


def _lock(payment: Payment) -> Payment:
    """Lock the payment's session and the payment, again if it was moved to another session meanwhile."""
    while True:
        session = TableSession.objects.select_for_update(no_key=True).get(pk=payment.session_id)
        payment = Payment.objects.select_for_update().get(pk=payment.pk)
        if payment.session_id == session.pk:
            payment.session = session
            return payment
