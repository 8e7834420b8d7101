"""Importing the menu from a file: a plan to confirm, carried out as it was confirmed or not at all."""

import hashlib
import json
import re
import uuid
from collections import defaultdict
from dataclasses import astuple, dataclass, field
from decimal import Decimal
from typing import Any

from django.core.exceptions import ValidationError
from django.utils.text import capfirst
from django.utils.translation import gettext as _

from restaurant.models import MenuItem
from restaurant.services import menu, menu_csv
from restaurant.services.menu_csv import Row

_PRICES = (
    r"[0-9]+([.,][0-9]{1,2})?",
    r"[0-9]{1,3}(,[0-9]{3})+\.[0-9]{2}",
    r"[0-9]{1,3}(\.[0-9]{3})+,[0-9]{2}",
)


class MenuHasChanged(Exception):
    """The file would not change what was confirmed."""


@dataclass(frozen=True)
class Change:
    column: str
    old: str | None  # None for a new item
    new: str

    @property
    def label(self) -> str:
        return _label(self.column)


@dataclass(frozen=True)
class ItemChange:
    """A row that adds or changes an item, which is not saved yet."""

    number: int
    item: MenuItem
    is_new: bool
    changes: list[Change]


@dataclass(frozen=True)
class Refusal:
    """A row that can't be imported."""

    number: int
    name: str
    sentences: list[str]


@dataclass
class Plan:
    changes: list[ItemChange] = field(default_factory=list)
    refusals: list[Refusal] = field(default_factory=list)
    unchanged: int = 0

    @property
    def new_items(self) -> list[MenuItem]:
        return [each.item for each in self.changes if each.is_new]

    @property
    def changed_items(self) -> list[MenuItem]:
        return [each.item for each in self.changes if not each.is_new]

    @property
    def fingerprint(self) -> str:
        """Equal for plans that change the same items in the same way."""
        rows = [(row.number, "" if row.is_new else row.item.pk, *map(astuple, row.changes)) for row in self.changes]
        return hashlib.sha256(json.dumps(rows, default=str).encode()).hexdigest()


def carry_out(rows: list[Row], *, fingerprint: str, may_add: bool, may_change: bool) -> Plan:
    """Do what the plan with this fingerprint says. Raises MenuHasChanged."""
    with menu.changing():
        current = plan(rows, may_add=may_add, may_change=may_change)
        if current.refusals or current.fingerprint != fingerprint:
            raise MenuHasChanged
        MenuItem.objects.bulk_create(current.new_items)
        MenuItem.objects.bulk_update(current.changed_items, menu_csv.COLUMNS[1:], batch_size=500)
    return current


def plan(rows: list[Row], *, may_add: bool, may_change: bool) -> Plan:
    """What the rows would change."""
    items = _Items()
    result = Plan()
    for row in rows:
        try:
            change = _change(row, items.of(row))
            if change and not (may_add if change.is_new else may_change):
                raise ValidationError(
                    _("You may not add items to the menu.") if change.is_new
                    else _("You may not change items of the menu.")
                )  # fmt: skip
        except ValidationError as error:
            result.refusals.append(Refusal(row.number, row.cells.get("name", ""), _sentences(error)))
        else:
            if change:
                result.changes.append(change)
            else:
                result.unchanged += 1
    return result


def _sentences(error: ValidationError) -> list[str]:
    if not hasattr(error, "error_dict"):
        return list(error.messages)
    return [f"{_label(column)}: {each}" for column, messages in error.message_dict.items() for each in messages]


def _label(column: str) -> str:
    return capfirst(str(MenuItem._meta.get_field(column).verbose_name))  # type: ignore[union-attr]


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


def _change(row: Row, item: MenuItem) -> ItemChange | None:
    """Set the row's columns. None if that changes nothing. Raises ValidationError."""
    is_new = item._state.adding
    before = menu_csv.cells(item)
    errors = _assign(item, row.cells)
    after = menu_csv.cells(item)
    if not is_new and not errors and before == after:
        return None
    _validate(item, errors)
    if is_new:
        shown = set(menu_csv.COLUMNS) - {"id", "name"}
        changes = [Change(column, None, text) for column, text in after.items() if text and column in shown]
    else:
        changes = [Change(column, before[column], text) for column, text in after.items() if text != before[column]]
    return ItemChange(row.number, item, is_new, changes)


def _validate(item: MenuItem, errors: dict[str, Any]) -> None:
    """As a form would, without a query for each row. Raises ValidationError."""
    if item.price is None and "price" not in errors:
        errors["price"] = _("A price is needed, such as 9.50.")
    try:
        item.full_clean(exclude=set(errors), validate_unique=False, validate_constraints=False)
    except ValidationError as error:
        errors |= error.error_dict
    if errors:
        raise ValidationError(errors)


def _assign(item: MenuItem, cells: dict[str, str]) -> dict[str, Any]:
    """The errors by column."""
    errors: dict[str, Any] = {}
    for column, text in cells.items():
        try:
            if column == "price":
                item.price = _price(text)
            elif column == "available":
                item.available = _yes_or_no(text, item.available)
            elif column != "id" and _one_way(text) != _one_way(getattr(item, column)):
                setattr(item, column, text)
        except ValidationError as error:
            errors[column] = error
    return errors


def _price(cell: str) -> Decimal:
    """Accepts `9.50` and `9,50`, and refuses what could be read in two ways."""
    text = "".join(cell.split())
    if not text:
        raise ValidationError(_("A price is needed, such as 9.50."))
    if not any(re.fullmatch(each, text, re.ASCII) for each in _PRICES):
        raise ValidationError(_("“%(text)s” is not a price such as 9.50 or 9,50.") % {"text": cell[:40]})
    whole, cents = re.fullmatch(r"(.*?)(?:[.,]([0-9]{1,2}))?", text).groups()  # type: ignore[union-attr]
    return Decimal(re.sub("[.,]", "", whole) + "." + (cents or "").ljust(2, "0"))


def _yes_or_no(cell: str, default: bool) -> bool:
    text = cell.casefold()
    if text in {"yes", "true", "1", _("yes").casefold()}:
        return True
    if text in {"no", "false", "0", _("no").casefold()}:
        return False
    if text:
        raise ValidationError(_("“%(text)s” is neither yes nor no.") % {"text": cell[:40]})
    return default


def _one_way(text: str) -> str:
    """Without what differs between line endings."""
    return text.replace("\r\n", "\n").replace("\r", "\n").strip()
