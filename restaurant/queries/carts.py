"""Reading carts."""

import uuid
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

from django.utils import timezone

from restaurant.models import CartLine, MenuItem, TableSession
from restaurant.queries.menu import Catalogue, Choice, MenuState, menu_state
from web.fields import is_uuid


@dataclass(frozen=True, slots=True)
class ChosenItem:
    """A line of a cart. `options`: those that the menu still has."""

    menu_item: MenuItem
    options: list[Choice]
    quantity: int
    special_instructions: str
    available: bool

    @property
    def price(self) -> Decimal:
        """Of one, with its options."""
        return sum((option.price for option in self.options), self.menu_item.price)

    @property
    def total(self) -> Decimal:
        return self.price * self.quantity


@dataclass(frozen=True, slots=True)
class Cart:
    """What one phone has chosen."""

    session: TableSession
    lines: list[ChosenItem]
    menu: MenuState

    @property
    def count(self) -> int:
        return sum(line.quantity for line in self.lines)

    @property
    def quantities(self) -> dict[str, int]:
        """How many of each item, by the items' ids."""
        found: dict[str, int] = {}
        for line in self.lines:
            item = str(line.menu_item.pk)
            found[item] = found.get(item, 0) + line.quantity
        return found

    @property
    def orderable(self) -> list[ChosenItem]:
        return [line for line in self.lines if line.available]

    @property
    def total(self) -> Decimal:
        """Of what can be ordered now."""
        return sum((line.total for line in self.orderable), Decimal("0.00"))


def cart_beside_menu(session: TableSession, guest: str, menu: MenuState, now: datetime) -> Cart:
    """`cart` by one statement: the items are those of the menu in memory."""
    lines = []
    for line in CartLine.objects.filter(session=session, guest=guest).order_by("pk"):
        dish = menu.catalogue.dishes.get(str(line.menu_item_id))
        if dish is not None:
            line.menu_item = dish.item
            lines.append(_chosen(line, menu.catalogue, now))
    return Cart(session, lines, menu)


def cart_line(session: TableSession, guest: str, item_id: str, options: Iterable[str]) -> CartLine | None:
    """The cart's line of this item with the options of these ids."""
    ids = sorted(options)
    if not all(map(is_uuid, (item_id, *ids))):
        return None
    return CartLine.objects.filter(session=session, guest=guest, menu_item=uuid.UUID(item_id), options=ids).first()


def cart(session: TableSession, guest: str) -> Cart:
    lines = CartLine.objects.filter(session=session, guest=guest).select_related("menu_item").order_by("pk")
    menu, now = menu_state(), timezone.now()
    return Cart(session, [_chosen(line, menu.catalogue, now) for line in lines], menu)


def _chosen(line: CartLine, catalogue: Catalogue, now: datetime) -> ChosenItem:
    groups = catalogue.dish(line.menu_item).groups
    wanted = {str(each) for each in line.options}
    options = [choice for group in groups for choice in group.all_choices if choice.id in wanted]
    taken = [sum(choice in options for choice in group.all_choices) for group in groups]
    fits = len(options) == len(wanted) and all(
        group.min <= count <= group.max for group, count in zip(groups, taken, strict=True)
    )
    return ChosenItem(
        menu_item=line.menu_item,
        options=options,
        quantity=line.quantity,
        special_instructions=line.special_instructions,
        available=fits and all(choice.available for choice in options) and catalogue.is_offered(line.menu_item, now),
    )
