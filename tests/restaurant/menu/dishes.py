"""Dishes with options, allergens and pictures, for tests."""

import io
import random
from decimal import Decimal

from PIL import Image

from restaurant.menu.services import menu, pictures
from restaurant.models import Allergen, ItemOptionGroup, MenuItem, Option, OptionGroup, Picture
from tests.conftest import make_item

ALL_FREE = dict.fromkeys(Allergen.values, "free")


def declared(**presence: str) -> dict[str, str]:
    """Everything is declared: these, and the rest as free."""
    return {**ALL_FREE, **presence}


def give_options(
    item: MenuItem, name: str, *choices: tuple[str, str] | str, low: int = 0, high: int = 1, **values
) -> dict[str, Option]:
    """A group of options for the item; by name the choices, which are names or names with prices."""
    group = OptionGroup.objects.create(name=name, min_choices=low, max_choices=high)
    made = {}
    for position, choice in enumerate(choices):
        label, price = choice if isinstance(choice, tuple) else (choice, "0")
        made[label] = Option.objects.create(
            group=group, name=label, price=Decimal(price), position=position, **values.get(label, {})
        )
    ItemOptionGroup.objects.create(item=item, group=group, position=item.item_groups.count())
    return made


def give_picture(item: MenuItem, description: str = "", *, size: tuple[int, int] = (960, 720)) -> None:
    file = io.BytesIO()
    Image.effect_noise(size, 40).convert("RGB").save(file, "JPEG")
    pictures.attach(item, pictures.versions(file), description)


def make_steak() -> tuple[MenuItem, dict[str, Option]]:
    """Done as the guest says, with exactly two sides and up to two extras."""
    steak = make_item("Steak", "24.50", category="Grill", allergens=declared(milk="contains"))
    options = give_options(steak, "How would you like it?", "Rare", "Medium", low=1, high=1)
    options |= give_options(steak, "Sides", "Chips", "Greens", ("Truffle mash", "3.50"), "Slaw", low=2, high=2)
    options |= give_options(steak, "Extras", ("Sauce", "2.00"), ("Egg", "1.50"), ("Butter", "1.00"), high=2)
    return steak, options


def large_menu(count: int) -> list[MenuItem]:
    """Dishes of varied words, each with a picture, allergens, and one of ten groups of options; by few statements."""
    chance = random.Random(1)
    words = [
        "slow",
        "lamb",
        "shoulder",
        "lemon",
        "thyme",
        "roast",
        "potatoes",
        "charred",
        "broccoli",
        "smoked",
        "almonds",
        "burrata",
        "tomato",
        "basil",
        "oil",
        "pickled",
        "fennel",
        "orange",
        "anchovy",
        "butter",
        "wild",
        "mushroom",
        "risotto",
        "aged",
        "parmesan",
        "hazelnut",
        "rocket",
        "pear",
        "walnut",
        "honey",
        "goat",
        "cheese",
        "crisp",
        "sage",
        "squash",
        "ricotta",
        "nutmeg",
        "lime",
        "chilli",
        "prawn",
        "ginger",
        "rice",
        "coconut",
        "spinach",
        "garlic",
        "caper",
        "shallot",
        "veal",
        "cod",
    ]
    made = [
        Picture(
            width=960,
            height=720,
            widths=[{"width": width, "digest": f"{chance.getrandbits(256):064x}"} for width in (176, 360, 720, 960)],
        )
        for _ in range(count)
    ]
    items = [
        MenuItem(
            name=" ".join(chance.sample(words, 3)).capitalize(),
            description=" ".join(chance.sample(words, 9)).capitalize(),
            price=Decimal(chance.randrange(300, 3500)) / 100,
            category=f"Category {number % 12}",
            picture=picture,
            diet=chance.choice(["", "", "vegetarian", "vegan"]),
            allergens=declared(**dict.fromkeys(chance.sample(Allergen.values, 3), "contains")),
        )
        for number, picture in enumerate(Picture.objects.bulk_create(made))
    ]
    groups = OptionGroup.objects.bulk_create(OptionGroup(name=f"Group {number}", max_choices=2) for number in range(10))
    Option.objects.bulk_create(
        Option(group=group, name=f"Choice {number}", allergens=declared()) for group in groups for number in range(6)
    )
    with menu.changing():
        items = MenuItem.objects.bulk_create(items)
        ItemOptionGroup.objects.bulk_create(
            ItemOptionGroup(item=item, group=groups[number % 10]) for number, item in enumerate(items)
        )
    return items
