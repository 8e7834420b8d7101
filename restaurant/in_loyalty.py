"""What loyalty's pages show of the restaurant: see `loyalty.restaurant`."""

import re
from collections.abc import Collection
from decimal import Decimal
from urllib.parse import urlencode

from django.urls import reverse

from loyalty import gateway as loyalty
from restaurant.menu import queries as menu_queries
from restaurant.menu.models import MenuItem
from restaurant.menu.views import menu_sections
from restaurant.ordering.queries.usual import usual_of
from restaurant.reports.queries import placed
from web.windows import Window

MOST_DISHES = 3


class Restaurant(loyalty.Restaurant):
    def usual_dishes(self, member_id: str) -> list[loyalty.Dish]:
        """Those that are on the menu. See "Suggested dishes" in docs/behaviour/restaurant.md."""
        usual = usual_of(member_id)
        if not usual.times:
            return []
        dishes = menu_queries.menu_state().catalogue.dishes
        names = [(dishes[item_id].item.name, times) for item_id, times in usual.times.items() if item_id in dishes]
        return [loyalty.Dish(name, times, usual.orders, _report_of(name)) for name, times in names[:MOST_DISHES]]

    def pictures(self, rewards: Collection[str], *, large: bool) -> dict[str, str]:
        """By these, such as `House Tiramisu and two coffees`, the picture of the dish with the longest name among them.

        Only what is stored here: a reward's page loads nothing from elsewhere.
        See "Rewards list" in docs/behaviour/loyalty.md.
        """
        items = [dish.item for dish in menu_queries.menu_state().catalogue.dishes.values()]
        with_picture = [item for item in items if item.picture and not item.image_url]
        with_picture.sort(key=lambda item: -len(item.name))
        pictures = {reward: _picture_of(reward, with_picture, large=large) for reward in rewards}
        return {reward: picture for reward, picture in pictures.items() if picture}

    def sales(self, window: Window) -> Decimal:
        return placed.total(window).revenue


def _report_of(name: str) -> str:
    """Of all dishes, and in its list this one."""
    return f"{reverse('report_menu')}?{urlencode({'q': name})}#all-title"


def _picture_of(reward: str, items: list[MenuItem], *, large: bool) -> str:
    item = next((item for item in items if _is_named(item.name, reward)), None)
    if item is None:
        return ""
    picture = menu_sections.large_picture(item) if large else menu_sections.list_picture(item)
    return picture.src if picture else ""


def _is_named(name: str, reward: str) -> bool:
    if name.casefold() not in reward.casefold():  # which nearly all are not, and a menu may be long
        return False
    return bool(re.search(rf"(?<!\w){re.escape(name)}(?!\w)", reward, re.IGNORECASE))
