"""Checks whether PostgreSQL's NOTIFY arrives: displays hear of orders by it, and a pooler swallows it."""

from secrets import token_hex

from django.db import connections

CHANNEL = "regulars_start"
WITHIN = 2.0  # seconds


def trouble() -> str:
    """Return what is wrong as a sentence, or "". Raises OperationalError without a database."""
    is_pooled = "pooled" in connections
    # Connections of their own: on the one that notifies a pooler would let it through.
    listening, notifying = connections["default"].copy(), connections["pooled" if is_pooled else "default"].copy()
    token = token_hex(8)
    try:
        listening.ensure_connection()
        with listening.cursor() as cursor:
            cursor.execute(f"LISTEN {CHANNEL}")
        with notifying.cursor() as cursor:
            cursor.execute("SELECT pg_notify(%s, %s)", [CHANNEL, token])
        if any(note.payload == token for note in listening.connection.notifies(timeout=WITHIN)):
            return ""
    finally:
        listening.close()
        notifying.close()
    if is_pooled:
        return (
            "What is stored at DATABASE_URL is not heard of at DATABASE_DIRECT_URL. Both must lead to the same "
            "database, the second one without a pooler."
        )
    return (
        "DATABASE_URL leads through a pooler that shares connections between transactions: kitchen displays would "
        "hear of no order. Set DATABASE_DIRECT_URL beside it, to PostgreSQL's own address."
    )
