"""Reading carts."""

from dataclasses import dataclass
from decimal import Decimal

from restaurant.models import CartLine, TableSession


@dataclass(frozen=True, slots=True)
class Cart:
    """What one phone has chosen."""

    session: TableSession
    lines: list[CartLine]  # with their menu items

    @property
    def count(self) -> int:
        return sum(line.quantity for line in self.lines)

    @property
    def orderable(self) -> list[CartLine]:
        return [line for line in self.lines if line.menu_item.available]

    @property
    def total(self) -> Decimal:
        """Of what can be ordered now."""
        return sum((line.total for line in self.orderable), Decimal("0.00"))


def quantities(session: TableSession, guest: str) -> dict[str, int]:
    """How many of each item the phone has in its cart, by the items' ids: what the menu needs of a cart."""
    lines = CartLine.objects.filter(session=session, guest=guest)
    return {str(item): quantity for item, quantity in lines.values_list("menu_item_id", "quantity")}


def cart(session: TableSession, guest: str) -> Cart:
    lines = CartLine.objects.filter(session=session, guest=guest).select_related("menu_item").order_by("pk")
    return Cart(session, list(lines))
