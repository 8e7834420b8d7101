"""The demonstration restaurant's tables, rooms, cash drawer, locations and rewards, most of it from `premises.json`.

`weight` is how often a location or a reward is chosen against the others.
"""

import json
from itertools import count
from pathlib import Path
from typing import Any

from config.demo.history import History
from loyalty.models import Location, Reward
from restaurant.models import CashDrawer, RoomFeature, Table

FILE = Path(__file__).with_name("premises.json")


def write(history: History) -> None:
    premises, numbers = json.loads(FILE.read_text()), count(1)
    history[Table].extend(
        Table(table_number=next(numbers), section=section, created_at=history.opened, **table)
        for section, tables in premises["tables"].items()
        for table in tables
    )
    history[RoomFeature].extend(
        RoomFeature(section=section, **feature)
        for section, features in premises["features"].items()
        for feature in features
    )
    history[CashDrawer].append(CashDrawer(name="Till"))
    history.location_weights = {Location(**row): weight for weight, row in _weighted(premises["locations"])}
    history[Location].extend(history.location_weights)
    history.reward_weights = {
        Reward(created_at=history.opened, **row): weight for weight, row in _weighted(premises["rewards"])
    }
    history[Reward].extend(history.reward_weights)


def _weighted(rows: list[dict[str, Any]]) -> list[tuple[int, dict[str, Any]]]:
    return [(row.pop("weight"), row) for row in rows]
