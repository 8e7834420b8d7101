"""The journal: what happened to money and points, written in the transaction in which it happens.

`write` adds an entry. A sealer numbers those that are committed and chains them; see docs/fiscal.md.
"""

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from hashlib import sha256
from typing import Any

from django.core.serializers.json import DjangoJSONEncoder
from django.db import models
from django.utils import timezone


class JournalEntry(models.Model):
    """`content` is canonical JSON without names, emails and phones of guests. Once sealed a row can't be changed."""

    kind = models.CharField(max_length=30)  # order, payment, drawer_closed, …
    at = models.DateTimeField(default=timezone.now)
    user_name = models.CharField(max_length=150, blank=True, default="")
    subject = models.CharField(max_length=64)  # the id of what it is about
    content = models.TextField()
    # Given by the sealer.
    number = models.PositiveBigIntegerField(null=True, unique=True)
    hash = models.CharField(max_length=64, blank=True, default="", db_default="")
    signature = models.TextField(blank=True, default="", db_default="")

    class Meta:
        default_permissions = ("view",)
        indexes = [
            models.Index(fields=["id"], condition=models.Q(number=None), name="journal_to_seal"),
            models.Index(fields=["subject"], name="journal_by_subject"),
            # An archive's days, and the last one that a device has signed.
            models.Index(fields=["at"], name="journal_by_time"),
            models.Index(fields=["number"], condition=~models.Q(signature=""), name="journal_signed"),
        ]

    def __str__(self) -> str:
        return f"{self.number or '-'} {self.kind}"


def canonical(content: dict[str, Any]) -> str:
    """Return JSON whose text depends on the content alone."""
    return json.dumps(content, cls=DjangoJSONEncoder, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def entry(
    kind: str, subject: object, *, by: str | None = "", at: datetime | None = None, **content: Any
) -> JournalEntry:
    """Return an entry about `subject`, an id, that is not stored yet: several are stored at once."""
    text = canonical(content)
    return JournalEntry(kind=kind, at=at or timezone.now(), user_name=by or "", subject=str(subject), content=text)


def write(kind: str, subject: object, *, by: str | None = "", at: datetime | None = None, **content: Any) -> None:
    """Add an entry about `subject`, an id. Call it in the transaction that it belongs to."""
    entry(kind, subject, by=by, at=at, **content).save(force_insert=True)


def latest() -> JournalEntry | None:
    """Return the last sealed entry, whose hash stands for all before it."""
    return JournalEntry.objects.exclude(number=None).order_by("-number").first()


def moment(at: datetime) -> str:
    """Return the time as it is hashed and exported."""
    return at.astimezone(UTC).isoformat(timespec="microseconds")


def hash_of(previous: str, number: int, row: JournalEntry) -> str:
    """Return the hash that chains an entry to the one before, whose hash is `previous`; empty for the first."""
    fields = [number, moment(row.at), row.kind, row.user_name, row.subject, row.content]
    text = json.dumps(fields, separators=(",", ":"), ensure_ascii=False)
    return sha256((previous + text).encode()).hexdigest()


def broken_links() -> Iterator[tuple[int, str]]:
    """Yield the numbers that are missing or whose entries are not what their hashes say, and what is wrong."""
    expected, previous = 1, ""
    for row in JournalEntry.objects.exclude(number=None).order_by("number").iterator(chunk_size=2000):
        number = row.number or 0
        if number > expected:
            yield expected, "is missing"
        elif row.hash != hash_of(previous, number, row):
            yield number, f"is not what was sealed ({row.kind} {row.subject})"
        expected, previous = number + 1, row.hash
