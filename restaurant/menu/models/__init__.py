"""The menu's tables."""

from restaurant.menu.models.allergens import ALLERGENS, Allergen, Declaration, Diet, Presence, alerts, allergen_names
from restaurant.menu.models.doneness import Doneness
from restaurant.menu.models.hours import EVERY_DAY, ClosedDay, OpeningHours, Window, days_in_words
from restaurant.menu.models.menu import (
    LAST_COURSE,
    OTHER,
    WITHOUT_PICTURE,
    Category,
    ItemOptionGroup,
    MenuItem,
    MenuVersion,
    add_categories,
    sold_out_at,
)
from restaurant.menu.models.options import Option, OptionGroup
from restaurant.menu.models.pictures import Picture, PictureVersion, picture_path
from restaurant.menu.models.prices import PriceRule
from restaurant.menu.models.sales import SalesDay, SalesOfItem, SalesOfQuarter
from restaurant.menu.models.stations import RESERVED_SLUGS, Station, validate_station_slug
from restaurant.menu.models.words import (
    DRAFTS,
    MAX_TEXT,
    PARTS,
    Worded,
    Words,
    composed,
    language_of_menu,
    local,
    menu_languages,
    reviewed_names,
)
