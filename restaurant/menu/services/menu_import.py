"""Importing the menu from a file: a plan to confirm, carried out as it was confirmed or not at all."""

import hashlib
import json
import uuid
from collections import defaultdict
from dataclasses import astuple, dataclass, field
from typing import Any

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from restaurant.menu.models import OTHER, ItemOptionGroup, MenuItem, Station, add_categories
from restaurant.menu.services import menu, menu_cells, menu_csv
from restaurant.menu.services.menu_csv import CATEGORY_COLUMNS, Row
from restaurant.menu.services.menu_import_parts import (
    Categories,
    CategoryChange,
    Change,
    GroupChange,
    Groups,
    as_errors,
    save_groups,
)

_ITEM_FIELDS = menu_csv.ITEM_COLUMNS[1:]


class MenuHasChanged(Exception):
    """The file would not change what was confirmed."""


@dataclass(frozen=True, slots=True)
class Allowed:
    """What the person who imports may do."""

    add: bool = True
    change: bool = True
    categories: bool = True
    options: bool = True


@dataclass(frozen=True)
class ItemChange:
    """A row that adds or changes an item, which is not saved yet."""

    number: int
    item: MenuItem
    is_new: bool
    changes: list[Change]
    groups: list[uuid.UUID] | None = None  # its groups of options, where they change


@dataclass(frozen=True)
class Refusal:
    """A row that can't be imported."""

    number: int
    name: str
    sentences: list[str]


@dataclass
class Plan:
    changes: list[ItemChange] = field(default_factory=list)
    categories: list[CategoryChange] = field(default_factory=list)
    groups: list[GroupChange] = field(default_factory=list)
    stations: list[Station] = field(default_factory=list)  # new ones
    new_categories: list[str] = field(default_factory=list)
    refusals: list[Refusal] = field(default_factory=list)
    unchanged: int = 0

    @property
    def new_items(self) -> list[MenuItem]:
        return [each.item for each in self.changes if each.is_new]

    @property
    def changed_items(self) -> list[MenuItem]:
        return [each.item for each in self.changes if not each.is_new]

    @property
    def changes_anything(self) -> bool:
        return bool(self.changes or self.categories or self.groups)

    @property
    def fingerprint(self) -> str:
        """Equal for plans that change the same in the same way."""
        rows: list[Any] = [
            (row.number, "" if row.is_new else row.item.pk, *map(astuple, row.changes)) for row in self.changes
        ]
        rows += [(each.name, each.is_new, *map(astuple, each.changes)) for each in self.categories]
        rows += [(each.name, each.is_new, *map(astuple, each.changes)) for each in self.groups]
        return hashlib.sha256(json.dumps(rows, default=str).encode()).hexdigest()


def carry_out(rows: list[Row], *, fingerprint: str, allowed: Allowed) -> Plan:
    """Do what the plan with this fingerprint says. Raises MenuHasChanged."""
    with menu.changing():
        current = plan(rows, allowed=allowed)
        if current.refusals or current.fingerprint != fingerprint:
            raise MenuHasChanged
        for station in current.stations:
            station.save()
        for category in current.categories:
            category.save()
        save_groups(current.groups)
        MenuItem.objects.bulk_create(current.new_items)
        MenuItem.objects.bulk_update(current.changed_items, _ITEM_FIELDS, batch_size=500)
        add_categories([each.item for each in current.changes])
        _attach(current.changes)
    return current


def _attach(changes: list[ItemChange]) -> None:
    """Give the items their groups of options, in the order of the file."""
    attached = [each for each in changes if each.groups is not None]
    ItemOptionGroup.objects.filter(item__in=[each.item for each in attached]).delete()
    ItemOptionGroup.objects.bulk_create(
        ItemOptionGroup(item=each.item, group_id=group, position=position)
        for each in attached
        for position, group in enumerate(each.groups or (), 1)
    )


def plan(rows: list[Row], *, allowed: Allowed) -> Plan:
    """What the rows would change."""
    return _Planning(rows, allowed).result


class _Planning:
    def __init__(self, rows: list[Row], allowed: Allowed) -> None:
        self.allowed = allowed
        self.items, self.groups, self.categories = _Items(), Groups(), Categories()
        self.result = Plan()
        self.errors: dict[int, list[str]] = defaultdict(list)  # by row
        self._each(rows, self._describe)
        changes = self._each(rows, self._row)
        self.result.refusals = [
            Refusal(row.number, row.cells.get("name", ""), self.errors[row.number])
            for row in rows
            if row.number in self.errors
        ]
        self.result.changes = [each for each in changes if each]
        self.result.unchanged = len(changes) - len(self.result.changes)
        self.result.groups = self.groups.changes()
        self.result.categories = self.categories.changes()
        self.result.stations = self.categories.new_stations
        named = {each.item.category_name for each in self.result.changes}
        self.result.new_categories = sorted(named - self.categories.present.keys() - {OTHER})
        self._refuse_what_is_not_allowed(rows)

    def _each(self, rows: list[Row], do: Any) -> list[Any]:
        """What it returns for each row without errors."""
        done = []
        for row in rows:
            try:
                done.append(do(row))
            except ValidationError as error:
                self.errors[row.number] += _sentences(error)
        return done

    def _describe(self, row: Row) -> None:
        """The groups of options that this row describes, which other rows may refer to."""
        if row.cells.get("options"):
            with as_errors("options"):
                self.groups.describe(row)

    def _row(self, row: Row) -> ItemChange | None:
        if row.number in self.errors:
            raise ValidationError([])
        item = self.items.of(row)
        groups = None
        if "options" in row.cells:
            with as_errors("options"):
                groups = self.groups.of(row)
        change = self._change(row, item, groups)
        self.categories.add(row, item.category_name)
        if change and not (self.allowed.add if change.is_new else self.allowed.change):
            raise ValidationError(
                _("You may not add items to the menu.") if change.is_new
                else _("You may not change items of the menu.")
            )  # fmt: skip
        return change

    def _change(self, row: Row, item: MenuItem, groups: list[uuid.UUID] | None) -> ItemChange | None:
        """Set the row's columns. None if that changes nothing. Raises ValidationError."""
        is_new = item._state.adding
        before = menu_csv.cells(item)
        errors = _assign(item, row.cells, before)
        after = menu_csv.cells(item)
        of_it = [] if is_new else self.groups.attached.get(item.pk, [])
        if groups == of_it:
            groups = None
        if not is_new and not errors and before == after and groups is None:
            return None
        _validate(item, errors)
        if is_new:
            shown = set(after) - {"id", "name"}
            changes = [Change(column, None, text) for column, text in after.items() if text and column in shown]
        else:
            changes = [Change(column, before[column], text) for column, text in after.items() if text != before[column]]
        if groups is not None:
            old = None if is_new else self.groups.names(of_it)
            changes.append(Change("options", old, self.groups.names(groups)))
        return ItemChange(row.number, item, is_new, changes, groups)

    def _refuse_what_is_not_allowed(self, rows: list[Row]) -> None:
        changed = [
            (each.row, sentence)
            for each_of, is_allowed, sentence in (
                (self.result.groups, self.allowed.options, _("You may not change options.")),
                (self.result.categories, self.allowed.categories, _("You may not change categories.")),
            )
            if not is_allowed
            for each in each_of
        ]
        names = {row.number: row.cells.get("name", "") for row in rows}
        self.result.refusals += [Refusal(number, names[number], [sentence]) for number, sentence in changed]


def _sentences(error: ValidationError) -> list[str]:
    if not hasattr(error, "error_dict"):
        return list(error.messages)
    return [
        f"{Change(column, None, '').label}: {each}"
        for column, messages in error.message_dict.items()
        for each in messages
    ]


# --- the item of a row --------------------------------------------------------------------------------


class _Items:
    """The items on the menu, found by id, or by name and category."""

    def __init__(self) -> None:
        self.by_id = {item.pk: item for item in MenuItem.objects.all()}
        self.by_name: dict[tuple[str, str], list[MenuItem]] = defaultdict(list)
        for item in self.by_id.values():
            self.by_name[item.name, item.category].append(item)
        self.rows: dict[object, int] = {}  # the number of the row that names an item

    def of(self, row: Row) -> MenuItem:
        """An unsaved one if the menu has none. Raises ValidationError where the row is ambiguous."""
        item = self._by_id(row.cells) if row.cells.get("id") else self._by_name(row.cells)
        key: object = item.pk
        if item._state.adding and not row.cells.get("id") and row.cells["name"]:
            key = (row.cells["name"], row.cells["category"])
        first = self.rows.setdefault(key, row.number)
        if first != row.number:
            raise ValidationError(_("Row %(number)d is about the same item.") % {"number": first})
        return item

    def _by_id(self, cells: dict[str, str]) -> MenuItem:
        try:
            pk = uuid.UUID(cells["id"])
        except ValueError as error:
            sentence = _("“%(id)s” is not an item's id. Leave it empty for a new item.") % {"id": cells["id"][:40]}
            raise ValidationError({"id": sentence}) from error
        if pk not in self.by_id and (cells.get("name", ""), cells.get("category", "")) in self.by_name:
            sentence = _("This item is on the menu with another id. Leave the id empty to change it.")
            raise ValidationError({"id": sentence})
        return self.by_id.get(pk) or MenuItem(pk=pk)

    def _by_name(self, cells: dict[str, str]) -> MenuItem:
        if "name" not in cells or "category" not in cells:
            raise ValidationError({"id": _("Without an id, the columns “name” and “category” are needed.")})
        items = self.by_name.get((cells["name"], cells["category"]), [])
        if len(items) > 1:
            sentence = _("%(number)d items have this name and category: give the id of the one that is meant.")
            raise ValidationError(sentence % {"number": len(items)})
        return items[0] if items else MenuItem()


# --- the cells of a row -------------------------------------------------------------------------------


def _validate(item: MenuItem, errors: dict[str, Any]) -> None:
    """As a form would, without a query for each row. Raises ValidationError."""
    if item.price is None and "price" not in errors:
        errors["price"] = _("A price is needed, such as 9.50.")
    try:
        item.full_clean(exclude={*errors, "picture"}, validate_unique=False, validate_constraints=False)
    except ValidationError as error:
        errors |= error.error_dict
    if errors:
        raise ValidationError(errors)


def _assign(item: MenuItem, cells: dict[str, str], before: dict[str, str]) -> dict[str, Any]:
    """The errors by column. What the file shows as it is stays exactly as it is."""
    errors: dict[str, Any] = {}
    for column, text in cells.items():
        if column in {"id", "options", *CATEGORY_COLUMNS}:
            continue
        try:
            if column == "available":
                item.available = menu_cells.yes_or_no(text, item.available)
            elif _one_way(text) != _one_way(before[column]) or column == "price":
                setattr(item, column, _READ[column](text) if column in _READ else text)
        except ValidationError as error:
            errors[column] = error
    return errors


_READ: dict[str, Any] = {
    "price": menu_cells.price,
    "sold_out_until": menu_cells.moment,
    "portions": menu_cells.number,
    "position": menu_cells.number,
    "vat_rate": menu_cells.rate,
    "diet": menu_cells.diet,
    "allergens": menu_cells.declaration,
    "cost": menu_cells.price_if_any,
}


def _one_way(text: str) -> str:
    """Without what differs between line endings."""
    return text.replace("\r\n", "\n").replace("\r", "\n").strip()
