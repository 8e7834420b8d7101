"""Pictures of what rewards are. Dishes are the restaurant's: `config` says how they are found."""

from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any

Find = Callable[[Collection[str]], Mapping[str, str]]  # what a reward is, in words -> the address of a picture


def _nowhere(_words: Collection[str]) -> Mapping[str, str]:
    return {}


_find: Find = _nowhere


def find_with(find: Find) -> None:
    global _find  # noqa: PLW0603
    _find = find


def of_values(values: Iterable[tuple[str, Any]]) -> dict[str, str]:
    """The address of a picture by the reward's id, for those whose `reward_value` names something there is one of."""
    named = {each: str(value["item"]) for each, value in values if isinstance(value, dict) and value.get("item")}
    found = _find(set(named.values())) if named else {}
    return {each: found[item] for each, item in named.items() if item in found}


def of_rewards(rewards: Iterable[Mapping[str, Any]]) -> dict[str, str]:
    return of_values((each["id"], each["reward_value"]) for each in rewards)
