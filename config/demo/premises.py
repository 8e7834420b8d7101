"""The demonstration restaurant's tables, what else is in its rooms, its locations and rewards."""

from typing import Any

from config.demo.history import History
from loyalty.models import Location, Reward
from restaurant.models import RoomFeature, Table

WINDOW, MAIN_ROOM, TERRACE = "Window", "Main room", "Terrace"

# Section -> seats, column, row and shape of its tables, which are numbered from 1 on: a row along the window, and two
# squares that differ.
_TABLES: dict[str, tuple[tuple[int, int, int, str], ...]] = {
    WINDOW: ((2, 1, 1, "round"), (2, 2, 1, "round"), (2, 3, 1, "round"), (4, 4, 1, "square"), (4, 5, 1, "square")),
    MAIN_ROOM: ((4, 1, 1, "square"), (4, 3, 1, "square"), (4, 2, 2, "round"), (6, 1, 3, "long"), (6, 3, 3, "upright")),
    TERRACE: ((2, 2, 1, "round"), (4, 1, 2, "square"), (4, 3, 2, "square"), (6, 2, 3, "long")),
}

# Section, kind, column, row, width, height and text of what else is there.
_FEATURES = (
    (WINDOW, "window", 1, 1, 5, 0, ""),
    (WINDOW, "door", 1, 1, 0, 1, "Entrance"),
    (MAIN_ROOM, "bar", 4, 1, 1, 2, "Bar"),
    (MAIN_ROOM, "label", 1, 2, 1, 1, "Fireplace"),
    (MAIN_ROOM, "door", 4, 3, 0, 1, ""),
    (MAIN_ROOM, "label", 4, 3, 1, 1, "Kitchen"),
    *((TERRACE, "plant", column, row, 1, 1, "") for row in (1, 3) for column in (1, 3)),
    (TERRACE, "wall", 1, 4, 3, 0, "Garden wall"),
)

# Name, address, how much is bought there against the others.
_LOCATIONS = (
    ("Fig & Fennel Orchard Row", "12 Orchard Row, Dublin 8", 6),
    ("Fig & Fennel Market Stall", "Unit 5, Quayside Market, Dublin 1", 1),
)

# Name, description, points, type, value, how often it is chosen against the others.
_REWARDS: tuple[tuple[str, str, int, str, dict[str, Any], int], ...] = (
    ("Coffee on Us", "To stay or to go.", 150, "free_item", {"item": "Espresso, coffee or tea"}, 10),
    (
        "Focaccia for the Table", "Warm, with whipped ricotta, while you choose.",
        300, "free_item", {"item": "Rosemary Focaccia"}, 7,
    ),
    (
        "10% Off Your Bill", "Everything that your table orders on one visit.",
        500, "discount", {"discount_percent": 10}, 6,
    ),
    (
        "Two Spoons, One Tiramisu", "To share, at the end of a meal.",
        650, "free_item", {"item": "House Tiramisu and two coffees"}, 4,
    ),
    (
        "20% Off Your Bill", "Everything that your table orders on one visit.",
        1200, "discount", {"discount_percent": 20}, 3,
    ),
    (
        "Sunday Pasta Class", "Two hours at the long table with our pasta maker, lunch included.",
        3000, "experience", {"item": "Pasta class for two"}, 1,
    ),
)  # fmt: skip


def write(history: History) -> None:
    tables = [(section, *table) for section, tables in _TABLES.items() for table in tables]
    history[Table].extend(
        Table(
            table_number=number,
            section=section,
            capacity=seats,
            plan_column=column,
            plan_row=row,
            plan_shape=shape,
            created_at=history.opened,
        )
        for number, (section, seats, column, row, shape) in enumerate(tables, 1)
    )
    history[RoomFeature].extend(
        RoomFeature(section=section, kind=kind, column=column, row=row, width=width, height=height, text=text)
        for section, kind, column, row, width, height, text in _FEATURES
    )
    history.location_weights = {Location(name=name, address=address): weight for name, address, weight in _LOCATIONS}
    history[Location].extend(history.location_weights)
    for name, text, points, kind, value, weight in _REWARDS:
        reward = Reward(name=name, description=text, points_required=points, reward_type=kind, reward_value=value)
        reward.created_at = history.opened
        history.reward_weights[reward] = weight
    history[Reward].extend(history.reward_weights)
