"""Facts about the restaurant that loyalty's pages show. The restaurant registers itself here."""

from collections.abc import Collection, Mapping
from datetime import datetime
from decimal import Decimal
from typing import Any, NamedTuple

from web.money import NOTHING
from web.windows import Window


class Dish(NamedTuple):
    """A dish that was in `times` of the member's latest `orders`. `report` is the address of the report that has it."""

    name: str
    times: int
    orders: int
    report: str = ""


class OnBill(NamedTuple):
    """A reward that was taken off a bill: `amount` below zero, and what the bill comes to with it."""

    amount: Decimal
    total: Decimal
    due: Decimal


class AtTable(NamedTuple):
    """Points of a card from a table: given `at`, or to come when the table is closed."""

    table_number: int
    session_id: str
    points: int
    at: datetime | None


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
        return NOTHING

    def use_reward(
        self,
        *,
        code: str,
        name: str,
        value: Any,
        table_number: int | None,
        session_id: str | None,
        user: Any,
        is_used: bool,
    ) -> tuple[OnBill | None, str]:
        """Take what a reward gives off a table's bill, once for its code, and return what that comes to and a sentence.

        A code that `is_used` takes nothing off that it has not taken off already. Called in the transaction that uses
        the code. Raises errors where there is no such table or party.
        """
        return None, ""

    def take_back_reward(self, *, code: str, by: str) -> None:
        """Put back on the bill what the code has taken off it."""

    def points_at_tables(self, member_id: str) -> list[AtTable]:
        """Return what the member's card collects at tables that are open, or were closed lately."""
        return []

    def settle(self, *, member_id: str, session_id: str) -> list[str]:
        """Have the points given that the card collects in this session, and return its orders there."""
        return []

    def merge_cards(self, *, gone: str, kept: str) -> None:
        """Have one card collect what another one did. Called in the transaction that makes one of both."""


_registered = Restaurant()


def register(restaurant: Restaurant) -> None:
    global _registered  # noqa: PLW0603
    _registered = restaurant


def restaurant() -> Restaurant:
    return _registered
