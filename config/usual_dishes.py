"""What a member usually has, for the till, their report and the admin. See "Your usual" in docs/behaviour.md."""

from loyalty.queries.usual_dishes import Dish
from restaurant import queries

MOST = 3


def find(member_id: str) -> list[Dish]:
    """Those that are on the menu."""
    usual = queries.usual_of(member_id)
    if not usual.times:
        return []
    dishes = queries.menu_state().catalogue.dishes
    had = [Dish(dishes[each].item.name, times, usual.orders) for each, times in usual.times.items() if each in dishes]
    return had[:MOST]
