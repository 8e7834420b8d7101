"""Dishes with choices, for tests."""

import json
from decimal import Decimal

from restaurant.models import ItemOptionGroup, MenuItem, Option, OptionGroup
from tests.conftest import make_item
from tests.reading import read


def add_group(item: MenuItem, name: str, low: int, high: int, *choices: tuple[str, str]) -> list[Option]:
    """The choices, made of names and extra prices."""
    group = OptionGroup.objects.create(name=name, min_choices=low, max_choices=high)
    made = [
        Option.objects.create(group=group, name=name, price=Decimal(price), position=position)
        for position, (name, price) in enumerate(choices)
    ]
    ItemOptionGroup.objects.create(item=item, group=group, position=item.item_groups.count())
    return made


def make_burger() -> tuple[MenuItem, list[Option], list[Option]]:
    """€14.50, with a choice of how it is done (one) and toppings (up to two)."""
    burger = make_item("Burger", "14.50", category="Grill")
    done = add_group(burger, "How done?", 1, 1, ("Rare", "0"), ("Well done", "0"))
    toppings = add_group(burger, "Toppings", 0, 2, ("Cheese", "1.50"), ("Bacon", "2.00"), ("Egg", "1.20"))
    return burger, done, toppings


def chosen_on(page: str) -> list[dict]:
    """The lines of the phone's cart that the menu's page hands to its script."""
    found = read(page).element.xpath("//script[@id='cart-items']/text()")
    return json.loads(found[0]) if found else []
