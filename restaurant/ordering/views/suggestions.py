"""Dishes that a page suggests. See "Suggested dishes" in docs/behaviour/restaurant.md."""

from collections import Counter
from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from restaurant.menu.models import MenuItem
from restaurant.menu.queries import Catalogue
from restaurant.menu.views.menu_sections import DishOnPage, on_page
from restaurant.ordering.queries import Cart

IN_CART = 2  # dishes at most that go well with what is in a cart
FAVOURITES, FEWEST_FAVOURITES = 6, 3
OF_A_CATEGORY = 2
SMALL_MENU = 2 * FAVOURITES  # dishes: fewer are seen at a glance
FEWEST_USUAL = 2


def beside_dish(menu: Catalogue, item: MenuItem, now: datetime, without: Sequence[str]) -> list[DishOnPage]:
    """What the owner has named as going well with it, and guests who go without these can have now."""
    shown = [on_page(dish, without, is_lazy=True) for dish in menu.goes_with(item, now)]
    return [each for each in shown if not each.why_apart]


def beside_cart(cart: Cart, now: datetime, without: Sequence[str]) -> list[DishOnPage]:
    """As `beside_dish`, what is not in it already; dishes of the first lines come first."""
    chosen = {line.menu_item.pk for line in cart.lines}
    found: dict[UUID, DishOnPage] = {}
    for line in cart.orderable:
        for each in beside_dish(cart.menu.catalogue, line.menu_item, now, without):
            if each.item.pk not in chosen:
                found.setdefault(each.item.pk, each)
    return list(found.values())[:IN_CART]


def favourites(menu: Catalogue, now: datetime, without: Sequence[str]) -> list[DishOnPage]:
    """What guests order most, of what this one can have now and there is a picture of: the best of each category, then
    the second best. Empty where there is too little.
    """
    offered = {str(dish.item.pk) for _section, dishes in menu.offered(now) for dish in dishes}
    if len(offered) < SMALL_MENU:
        return []
    found: list[tuple[int, DishOnPage]] = []
    taken: Counter[str] = Counter()
    for dish in menu.most_ordered:
        category, shown = dish.item.category_name, on_page(dish, without, is_lazy=False)
        fits = str(shown.item.pk) in offered and shown.picture and not shown.why_apart
        if fits and taken[category] < OF_A_CATEGORY:
            taken[category] += 1
            found.append((taken[category], shown))
    found.sort(key=lambda each: each[0])
    return [shown for _place, shown in found[:FAVOURITES]] if len(found) >= FEWEST_FAVOURITES else []


def usual(menu: Catalogue, now: datetime, without: Sequence[str], ids: Sequence[str]) -> list[DishOnPage]:
    """Of the dishes with these ids, the first that this guest can have now and there is a picture of."""
    offered = {str(dish.item.pk): dish for _section, dishes in menu.offered(now) for dish in dishes}
    shown = [on_page(offered[each], without, is_lazy=False) for each in ids if each in offered]
    fitting = [each for each in shown if each.picture and not each.why_apart][:FAVOURITES]
    return fitting if len(fitting) >= FEWEST_USUAL else []
