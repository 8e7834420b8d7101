"""Changing the order in which the menu lists categories, and items within their category."""

from dataclasses import dataclass
from typing import Any

from django.db.models import F, QuerySet
from django.db.models.functions import Collate

from restaurant.menu.models import OTHER, Category, MenuItem
from restaurant.menu.services import menu

Sortable = Category | MenuItem
ORDER_OF_CATEGORIES: list[Any] = [F("position").asc(nulls_last=True), Collate("name", "C")]
ORDER_OF_ITEMS: list[Any] = [F("position").asc(nulls_last=True), "name", "pk"]  # of a category


class Gone(Exception):
    """The row, or the one before or after which it should go, was deleted."""


@dataclass(frozen=True, slots=True)
class Moved:
    order: list[str]  # the keys of the row and its neighbours
    position: int  # from 1
    changed: bool


def neighbours(row: Sortable) -> QuerySet[Any]:
    """Return the row and those among which it can be moved, in the menu's order."""
    if isinstance(row, Category):
        return Category.objects.order_by(*ORDER_OF_CATEGORIES)
    names = ["", OTHER] if row.category_name == OTHER else [row.category]
    return MenuItem.objects.filter(category__in=names).order_by(*ORDER_OF_ITEMS)


def move(row: Sortable, *, steps: int = 0, before: str = "", after: str = "") -> Moved:
    """Move the row by `steps`, or `before` or `after` the row with this key. All neighbours are numbered.

    Only this row moves among the others, whatever somebody else has moved meanwhile. Raises Gone.
    """
    with menu.changing():
        current = type(row)._default_manager.filter(pk=str(row.pk)).first()
        if current is None:
            raise Gone
        rows = list(neighbours(current))
        old = rows.index(row)
        moved = rows.pop(old)
        new = _index([str(other.pk) for other in rows], old + steps, before, after)
        rows.insert(new, moved)
        _number(rows)
    return Moved([str(neighbour.pk) for neighbour in rows], new + 1, new != old)


def _index(others: list[str], index: int, before: str, after: str) -> int:
    try:
        if before:
            return others.index(before)
        if after:
            return others.index(after) + 1
    except ValueError as error:
        raise Gone from error
    return min(max(index, 0), len(others))


def _number(rows: list[Any]) -> None:
    changed = [(number, row) for number, row in enumerate(rows, 1) if row.position != number]
    for number, row in changed:
        row.position = number
    if changed:
        type(rows[0]).objects.bulk_update([row for _number, row in changed], ["position"], batch_size=500)


def by_name(chosen: QuerySet[Any]) -> int:
    """List the chosen rows by their names again, after those with a position. Return how many had a position."""
    with menu.changing():
        return chosen.exclude(position=None).update(position=None)
