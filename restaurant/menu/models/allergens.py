"""The 14 allergens of EU regulation 1169/2011, and diets."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from django.core.exceptions import ValidationError
from django.db import models
from django.utils.translation import gettext_lazy as _


class Allergen(models.TextChoices):
    CELERY = "celery", _("celery")
    GLUTEN = "gluten", _("gluten")
    CRUSTACEANS = "crustaceans", _("crustaceans")
    EGGS = "eggs", _("eggs")
    FISH = "fish", _("fish")
    LUPIN = "lupin", _("lupin")
    MILK = "milk", _("milk")
    MOLLUSCS = "molluscs", _("molluscs")
    MUSTARD = "mustard", _("mustard")
    NUTS = "nuts", _("nuts")
    PEANUTS = "peanuts", _("peanuts")
    SESAME = "sesame", _("sesame")
    SOYA = "soya", _("soya")
    SULPHITES = "sulphites", _("sulphites")


class Presence(models.TextChoices):
    CONTAINS = "contains", _("contains")
    MAY_CONTAIN = "may_contain", _("may contain")
    FREE = "free", _("free from")


class Diet(models.TextChoices):
    NONE = "", _("neither")
    VEGETARIAN = "vegetarian", _("vegetarian")
    VEGAN = "vegan", _("vegan")


ALLERGENS = tuple(Allergen.values)  # which takes 50 µs each time it is asked for


def allergen_names(allergens: Iterable[str]) -> list[str]:
    """Return the names in the active language, in the order of `Allergen`."""
    named = set(allergens)
    return [str(label) for value, label in Allergen.choices if value in named] if named else []


def validate_declaration(value: Any) -> None:
    if not isinstance(value, dict) or not set(value) <= set(ALLERGENS):
        raise ValidationError(_("Only the 14 allergens can be declared."))
    if not set(value.values()) <= set(Presence.values):
        raise ValidationError(_("An allergen is contained, may be contained, or is not there."))


def declaration_field() -> "models.JSONField[Any, Any]":
    """Return a field that maps an allergen to its presence; an allergen without a key is not declared."""
    return models.JSONField(_("allergens"), blank=True, default=dict, validators=[validate_declaration])


@dataclass(frozen=True, slots=True)
class Declaration:
    """The allergens of an item or an option by their presence, in the order of `Allergen`."""

    contains: list[str]
    may_contain: list[str]
    free: list[str]

    @classmethod
    def of(cls, declared: Mapping[str, str]) -> "Declaration":
        presences = (Presence.CONTAINS, Presence.MAY_CONTAIN, Presence.FREE)
        return cls(*([key for key in ALLERGENS if declared.get(key) == presence] for presence in presences))

    @property
    def is_declared(self) -> bool:
        return bool(self.contains or self.may_contain or self.free)

    @property
    def not_declared(self) -> list[str]:
        known = {*self.contains, *self.may_contain, *self.free}
        return [allergen for allergen in ALLERGENS if allergen not in known]


def alerts(allergies: Iterable[str], declarations: Iterable[Mapping[str, str]]) -> list[str]:
    """Return the allergies that one of these contains or may contain, in the order of `Allergen`."""
    present = {key for declared in declarations for key, presence in declared.items() if presence != Presence.FREE}
    present.intersection_update(allergies)
    return [allergen for allergen in ALLERGENS if allergen in present]
