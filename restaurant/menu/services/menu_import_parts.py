"""What an import changes besides items: groups of options, categories and stations."""

import itertools
import uuid
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from django.core.exceptions import ValidationError
from django.utils.text import capfirst, slugify
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from restaurant.menu.models import RESERVED_SLUGS, Category, ItemOptionGroup, MenuItem, Option, OptionGroup, Station
from restaurant.menu.services import menu_cells, menu_csv, menu_option_cells
from restaurant.menu.services.menu_csv import CATEGORY_COLUMNS, Row
from restaurant.menu.services.menu_option_cells import ChoiceText, GroupText

_LABELS: dict[str, Any] = {
    "options": gettext_lazy("Options"),
    "category_position": gettext_lazy("Position of the category"),
    "category_weekdays": gettext_lazy("Days of the category"),
    "category_hours": gettext_lazy("Hours of the category"),
    "category_station": gettext_lazy("Station of the category"),
    "category_vat_rate": gettext_lazy("VAT of the category in percent"),
}


@dataclass(frozen=True)
class Change:
    column: str  # or what else has changed, in words
    old: str | None  # None for what is new
    new: str

    @property
    def label(self) -> str:
        if self.column in _LABELS:
            return str(_LABELS[self.column])
        if self.column in menu_csv.ITEM_COLUMNS:
            return capfirst(str(MenuItem._meta.get_field(self.column).verbose_name))  # type: ignore[union-attr]
        return self.column


@contextmanager
def as_errors(column: str) -> Iterator[None]:
    """Errors that are raised meanwhile are about this column."""
    try:
        yield
    except ValidationError as error:
        raise ValidationError({column: error.messages}) from error


# --- groups of options --------------------------------------------------------------------------------


@dataclass
class GroupChange:
    row: int  # that describes the group
    group: OptionGroup
    is_new: bool
    choices: tuple[ChoiceText, ...]
    changes: list[Change]

    @property
    def name(self) -> str:
        return self.group.name


def save_groups(changes: list[GroupChange]) -> None:
    """Within `menu.changing`: bulk writes send no signal."""
    OptionGroup.objects.bulk_create(each.group for each in changes if each.is_new)
    changed = [each.group for each in changes if not each.is_new]
    OptionGroup.objects.bulk_update(changed, ["min_choices", "max_choices"], batch_size=500)
    new: list[Option] = []
    kept: list[Option] = []
    for each in changes:
        present = {} if each.is_new else {choice.name: choice for choice in each.group.choices.all()}
        for position, text in enumerate(each.choices, 1):
            choice = _option(text, present.get(text.name) or Option(group=each.group))
            choice.position = position
            (kept if text.name in present else new).append(choice)
    Option.objects.filter(group__in=changed).exclude(pk__in=[choice.pk for choice in kept]).delete()
    Option.objects.bulk_update(kept, ["price", "available", "allergens", "position"], batch_size=500)
    Option.objects.bulk_create(new)


def _option(text: ChoiceText, option: Option) -> Option:
    option.name, option.price, option.available, option.allergens = (
        text.name, text.price, text.available, text.allergens,
    )  # fmt: skip
    return option


class Groups:
    """The groups of the menu, and what the file says of them."""

    def __init__(self) -> None:
        groups = list(OptionGroup.objects.prefetch_related("choices"))
        self.by_key: dict[Any, OptionGroup] = {group.pk: group for group in groups}
        self.present = menu_option_cells.numbered(groups)
        self.references: dict[uuid.UUID, str] = {key: text.reference for key, text in self.present.items()}  # type: ignore[misc]
        self.by_reference = {reference: key for key, reference in self.references.items()}
        self.numbers = {text.name for text in self.present.values() if text.number}
        self.described: dict[uuid.UUID, tuple[int, GroupText]] = {}
        self.parsed: dict[int, list[GroupText]] = {}  # by row
        self.attached: dict[uuid.UUID, list[uuid.UUID]] = defaultdict(list)
        for item, group in ItemOptionGroup.objects.values_list("item_id", "group_id"):
            self.attached[item].append(group)

    def describe(self, row: Row) -> None:
        """Raises ValidationError."""
        self.parsed[row.number] = menu_option_cells.read(row.cells["options"])
        for text in self.parsed[row.number]:
            if text.choices is None:
                if text.bounds is not None:
                    sentence = _("“%(name)s”: after the numbers in brackets, please list the choices.")
                    raise ValidationError(sentence % {"name": text.name})
                continue
            check(text)
            key = self._key(text, is_new=True)
            first, other = self.described.setdefault(key, (row.number, text))
            if (other.bounds, other.choices) != (text.bounds, text.choices):
                sentence = _("Row %(number)d describes “%(name)s” in another way.")
                raise ValidationError(sentence % {"number": first, "name": text.reference})

    def _key(self, text: GroupText, *, is_new: bool = False) -> uuid.UUID:
        """Of the group that is meant. Raises ValidationError."""
        reference = text.reference
        if text.number == 1 and reference not in self.by_reference:
            reference = GroupText(text.name).reference  # the one of this name has no number
        if reference in self.by_reference:
            return self.by_reference[reference]
        if text.number is None and text.name in self.numbers:
            sentence = _("There are several groups named “%(name)s”: write “%(name)s #1” for the first of them.")
            raise ValidationError(sentence % {"name": text.name})
        if not is_new:
            sentence = _("There is no group of options named “%(name)s”. Please list its choices: “%(name)s [0-1]: …”.")
            raise ValidationError(sentence % {"name": text.reference})
        group = OptionGroup(name=text.name, min_choices=0, max_choices=1)
        self.by_key[group.pk] = group
        self.by_reference[text.reference], self.references[group.pk] = group.pk, text.reference
        return group.pk

    def of(self, row: Row) -> list[uuid.UUID]:
        """Those that this row's item has. Raises ValidationError."""
        return [self._key(text) for text in self.parsed.get(row.number, [])]

    def names(self, keys: list[uuid.UUID]) -> str:
        return " | ".join(self.references[key] for key in keys)

    def changes(self) -> list[GroupChange]:
        found = []
        for key, (row, text) in self.described.items():
            present = self.present.get(key)
            group = self.by_key[key]
            bounds = text.bounds or (group.min_choices, group.max_choices)
            changes = _group_changes(present, bounds, text.choices or ())
            if changes or present is None:
                group.min_choices, group.max_choices = bounds
                found.append(GroupChange(row, group, present is None, text.choices or (), changes))
        return found


def _group_changes(present: GroupText | None, bounds: tuple[int, int], choices: tuple[ChoiceText, ...]) -> list[Change]:
    old = {choice.name: choice for choice in (present.choices or ())} if present else {}
    new = {choice.name: choice for choice in choices}
    changes = []
    if present is None or present.bounds != bounds:
        before = f"{present.bounds[0]}–{present.bounds[1]}" if present and present.bounds else None
        changes.append(Change(_("Guests choose"), before, f"{bounds[0]}–{bounds[1]}"))
    for name, choice in new.items():
        if name not in old:
            changes.append(Change(_("New choice"), None, str(choice)))
        elif choice != old[name]:
            changes.append(Change(name, old[name].details, choice.details))
    changes += [Change(_("Without"), str(choice), "") for name, choice in old.items() if name not in new]
    if [name for name in old if name in new] != [name for name in new if name in old]:
        changes.append(Change(_("Order"), ", ".join(old), ", ".join(new)))
    return changes


def check(text: GroupText) -> None:
    """As a form would. Raises ValidationError."""
    bounds = text.bounds or (0, 1)
    group = OptionGroup(name=text.name, min_choices=bounds[0], max_choices=bounds[1])
    group.full_clean(validate_unique=False, validate_constraints=False)
    for choice in text.choices or ():
        try:
            _option(choice, Option()).full_clean(exclude=["group"], validate_unique=False, validate_constraints=False)
        except ValidationError as error:
            raise ValidationError([f"{choice.name}: {each}" for each in error.messages]) from error


# --- categories ---------------------------------------------------------------------------------------


@dataclass
class CategoryChange:
    row: int  # the first one that says so
    category: Category
    is_new: bool
    changes: list[Change] = field(default_factory=list)

    @property
    def name(self) -> str:
        return self.category.name

    def save(self) -> None:
        self.category.save()


class Categories:
    """The categories of the menu, and what the file says of them.

    A cell that is empty leaves it to the other rows of the category. Empty in all of them, it is cleared.
    """

    def __init__(self) -> None:
        self.present = {each.name: each for each in Category.objects.select_related("station")}
        self.stations = {each.name: each for each in Station.objects.all()}
        self.slugs = {each.slug for each in self.stations.values()} | RESERVED_SLUGS
        self.new_stations: list[Station] = []
        self.rows: dict[str, int] = {}
        # By category and column: the number of the row that says it, and what.
        self.said: dict[str, dict[str, tuple[int, Any]]] = defaultdict(dict)

    def add(self, row: Row, category: str) -> None:
        """Raises ValidationError."""
        errors: dict[str, Any] = {}
        for column in CATEGORY_COLUMNS:
            if column not in row.cells:
                continue
            self.rows.setdefault(category, row.number)
            try:
                self._say(row.number, category, column, row.cells[column])
            except ValidationError as error:
                errors[column] = error
        if errors:
            raise ValidationError(errors)

    def _say(self, number: int, category: str, column: str, text: str) -> None:
        value = _READ[column](text)
        first, other = self.said[category].setdefault(column, (number, value))
        if not text:
            return
        if other in _NOTHING:
            self.said[category][column] = (number, value)
        elif other != value:
            sentence = _("Row %(number)d says something else of the category “%(name)s”.")
            raise ValidationError(sentence % {"number": first, "name": category})

    def changes(self) -> list[CategoryChange]:
        found = []
        for name, said in self.said.items():
            is_new = name not in self.present
            category = self.present.get(name) or Category(name=name)
            before = menu_csv.category_cells(category)
            for column, (_number, value) in said.items():
                self._set(category, column, value, before[column])
            after = menu_csv.category_cells(category)
            changes = [
                Change(column, None if is_new else before[column], after[column])
                for column in CATEGORY_COLUMNS
                if before[column] != after[column]
            ]
            if changes:
                found.append(CategoryChange(self.rows[name], category, is_new, changes))
        return found

    def _set(self, category: Category, column: str, value: Any, before: str) -> None:
        if column == "category_hours":
            if menu_cells.write_hours(*value) != before:
                category.opens, category.closes = value
        elif column == "category_weekdays":
            if menu_cells.write_days(value) != before:
                category.weekdays = value
        elif column == "category_station":
            category.station = self._station(value) if value else None
        else:
            setattr(category, column.removeprefix("category_"), value)

    def _station(self, name: str) -> Station:
        if name not in self.stations:
            station = Station(name=name, slug=self._slug(name))
            self.stations[name] = station
            self.slugs.add(station.slug)
            self.new_stations.append(station)
        return self.stations[name]

    def _slug(self, name: str) -> str:
        made = slugify(name)[:40] or "station"
        numbered = (f"{made}-{number}" for number in itertools.count(2))
        return next(each for each in itertools.chain([made], numbered) if each not in self.slugs)


def _station_name(cell: str) -> str:
    if len(cell) > 50:
        raise ValidationError(_("A station's name has at most 50 letters."))
    return cell


def _vat(cell: str) -> Any:
    rate = menu_cells.rate(cell)
    if rate is not None and rate > 100:
        raise ValidationError(_("“%(text)s” is not a VAT rate such as 7 or 7.5.") % {"text": cell})
    return rate


_NOTHING: tuple[Any, ...] = (None, "", [], (None, None))
_READ: dict[str, Any] = {
    "category_position": menu_cells.number,
    "category_weekdays": menu_cells.days,
    "category_hours": menu_cells.hours,
    "category_station": _station_name,
    "category_vat_rate": _vat,
}
