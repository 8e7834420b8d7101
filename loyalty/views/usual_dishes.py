"""What a member usually has. Dishes are the restaurant's: `config` says how they are found."""

from collections.abc import Callable

# A member's id -> names of dishes, the most often had first.
Find = Callable[[str], list[str]]


def _nothing(_member_id: str) -> list[str]:
    return []


_find: Find = _nothing


def find_with(find: Find) -> None:
    global _find  # noqa: PLW0603
    _find = find


def of_member(member_id: str) -> list[str]:
    return _find(member_id)
