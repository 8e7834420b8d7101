"""Allergens and diets in words, and what of a dish conflicts with the allergens that a guest goes without."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from restaurant.menu.models import Allergen, Declaration, Diet
from restaurant.menu.queries import Choice, Dish


def names(allergens: Sequence[str]) -> str:
    """Such as `milk, nuts`."""
    return ", ".join(str(Allergen(each).label) for each in allergens)


def named(declared: Mapping[str, str]) -> str:
    """What something contains and may contain, in one line; empty where neither is declared."""
    said = Declaration.of(declared)
    return _capitalized(" · ".join(_has(said.contains, said.may_contain)))


def on_menu(dish: Dish, *, others_say: bool) -> str:
    """As `named`. Beside dishes that say something (`others_say`) silence would read as none: then it says why."""
    said = named(dish.item.allergens)
    if said:
        return said
    if len(dish.item.declaration.free) == len(Allergen.values):
        return _("Allergens depend on your choices") if dish.groups else _("None of the 14 allergens")
    return _("Allergens: ask us") if others_say else ""


def on_choices(choices: Sequence[Choice]) -> list[str]:
    """As `on_menu`, of each; nothing where all are free from everything, as cooking degrees, or none is declared."""
    declared = [each.declaration for each in choices]
    are_free = [len(each.free) == len(Allergen.values) for each in declared]
    if all(are_free) or not any(each.is_declared for each in declared):
        return [""] * len(choices)
    return [
        named(each.allergens) or (_("None of the 14 allergens") if is_free else _("Allergens: ask us"))
        for each, is_free in zip(choices, are_free, strict=True)
    ]


def _has(contains: Sequence[str], may_contain: Sequence[str]) -> list[str]:
    parts = []
    if contains:
        parts.append(_("contains %(allergens)s") % {"allergens": names(contains)})
    if may_contain:
        parts.append(_("may contain %(allergens)s") % {"allergens": names(may_contain)})
    return parts


def diet(value: str) -> str:
    """Such as `vegan`; empty where there is none."""
    return str(Diet(value).label) if value else ""


@dataclass(frozen=True, slots=True)
class Conflict:
    """Those of the guest's allergens that something contains, may contain, or says nothing of."""

    contains: list[str]
    may_contain: list[str]
    not_declared: list[str]
    is_declared: bool  # whether anything is

    @classmethod
    def of(cls, declared: Mapping[str, str], without: Sequence[str]) -> "Conflict":
        said = Declaration.of(declared)
        return cls(
            [each for each in without if each in said.contains],
            [each for each in without if each in said.may_contain],
            [each for each in without if each in said.not_declared],
            said.is_declared,
        )

    @property
    def sentence(self) -> str:
        """Empty without a conflict. What is not declared is one: nobody knows that it is free."""
        parts = _has(self.contains, self.may_contain)
        if self.not_declared and not self.is_declared:
            parts.append(_("allergens not declared – please ask"))
        elif self.not_declared:
            parts.append(_("%(allergens)s not declared – please ask") % {"allergens": names(self.not_declared)})
        return _capitalized(" · ".join(parts))

    @property
    def is_known(self) -> bool:
        """Whether it contains or may contain something, and does not only leave it undeclared."""
        return bool(self.contains or self.may_contain)


def why_apart(dish: Dish, without: Sequence[str]) -> str:
    """Why a guest who goes without these can't simply have the dish; empty if nothing is against it."""
    if not without:
        return ""
    conflict = Conflict.of(dish.item.allergens, without)
    return conflict.sentence or _in_choices(dish, without)


def _in_choices(dish: Dish, without: Sequence[str]) -> str:
    """A group of which something must be chosen, and too little of it is known to be without these."""
    for group in dish.groups:
        conflicts = [Conflict.of(choice.allergens, without) for choice in group.choices]
        against = [each for each in conflicts if each.is_known]
        if group.min > len(conflicts) - len(against):
            found = {allergen for each in against for allergen in (*each.contains, *each.may_contain)}
            allergens = names([each for each in without if each in found])
            return _("“%(group)s” has %(allergens)s") % {"group": group.name, "allergens": allergens}
    return ""


def of_choice(choice: Choice, without: Sequence[str]) -> Conflict:
    return Conflict.of(choice.allergens, without)


def _capitalized(sentence: str) -> str:
    return sentence[:1].upper() + sentence[1:]
