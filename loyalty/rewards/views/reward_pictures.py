"""Pictures of what rewards are. Dishes are the restaurant's: `config` says how they are found."""

from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any

# What a reward is, in words -> the address of a picture: a small one, or a large one.
Find = Callable[[Collection[str], bool], Mapping[str, str]]


def _nowhere(_words: Collection[str], _large: bool) -> Mapping[str, str]:
    return {}


_find: Find = _nowhere


def find_with(find: Find) -> None:
    global _find  # noqa: PLW0603
    _find = find


def of_values(values: Iterable[tuple[str, Any]], *, large: bool = False) -> dict[str, str]:
    """The address of a picture by the reward's id, for those whose `reward_value` names something there is one of."""
    named = {each: str(value["item"]) for each, value in values if isinstance(value, dict) and value.get("item")}
    found = _find(set(named.values()), large) if named else {}
    return {each: found[item] for each, item in named.items() if item in found}


def of_rewards(rewards: Iterable[Mapping[str, Any]], *, large: bool = False) -> dict[str, str]:
    return of_values(((each["id"], each["reward_value"]) for each in rewards), large=large)
