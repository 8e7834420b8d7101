"""Replaces words in texts that people have written, in any table."""

import json
import re
from collections.abc import Iterable, Iterator
from typing import Any

from django.db.models import F, Func, JSONField, Q, QuerySet, TextField, Value
from django.db.models.functions import Cast

REDACTED = "…"
BATCH = 20_000  # rows that one statement looks through: a request waits for none longer than a few seconds


def pattern_of(words: Iterable[str]) -> str:
    """Return a regular expression of PostgreSQL that matches these words, also as JSON writes them."""
    spellings = {spelling for word in words for spelling in (word, json.dumps(word, ensure_ascii=False)[1:-1])}
    # The longest first, so that nothing is left of one that contains another.
    return "|".join(re.escape(text) for text in sorted(spellings, key=lambda text: (-len(text), text)) if text)


def containing(words: Iterable[str], *fields: str) -> Q:
    """Return a condition for rows with one of the words in one of these columns, in any case."""
    pattern = pattern_of(words)
    condition = Q(pk__in=[])
    for field in fields if pattern else ():
        condition |= Q(**{f"{field}__iregex": pattern})
    return condition


def redact(rows: QuerySet[Any], *fields: str, words: Iterable[str]) -> None:
    """Replace these words by REDACTED, in any case, in columns of text or JSON."""
    pattern = pattern_of(words)
    if not pattern:
        return
    for part in batches(rows):
        for name in fields:
            _replace(part, name, pattern)


def _replace(rows: QuerySet[Any], name: str, pattern: str) -> None:
    text = Cast(F(name), TextField())
    replaced: Any = Func(
        text, Value(pattern), Value(REDACTED), Value("gi"), function="regexp_replace", output_field=TextField()
    )
    if isinstance(rows.model._meta.get_field(name), JSONField):
        replaced = Cast(replaced, JSONField())
    rows.alias(searched=text).filter(searched__iregex=pattern).update(**{name: replaced})


def batches(rows: QuerySet[Any]) -> Iterator[QuerySet[Any]]:
    """Yield the rows, BATCH at a time, by their primary keys."""
    while True:
        last = list(rows.order_by("pk").values_list("pk", flat=True)[BATCH - 1 : BATCH])
        if not last:
            yield rows
            return
        yield rows.filter(pk__lte=last[0])
        rows = rows.filter(pk__gt=last[0])
