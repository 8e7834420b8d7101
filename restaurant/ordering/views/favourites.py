"""The row above the menu's first category. See "Suggested dishes" in docs/behaviour/restaurant.md."""

from collections import Counter
from collections.abc import Sequence
from datetime import datetime

from restaurant.menu.queries import Catalogue
from restaurant.menu.views.menu_sections import DishOnPage, on_page

AT_MOST, AT_LEAST = 6, 3
OF_A_CATEGORY = 2
SMALL_MENU = 2 * AT_MOST  # dishes: fewer are seen at a glance


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
        fits = shown.id in offered and shown.picture and not shown.why_apart
        if fits and taken[category] < OF_A_CATEGORY:
            taken[category] += 1
            found.append((taken[category], shown))
    found.sort(key=lambda each: each[0])
    return [shown for _place, shown in found[:AT_MOST]] if len(found) >= AT_LEAST else []


USUAL_AT_LEAST = 2


def usual(menu: Catalogue, now: datetime, without: Sequence[str], ids: Sequence[str]) -> list[DishOnPage]:
    """Of the dishes with these ids, the first that this guest can have now and there is a picture of."""
    offered = {str(dish.item.pk): dish for _section, dishes in menu.offered(now) for dish in dishes}
    shown = [on_page(offered[each], without, is_lazy=False) for each in ids if each in offered]
    fitting = [each for each in shown if each.picture and not each.why_apart][:AT_MOST]
    return fitting if len(fitting) >= USUAL_AT_LEAST else []
