"""The journal: what happened to money and points, written in the transaction in which it happens.

`write` adds an entry. A sealer numbers those that are committed and chains them; see docs/fiscal.md.
"""

import json
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
        ]

    def __str__(self) -> str:
        return f"{self.number or '-'} {self.kind}"


def canonical(content: dict[str, Any]) -> str:
    """Return JSON whose text depends on the content alone."""
    return json.dumps(content, cls=DjangoJSONEncoder, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def write(kind: str, subject: object, *, by: str = "", **content: Any) -> None:
    """Add an entry about `subject`, an id. Call it in the transaction that it belongs to."""
    JournalEntry.objects.create(kind=kind, subject=str(subject), user_name=by, content=canonical(content))
