"""Opening times of the demonstration restaurant and its number of parties, in local time."""

import random
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta


@dataclass(frozen=True, slots=True)
class Service:
    """Lunch or dinner: hours of the day at which parties arrive, and minutes that they stay.

    The longest last visit ends before closing.
    """

    first: float
    busiest: float
    last: float
    shortest_visit: int
    longest_visit: int
    is_evening: bool


LUNCH = Service(first=12, busiest=12.75, last=13.75, shortest_visit=40, longest_visit=70, is_evening=False)
DINNER = Service(first=18, busiest=19.5, last=21.25, shortest_visit=60, longest_visit=105, is_evening=True)

# Weekday (Monday is 0, and not here: closed) -> parties at lunch and at dinner.
_PARTIES = {1: (6, 12), 2: (7, 13), 3: (8, 16), 4: (10, 26), 5: (14, 28), 6: (18, 12)}


def is_open(day: date) -> bool:
    return day.weekday() in _PARTIES


def open_day(day: date) -> date:
    """Return that day, or the one before if the restaurant is closed."""
    return day if is_open(day) else day - timedelta(days=1)


def arrivals(rng: random.Random, day: date) -> Iterator[tuple[Service, float]]:
    """Yield the day's parties as service and hour of arrival."""
    for service, parties in zip((LUNCH, DINNER), _PARTIES.get(day.weekday(), ()), strict=False):
        for _ in range(round(parties * rng.uniform(0.85, 1.15))):
            yield service, rng.triangular(service.first, service.last, service.busiest)
