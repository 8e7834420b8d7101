"""Taking and voiding payments. Both lock the session's row, so that two tills don't take the same euros."""

from decimal import ROUND_HALF_UP, Decimal
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from restaurant import events, staff
from restaurant.billing import queries
from restaurant.billing.models import Payment, Refund
from restaurant.billing.services import bills, drawers
from restaurant.billing.services.locks import locked
from restaurant.errors import (
    MoreThanDue,
    MoreThanPaid,
    NeedsManager,
    NothingDue,
    NotInCoins,
    PaymentRefunded,
    PaymentUnknown,
    PaymentVoided,
    TenderedTooLittle,
)
from restaurant.ordering.models import SESSION_WINDOW
from restaurant.ordering.queries.sessions import NOTHING, due, session_named_before, session_of_staff
from restaurant.ordering.services import sessions
from restaurant.rules import OrderingRules
from web import journal
from web.idempotency import Key, columns_of, earlier_of
from web.money import rounded


def take(
    *,
    table_number: int,
    session_id: str | None,
    method: str,
    amount: Decimal | None = None,
    tip: Decimal = NOTHING,
    part_id: str | None = None,
    tendered: Decimal | None = None,
    drawer_id: int | None = None,
    user: Any,
    key: Key | None = None,
) -> Payment:
    """Store a payment and return it, also for a session that has ended. Without an amount it is all that is due.

    Without a session it is the table's open one. One that was moved from this table is paid where it is now. A repeat
    with the same key returns the first payment. `tendered` is the cash that the guest hands over. Raises TableUnknown,
    SessionUnknown, PartUnknown, NothingDue, MoreThanDue, TenderedTooLittle, NoOpenDrawer, KeyReused.
    """
    named = session_id or _named_before(table_number, user, key)
    named = named or str(session_of_staff(table_number, None).pk)
    with transaction.atomic():
        session = sessions.lock(table_number=table_number, session_id=named).session
        sentence = _("This payment was taken already. Nothing more was noted; please look at the bill.")
        earlier = earlier_of(Payment.objects.filter(paid_in=named), key, sentence)
        if earlier is not None:
            return earlier
        part = queries.part_of(session, part_id) if part_id else None
        left = part.due if part else due(session)
        if left <= 0:
            raise NothingDue
        is_cash = method == Payment.Method.CASH
        coin = OrderingRules.current().cash_rounding if is_cash else None
        paid = left if amount is None or (coin and amount == to_coin(left, coin)) else amount
        if paid > left:
            raise MoreThanDue(due=left)
        rounding = to_coin(paid, coin) - paid if coin and paid == left else NOTHING
        if tendered is not None and tendered < paid + rounding + tip:
            raise TenderedTooLittle(needed=paid + rounding + tip)
        payment = Payment.objects.create(
            session=session,
            part=part.part if part else None,
            method=method,
            amount=paid,
            tip=tip,
            tendered=tendered if is_cash else None,
            rounding=rounding,
            drawer_day=drawers.for_cash(user.get_username(), drawer_id) if is_cash else None,
            due_after=left - paid,
            taken_by=user,
            taken_by_name=user.get_username(),
            paid_in=named,
            **columns_of(key),
        )
        if payment.part and paid == left:
            calls = payment.part.calls.filter(done_at=None)
            calls.update(done_at=payment.created_at, done_by=payment.taken_by_name)
        if session.bill_number is None:
            bills.give_number(session.pk)
        journal.write("payment", payment.pk, by=payment.taken_by_name, **payment.recorded)
        if is_cash:
            drawers.pop(payment.drawer_day)
        events.floor_update()
    return payment


def to_coin(amount: Decimal, coin: Decimal) -> Decimal:
    """Return the amount in the smallest coins, a half rounded up: 10.02 in coins of 0.05 is 10.00."""
    return rounded((amount / coin).to_integral_value(ROUND_HALF_UP) * coin)


def _named_before(table_number: int, user: Any, key: Key | None) -> str | None:
    """Return the id of the session of the first request with this key: it may have been closed since."""
    if key is None:
        return None
    since = timezone.now() - SESSION_WINDOW
    earlier = Payment.objects.filter(taken_by=user, idempotency_key=key.text, created_at__gt=since)
    session = session_named_before(table_number, earlier.values("paid_in"))
    return str(session.pk) if session else None


def void(*, payment_id: str, user_name: str, note: str = "") -> tuple[Payment, Decimal]:
    """Void a payment, and return it with what is due now; again changes nothing.

    Raises PaymentUnknown, PaymentRefunded, NoOpenDrawer.
    """
    with transaction.atomic():
        payment = locked(Payment, payment_id, PaymentUnknown)
        if payment.voided_at is None:
            if payment.refunds.exists():  # what was given back would be due as well
                raise PaymentRefunded
            payment.voided_at, payment.voided_by_name, payment.void_note = timezone.now(), user_name, note
            if payment.method == Payment.Method.CASH:
                payment.voided_drawer_day = drawers.for_void(payment, user_name)
            payment.save(update_fields=["voided_at", "voided_by_name", "void_note", "voided_drawer_day"])
            journal.write("payment_voided", payment.pk, by=user_name, **payment.recorded)
            events.floor_update()
        return payment, max(due(payment.session), NOTHING)


def refund(
    *,
    payment_id: str,
    amount: Decimal | None = None,
    reason: str,
    note: str = "",
    user: Any,
    asked_by: Any = None,
    key: Key | None = None,
) -> tuple[Refund, Decimal]:
    """Note money that was given back, and return it with what is due now. Without an amount it is all that is left.

    Cash comes from the drawer of whoever has `asked_by` the manager: all that is left as it was rounded, a part of it
    in whole coins. A repeat with the same key returns the first refund. Raises PaymentUnknown, NeedsManager,
    PaymentVoided, MoreThanPaid, NotInCoins, NoOpenDrawer, KeyReused.
    """
    with transaction.atomic():
        payment = locked(Payment, payment_id, PaymentUnknown)
        if not user.has_perm(staff.ADJUST_BILL):
            raise NeedsManager
        earlier = earlier_of(payment.refunds.all(), key)
        if earlier is None:
            if payment.voided_at is not None:
                raise PaymentVoided
            left, rounding = payment.refundable, payment.refundable_rounding
            is_all = amount is None or amount in (left, left + rounding)
            asked = left if amount is None or is_all else amount
            if left <= 0 or asked > left:
                raise MoreThanPaid(left=left + rounding)
            is_cash = payment.method == Payment.Method.CASH
            coin = OrderingRules.current().cash_rounding if is_cash else None
            if coin and not is_all and asked % coin:
                raise NotInCoins(coin=coin)
            giver = asked_by or user
            earlier = Refund.objects.create(
                payment=payment,
                session=payment.session,
                amount=asked,
                rounding=rounding if is_all else NOTHING,
                reason=reason,
                note=note,
                by=user,
                by_name=user.get_username(),
                drawer_day=drawers.for_cash(giver.get_username()) if is_cash else None,
                **columns_of(key),
            )
            journal.write("refund", earlier.pk, by=earlier.by_name, **earlier.recorded)
            events.floor_update()
        return earlier, max(due(payment.session), NOTHING)
