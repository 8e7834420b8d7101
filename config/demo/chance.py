"""Random choices from a fixed seed. Nothing here is secret: passwords and codes come from `secrets`."""

import random
from collections.abc import Mapping
from typing import TypeVar

Choice = TypeVar("Choice")

SEED = "Fig & Fennel"


def stream(name: str) -> random.Random:
    """Return a generator for one subject, so that a change of one subject does not change the others."""
    return random.Random(f"{SEED}: {name}")


def pick(rng: random.Random, weights: Mapping[Choice, float]) -> Choice:
    return rng.choices(list(weights), list(weights.values()))[0]


def pick_several(rng: random.Random, weights: Mapping[Choice, float], count: int) -> list[Choice]:
    """Pick up to `count` different choices, none with weight 0."""
    left = {choice: weight for choice, weight in weights.items() if weight > 0}
    chosen: list[Choice] = []
    while left and len(chosen) < count:
        chosen.append(pick(rng, left))
        del left[chosen[-1]]
    return chosen


def distribute(rng: random.Random, portions: int, shares: int) -> list[int]:
    """Distribute `portions` over `shares`, at least one each."""
    counts = [1] * shares
    for _ in range(portions - shares):
        counts[rng.randrange(shares)] += 1
    return counts
