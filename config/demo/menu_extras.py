"""Stations, options and pictures of the demonstration's menu."""

import hashlib
import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path

from django.db.models import Model
from django.utils.text import slugify

from config.demo import chance
from config.demo.menu import APERITIVI, BITES, CELLAR, GRILL, HOT_DRINKS, MENU, PASTA, SIDES, SWEETS
from restaurant.models import (
    Allergen,
    Category,
    ItemOptionGroup,
    MenuItem,
    Option,
    OptionGroup,
    OrderItem,
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


@dataclass(frozen=True, slots=True)
class Extras:
    """Rows of the menu, in the order of their references."""

    stations: list[Station]
    categories: list[Category]
    groups: list[OptionGroup]
    options: list[Option]
    item_groups: list[ItemOptionGroup]
    pairs: list[Model]
    pictures: list[Picture]
    versions: list[PictureVersion]


def make(items: Sequence[MenuItem]) -> Extras:
    """Return the rows, and set the items' pictures."""
    stations = {name: Station(name=name, slug=slugify(name)) for name in _STATIONS}
    station_of = {category: stations[name] for name, categories in _STATIONS.items() for category in categories}
    categories = [Category(name=name, position=number, station=station_of[name]) for number, name in enumerate(MENU, 1)]
    groups = {group.name: _group(group) for group in _GROUPS}
    by_name = {item.name: item for item in items}
    pictures = {name: picture for name in by_name if (picture := _picture(name))}
    for name, versions in pictures.items():
        by_name[name].picture = versions[0].picture
    return Extras(
        stations=list(stations.values()),
        categories=categories,
        groups=list(groups.values()),
        options=[option for group in _GROUPS for option in _options(group, groups[group.name])],
        item_groups=[
            ItemOptionGroup(item=by_name[dish], group=groups[group.name], position=position)
            for position, group in enumerate(_GROUPS)
            for dish in group.dishes
        ],
        pairs=[
            MenuItem.goes_with.through(from_menuitem=by_name[dish], to_menuitem=by_name[other])
            for dish, others in _PAIRS.items()
            for other in others
        ],
        pictures=[versions[0].picture for versions in pictures.values()],
        versions=[version for versions in pictures.values() for version in versions],
    )


def _group(group: Group) -> OptionGroup:
    return OptionGroup(name=group.name, min_choices=group.at_least, max_choices=group.at_most)


def _options(group: Group, row: OptionGroup) -> Iterable[Option]:
    for position, (name, price, contains) in enumerate(group.choices):
        allergens = dict.fromkeys(Allergen.values, Presence.FREE.value)
        allergens |= dict.fromkeys(contains.split(), Presence.CONTAINS.value)
        yield Option(group=row, name=name, price=Decimal(price), position=position, allergens=allergens)


def _picture(dish: str) -> list[PictureVersion]:
    """Return the versions of the dish's picture, the narrowest first; none where it has no picture."""
    versions = []
    for width in (176, 720):
        path = PICTURES / f"{slugify(dish)}-{width}.webp"
        if path.exists():
            data = path.read_bytes()
            digest = hashlib.sha256(data).hexdigest()
            versions.append(
                PictureVersion(width=width, height=width * 3 // 4, digest=digest, content_type="image/webp", data=data)
            )
    if versions:
        widths = [{"width": version.width, "digest": version.digest} for version in versions]
        picture = Picture(width=versions[-1].width, height=versions[-1].height, widths=widths)
        for version in versions:
            version.picture = picture
    return versions


def note_choices(extras: Extras, items: Iterable[OrderItem]) -> None:
    """Set the station of every ordered item, and the options chosen with it, without extra charge."""
    rng = chance.stream("choices")
    station_of = {category.name: category.station for category in extras.categories}
    free: dict[MenuItem, list[list[Option]]] = {}
    for link in extras.item_groups:
        choices = [option for option in extras.options if option.group is link.group and not option.price]
        if link.group.min_choices:
            free.setdefault(link.item, []).append(choices)
    for item in items:
        item.station = station_of[item.menu_item.category]
        item.options = [_chosen(rng, choices) for choices in free.get(item.menu_item, [])]
        item.alert = alerts(item.order.allergies, [item.menu_item.allergens])


def _chosen(rng: random.Random, choices: Sequence[Option]) -> dict[str, str]:
    option = rng.choice(choices)
    return {"id": str(option.pk), "name": option.name, "price": str(option.price)}
