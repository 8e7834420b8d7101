"""The plan of the floor: where the tables of a section stand. See "Plan of the floor" in docs/behaviour.md."""

from collections.abc import Iterable
from dataclasses import dataclass

from django.db import transaction

from restaurant import events
from restaurant.errors import MovedMeanwhile, PlaceTaken
from restaurant.models import Table

Place = tuple[int, int]  # column and row, from 1 on


@dataclass(frozen=True, slots=True)
class Placing:
    """Where a table shall stand. `is_seen`: whoever decides that has seen it at `seen`. None: it has no place."""

    place: Place | None
    seen: Place | None = None
    is_seen: bool = False


def place_of(table: Table) -> Place | None:
    if table.plan_column is None or table.plan_row is None:
        return None
    return table.plan_column, table.plan_row


def arrange(*, section: str, placings: dict[int, Placing]) -> list[int]:
    """Place these tables, by number, all or none. Returns the numbers that the section does not have.

    Locks the section's tables, so that of two managers who choose the same place one is refused. Those of the section
    that aren't named stay. Raises MovedMeanwhile, PlaceTaken.
    """
    with transaction.atomic():
        # FOR NO KEY UPDATE: orders, which hold a key-share lock on their table, don't wait.
        locked = Table.objects.select_for_update(no_key=True).filter(section=section).order_by("pk")
        tables = {table.table_number: table for table in locked}
        wanted = {number: placing for number, placing in placings.items() if number in tables}
        moved = [number for number, placing in wanted.items() if _is_moved(tables[number], placing)]
        if moved:
            raise MovedMeanwhile(sorted(moved))
        changed = [tables[number] for number, placing in wanted.items() if _put(tables[number], placing.place)]
        _check(tables.values())
        if changed:
            _store(changed)
            events.floor_update()
    return sorted(placings.keys() - tables.keys())


def _is_moved(table: Table, placing: Placing) -> bool:
    """Whether somebody has given it another place than both the one that was seen and the wanted one."""
    return placing.is_seen and place_of(table) not in (placing.seen, placing.place)


def _put(table: Table, place: Place | None) -> bool:
    """Whether that changes its place."""
    before = place_of(table)
    table.plan_column, table.plan_row = place or (None, None)
    return place != before


def _check(tables: Iterable[Table]) -> None:
    taken: dict[Place, int] = {}
    for table in sorted(tables, key=lambda each: each.table_number):
        place = place_of(table)
        if place is None:
            continue
        if place in taken:
            raise PlaceTaken(taken[place], table.table_number, column=place[0], row=place[1])
        taken[place] = table.table_number


def _store(changed: list[Table]) -> None:
    """First without places: tables may change them with each other."""
    Table.objects.filter(pk__in=[table.pk for table in changed]).update(plan_column=None, plan_row=None)
    Table.objects.bulk_update(changed, ["plan_column", "plan_row"])
