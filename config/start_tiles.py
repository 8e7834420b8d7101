"""The tiles of the start page: where to go besides the header's places, each with its state."""

from dataclasses import dataclass
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext as _

from config import queries, setup
from restaurant.menu.queries import menu_state, sold_out_items
from restaurant.tables.queries import count_tables
from web import shell
from web.shell import Place

MOST_NAMED = 3  # dishes


@dataclass(frozen=True, slots=True)
class StartTile:
    """`state`, in a word or a number, is empty where there is none to tell."""

    place: Place
    about: str
    state: str = ""


def start_tiles(user: Any, left: list[setup.Step]) -> list[StartTile]:
    """A place of the header only with a state; where that leaves none, all. `left`: steps of the setup, for `user`."""
    tiles = [_tile(place, left) for place in shell.places(user)]
    return [tile for tile in tiles if tile.state or not tile.place.is_main] or tiles


def _tile(place: Place, left: list[setup.Step]) -> StartTile:
    if place.name == "sold_out":
        return _sold_out(place)
    if place.name == "table_cards":
        return _table_cards(place)
    state = _("%(count)s left") % {"count": len(left)} if place.name == "setup" and left else ""
    return StartTile(place, place.about, state)


def _sold_out(place: Place) -> StartTile:
    names = [item.name for item in sold_out_items(menu_state(), timezone.now())]
    if not names:
        return StartTile(place, _("Everything is available"))
    more = " …" if len(names) > MOST_NAMED else ""
    return StartTile(place, ", ".join(names[:MOST_NAMED]) + more, str(len(names)))


def _table_cards(place: Place) -> StartTile:
    printed_at = queries.setup().cards_printed_at
    newer = count_tables(since=printed_at).newer if printed_at else 0
    if not newer:
        return StartTile(place, place.about)
    return StartTile(place, _("Tables added since the cards were printed"), _("%(count)s new") % {"count": newer})
