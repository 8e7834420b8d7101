"""Sealing the journal: a number without gaps, and a hash over the one before. See docs/fiscal.md."""

from django.db import connection, transaction

from web.journal import JournalEntry, hash_of, latest

BATCH = 1000
_LOCK = 7_305_003  # an arbitrary number, the same in every process
_SEAL = """
UPDATE web_journalentry AS entry SET number = sealed.number, hash = sealed.hash
  FROM unnest(%s::bigint[], %s::bigint[], %s::text[]) AS sealed (id, number, hash) WHERE entry.id = sealed.id
"""


def seal() -> int:
    """Seal what is committed, and return how many entries. What is written meanwhile, or commits later, comes next."""
    count = 0
    while (sealed := _seal_batch()) == BATCH:
        count += sealed
    return count + sealed


def _seal_batch() -> int:
    waiting = JournalEntry.objects.filter(number=None).order_by("pk")
    if not waiting.exists():
        return 0
    with transaction.atomic(), connection.cursor() as cursor:
        # Of two sealers the second one waits, and then sees what the first has sealed.
        cursor.execute("SELECT pg_advisory_xact_lock(%s)", [_LOCK])
        entries, last = list(waiting[:BATCH]), latest()
        number, previous = (last.number or 0, last.hash) if last else (0, "")
        rows = []
        for entry in entries:
            number += 1
            previous = hash_of(previous, number, entry)
            rows.append((entry.pk, number, previous))
        if rows:
            cursor.execute(_SEAL, [list(column) for column in zip(*rows, strict=True)])
    return len(rows)
