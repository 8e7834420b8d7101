"""What plots and the product's own parts on /design are drawn with: a table's evening that never was."""

from datetime import timedelta
from decimal import Decimal
from typing import Any
from uuid import UUID

from django.utils import timezone

from loyalty import rules
from loyalty.views import points_on_pages
from restaurant.views import order_page
from restaurant.views.floor_tiles import Tile
from web import venue

# For plots, as `web/reporting.py` makes tables.
PLOTS: dict[str, dict[str, Any]] = {
    "hours": {
        "title": "Sales by hour",
        "columns": [
            {"label": "Hour"},
            {"label": "Today", "kind": "money"},
            {"label": "A week before", "kind": "money"},
        ],
        "rows": [["12:00", 240, 310], ["14:00", 130, 180], ["18:00", 380, 260], ["19:00", 720, 690]],
    },
    "dishes": {
        "title": "Top dishes",
        "columns": [{"label": "Dish"}, {"label": "Revenue", "kind": "money"}, {"label": "Sold", "kind": "number"}],
        "rows": [["Burrata", 246.5, 17], ["Crab linguine", 288, 12], ["Affogato", 58.5, 9]],
    },
    "week": {
        "title": "Orders by hour and weekday",
        "columns": [{"label": "Hour"}, *({"label": day} for day in ("Tue", "Wed", "Thu", "Fri", "Sat"))],
        "rows": [["12:00", 4, 6, 8, 12, 21], ["13:00", 9, 7, 11, 18, 26], ["19:00", 14, 16, 22, 33, 44]],
    },
}


def samples() -> dict[str, Any]:
    steps = order_page.steps()
    return {
        "dishes": _dishes(),
        "states": [each for each in steps if each.status in ("preparing", "ready")],
        "steps": [each for each in steps if each.word],
        "tiles": _tiles(),
        "card": _card(),
    }


def _card() -> dict[str, Any]:
    """A gold member's, by the rules that hold until an owner changes them."""
    lifetime = 6_284
    tier, following = rules.tier_of(lifetime), rules.next_tier(lifetime)
    rates = points_on_pages.rates(tier, following.tier if following else "", rules.DEFAULTS)
    return {"pointsBalance": 1_284, "lifetimePoints": lifetime, "tier": tier, "next": following} | rates


def _dishes() -> list[dict[str, Any]]:
    """As `restaurant/_menu_dish.html` needs them. The picture is the venue's, where it has one."""
    cover = venue.current().cover
    linguine = {
        "id": UUID(int=1),
        "name": "Crab linguine",
        "description": "White crab, chilli, lemon and a little cream.",
        "price": Decimal("24.00"),
        "allergens": "Contains gluten, crustaceans, milk",
        "picture": {"src": cover.src, "srcset": cover.srcset, "alt": ""} if cover else None,
    }
    caponata = {
        "id": UUID(int=2),
        "name": "Caponata",
        "description": "Aubergine, celery and capers, with toast.",
        "price": Decimal("9.50"),
        "diet": "Vegan",
        "needs_page": True,
    }
    return [linguine, caponata]


def _tiles() -> list[Tile]:
    """One of each weight, the most urgent first."""
    now = timezone.now()

    def ago(minutes: int) -> Any:
        return now - timedelta(minutes=minutes)

    def table(number: int, *, revenue: str = "", preparing: int = 0, seated: int = 0, **known: Any) -> Any:
        session = {"totalOrders": 1, "totalRevenue": Decimal(revenue), "startedAt": ago(seated)} if revenue else None
        counts = {"preparingOrders": preparing, "pendingOrders": 0, "readyOrders": 0, "waitingSince": None}
        return {
            "tableNumber": number,
            "capacity": 4,
            "column": None,
            "allergies": None,
            "session": session and session | counts,
        } | known

    def tile(each: Any, state: str, since: Any = None) -> Tile:
        return Tile(each, state, since, None, each["session"], None)

    return [
        tile(table(12, revenue="86.50", seated=52, covers=3, waiter="Maya"), "calling", ago(3)),
        tile(table(4, revenue="41.00", seated=11, covers=2), "held", ago(2)),
        tile(table(7, revenue="63.00", seated=34, covers=2, waiter="Maya"), "ready", ago(1)),
        tile(table(9, revenue="104.50", preparing=1, seated=21, covers=4, allergies=["nuts"]), "ordered", ago(14)),
        tile(table(2, revenue="58.00", seated=73, covers=2, waiter="Tom"), "served", ago(25)),
        tile(table(5), "free"),
    ]
