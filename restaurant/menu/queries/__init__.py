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
from restaurant.menu.queries.stations import WITHOUT_STATION, category_name
