"""The demonstration restaurant's name, tables, locations and rewards.

`serve` reads the name before there are any settings: nothing here may need Django.
"""

from typing import Any

VENUE_NAME = "Fig & Fennel"
ADDRESS = "12 Orchard Row\nDublin 8"
VAT_NUMBER = "IE1234567T"
PHONE = "+353 1 555 0142"  # a number that belongs to nobody

WINDOW, MAIN_ROOM, TERRACE = "Window", "Main room", "Terrace"

# Section -> seats, column, row and shape of its tables, which are numbered from 1 on: a row along the window, and two
# squares that differ.
TABLES: dict[str, tuple[tuple[int, int, int, str], ...]] = {
    WINDOW: ((2, 1, 1, "round"), (2, 2, 1, "round"), (2, 3, 1, "round"), (4, 4, 1, "square"), (4, 5, 1, "square")),
    MAIN_ROOM: ((4, 1, 1, "square"), (4, 3, 1, "square"), (4, 2, 2, "round"), (6, 1, 3, "long"), (6, 3, 3, "upright")),
    TERRACE: ((2, 2, 1, "round"), (4, 1, 2, "square"), (4, 3, 2, "square"), (6, 2, 3, "long")),
}

# Section -> kind, column, row, width, height and text of what else is there.
FEATURES: dict[str, tuple[tuple[str, int, int, int, int, str], ...]] = {
    WINDOW: (("window", 1, 1, 5, 0, ""), ("door", 1, 1, 0, 1, "Entrance")),
    MAIN_ROOM: (
        ("bar", 4, 1, 1, 2, "Bar"),
        ("label", 1, 2, 1, 1, "Fireplace"),
        ("door", 4, 3, 0, 1, ""),
        ("label", 4, 3, 1, 1, "Kitchen"),
    ),
    TERRACE: (
        ("plant", 1, 1, 1, 1, ""),
        ("plant", 3, 1, 1, 1, ""),
        ("plant", 1, 3, 1, 1, ""),
        ("plant", 3, 3, 1, 1, ""),
        ("wall", 1, 4, 3, 0, "Garden wall"),
    ),
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
