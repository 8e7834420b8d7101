"""Reading carts."""

import uuid
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from enum import StrEnum

from django.utils import timezone

from restaurant.menu.models import MenuItem
from restaurant.menu.queries import Catalogue, Choice, Dish, MenuState, menu_state
from restaurant.ordering.models import CartLine, TableSession
from web.fields import is_uuid
from web.idempotency import digest_of
from web.money import NOTHING


class Problem(StrEnum):
    """Why a line of a cart can't be ordered."""

    SOLD_OUT = "sold_out"
    OUT_OF_HOURS = "out_of_hours"
    CHOICE_SOLD_OUT = "choice_sold_out"
    CHOICES_CHANGED = "choices_changed"  # the menu asks for others by now


@dataclass(frozen=True, slots=True)
class ChosenItem:
    """A line of a cart. `options` are those that the menu still has, `option_ids` all of them, sorted."""

    menu_item: MenuItem
    options: list[Choice]
    option_ids: list[str]
    quantity: int
    special_instructions: str
    problem: Problem | None
    has_choices: bool  # whether the menu offers some with it

    @property
    def available(self) -> bool:
        return self.problem is None

    @property
    def price(self) -> Decimal:
        """The price of one, with its options."""
        return sum((option.price for option in self.options), self.menu_item.price)

    @property
    def total(self) -> Decimal:
        return self.price * self.quantity


@dataclass(frozen=True, slots=True)
class Cart:
    """The dishes that one phone has chosen."""

    session: TableSession
    lines: list[ChosenItem]
    menu: MenuState

    @property
    def count(self) -> int:
        return sum(line.quantity for line in self.lines)

    @property
    def orderable(self) -> list[ChosenItem]:
        return [line for line in self.lines if line.available]

    @property
    def total(self) -> Decimal:
        """The sum of the lines that can be ordered now."""
        return sum((line.total for line in self.orderable), NOTHING)

    @property
    def version(self) -> str:
        return version_of(
            (line.menu_item.pk, line.option_ids, line.quantity, line.special_instructions) for line in self.lines
        )


def version_of(lines: Iterable[tuple[object, Iterable[object], int, str]]) -> str:
    """The version of a cart with these lines, each an item, options, a quantity and a note: equal for equal carts."""
    return digest_of(*sorted(str([str(item), *map(str, options), count, note]) for item, options, count, note in lines))


def cart_version(session: TableSession, guest: str) -> str:
    lines = CartLine.objects.filter(session=session, guest=guest)
    return version_of(lines.values_list("menu_item", "options", "quantity", "special_instructions"))


def cart_beside_menu(session: TableSession, guest: str, menu: MenuState, now: datetime) -> Cart:
    """The phone's cart by one statement: the items are those of the menu in memory."""
    lines = []
    for line in CartLine.objects.filter(session=session, guest=guest).order_by("pk"):
        dish = menu.catalogue.dishes.get(str(line.menu_item_id))
        if dish is not None:
            line.menu_item = dish.item
            lines.append(_chosen(line, menu.catalogue, now))
    return Cart(session, lines, menu)


def cart_line(session: TableSession, guest: str, item_id: str, options: Iterable[str]) -> CartLine | None:
    """The cart's line of this item with exactly the options of these ids, in lower case."""
    ids = sorted(options)
    if not all(map(is_uuid, (item_id, *ids))):
        return None
    return CartLine.objects.filter(session=session, guest=guest, menu_item=uuid.UUID(item_id), options=ids).first()


def cart_of(session: TableSession, guest: str) -> Cart:
    lines = CartLine.objects.filter(session=session, guest=guest).select_related("menu_item").order_by("pk")
    menu, now = menu_state(), timezone.now()
    return Cart(session, [_chosen(line, menu.catalogue, now) for line in lines], menu)


def _chosen(line: CartLine, catalogue: Catalogue, now: datetime) -> ChosenItem:
    dish = catalogue.dish(line.menu_item)
    wanted = [str(option) for option in line.options]
    options = [choice for group in dish.groups for choice in group.all_choices if choice.id in wanted]
    return ChosenItem(
        menu_item=catalogue.at_price(line.menu_item, now),
        options=options,
        option_ids=wanted,
        quantity=line.quantity,
        special_instructions=line.special_instructions,
        problem=_problem(dish, options, len(wanted), catalogue, now),
        has_choices=bool(dish.groups),
    )


def _problem(dish: Dish, options: list[Choice], wanted: int, catalogue: Catalogue, now: datetime) -> Problem | None:
    """Why the line can't be ordered. `wanted` counts its options, with those that the menu does not have any more."""
    if not dish.is_available_at(now):
        return Problem.SOLD_OUT
    if not catalogue.is_in_hours(dish.item, now):
        return Problem.OUT_OF_HOURS
    if not all(choice.available for choice in options):
        return Problem.CHOICE_SOLD_OUT
    taken = [sum(choice in options for choice in group.all_choices) for group in dish.groups]
    fits = all(group.min <= count <= group.max for group, count in zip(dish.groups, taken, strict=True))
    return None if fits and len(options) == wanted else Problem.CHOICES_CHANGED
