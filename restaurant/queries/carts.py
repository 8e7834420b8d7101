"""Reading carts."""

from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

from django.utils import timezone

from restaurant.models import CartLine, MenuItem, TableSession
from restaurant.queries.menu import Catalogue, Choice, MenuState, menu_state


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
    def orderable(self) -> list[ChosenItem]:
        return [line for line in self.lines if line.available]

    @property
    def total(self) -> Decimal:
        """Of what can be ordered now."""
        return sum((line.total for line in self.orderable), Decimal("0.00"))


def quantities(session: TableSession, guest: str) -> dict[str, int]:
    """How many of each item the phone has in its cart, by the items' ids: what the menu needs of a cart."""
    lines = CartLine.objects.filter(session=session, guest=guest)
    found: dict[str, int] = {}
    for item, quantity in lines.values_list("menu_item_id", "quantity"):
        found[str(item)] = found.get(str(item), 0) + quantity
    return found


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
