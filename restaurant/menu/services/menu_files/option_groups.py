"""The groups of options that an import adds and changes."""

import uuid
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from restaurant.menu.models import Option, OptionGroup
from restaurant.menu.services.menu_files.csv_file import Row
from restaurant.menu.services.menu_files.options_cell import (
    GroupEntry,
    choice_details,
    choice_text,
    quoted,
    read_groups,
    references_of,
)
from restaurant.menu.services.menu_files.plans import Change, GroupChange


@contextmanager
def _errors_of_column() -> Iterator[None]:
    try:
        yield
    except ValidationError as error:
        raise ValidationError({"options": error.messages}) from error


class OptionGroups:
    """The groups of the menu, and those that the rows of a file describe.

    All rows are read before the first asks for its groups: it may refer to one that a later row describes.
    """

    def __init__(self) -> None:
        groups = list(OptionGroup.objects.prefetch_related("choices"))
        self.references = references_of(groups)
        self.by_reference = {self.references[group.pk]: group for group in groups}
        self.numbered_names = {group.name for group in groups if quoted(group.name) not in self.by_reference}
        self.entries: dict[int, list[GroupEntry]] = {}  # by row
        self.described: dict[OptionGroup, tuple[Row, GroupEntry]] = {}  # with the first row that does

    @_errors_of_column()
    def read(self, row: Row) -> None:
        """Raises ValidationError."""
        self.entries[row.number] = read_groups(row.cells.get("options", ""))
        for entry in self.entries[row.number]:
            if entry.choices is not None:
                self._describe(row, entry, entry.choices)
            elif entry.bounds is not None:
                sentence = _("“%(name)s”: after the numbers in brackets, please list the choices.")
                raise ValidationError(sentence % {"name": entry.name})

    def _describe(self, row: Row, entry: GroupEntry, choices: list[Option]) -> None:
        """Raises ValidationError."""
        _validate(entry, choices)
        first_row, first = self.described.setdefault(self._group(entry, may_add=True), (row, entry))
        first_choices = map(choice_text, first.choices or ())
        if first.bounds != entry.bounds or list(first_choices) != list(map(choice_text, choices)):
            sentence = _("Row %(number)d describes “%(name)s” in another way.")
            raise ValidationError(sentence % {"number": first_row.number, "name": entry.reference})

    def _group(self, entry: GroupEntry, *, may_add: bool = False) -> OptionGroup:
        """Return the group that is meant. Raises ValidationError."""
        reference = entry.reference
        if entry.number == 1 and reference not in self.by_reference:
            reference = quoted(entry.name)  # the only one of this name has no number
        if reference in self.by_reference:
            return self.by_reference[reference]
        if entry.number is None and entry.name in self.numbered_names:
            sentence = _("There are several groups named “%(name)s”: write “%(name)s #1” for the first of them.")
            raise ValidationError(sentence % {"name": entry.name})
        if not may_add:
            sentence = _("There is no group of options named “%(name)s”. Please list its choices: “%(name)s [0-1]: …”.")
            raise ValidationError(sentence % {"name": entry.reference})
        group = OptionGroup(name=entry.name)
        self.by_reference[entry.reference], self.references[group.pk] = group, entry.reference
        return group

    @_errors_of_column()
    def of_row(self, row: Row) -> list[OptionGroup]:
        """Return the groups that the row names. Raises ValidationError."""
        return [self._group(entry) for entry in self.entries[row.number]]

    def names(self, keys: Iterable[uuid.UUID]) -> str:
        return " | ".join(self.references[key] for key in keys)

    def changes(self) -> list[GroupChange]:
        changes = []
        for group, (row, entry) in self.described.items():
            is_new, choices = group._state.adding, entry.choices or []
            bounds = entry.bounds or (group.min_choices, group.max_choices)
            group_changes = _changes(group, bounds, choices, is_new=is_new)
            if group_changes:
                group.min_choices, group.max_choices = bounds
                changes.append(GroupChange(row, group, is_new, group_changes, choices))
        return changes


def _validate(entry: GroupEntry, choices: list[Option]) -> None:
    """Validate the group as a form would. Raises ValidationError."""
    least, most = entry.bounds or (0, 1)
    group = OptionGroup(name=entry.name, min_choices=least, max_choices=most)
    group.full_clean(validate_unique=False, validate_constraints=False)
    for choice in choices:
        try:
            choice.full_clean(exclude=["group"], validate_unique=False, validate_constraints=False)
        except ValidationError as error:
            raise ValidationError([f"{choice.name}: {message}" for message in error.messages]) from error


def _changes(group: OptionGroup, bounds: tuple[int, int], choices: list[Option], *, is_new: bool) -> list[Change]:
    old = {} if is_new else {choice.name: choice for choice in group.choices.all()}
    new = {choice.name: choice for choice in choices}
    changes = []
    if is_new or bounds != (group.min_choices, group.max_choices):
        before = None if is_new else f"{group.min_choices}–{group.max_choices}"
        changes.append(Change(_("Guests choose"), before, f"{bounds[0]}–{bounds[1]}"))
    for name, choice in new.items():
        if name not in old:
            changes.append(Change(_("New choice"), None, choice_text(choice)))
        elif choice_text(choice) != choice_text(old[name]):
            changes.append(Change(name, choice_details(old[name]), choice_details(choice)))
    changes += [Change(_("Without"), choice_text(choice), "") for name, choice in old.items() if name not in new]
    if [name for name in old if name in new] != [name for name in new if name in old]:
        changes.append(Change(_("Order"), ", ".join(old), ", ".join(new)))
    return changes


def save(changes: list[GroupChange]) -> None:
    """Must be called within `menu.changing`: bulk writes send no signal."""
    choices, removed = [], []
    for change in changes:
        names = {choice.name for choice in change.choices}
        if not change.is_new:
            removed += [choice.pk for choice in change.instance.choices.all() if choice.name not in names]
        for position, choice in enumerate(change.choices, 1):
            choice.group, choice.position = change.instance, position
            choices.append(choice)
    OptionGroup.objects.bulk_create(
        [change.instance for change in changes],
        update_conflicts=True,
        unique_fields=["id"],
        update_fields=["min_choices", "max_choices"],
    )
    Option.objects.filter(pk__in=removed).delete()
    Option.objects.bulk_create(
        choices,
        update_conflicts=True,
        unique_fields=["group", "name"],
        update_fields=["price", "available", "allergens", "position"],
    )
