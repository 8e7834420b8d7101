"""What loyalty's pages show of the restaurant, which registers itself here."""

from collections.abc import Collection, Mapping
from datetime import datetime
from decimal import Decimal
from typing import NamedTuple


class Dish(NamedTuple):
    """In how many of the member's latest `orders` it was. `report`: the address of the report that has it."""

    name: str
    times: int
    orders: int
    report: str = ""


class Restaurant:
    """One of which nothing is known."""

    def usual_dishes(self, member_id: str) -> list[Dish]:
        """What a member orders most often, the most often ordered first."""
        return []

    def pictures(self, rewards: Collection[str], *, large: bool) -> Mapping[str, str]:
        """By what a reward is, in words, the address of a picture of it."""
        return {}

    def sales(self, since: datetime, until: datetime) -> Decimal:
        """What was ordered, both ends included."""
        return Decimal("0.00")


_registered = Restaurant()


def register(restaurant: Restaurant) -> None:
    global _registered  # noqa: PLW0603
    _registered = restaurant


def restaurant() -> Restaurant:
    return _registered
