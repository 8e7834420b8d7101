"""Opening times of the demonstration restaurant and its number of parties, in local time."""

import random
from dataclasses import dataclass
from datetime import date, timedelta


@dataclass(frozen=True, slots=True)
class Service:
    """Lunch or dinner. Times are hours of the day, visits minutes. The longest last visit ends before closing."""

    first: float
    busiest: float
    last: float
    shortest_visit: int
    longest_visit: int
    is_evening: bool


LUNCH = Service(first=12, busiest=12.75, last=13.75, shortest_visit=40, longest_visit=70, is_evening=False)
DINNER = Service(first=18, busiest=19.5, last=21.25, shortest_visit=60, longest_visit=105, is_evening=True)

# Weekday (Monday is 0, and not here: closed) -> parties at a service.
PARTIES: dict[int, dict[Service, int]] = {
    1: {LUNCH: 6, DINNER: 12},
    2: {LUNCH: 7, DINNER: 13},
    3: {LUNCH: 8, DINNER: 16},
    4: {LUNCH: 10, DINNER: 26},
    5: {LUNCH: 14, DINNER: 28},
    6: {LUNCH: 18, DINNER: 12},
}


def is_open(day: date) -> bool:
    return day.weekday() in PARTIES


def open_day(day: date) -> date:
    """Return that day, or the one before if the restaurant is closed."""
    return day if is_open(day) else day - timedelta(days=1)


def arrivals(rng: random.Random, day: date) -> list[tuple[Service, float]]:
    """Return the day's parties as service and hour of arrival, earliest first."""
    coming = [
        (service, rng.triangular(service.first, service.last, service.busiest))
        for service, parties in PARTIES.get(day.weekday(), {}).items()
        for _ in range(round(parties * rng.uniform(0.85, 1.15)))
    ]
    return sorted(coming, key=lambda arrival: arrival[1])
