"""Reading tables."""

import re
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count, Max, Q, QuerySet
from django.utils import timezone

from qrservice import gateway
from restaurant.errors import TableUnknown
from restaurant.tables.models import MAX_TABLE_NUMBER, RoomFeature, Table

# Pixels, printed on 15 cm at the most: 206 dots an inch. A whole number for each module of a code of 25 or 29 modules
# with its quiet zone, so that nothing but that is white around it.
CARD_IMAGE_EDGE = 33 * 37


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


@dataclass(frozen=True)
class PlanOfSection:
    """The section's tables by number, and its features. `sections` are all of the restaurant, by their first table.

    `next` is the number after the last table of all sections.
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
    numbers: dict[str, list[int]] = {}
    without_code, last = [], 0
    rows = Table.objects.values_list("table_number", "section", "qr_analytics_id")
    for last, section, code in rows:
        numbers.setdefault(section, []).append(last)
        if not code:
            without_code.append(last)
    sections = [TablesOfSection(section, of_section) for section, of_section in numbers.items()]
    return TablesBySection(sections, without_code, min(last + 1, MAX_TABLE_NUMBER))


def plan_of(section: str) -> PlanOfSection:
    """Return the plan of the section, or of the first one if no table is in that section."""
    tables = list(Table.objects.all())
    sections = list(dict.fromkeys(table.section for table in tables))
    if section not in sections:
        section = next(iter(sections), "")
    return PlanOfSection(
        section,
        sections,
        tables=[table for table in tables if table.section == section],
        features=list(RoomFeature.objects.filter(section=section)),
        next=min(tables[-1].table_number + 1, MAX_TABLE_NUMBER) if tables else 1,
    )


def count_tables(*, since: datetime | None) -> TableCounts:
    """Count the tables; without `since` none is newer."""
    newer = Q(created_at__gt=since) if since else Q(pk=None)
    counts = Table.objects.aggregate(
        total=Count("pk"), without_code=Count("pk", filter=Q(qr_analytics_id="")), newer=Count("pk", filter=newer)
    )
    return TableCounts(**counts)


def tables_in(ranges: list[tuple[int, int]]) -> QuerySet[Table]:
    """Return the tables from a first to a last number, by number."""
    numbers = Q(table_number__in=[first for first, last in ranges if first == last])
    for first, last in ranges:
        if first < last:
            numbers |= Q(table_number__range=(first, last))
    return Table.objects.filter(numbers)


def card_image_url(table: Table) -> str:
    """Return the address of the code's picture for a card; empty for a table without a code."""
    return gateway.image_url(table.qr_code_url, size=CARD_IMAGE_EDGE) if table.qr_code_url else ""


def last_day_of_new_tables() -> str:
    """Return the day on which the newest table was added, as `YYYY-MM-DD`; empty without tables."""
    latest = Table.objects.aggregate(latest=Max("created_at"))["latest"]
    return str(timezone.localdate(latest)) if latest else ""


def parse_table_number(text: str) -> int:
    """Return the table number in a path. Raises TableUnknown for what can't be one."""
    if not re.fullmatch(r"[0-9]{1,5}", text) or not 0 < int(text) <= MAX_TABLE_NUMBER:
        raise TableUnknown
    return int(text)


def table(table_number: int) -> Table:
    """Raises TableUnknown."""
    try:
        return Table.objects.get(table_number=table_number)
    except Table.DoesNotExist as error:
        raise TableUnknown from error
