"""The sealed journal of some days, to be kept and read elsewhere. See "Archives" in docs/fiscal.md."""

import json
from collections.abc import Iterator
from datetime import date
from itertools import chain
from typing import Any
from zoneinfo import ZoneInfo

from django.db.models import Max, Min, QuerySet

from web.journal import JournalEntry, moment
from web.reporting import bounds_of
from web.spreadsheets import blocks, harmless

COLUMNS = ("number", "at", "kind", "user", "subject", "content", "hash", "signature")


def json_lines(first: date, last: date, zone: ZoneInfo) -> Iterator[str]:
    """Yield a line about the archive, and one for each entry."""
    entries, before = _entries(first, last, zone), ""
    opening, final = entries.first(), entries.last()
    if opening is not None and (opening.number or 0) > 1:
        before = JournalEntry.objects.get(number=(opening.number or 0) - 1).hash
    about = {"from": first.isoformat(), "to": last.isoformat(), "entries": entries.count(), "previous": before}
    yield _line(about | {"hash": final.hash if final else before})
    for row in _rows(entries):
        yield _line(dict(zip(COLUMNS, row, strict=True)))


def comma_separated(first: date, last: date, zone: ZoneInfo) -> Iterator[str]:
    """Yield the same entries as CSV. The last one's hash is the archive's."""
    yield from blocks(chain([list(COLUMNS)], map(_harmless, _rows(_entries(first, last, zone)))))


def _entries(first: date, last: date, zone: ZoneInfo) -> QuerySet[JournalEntry]:
    """From the first of these days to the last one, without a gap."""
    of_days = JournalEntry.objects.filter(at__gte=bounds_of(first, zone)[0], at__lt=bounds_of(last, zone)[1])
    numbers = of_days.aggregate(Min("number"), Max("number"))
    between = (numbers["number__min"] or 0, numbers["number__max"] or 0)
    return JournalEntry.objects.filter(number__range=between).order_by("number")


def _rows(entries: QuerySet[JournalEntry]) -> Iterator[list[Any]]:
    for row in entries.iterator(chunk_size=1000):
        yield [row.number, moment(row.at), row.kind, row.user_name, row.subject, row.content, row.hash, row.signature]


def _harmless(row: list[Any]) -> list[Any]:
    """All but the user's name begins with a letter, a digit or a brace."""
    user = COLUMNS.index("user")
    return [*row[:user], harmless(row[user]), *row[user + 1 :]]


def _line(values: dict[str, Any]) -> str:
    return json.dumps(values, ensure_ascii=False) + "\n"
