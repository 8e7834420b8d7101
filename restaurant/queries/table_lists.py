"""Reading which tables there are."""

from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count, Q

from restaurant.models import MAX_TABLE_NUMBER, Table


@dataclass(frozen=True, slots=True)
class TablesOfSection:
    section: str
    numbers: list[int]


@dataclass(frozen=True, slots=True)
class TablesBySection:
    """Sections by their first table. `next` is the number after the last table."""

    sections: list[TablesOfSection]
    without_code: list[int]
    next: int


@dataclass(frozen=True, slots=True)
class TableCounts:
    total: int
    without_code: int
    newer: int  # created since a moment


def tables_by_section() -> TablesBySection:
    sections: dict[str, list[int]] = {}
    without_code, last = [], 0
    rows = Table.objects.order_by("table_number").values_list("table_number", "section", "qr_analytics_id")
    for last, section, code in rows:
        sections.setdefault(section, []).append(last)
        if not code:
            without_code.append(last)
    by_section = [TablesOfSection(section, numbers) for section, numbers in sections.items()]
    return TablesBySection(by_section, without_code, min(last + 1, MAX_TABLE_NUMBER))


def count_tables(*, since: datetime | None) -> TableCounts:
    """Without `since` no table is newer."""
    newer = Q(created_at__gt=since) if since else Q(pk=None)
    counts = Table.objects.aggregate(
        total=Count("pk"), without_code=Count("pk", filter=Q(qr_analytics_id="")), newer=Count("pk", filter=newer)
    )
    return TableCounts(**counts)
