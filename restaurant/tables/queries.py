"""Reading tables."""

import re
from dataclasses import dataclass
from datetime import date, datetime

from django.db.models import Count, Max, Q, QuerySet
from django.utils import timezone

from restaurant.errors import TableUnknown
from restaurant.tables.models import MAX_TABLE_NUMBER, RoomFeature, Table


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
class PlanOfSection:
    """The section's tables by number, and what else there is. `sections`: all of them, by their first table.

    `next`: the number after the last table of all sections.
    """

    section: str
    sections: list[str]
    tables: list[Table]
    features: list[RoomFeature]
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


def plan_of(section: str) -> PlanOfSection:
    """Of a section that no table has: the plan of the first one."""
    tables = list(Table.objects.order_by("table_number"))
    sections = list(dict.fromkeys(table.section for table in tables))
    shown = section if section in sections else next(iter(sections), "")
    of_section = [table for table in tables if table.section == shown]
    after = min(tables[-1].table_number + 1, MAX_TABLE_NUMBER) if tables else 1
    return PlanOfSection(shown, sections, of_section, list(RoomFeature.objects.filter(section=shown)), after)


def room_features() -> list[RoomFeature]:
    """Of all sections."""
    return list(RoomFeature.objects.all())


def count_tables(*, since: datetime | None) -> TableCounts:
    """Without `since` no table is newer."""
    newer = Q(created_at__gt=since) if since else Q(pk=None)
    counts = Table.objects.aggregate(
        total=Count("pk"), without_code=Count("pk", filter=Q(qr_analytics_id="")), newer=Count("pk", filter=newer)
    )
    return TableCounts(**counts)


def tables_to_print(*, ranges: list[tuple[int, int]] | None = None, since: date | None = None) -> QuerySet[Table]:
    """By number: those from a first to a last number, those added on this day or later, or all."""
    found = Table.objects.order_by("table_number")
    if ranges is not None:
        wanted = Q(table_number__in=[low for low, high in ranges if low == high])
        for low, high in ranges:
            if low < high:
                wanted |= Q(table_number__range=(low, high))
        found = found.filter(wanted)
    return found.filter(created_at__date__gte=since) if since else found


def last_day_of_new_tables() -> str:
    """On which tables were added, `YYYY-MM-DD`; empty without tables."""
    latest = Table.objects.aggregate(latest=Max("created_at"))["latest"]
    return str(timezone.localdate(latest)) if latest else ""


def table_number(text: str) -> int:
    """The table number in a path. Raises TableUnknown for what can't be one."""
    if not re.fullmatch(r"[0-9]{1,5}", text) or not 0 < int(text) <= MAX_TABLE_NUMBER:
        raise TableUnknown
    return int(text)


def table(table_number: int) -> Table:
    """Raises TableUnknown."""
    found = Table.objects.filter(table_number=table_number).first()
    if found is None:
        raise TableUnknown
    return found


def tables() -> QuerySet[Table]:
    """All, by number."""
    return Table.objects.order_by("table_number")
