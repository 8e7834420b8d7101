"""The orders of a party."""

import random
from collections.abc import Mapping
from dataclasses import dataclass

from config.demo import chance
from config.demo.menu import APERITIVI, BITES, CELLAR, GRILL, HOT_DRINKS, PASTA, SIDES, SWEETS
from restaurant.models import MenuItem

Menu = Mapping[str, Mapping[MenuItem, int]]

MOST_LINES = 6

_WISHES = {
    APERITIVI: ("No ice, please", "Easy on the bitters"),
    BITES: ("Nut allergy at the table", "Please bring it with the mains", "No walnuts, please"),
    GRILL: ("Medium rare, please", "Well done", "Sauce on the side", "No anchovy butter", "Cut it for sharing, please"),
    PASTA: ("No chilli, please", "Child's portion if you can", "Extra pecorino", "No cheese, please"),
    SIDES: ("No garlic, please", "Dressing on the side"),
    SWEETS: ("Two spoons, please", "It's a birthday: a candle if you have one!"),
    HOT_DRINKS: ("Oat milk, please", "Decaf", "Extra hot"),
    CELLAR: ("No ice", "With a slice of lemon", "Room temperature, please"),
}
_WISH_CHANCE = 0.07


@dataclass(slots=True)
class Line:
    item: MenuItem
    quantity: int
    special_instructions: str = ""


def _choose(rng: random.Random, menu: Menu, category: str, portions: int, kinds: int) -> list[Line]:
    """Choose `portions` from one category, of at most `kinds` different items."""
    items = chance.pick_several(rng, menu[category], min(kinds, portions))
    return [
        Line(item, quantity, rng.choice(_WISHES[category]) if rng.random() < _WISH_CHANCE else "")
        for item, quantity in zip(items, chance.distribute(rng, portions, len(items)), strict=True)
    ]


def meal(rng: random.Random, menu: Menu, *, guests: int, evening: bool) -> list[Line]:
    """Return the main order: a main course for each guest, with drinks, starters and sides."""
    from_grill = sum(rng.random() < (0.5 if evening else 0.3) for _ in range(guests))
    lines: list[Line] = []
    if from_grill:
        lines += _choose(rng, menu, GRILL, from_grill, 2)
    if from_grill < guests:
        lines += _choose(rng, menu, PASTA, guests - from_grill, 2)
    lines += _choose(rng, menu, APERITIVI if evening and rng.random() < 0.4 else CELLAR, guests, 2)
    if rng.random() < (0.65 if evening else 0.35):
        lines += _choose(rng, menu, BITES, (guests + 1) // 2, 2)
    if rng.random() < 0.45:
        lines += _choose(rng, menu, SIDES, (guests + 1) // 2, 1)
    return lines[:MOST_LINES]


def another_drink(rng: random.Random, menu: Menu, *, guests: int) -> list[Line]:
    return _choose(rng, menu, CELLAR, rng.randint(1, guests), 2)


def last_course(rng: random.Random, menu: Menu, *, guests: int, evening: bool) -> list[Line]:
    """Return sweets, coffee, or both."""
    sweets = _choose(rng, menu, SWEETS, rng.randint(1, guests), 2) if rng.random() < (0.75 if evening else 0.4) else []
    if sweets and rng.random() < 0.4:
        return sweets
    return sweets + _choose(rng, menu, HOT_DRINKS, rng.randint(1, guests), 3)
