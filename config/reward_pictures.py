"""Pictures of rewards: those of the dishes that they name. See "Rewards list" in docs/behaviour.md."""

import re
from collections.abc import Collection

from restaurant.menu import queries as menu_queries
from restaurant.menu.models import MenuItem
from restaurant.menu.views import menu_sections


def find(words: Collection[str], large: bool) -> dict[str, str]:
    """By these, such as `House Tiramisu and two coffees`, the picture of the dish with the longest name among them.

    Only what is stored here: a reward's page loads nothing from elsewhere.
    """
    items = [dish.item for dish in menu_queries.menu_state().catalogue.dishes.values()]
    pictured = sorted((each for each in items if each.picture and not each.image_url), key=lambda each: -len(each.name))
    found = {each: _of(each, pictured, large=large) for each in words}
    return {each: picture for each, picture in found.items() if picture}


def _of(words: str, items: list[MenuItem], *, large: bool) -> str:
    item = next((each for each in items if _is_named(each.name, words)), None)
    if item is None:
        return ""
    picture = menu_sections.large_picture(item) if large else menu_sections.list_picture(item)
    return picture.src if picture else ""


def _is_named(name: str, words: str) -> bool:
    if name.casefold() not in words.casefold():  # which nearly all are not, and a menu may be long
        return False
    return bool(re.search(rf"(?<!\w){re.escape(name)}(?!\w)", words, re.IGNORECASE))
