"""Redacts what was written with the orders of guests who leave."""

from collections.abc import Iterable

from restaurant.billing.models import Payment
from restaurant.ordering.models import CartLine, Order, OrderChange, OrderItem
from web import redaction


def redact(*, words: Iterable[str]) -> None:
    """Replace these words in requests to the kitchen and notes of staff. To be called in a transaction."""
    words = list(words)
    for rows in (CartLine.objects.exclude(special_instructions=""), OrderItem.objects.exclude(special_instructions="")):
        redaction.redact(rows, "special_instructions", words=words)
    redaction.redact(OrderChange.objects.exclude(note=""), "note", words=words)
    redaction.redact(Payment.objects.exclude(void_note=""), "void_note", words=words)
    for model in (Order, OrderChange, Payment):
        for part in redaction.batches(model.objects.filter(idempotency_key__isnull=False)):
            part.filter(redaction.containing(words, "idempotency_key")).update(idempotency_key=None)
