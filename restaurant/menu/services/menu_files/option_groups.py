"""The groups of options that an import adds and changes."""

import uuid
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from restaurant.menu.models import Option, OptionGroup, menu_languages
from restaurant.menu.services.menu_files import local_words
from restaurant.menu.services.menu_files.columns import label_of
from restaurant.menu.services.menu_files.options_cell import (
    GroupEntry,
    choice_details,
    choice_text,
    names_text,
    quoted,
    read_groups,
    read_names,
    references_of,
)
from restaurant.menu.services.menu_files.plans import Change, GroupChange
from web.imports.table import Row


@contextmanager
def _errors_of_column(column: str = "options") -> Iterator[None]:
    try:
        yield
    except ValidationError as error:
        raise ValidationError({column: error.messages}) from error


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
        # Names in other languages, by language and place (0 for the group's own), with the row that has them.
        self.names_of: dict[OptionGroup, dict[tuple[str, int], tuple[str, Row]]] = {}

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

    def with_ids(self, keys: Iterable[uuid.UUID]) -> list[OptionGroup]:
        return [self.by_reference[self.references[key]] for key in keys]

    def read_names(self, row: Row, groups: list[OptionGroup]) -> None:
        """Read what the groups of the row, and their choices, are called in other languages. Raises ValidationError."""
        for code in menu_languages():
            if row.cells.get(f"options:{code}"):
                with _errors_of_column(f"options:{code}"):
                    self._read_names(row, code, groups)

    def _read_names(self, row: Row, code: str, groups: list[OptionGroup]) -> None:
        named = read_names(row.cells[f"options:{code}"])
        if len(named) != len(groups):
            sentence = _("The item has another number of groups: %(number)d, not %(found)d.")
            raise ValidationError(sentence % {"number": len(groups), "found": len(named)})
        for group, (name, *others) in zip(groups, named, strict=True):
            number = len(self._choices(group))
            if others and len(others) != number:
                sentence = _("“%(name)s” has another number of choices: %(number)d, not %(found)d.")
                raise ValidationError(sentence % {"name": group, "number": number, "found": len(others)})
            known = self.names_of.setdefault(group, {})
            for place, text in enumerate((name, *others)):
                first, first_row = known.get((code, place), ("", row))
                if text and first and text != first:
                    sentence = _("Row %(number)d describes “%(name)s” in another way.")
                    raise ValidationError(sentence % {"number": first_row.number, "name": group})
                known[code, place] = (first, first_row) if first else (text, row)

    def _choices(self, group: OptionGroup) -> list[Option]:
        if group in self.described:
            return self.described[group][1].choices or []
        return list(group.choices.all())

    def names(self, keys: Iterable[uuid.UUID]) -> str:
        return " | ".join(self.references[key] for key in keys)

    def changes(self) -> list[GroupChange]:
        changes = []
        for group in {**self.described, **self.names_of}:
            row, entry = self.described.get(group) or (next(iter(self.names_of[group].values()))[1], None)
            is_new, choices = group._state.adding, self._choices(group)
            bounds = (entry and entry.bounds) or (group.min_choices, group.max_choices)
            group_changes = _changes(group, bounds, choices, is_new=is_new)
            group_changes += self._name_changes(group, choices, is_new=is_new)
            if group_changes:
                group.min_choices, group.max_choices = bounds
                changes.append(GroupChange(row, group, is_new, group_changes, choices))
        return changes

    def _name_changes(self, group: OptionGroup, choices: list[Option], *, is_new: bool) -> list[Change]:
        """Give the group and its choices their words, which a choice keeps as long as its name."""
        old = {} if is_new else {choice.name: choice.words for choice in group.choices.all()}
        changes: list[Change] = []
        for choice in choices:
            choice.words = old.get(choice.name, {})
        for code in menu_languages():
            before = names_text(group, choices, code)
            rows: list[OptionGroup | Option] = [group, *choices]
            for place, each in enumerate(rows):
                if found := self.names_of.get(group, {}).get((code, place)):
                    each.words = local_words.changed(each.words, code, "name", found[0])
            after = names_text(group, choices, code)
            if after != before:
                changes.append(Change(label_of(f"options:{code}"), None if is_new else before, after))
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
        update_fields=["min_choices", "max_choices", "words"],
    )
    Option.objects.filter(pk__in=removed).delete()
    Option.objects.bulk_create(
        choices,
        update_conflicts=True,
        unique_fields=["group", "name"],
        update_fields=["price", "available", "allergens", "position", "words"],
    )
