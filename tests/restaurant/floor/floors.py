"""The floor's page, as a waiter reads it."""

import re

from tests.reading import Part, read

WAITING = "Waiting longest for the kitchen"


def floor_of(waiter, query: str = "") -> Part:
    return read(waiter.get(f"/floor{query}"))


def items(page: Part, name: str) -> list[Part]:
    """Those of the list that is called so."""
    found = page.one("list", name)
    return [item for item in found.all("item") if item.element.getparent() is found.element]


def tables(page: Part) -> list[str]:
    """The tables' numbers, in their order on the page."""
    tiles = page.region("Tables").all("link", re.compile(r"^Table \d+"))
    return [tile.name.split()[1] for tile in tiles]


def tile_of(page: Part, number: int) -> Part:
    return page.region("Tables").one("link", re.compile(rf"^Table {number}\b"))


def table_of(waiter, query: str = "") -> Part:
    return read(waiter.get(f"/floor/tables/7{query}"))


def addresses(page: Part) -> set[str]:
    return {address for _name, address in page.links()}
