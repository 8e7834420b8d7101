"""Facts about the restaurant that loyalty's pages show. The restaurant registers itself here."""

from collections.abc import Collection, Mapping
from decimal import Decimal
from typing import NamedTuple

from web.windows import Window


class Dish(NamedTuple):
    """A dish that was in `times` of the member's latest `orders`. `report` is the address of the report that has it."""

    name: str
    times: int
    orders: int
    report: str = ""


class Restaurant:
    """A restaurant of which nothing is known."""

    def usual_dishes(self, member_id: str) -> list[Dish]:
        """Return what a member orders most often, the most often ordered first."""
        return []

    def pictures(self, rewards: Collection[str], *, large: bool) -> Mapping[str, str]:
        """Return addresses of pictures, by the items that rewards give."""
        return {}

    def sales(self, window: Window) -> Decimal:
        """Return the sum of what was ordered in it."""
        return Decimal("0.00")


_registered = Restaurant()


def register(restaurant: Restaurant) -> None:
    global _registered  # noqa: PLW0603
    _registered = restaurant


def restaurant() -> Restaurant:
    return _registered
