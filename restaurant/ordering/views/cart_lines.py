"""The lines of the cart's page, with what is wrong with them, and how they fit the guest's allergies, in words."""

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
from restaurant.ordering.queries import Cart, ChosenItem, Problem
from restaurant.ordering.views import cart_form


@dataclass(frozen=True, slots=True)
class Caution:
    """What a line has to do with some of the guest's allergies. `kind`: contains, may_contain or not_declared."""

    kind: str
    sentence: str


@dataclass(frozen=True, slots=True)
class Line:
    """`possible`: how many portions there are for this line, where these are fewer than it has."""

    chosen: ChosenItem
    key: str
    why: str  # it can't be had; else empty
    price_before: Decimal | None  # where it has changed since the page was shown
    left: int | None
    possible: int | None
    cautions: Sequence[Caution]
    picture: PictureLinks | None

    @property
    def options(self) -> str:
        """The form's field."""
        return ",".join(self.chosen.option_ids)


def lines(cart: Cart, *, allergies: Sequence[str], prices_seen: Mapping[str, Decimal]) -> list[Line]:
    """`prices_seen`: by line, as its key names it."""
    now, left = timezone.now(), {each.menu_item.pk: each.menu_item.portions for each in cart.lines}
    found = []
    for each in cart.lines:
        key = cart_form.key_of(str(each.menu_item.pk), each.option_ids)
        portions, possible = left[each.menu_item.pk], None
        if portions is not None and each.available:
            taken = min(each.quantity, portions)
            left[each.menu_item.pk] = portions - taken
            possible = taken if taken < each.quantity else None
        before = prices_seen.get(key)
        line = Line(
            chosen=each,
            key=key,
            why=_why(cart, each, now),
            price_before=before if before != each.price else None,
            left=each.menu_item.portions,
            possible=possible,
            cautions=_cautions(allergies, each),
            picture=_picture(cart, each),
        )
        found.append(line)
    return found


def _picture(cart: Cart, line: ChosenItem) -> PictureLinks | None:
    """The one of the menu's list, which the phone has."""
    dish = cart.menu.catalogue.dishes.get(str(line.menu_item.pk))
    return list_picture(dish.item) if dish else None


def _why(cart: Cart, line: ChosenItem, now: datetime) -> str:
    if line.problem is None:
        return ""
    if line.problem == Problem.SOLD_OUT:
        return _("Just sold out – not included in your order")
    if line.problem == Problem.OUT_OF_HOURS:
        opens = cart.menu.catalogue.category(line.menu_item).window.next_opening(timezone.localtime(now))
        return _("Served again from %(time)s on – not included in your order") % {"time": clock_time(opens)}
    if line.problem == Problem.CHOICE_SOLD_OUT:
        gone = [f"“{choice.name}”" for choice in line.options if not choice.available]
        sentence = ngettext(
            "%(choices)s is no longer available: change or remove. Not included in your order.",
            "%(choices)s are no longer available: change or remove. Not included in your order.",
            len(gone),
        )
        return sentence % {"choices": ", ".join(gone)}
    return _("The choices for this dish have changed: change or remove. Not included in your order.")


# --- allergies ----------------------------------------------------------------------------------------


def _cautions(allergies: Sequence[str], line: ChosenItem) -> list[Caution]:
    if not allergies:
        return []
    said = [line.menu_item.declaration, *(option.declaration for option in line.options)]
    contains = {allergen for each in said for allergen in each.contains}
    may_contain = {allergen for each in said for allergen in each.may_contain} - contains
    unknown = {allergen for each in said for allergen in each.not_declared} - contains - may_contain
    found = [
        Caution("contains", _sentence(_("Contains %(allergens)s"), contains & set(allergies))),
        Caution("may_contain", _sentence(_("May contain %(allergens)s"), may_contain & set(allergies))),
        Caution("not_declared", _sentence(_("Not declared – please ask: %(allergens)s"), unknown & set(allergies))),
    ]
    return [each for each in found if each.sentence]


def _sentence(sentence: str, allergens: set[str]) -> str:
    """Empty without allergens."""
    return sentence % {"allergens": declarations.names(allergens)} if allergens else ""
