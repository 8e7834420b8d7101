"""The demonstration restaurant's menu, from `menu.csv`, a file that the admin can import.

It has two columns that an import leaves out: `popularity`, how often guests choose a dish against the others of its
category, 0 for never; and `goes_with`, the dishes that are suggested with it.
"""

import csv
import re
from dataclasses import asdict
from decimal import Decimal
from pathlib import Path

from django.utils.text import slugify

from config.demo.branding import read_picture
from config.demo.history import History
from restaurant.menu.services.menu_files.columns import ITEM_COLUMNS
from restaurant.menu.services.menu_files.options_cell import read_groups
from restaurant.models import (
    Category,
    ItemOptionGroup,
    MenuItem,
    Option,
    OptionGroup,
    Picture,
    PictureVersion,
    Station,
)
from web.money import worth

_FOLDER = Path(__file__).resolve().parent
FILE, PICTURES = _FOLDER / "menu.csv", _FOLDER / "pictures"

# VAT as in Ireland: food at the reduced rate, drinks at the standard one, which is in their rows.
DEFAULT_VAT_RATE = Decimal("13.5")


def read() -> list[dict[str, str]]:
    """Return the rows of the file, with prices in the installation's currency."""
    with FILE.open(encoding="utf-8", newline="") as file:
        return [row | {name: _PRICES[name].sub(_worth, row[name]) for name in _PRICES} for row in csv.DictReader(file)]


_PRICES = {"price": re.compile(".+"), "cost": re.compile(".+"), "options": re.compile(r"(?<=\+)[0-9.]+")}


def _worth(euros: re.Match[str]) -> str:
    return str(worth(Decimal(euros[0])))


def write(history: History) -> None:
    dishes = read()
    items = {dish["name"]: _item(dish) for dish in dishes}
    for dish in dishes:
        item = items[dish["name"]]
        item.created_at = history.opened
        history.menu[item.category][item] = int(dish["popularity"])
        _add_picture(history, item)
        _add_options(history, item, dish["options"])
        if dish["category_station"]:  # in the first row of a category
            _add_category(history, dish)
    history[MenuItem].extend(items.values())  # after their pictures, whose ids they have
    history[MenuItem.goes_with.through].extend(
        MenuItem.goes_with.through(from_menuitem=items[dish["name"]], to_menuitem=items[name])
        for dish in dishes
        for name in filter(None, dish["goes_with"].split("; "))
    )


def _item(dish: dict[str, str]) -> MenuItem:
    return MenuItem(**{name: column.read(dish[name]) for name, column in ITEM_COLUMNS.items() if dish.get(name)})


def _add_category(history: History, dish: dict[str, str]) -> None:
    name = dish["category_station"]
    station = next((station for station in history[Station] if station.name == name), None)
    if station is None:
        station = Station(name=name, slug=slugify(name))
        history[Station].append(station)
    position = int(dish["category_position"])
    history[Category].append(Category(name=dish["category"], position=position, station=station))


def _add_options(history: History, item: MenuItem, cell: str) -> None:
    for position, entry in enumerate(read_groups(cell)):
        group = next((group for group in history[OptionGroup] if group.name == entry.name), None)
        if group is None:
            least, most = entry.bounds or (0, 1)
            group = OptionGroup(name=entry.name, min_choices=least, max_choices=most)
            history[OptionGroup].append(group)
            for number, option in enumerate(entry.choices or ()):
                option.group, option.position = group, number
                history[Option].append(option)
        history[ItemOptionGroup].append(ItemOptionGroup(item=item, group=group, position=position))


def _add_picture(history: History, item: MenuItem) -> None:
    """Add the picture of the dish, if it has one, in two widths."""
    versions = [read_picture(path) for path in sorted(PICTURES.glob(f"{slugify(item.name)}-*.webp"))]
    if not versions:
        return
    widths = [{"width": version.width, "digest": version.digest} for version in versions]
    item.picture = Picture(width=versions[-1].width, height=versions[-1].height, widths=widths)
    history[Picture].append(item.picture)
    history[PictureVersion].extend(
        PictureVersion(picture=item.picture, digest=version.digest, **asdict(version)) for version in versions
    )
