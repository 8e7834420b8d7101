"""Redacts what was written with the orders of guests who leave."""

from collections.abc import Iterable

from restaurant.billing.models import Adjustment, BillPart, DrawerMovement, Payment, Refund
from restaurant.ordering.models import CartLine, Order, OrderChange, OrderItem
from web import redaction


def redact(*, words: Iterable[str]) -> None:
    """Replace these words in requests to the kitchen, notes of staff and names of parts. To be called in a transaction.

    To whom a receipt is made out stays, as the books do.
    """
    words = list(words)
    for rows in (CartLine.objects.exclude(special_instructions=""), OrderItem.objects.exclude(special_instructions="")):
        redaction.redact(rows, "special_instructions", words=words)
    redaction.redact(OrderChange.objects.exclude(note=""), "note", words=words)
    redaction.redact(Payment.objects.exclude(void_note=""), "void_note", words=words)
    redaction.redact(Adjustment.objects.all(), "note", "void_note", words=words)
    redaction.redact(Refund.objects.exclude(note=""), "note", words=words)
    redaction.redact(DrawerMovement.objects.all(), "reason", words=words)
    redaction.redact(BillPart.objects.exclude(name=""), "name", words=words)
    for model in (Order, OrderChange, Payment, Adjustment, Refund):
        for part in redaction.batches(model.objects.filter(idempotency_key__isnull=False)):
            part.filter(redaction.containing(words, "idempotency_key")).update(idempotency_key=None)
