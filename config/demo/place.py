"""The demonstration restaurant's name, tables, locations and rewards.

`serve` reads the name before there are any settings: nothing here may need Django.
"""

from typing import Any

VENUE_NAME = "Fig & Fennel"
ADDRESS = "12 Orchard Row\nDublin 8"
VAT_NUMBER = "IE1234567T"
PHONE = "+353 1 555 0142"  # a number that belongs to nobody

WINDOW, MAIN_ROOM, TERRACE = "Window", "Main room", "Terrace"

# Section -> seats of its tables. Tables are numbered from 1 on, in this order.
SECTIONS: dict[str, tuple[int, ...]] = {
    WINDOW: (2, 2, 2, 4, 4),
    MAIN_ROOM: (4, 4, 4, 6, 6),
    TERRACE: (2, 4, 4, 6),
}

# Section -> column and row of these tables on its plan: a row along the window, and two squares that differ.
PLACES: dict[str, tuple[tuple[int, int], ...]] = {
    WINDOW: ((1, 1), (2, 1), (3, 1), (4, 1), (5, 1)),
    MAIN_ROOM: ((1, 1), (3, 1), (2, 2), (1, 3), (3, 3)),
    TERRACE: ((2, 1), (1, 2), (3, 2), (2, 3)),
}

# How gladly guests sit there.
SECTION_APPEAL = {WINDOW: 1.4, MAIN_ROOM: 1.0, TERRACE: 0.8}

# Name, address, how much is bought there against the others.
LOCATIONS = (
    ("Fig & Fennel Orchard Row", "12 Orchard Row, Dublin 8", 6),
    ("Fig & Fennel Market Stall", "Unit 5, Quayside Market, Dublin 1", 1),
)

# Name, what it is, points, type, value, how often it is chosen against the others.
REWARDS: tuple[tuple[str, str, int, str, dict[str, Any], int], ...] = (
    (
        "Coffee on Us", "To stay or to go.",
        150, "free_item", {"item": "Espresso, coffee or tea"}, 10,
    ),
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
