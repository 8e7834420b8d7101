"""Dishes that a page suggests. See "Suggested dishes" in docs/behaviour/restaurant.md."""

from collections import Counter
from collections.abc import Sequence
from datetime import datetime
from operator import itemgetter

from restaurant.menu.models import MenuItem
from restaurant.menu.queries import Catalogue
from restaurant.menu.views.menu_sections import DishOnPage, on_page
from restaurant.ordering.queries.carts import Cart

IN_CART = 2  # dishes at most that go well with what is in a cart
FAVOURITES, FEWEST_FAVOURITES = 6, 3
OF_A_CATEGORY = 2
SMALL_MENU = 2 * FAVOURITES  # dishes: fewer are seen at a glance
FEWEST_USUAL = 2


def beside_dish(menu: Catalogue, item: MenuItem, now: datetime, without: Sequence[str]) -> list[DishOnPage]:
    """The dishes that go well with it by the owner's word, and that guests without these allergens can have now."""
    shown = [on_page(dish, without, is_lazy=True) for dish in menu.goes_with(item, now)]
    return [dish for dish in shown if not dish.why_apart]


def beside_cart(cart: Cart, now: datetime, without: Sequence[str]) -> list[DishOnPage]:
    """The dishes that go well with those of the cart and are not in it; those for the first lines come first."""
    chosen = {line.menu_item.pk for line in cart.lines}
    dishes = (
        dish
        for line in cart.orderable
        for dish in beside_dish(cart.menu.catalogue, line.menu_item, now, without)
        if dish.item.pk not in chosen
    )
    return list({dish.item.pk: dish for dish in dishes}.values())[:IN_CART]


def favourites(menu: Catalogue, now: datetime, without: Sequence[str]) -> list[DishOnPage]:
    """The most ordered dishes that this guest can have now and that have a picture.

    The best of each category come first, then the second best. Empty where there are too few.
    """
    offered = {str(dish.item.pk) for _section, dishes in menu.offered(now) for dish in dishes}
    if len(offered) < SMALL_MENU:
        return []
    ranked: list[tuple[int, DishOnPage]] = []
    taken: Counter[str] = Counter()
    for dish in menu.most_ordered:
        category, shown = dish.item.category_name, on_page(menu.priced(dish, now), without, is_lazy=False)
        fits = str(shown.item.pk) in offered and shown.picture and not shown.why_apart
        if fits and taken[category] < OF_A_CATEGORY:
            taken[category] += 1
            ranked.append((taken[category], shown))
    ranked.sort(key=itemgetter(0))
    return [dish for _rank, dish in ranked[:FAVOURITES]] if len(ranked) >= FEWEST_FAVOURITES else []


def usual(menu: Catalogue, now: datetime, without: Sequence[str], ids: Sequence[str]) -> list[DishOnPage]:
    """The first dishes with these ids that this guest can have now and that have a picture."""
    offered = {str(dish.item.pk): dish for _section, dishes in menu.offered(now) for dish in dishes}
    shown = [on_page(offered[item_id], without, is_lazy=False) for item_id in ids if item_id in offered]
    fitting = [dish for dish in shown if dish.picture and not dish.why_apart][:FAVOURITES]
    return fitting if len(fitting) >= FEWEST_USUAL else []
