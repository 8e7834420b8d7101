"""What an import would change."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import astuple, dataclass, field

from django.db.models import Model

from restaurant.menu.models import Category, MenuItem, Option, OptionGroup, Station
from restaurant.menu.services.menu_files.columns import label_of
from web.imports.table import Row


@dataclass(frozen=True)
class Change:
    label: str
    old: str | None  # None for what is new
    new: str


def changed_cells(before: Mapping[str, str] | None, after: Mapping[str, str]) -> list[Change]:
    """Return the differences between the cells of a row. `before` is None for what is new."""
    old = before or {}
    different = [column for column, text in after.items() if text != old.get(column, "")]
    return [Change(label_of(column), old.get(column), after[column]) for column in different]


@dataclass(frozen=True)
class RowChange:
    """An instance that a row of the file adds or changes. It has its new values, and is not saved yet."""

    row: Row
    instance: Model
    is_new: bool
    changes: list[Change]


@dataclass(frozen=True)
class ItemChange(RowChange):
    instance: MenuItem
    groups: list[OptionGroup] | None  # None where they stay


@dataclass(frozen=True)
class GroupChange(RowChange):
    instance: OptionGroup
    choices: list[Option]


@dataclass(frozen=True)
class CategoryChange(RowChange):
    instance: Category


@dataclass(frozen=True)
class Refusal:
    row: Row
    sentences: list[str]


@dataclass
class Plan:
    items: list[ItemChange] = field(default_factory=list)
    groups: list[GroupChange] = field(default_factory=list)
    categories: list[CategoryChange] = field(default_factory=list)
    new_categories: dict[str, str] = field(default_factory=dict)  # each with the known name that is most like it
    spellings: dict[str, str] = field(default_factory=dict)  # of categories, each with the one that is kept
    new_stations: list[Station] = field(default_factory=list)
    refusals: list[Refusal] = field(default_factory=list)
    unchanged: int = 0  # items

    @property
    def new_items(self) -> list[MenuItem]:
        return [change.instance for change in self.items if change.is_new]

    @property
    def changed_items(self) -> list[MenuItem]:
        return [change.instance for change in self.items if not change.is_new]

    @property
    def may_be_confirmed(self) -> bool:
        return bool(self.items or self.groups or self.categories) and not self.refusals

    @property
    def fingerprint(self) -> str:
        """Equal for plans that change the same in the same way."""
        changes = [
            (
                change.row.number,
                str(change.instance),
                None if change.is_new else str(change.instance.pk),
                change.changes,
            )
            for change in (*self.items, *self.groups, *self.categories)
        ]
        return hashlib.sha256(json.dumps(changes, default=astuple).encode()).hexdigest()
