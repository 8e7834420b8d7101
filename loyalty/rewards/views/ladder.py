"""The points that rewards cost as steps, and where a member stands."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

STEPS = 6  # as many as stand clear of each other on a phone


@dataclass(frozen=True, slots=True)
class Step:
    points: int
    below: int  # the points of the step below
    rewards: list[str]
    balance: int

    @property
    def to_go(self) -> int:
        return max(self.points - self.balance, 0)

    @property
    def width(self) -> int:
        return self.points - self.below

    @property
    def gained(self) -> int:
        return min(max(self.balance - self.below, 0), self.width)

    @property
    def percent(self) -> int:
        return 100 * self.gained // self.width


@dataclass(frozen=True, slots=True)
class Ladder:
    steps: list[Step]
    here: Step  # the next step, or the last one for whoever is beyond it


def ladder(rewards: Iterable[Mapping[str, Any]], balance: int) -> Ladder | None:
    """Of many steps those around the member's. None where no reward costs anything."""
    names: dict[int, list[str]] = {}
    for each in rewards:
        if each["points_required"] > 0:
            names.setdefault(each["points_required"], []).append(each["name"])
    if not names:
        return None
    points = sorted(names)
    steps = [Step(goal, below, names[goal], balance) for below, goal in zip([0, *points], points, strict=False)]
    reached = sum(each <= balance for each in points)
    first = max(min(reached - STEPS // 2, len(steps) - STEPS), 0)
    return Ladder(steps[first : first + STEPS], steps[min(reached, len(steps) - 1)])
