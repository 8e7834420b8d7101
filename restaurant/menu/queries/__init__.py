"""Reading the menu."""

from restaurant.menu.queries.availability import (
    FEW,
    MenuAvailability,
    availability,
    portions_left,
    sold_out_items,
    tomorrow,
)
from restaurant.menu.queries.menu import (
    CACHED_FOR,
    Catalogue,
    Choice,
    Dish,
    Group,
    MenuState,
    Section,
    catalogue,
    forget_catalogues,
    item_names,
    menu_state,
    money,
    state,
    versions,
)

__all__ = [
    "CACHED_FOR",
    "FEW",
    "Catalogue",
    "Choice",
    "Dish",
    "Group",
    "MenuAvailability",
    "MenuState",
    "Section",
    "availability",
    "catalogue",
    "forget_catalogues",
    "item_names",
    "menu_state",
    "money",
    "portions_left",
    "sold_out_items",
    "state",
    "tomorrow",
    "versions",
]
