"""The lines of the cart's page, with sentences about problems and about the guest's allergies."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from restaurant.errors import clock_time
from restaurant.menu.views import declarations
from restaurant.menu.views.menu_sections import PictureLinks, list_picture
from restaurant.ordering.queries.carts import Cart, ChosenItem, Problem
from restaurant.ordering.views import cart_form
from web.formats import listed


@dataclass(frozen=True, slots=True)
class Caution:
    """A warning about a line and the guest's allergies. `kind` is contains, may_contain or not_declared."""

    kind: str
    sentence: str


@dataclass(frozen=True, slots=True)
class Line:
    """A line of the cart's page. `possible` are the portions for this line, where these are fewer than its quantity."""

    chosen: ChosenItem
    key: str
    explanation: str  # why it can't be had; else empty
    price_before: Decimal | None  # where it has changed since the page was shown
    possible: int | None
    cautions: Sequence[Caution]
    picture: PictureLinks | None


def lines(cart: Cart, *, allergies: Sequence[str], prices_seen: Mapping[str, Decimal]) -> list[Line]:
    """The cart's lines. `prices_seen` are by the key of a line."""
    now, left = timezone.now(), {chosen.menu_item.pk: chosen.menu_item.portions for chosen in cart.lines}
    lines = []
    for chosen in cart.lines:
        key = cart_form.key_of(str(chosen.menu_item.pk), chosen.option_ids)
        portions, possible = left[chosen.menu_item.pk], None
        if portions is not None and chosen.available:
            taken = min(chosen.quantity, portions)
            left[chosen.menu_item.pk] = portions - taken
            possible = taken if taken < chosen.quantity else None
        before = prices_seen.get(key)
        line = Line(
            chosen=chosen,
            key=key,
            explanation=_explanation(cart, chosen, now),
            price_before=before if before != chosen.price else None,
            possible=possible,
            cautions=_cautions(allergies, chosen),
            picture=_picture(cart, chosen),
        )
        lines.append(line)
    return lines


def _picture(cart: Cart, line: ChosenItem) -> PictureLinks | None:
    """The picture of the menu's list, which the phone has loaded already."""
    dish = cart.menu.catalogue.dishes.get(str(line.menu_item.pk))
    return list_picture(dish.item) if dish else None


def _explanation(cart: Cart, line: ChosenItem, now: datetime) -> str:
    if line.problem is None:
        return ""
    if line.problem == Problem.SOLD_OUT:
        return _("Just sold out – not included in your order")
    if line.problem == Problem.OUT_OF_HOURS:
        opens = cart.menu.catalogue.again_at(line.menu_item, now)
        return _("Served again from %(time)s on – not included in your order") % {"time": clock_time(opens)}
    if line.problem == Problem.CHOICE_SOLD_OUT:
        gone = [f"“{choice.local_name}”" for choice in line.options if not choice.available]
        sentence = ngettext(
            "%(choices)s is no longer available: change or remove. Not included in your order.",
            "%(choices)s are no longer available: change or remove. Not included in your order.",
            len(gone),
        )
        return sentence % {"choices": listed(gone)}
    return _("The choices for this dish have changed: change or remove. Not included in your order.")


# --- allergies ----------------------------------------------------------------------------------------


def _cautions(allergies: Sequence[str], line: ChosenItem) -> list[Caution]:
    if not allergies:
        return []
    declared = [line.menu_item.declaration, *(option.declaration for option in line.options)]
    contains = {allergen for declaration in declared for allergen in declaration.contains}
    may_contain = {allergen for declaration in declared for allergen in declaration.may_contain} - contains
    unknown = {allergen for declaration in declared for allergen in declaration.not_declared} - contains - may_contain
    cautions = [
        Caution("contains", _sentence(_("Contains %(allergens)s"), contains & set(allergies))),
        Caution("may_contain", _sentence(_("May contain %(allergens)s"), may_contain & set(allergies))),
        Caution("not_declared", _sentence(_("Not declared – please ask: %(allergens)s"), unknown & set(allergies))),
    ]
    return [caution for caution in cautions if caution.sentence]


def _sentence(sentence: str, allergens: set[str]) -> str:
    """The sentence with these allergens; empty without any."""
    return sentence % {"allergens": declarations.names(allergens)} if allergens else ""
