"""Replacing words in texts that people have written, in any table."""

import json
import re
from collections.abc import Iterable
from typing import Any

from django.db.models import F, Func, JSONField, Q, QuerySet, TextField, Value
from django.db.models.functions import Cast

GONE = "…"


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


def forget(rows: QuerySet[Any], *fields: str, words: Iterable[str]) -> None:
    """Put GONE in the place of these words, whatever their case, in columns of text or JSON."""
    pattern = pattern_of(words)
    for name in fields if pattern else ():
        field = rows.model._meta.get_field(name)
        is_json = isinstance(field, JSONField)
        text = Cast(F(name), TextField()) if is_json else F(name)
        replaced: Any = Func(
            text, Value(pattern), Value(GONE), Value("gi"), function="regexp_replace", output_field=TextField()
        )
        found = rows.alias(searched=Cast(F(name), TextField())).filter(searched__iregex=pattern)
        found.update(**{name: Cast(replaced, JSONField()) if is_json else replaced})
