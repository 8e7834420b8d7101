"""Importing the menu from a file: a plan to confirm, carried out as it was confirmed or not at all."""

import unicodedata
import uuid
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from restaurant.menu.models import OTHER, ItemOptionGroup, MenuItem, add_categories
from restaurant.menu.services import menu
from restaurant.menu.services.menu_files import local_words, option_groups
from restaurant.menu.services.menu_files.categories import Categories
from restaurant.menu.services.menu_files.columns import ITEM_COLUMNS, LOCAL_WORDS, item_cells, label_of
from restaurant.menu.services.menu_files.option_groups import OptionGroups
from restaurant.menu.services.menu_files.plans import Change, ItemChange, Plan, Refusal, changed_cells
from web.imports.reading import PlanHasChanged
from web.imports.table import Row


@dataclass(frozen=True, slots=True)
class Allowed:
    """What the person who imports may do."""

    add: bool = True
    change: bool = True
    categories: bool = True
    options: bool = True


def carry_out(rows: list[Row], *, fingerprint: str, allowed: Allowed) -> Plan:
    """Do what the plan with this fingerprint says. Raises PlanHasChanged."""
    with menu.changing():
        current = plan(rows, allowed=allowed)
        if current.refusals or current.fingerprint != fingerprint:
            raise PlanHasChanged
        for station in current.new_stations:
            station.save()
        for category in current.categories:
            category.instance.save()
        option_groups.save(current.groups)
        MenuItem.objects.bulk_create(current.new_items)
        MenuItem.objects.bulk_update(current.changed_items, ITEM_COLUMNS.keys() - {"id"} | {"words"}, batch_size=500)
        add_categories([*current.new_items, *current.changed_items])
        _attach_groups(current.items)
    return current


def _attach_groups(changes: list[ItemChange]) -> None:
    """Give the items their groups of options, in the order of the file."""
    groups = {change.instance: change.groups for change in changes if change.groups is not None}
    ItemOptionGroup.objects.filter(item__in=groups).delete()
    ItemOptionGroup.objects.bulk_create(
        ItemOptionGroup(item=item, group=group, position=position)
        for item, of_item in groups.items()
        for position, group in enumerate(of_item, 1)
    )


def plan(rows: list[Row], *, allowed: Allowed) -> Plan:
    """Return what the rows would change."""
    return _Planner(allowed).plan(rows)


class _Planner:
    def __init__(self, allowed: Allowed) -> None:
        self.allowed = allowed
        self.items, self.groups, self.categories = _Items(), OptionGroups(), Categories()
        self.result = Plan()

    def plan(self, rows: list[Row]) -> Plan:
        plan = self.result
        rows = self._with_one_spelling(rows)
        for row in rows:
            with self._refusing(row):
                self.groups.read(row)
        refused = {refusal.row.number for refusal in plan.refusals}
        for row in rows:
            if row.number not in refused:
                with self._refusing(row):
                    self._plan_row(row)
        plan.refusals.sort(key=lambda refusal: refusal.row.number)
        plan.groups, plan.categories = self.groups.changes(), self.categories.changes()
        plan.new_stations = self.categories.new_stations
        named = {change.instance.category_name for change in plan.items}
        known = [*self.categories.on_menu]
        new = sorted(named - {*known, OTHER})
        plan.new_categories = {name: "".join(get_close_matches(name, known, n=1)) for name in new}
        self._refuse_what_is_not_allowed()
        return plan

    def _with_one_spelling(self, rows: list[Row]) -> list[Row]:
        """Return the rows with their categories as the menu spells them, or else the first row."""
        on_menu = self.categories.on_menu
        spellings = {" ".join(_one_way(name).casefold().split()): name for name in on_menu}
        spelled = []
        for row in rows:
            name = row.cells.get("category", "")
            kept = name if name in on_menu else spellings.setdefault(" ".join(name.casefold().split()), name)
            if kept != name:
                self.result.spellings[name] = kept
            spelled.append(row if kept == name else Row(row.number, {**row.cells, "category": kept}))
        return spelled

    @contextmanager
    def _refusing(self, row: Row) -> Iterator[None]:
        try:
            yield
        except ValidationError as error:
            self.result.refusals.append(Refusal(row, _sentences(error)))

    def _plan_row(self, row: Row) -> None:
        """Raises ValidationError."""
        item = self.items.of_row(row)
        change = self._change(row, item)
        self.categories.read(row, item.category_name)
        if change is None:
            self.result.unchanged += 1
        elif change.is_new and not self.allowed.add:
            raise ValidationError(_("You may not add items to the menu."))
        elif not change.is_new and not self.allowed.change:
            raise ValidationError(_("You may not change items of the menu."))
        else:
            self.result.items.append(change)

    def _change(self, row: Row, item: MenuItem) -> ItemChange | None:
        """Set the row's columns. None if that changes nothing. Raises ValidationError."""
        is_new = item._state.adding
        old_groups = [] if is_new else [attached.group_id for attached in item.item_groups.all()]
        groups = self.groups.of_row(row) if "options" in row.cells else None
        self.groups.read_names(row, self.groups.with_ids(old_groups) if groups is None else groups)
        if groups is not None and [group.pk for group in groups] == old_groups:
            groups = None
        before = item_cells(item)
        errors = _set_columns(item, row.cells, before, self.categories)
        after = item_cells(item)
        if not is_new and not errors and before == after and groups is None:
            return None
        _validate(item, errors)
        if is_new:
            shown = {column: text for column, text in after.items() if column not in {"id", "name"}}
            changes = changed_cells(None, shown)
        else:
            changes = changed_cells(before, after)
        if groups is not None:
            old = None if is_new else self.groups.names(old_groups)
            changes.append(Change(label_of("options"), old, self.groups.names(group.pk for group in groups)))
        return ItemChange(row, item, is_new, changes, groups)

    def _refuse_what_is_not_allowed(self) -> None:
        plan = self.result
        if not self.allowed.options:
            sentence = _("You may not change options.")
            plan.refusals += [Refusal(change.row, [sentence]) for change in plan.groups]
        if not self.allowed.categories:
            sentence = _("You may not change categories.")
            plan.refusals += [Refusal(change.row, [sentence]) for change in plan.categories]


def _sentences(error: ValidationError) -> list[str]:
    if not hasattr(error, "error_dict"):
        return list(error.messages)
    errors = error.message_dict.items()
    return [f"{label_of(column)}: {sentence}" for column, sentences in errors for sentence in sentences]


# --- the item of a row --------------------------------------------------------------------------------


class _Items:
    """The items on the menu, found by id, or by name and category."""

    def __init__(self) -> None:
        self.by_id = {
            item.pk: item for item in MenuItem.objects.select_related("station").prefetch_related("item_groups")
        }
        self.by_name: defaultdict[tuple[str, str], list[MenuItem]] = defaultdict(list)
        for item in self.by_id.values():
            self.by_name[_one_way(item.name), item.category].append(item)
        self.rows: dict[object, int] = {}  # the number of the row that names an item

    def of_row(self, row: Row) -> MenuItem:
        """Return the item that the row names, an unsaved one if the menu has none. Raises ValidationError."""
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


def _set_columns(
    item: MenuItem, cells: dict[str, str], before: dict[str, str], categories: Categories
) -> dict[str, Any]:
    """Set what differs from the cells before, so that what no cell shows, such as seconds, stays. Return the errors."""
    errors: dict[str, Any] = {}
    for name, text in cells.items():
        is_same = name not in before or _one_way(text) == _one_way(before[name])
        if is_same or name == "id" or (name == "available" and not text):
            continue
        column, _colon, code = name.partition(":")
        try:
            if code:
                part = local_words.ITEM_PARTS[column]
                item.words = local_words.changed(item.words, code, part, LOCAL_WORDS.read(text))
                continue
            value = ITEM_COLUMNS[name].read(text)
            setattr(item, name, categories.station(value) if name == "station" else value)
        except ValidationError as error:
            errors[name] = error
    return errors


def _one_way(text: str) -> str:
    """Return the text with one kind of line endings, and of accents."""
    return unicodedata.normalize("NFC", text).replace("\r\n", "\n").replace("\r", "\n").strip()


def _validate(item: MenuItem, errors: dict[str, Any]) -> None:
    """Validate the item as a form would, but without a query. Raises ValidationError, of these errors too."""
    if item.price is None and "price" not in errors:
        errors["price"] = _("A price is needed, such as 9.50.")
    try:
        item.full_clean(exclude={*errors, "picture", "station"}, validate_unique=False, validate_constraints=False)
    except ValidationError as error:
        errors |= error.error_dict
    if errors:
        raise ValidationError(errors)
