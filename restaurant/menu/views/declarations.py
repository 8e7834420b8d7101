"""Allergens and diets in words, and the conflicts of a dish with the allergens that a guest goes without."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from restaurant.menu.models import ALLERGENS, Declaration, Diet, allergen_names
from restaurant.menu.queries import Choice, Dish
from web.formats import capfirst, listed


def names(allergens: Iterable[str]) -> str:
    """Return a text such as `milk, nuts`, in the order of `Allergen`."""
    return listed(allergen_names(allergens))


def summary(declared: Mapping[str, str]) -> str:
    """Return in one line what something contains and may contain; empty where neither is declared."""
    declaration = Declaration.of(declared)
    return _line(_statements(declaration.contains, declaration.may_contain))


def summary_of_dish(dish: Dish, *, menu_declares: bool) -> str:
    """Return the summary. Beside dishes that declare something, silence would read as none: then the line says why."""
    line = summary(dish.item.allergens)
    if line:
        return line
    if len(dish.item.declaration.free) == len(ALLERGENS):
        return _("Allergens depend on your choices") if dish.groups else _("None of the 14 allergens")
    return _("Allergens: ask us") if menu_declares else ""


def summaries_of_choices(choices: Sequence[Choice]) -> list[str]:
    """Return a line for each; empty where all are free from everything, as cooking degrees, or none is declared."""
    declarations = [choice.declaration for choice in choices]
    are_free = [len(declaration.free) == len(ALLERGENS) for declaration in declarations]
    if all(are_free) or not any(declaration.is_declared for declaration in declarations):
        return [""] * len(choices)
    return [
        summary(choice.allergens) or (_("None of the 14 allergens") if is_free else _("Allergens: ask us"))
        for choice, is_free in zip(choices, are_free, strict=True)
    ]


def _statements(contains: Sequence[str], may_contain: Sequence[str]) -> list[str]:
    statements = []
    if contains:
        statements.append(_("contains %(allergens)s") % {"allergens": names(contains)})
    if may_contain:
        statements.append(_("may contain %(allergens)s") % {"allergens": names(may_contain)})
    return statements


def _line(statements: Sequence[str]) -> str:
    line = " · ".join(statements)
    return capfirst(line)


def diet(value: str) -> str:
    """Return a text such as `vegan`; empty where there is none."""
    return str(Diet(value).label) if value else ""


@dataclass(frozen=True, slots=True)
class Conflict:
    """The allergens, of those that a guest goes without, that something contains, may contain, or does not declare."""

    contains: list[str]
    may_contain: list[str]
    not_declared: list[str]
    is_declared: bool  # whether any allergen is

    @classmethod
    def of(cls, declared: Mapping[str, str], without: Sequence[str]) -> "Conflict":
        declaration = Declaration.of(declared)
        return cls(
            [allergen for allergen in without if allergen in declaration.contains],
            [allergen for allergen in without if allergen in declaration.may_contain],
            [allergen for allergen in without if allergen in declaration.not_declared],
            declaration.is_declared,
        )

    @property
    def sentence(self) -> str:
        """Empty without a conflict. What is not declared is one: nobody knows that it is free."""
        statements = _statements(self.contains, self.may_contain)
        if self.not_declared and not self.is_declared:
            statements.append(_("allergens not declared – please ask"))
        elif self.not_declared:
            statements.append(_("%(allergens)s not declared – please ask") % {"allergens": names(self.not_declared)})
        return _line(statements)

    @property
    def is_known(self) -> bool:
        """Whether something is contained or may be, and not only undeclared."""
        return bool(self.contains or self.may_contain)


def why_apart(dish: Dish, without: Sequence[str]) -> str:
    """Return why a guest who goes without these can't simply have the dish; empty if nothing is against it."""
    if not without:
        return ""
    return Conflict.of(dish.item.allergens, without).sentence or _conflict_of_choices(dish, without)


def _conflict_of_choices(dish: Dish, without: Sequence[str]) -> str:
    """Return a sentence on a group of which too few choices are without these for what has to be chosen."""
    for group in dish.groups:
        conflicts = [Conflict.of(choice.allergens, without) for choice in group.choices]
        known = [conflict for conflict in conflicts if conflict.is_known]
        if group.min > len(conflicts) - len(known):
            allergens = {allergen for conflict in known for allergen in (*conflict.contains, *conflict.may_contain)}
            return _("“%(group)s” has %(allergens)s") % {"group": group.local_name, "allergens": names(allergens)}
    return ""
