"""What the owner has named as going well with a dish. See "Suggested dishes" in docs/behaviour/restaurant.md."""

from collections.abc import Sequence
from datetime import datetime

from restaurant.menu.models import MenuItem
from restaurant.menu.queries import Catalogue
from restaurant.menu.views.menu_sections import DishOnPage, on_page
from restaurant.ordering.queries import Cart

IN_CART = 2  # dishes at most


def of_dish(menu: Catalogue, item: MenuItem, now: datetime, without: Sequence[str]) -> list[DishOnPage]:
    """What guests who go without these can have now."""
    shown = [on_page(dish, without, is_lazy=True) for dish in menu.goes_with(item, now)]
    return [each for each in shown if not each.why_apart]


def of_cart(cart: Cart, now: datetime, without: Sequence[str]) -> list[DishOnPage]:
    """What is not in it already; dishes of the first lines come first."""
    chosen = {str(line.menu_item.pk) for line in cart.lines}
    found: dict[str, DishOnPage] = {}
    for line in cart.orderable:
        for each in of_dish(cart.menu.catalogue, line.menu_item, now, without):
            if each.id not in chosen:
                found.setdefault(each.id, each)
    return list(found.values())[:IN_CART]
