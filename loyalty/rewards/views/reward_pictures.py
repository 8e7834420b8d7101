"""Pictures of rewards, as far as the restaurant has some of what they are."""

from collections.abc import Iterable, Mapping
from typing import Any

from loyalty.restaurant import restaurant


def of_values(values: Iterable[tuple[str, Any]], *, large: bool = False) -> dict[str, str]:
    """The address of a picture by the reward's id, for those whose `reward_value` names something there is one of."""
    named = {id: str(value["item"]) for id, value in values if isinstance(value, dict) and value.get("item")}
    pictures = restaurant().pictures(set(named.values()), large=large) if named else {}
    return {id: pictures[item] for id, item in named.items() if item in pictures}


def of_rewards(rewards: Iterable[Mapping[str, Any]], *, large: bool = False) -> dict[str, str]:
    return of_values(((reward["id"], reward["reward_value"]) for reward in rewards), large=large)
