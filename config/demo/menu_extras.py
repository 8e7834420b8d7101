"""Stations, options and pictures of the demonstration's menu."""

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path

from django.utils.text import slugify

from config.demo.history import History
from config.demo.menu import APERITIVI, BITES, CELLAR, GRILL, HOT_DRINKS, MENU, PASTA, SIDES, SWEETS
from restaurant.models import (
    Allergen,
    Category,
    ItemOptionGroup,
    MenuItem,
    Option,
    OptionGroup,
    Picture,
    PictureVersion,
    Presence,
    Station,
    alerts,
)

PICTURES = Path(__file__).resolve().parent / "pictures"

_STATIONS = {"Bar": (APERITIVI, HOT_DRINKS, CELLAR), "Grill": (GRILL, SIDES), "Stove": (BITES, PASTA, SWEETS)}


@dataclass(frozen=True, slots=True)
class Group:
    """A group of options: `choices` are names with extra prices and allergens, `dishes` the dishes that have it."""

    name: str
    at_least: int
    at_most: int
    choices: tuple[tuple[str, str, str], ...]
    dishes: tuple[str, ...]


_GROUPS = (
    Group(
        "How would you like it?", 1, 1,
        (("Rare", "0.00", ""), ("Medium rare", "0.00", ""), ("Medium", "0.00", ""), ("Well done", "0.00", "")),
        ("Flat Iron Steak",),
    ),
    Group(
        "Sides with it", 0, 2,
        (("Rosemary potatoes", "4.00", ""), ("Grilled greens", "4.00", ""), ("Leaves & herbs", "3.50", "mustard"),
         ("Romesco sauce", "1.50", "nuts")),
        ("Flat Iron Steak", "Half Chicken al Mattone", "Pork Chop & Fennel", "Whole Sea Bream"),
    ),
    Group(
        "Anything extra?", 0, 3,
        (("Extra pecorino", "1.50", "milk"), ("Chilli oil", "0.50", ""), ("Pasta without gluten", "2.00", "eggs")),
        ("Tagliatelle al Ragu", "Cacio e Pepe", "Crab Linguine", "Orecchiette & Sausage", "Rigatoni alla Norma"),
    ),
    Group(
        "Milk", 1, 1,
        (("Whole milk", "0.00", "milk"), ("Oat milk", "0.40", "gluten"), ("Almond milk", "0.40", "nuts")),
        ("Flat White",),
    ),
)  # fmt: skip


# Suggestions that go well with a dish.
_PAIRS = {
    "Fennel Spritz": ("Nocellara Olives", "Rosemary Focaccia"),
    "Fig Leaf Negroni": ("Nocellara Olives", "Salt Cod Fritters"),
    "Bergamot Highball": ("Chickpea Panisse",),
    "Burrata & Charred Figs": ("Rosemary Focaccia", "House White, Glass"),
    "Half Chicken al Mattone": ("Rosemary Potatoes", "House White, Glass"),
    "Flat Iron Steak": ("House Red, Glass", "Harbour Pale Ale"),
    "Pork Chop & Fennel": ("White Beans & Sage", "House Red, Glass"),
    "Whole Sea Bream": ("Shaved Fennel Salad", "House White, Glass"),
    "Tagliatelle al Ragu": ("Leaves & Herbs", "House Red, Glass"),
    "Crab Linguine": ("House White, Glass",),
    "House Tiramisu": ("Espresso",),
    "Burnt Fig Tart": ("Espresso", "Flat White"),
}


def write(history: History) -> None:
    by_name = {item.name: item for item in history.menu_items}
    for number, name in enumerate(MENU, 1):
        history.categories.append(Category(name=name, position=number))
    for name, categories in _STATIONS.items():
        station = Station(name=name, slug=slugify(name))
        history.stations.append(station)
        for category in history.categories:
            if category.name in categories:
                category.station = station
    for item in history.menu_items:
        _add_picture(history, item)
    for position, group in enumerate(_GROUPS):
        row = OptionGroup(name=group.name, min_choices=group.at_least, max_choices=group.at_most)
        history.option_groups.append(row)
        history.options += _options(group, row)
        history.item_option_groups += [
            ItemOptionGroup(item=by_name[dish], group=row, position=position) for dish in group.dishes
        ]
    history.pairs += [
        MenuItem.goes_with.through(from_menuitem=by_name[dish], to_menuitem=by_name[other])
        for dish, others in _PAIRS.items()
        for other in others
    ]


def _options(group: Group, row: OptionGroup) -> Iterable[Option]:
    for position, (name, price, contains) in enumerate(group.choices):
        allergens = dict.fromkeys(Allergen.values, Presence.FREE.value)
        allergens |= dict.fromkeys(contains.split(), Presence.CONTAINS.value)
        yield Option(group=row, name=name, price=Decimal(price), position=position, allergens=allergens)


def _add_picture(history: History, item: MenuItem) -> None:
    """Add the picture of the dish, if it has one, in two widths."""
    versions = []
    for width in (176, 720):
        path = PICTURES / f"{slugify(item.name)}-{width}.webp"
        if not path.exists():
            return
        data = path.read_bytes()
        digest = hashlib.sha256(data).hexdigest()
        versions.append(
            PictureVersion(width=width, height=width * 3 // 4, digest=digest, content_type="image/webp", data=data)
        )
    widths = [{"width": version.width, "digest": version.digest} for version in versions]
    item.picture = Picture(width=versions[-1].width, height=versions[-1].height, widths=widths)
    for version in versions:
        version.picture = item.picture
    history.pictures.append(item.picture)
    history.picture_versions += versions


def complete_items(history: History) -> None:
    """Set the station of every ordered item, the options chosen with it, without extra charge, and its alert."""
    station_of = {category.name: category.station for category in history.categories}
    free: dict[MenuItem, list[list[Option]]] = {}
    for link in history.item_option_groups:
        if link.group.min_choices:
            choices = [option for option in history.options if option.group is link.group and not option.price]
            free.setdefault(link.item, []).append(choices)
    for item in history.items:
        item.station = station_of[item.menu_item.category]
        chosen = [history.rng.choice(choices) for choices in free.get(item.menu_item, [])]
        item.options = [{"id": str(option.pk), "name": option.name, "price": str(option.price)} for option in chosen]
        item.alert = alerts(item.order.allergies, [item.menu_item.allergens])
