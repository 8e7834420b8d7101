"""Replacing words in texts that people have written, in any table."""

import json
import re
from collections.abc import Iterable, Iterator
from typing import Any

from django.db.models import F, Func, JSONField, Q, QuerySet, TextField, Value
from django.db.models.functions import Cast

REDACTED = "…"
BATCH = 20_000  # rows that one statement looks through: a request waits for none longer than a few seconds


def pattern_of(words: Iterable[str]) -> str:
    """A regular expression of PostgreSQL that finds these words, also as JSON writes them."""
    spellings = {spelling for word in words for spelling in (word, json.dumps(word, ensure_ascii=False)[1:-1])}
    # The longest first, so that nothing is left of one that contains another.
    return "|".join(re.escape(each) for each in sorted(spellings, key=lambda each: (-len(each), each)) if each)


def containing(words: Iterable[str], *fields: str) -> Q:
    """Rows with one of the words in one of these columns, whatever its case."""
    pattern = pattern_of(words)
    found = Q(pk__in=[])
    for field in fields if pattern else ():
        found |= Q(**{f"{field}__iregex": pattern})
    return found


def redact(rows: QuerySet[Any], *fields: str, words: Iterable[str]) -> None:
    """Put REDACTED in the place of these words, whatever their case, in columns of text or JSON."""
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
    """The rows, BATCH at a time, by their primary keys."""
    while True:
        last = list(rows.order_by("pk").values_list("pk", flat=True)[BATCH - 1 : BATCH])
        if not last:
            yield rows
            return
        yield rows.filter(pk__lte=last[0])
        rows = rows.filter(pk__gt=last[0])
