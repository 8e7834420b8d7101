"""The tiles of the start page: pages beside those of the header, with their states."""

from dataclasses import dataclass
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext as _

from config import queries, setup
from restaurant.menu.queries import menu_state, sold_out_items
from restaurant.tables.queries import count_tables
from web import shell
from web.shell import NavItem

MOST_NAMED = 3  # dishes


@dataclass(frozen=True, slots=True)
class StartTile:
    """`state` is a word or a number, or empty."""

    item: NavItem
    about: str
    state: str = ""


def start_tiles(user: Any, left: list[setup.Step]) -> list[StartTile]:
    """Leave out the header's pages without a state, unless that leaves none. `left`: the setup's steps for `user`."""
    tiles = [_tile(item, left) for item in shell.nav_items(user)]
    return [tile for tile in tiles if tile.state or not tile.item.is_main] or tiles


def _tile(item: NavItem, left: list[setup.Step]) -> StartTile:
    if item.name == "sold_out":
        return _sold_out(item)
    if item.name == "table_cards":
        return _table_cards(item)
    state = _("%(count)s left") % {"count": len(left)} if item.name == "setup" and left else ""
    return StartTile(item, item.about, state)


def _sold_out(item: NavItem) -> StartTile:
    names = [item.name for item in sold_out_items(menu_state(), timezone.now())]
    if not names:
        return StartTile(item, _("Everything is available"))
    more = " …" if len(names) > MOST_NAMED else ""
    return StartTile(item, ", ".join(names[:MOST_NAMED]) + more, str(len(names)))


def _table_cards(item: NavItem) -> StartTile:
    printed_at = queries.setup().cards_printed_at
    newer = count_tables(since=printed_at).newer if printed_at else 0
    if not newer:
        return StartTile(item, item.about)
    return StartTile(item, _("Tables added since the cards were printed"), _("%(count)s new") % {"count": newer})
