"""What a member usually has, for the till, their report and the admin. See "Your usual" in docs/behaviour.md."""

from urllib.parse import urlencode

from django.urls import reverse

from loyalty.rewards.queries import Dish
from restaurant.menu import queries as menu_queries
from restaurant.ordering import queries as ordering_queries

MOST = 3


def find(member_id: str) -> list[Dish]:
    """Those that are on the menu."""
    usual = ordering_queries.usual_of(member_id)
    if not usual.times:
        return []
    dishes = menu_queries.menu_state().catalogue.dishes
    had = [(dishes[each].item.name, times) for each, times in usual.times.items() if each in dishes]
    return [Dish(name, times, usual.orders, _report(name)) for name, times in had[:MOST]]


def _report(name: str) -> str:
    """Of all dishes, and in its list this one."""
    return f"{reverse('report_menu')}?{urlencode({'q': name})}#all-title"
