"""What a member usually has. Dishes are the restaurant's: `config` says how they are found."""

from collections.abc import Callable
from typing import NamedTuple


class Dish(NamedTuple):
    """In how many of the member's latest `orders` it was. `report`: the address of the report that has it."""

    name: str
    times: int
    orders: int
    report: str = ""


# A member's id -> the dishes most often had first.
Find = Callable[[str], list[Dish]]


def _nothing(_member_id: str) -> list[Dish]:
    return []


_find: Find = _nothing


def find_with(find: Find) -> None:
    global _find  # noqa: PLW0603
    _find = find


def of_member(member_id: str) -> list[Dish]:
    return _find(member_id)
