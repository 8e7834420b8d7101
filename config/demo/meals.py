"""Orders of the guests' parties."""

from config.demo.history import History
from config.demo.menu import DEFAULT_VAT_RATE
from restaurant.models import Category, ItemOptionGroup, MenuItem, Option, OrderItem, Station

APERITIVI, BITES, GRILL, PASTA = "Aperitivi", "Bites & Small Plates", "Charcoal Grill", "Fresh Pasta"
SIDES, SWEETS, HOT_DRINKS, CELLAR = "Garden Sides", "Sweets", "Tea & Coffee", "Wine, Beer & Softs"

_MOST_ITEMS = 6
_REQUEST_CHANCE = 0.07
_REQUESTS = {
    APERITIVI: ("No ice, please", "Easy on the bitters"),
    BITES: ("Nut allergy at the table", "Please bring it with the mains", "No walnuts, please"),
    GRILL: ("Medium rare, please", "Well done", "Sauce on the side", "No anchovy butter", "Cut it for sharing, please"),
    PASTA: ("No chilli, please", "Child's portion if you can", "Extra pecorino", "No cheese, please"),
    SIDES: ("No garlic, please", "Dressing on the side"),
    SWEETS: ("Two spoons, please", "It's a birthday: a candle if you have one!"),
    HOT_DRINKS: ("Oat milk, please", "Decaf", "Extra hot"),
    CELLAR: ("No ice", "With a slice of lemon", "Room temperature, please"),
}


def choose(history: History, category: str, portions: int, kinds: int) -> list[OrderItem]:
    """Choose `portions` from one category, of at most `kinds` different dishes."""
    station = next(row.station for row in history[Category] if row.name == category)
    dishes = {dish: popularity for dish, popularity in history.menu[category].items() if popularity}
    items: list[OrderItem] = []
    for _ in range(min(kinds, portions)):
        dish = history.pick(dishes)
        del dishes[dish]
        items.append(_item(history, dish, station))
    for _ in range(portions - len(items)):
        history.rng.choice(items).quantity += 1
    return items


def _item(history: History, dish: MenuItem, station: Station | None) -> OrderItem:
    return OrderItem(
        menu_item=dish,
        name=dish.name,
        quantity=1,
        price=dish.price,
        station=station,
        options=_free_options(history, dish),
        special_instructions=history.rng.choice(_REQUESTS[dish.category]) if history.happens(_REQUEST_CHANCE) else "",
        vat_rate=DEFAULT_VAT_RATE if dish.vat_rate is None else dish.vat_rate,
    )


def _free_options(history: History, dish: MenuItem) -> list[dict[str, str]]:
    """Choose an option without extra charge of each group of which the guest has to take one."""
    groups = [row.group for row in history[ItemOptionGroup] if row.item is dish and row.group.min_choices]
    free = [[option for option in history[Option] if option.group is group and not option.price] for group in groups]
    return [
        {"id": str(option.pk), "name": option.name, "price": str(option.price)}
        for option in map(history.rng.choice, free)
    ]


def main_order(history: History, guests: int, *, evening: bool) -> list[OrderItem]:
    """Return a main course for each guest, with drinks, starters and sides."""
    from_grill = sum(history.happens(0.5 if evening else 0.3) for _ in range(guests))
    items = choose(history, GRILL, from_grill, 2) + choose(history, PASTA, guests - from_grill, 2)
    items += choose(history, APERITIVI if evening and history.happens(0.4) else CELLAR, guests, 2)
    if history.happens(0.65 if evening else 0.35):
        items += choose(history, BITES, (guests + 1) // 2, 2)
    if history.happens(0.45):
        items += choose(history, SIDES, (guests + 1) // 2, 1)
    return items[:_MOST_ITEMS]


def last_course(history: History, guests: int, *, evening: bool) -> list[OrderItem]:
    """Return sweets, coffee, or both."""
    rng = history.rng
    sweets = choose(history, SWEETS, rng.randint(1, guests), 2) if history.happens(0.75 if evening else 0.4) else []
    if sweets and history.happens(0.4):
        return sweets
    return sweets + choose(history, HOT_DRINKS, rng.randint(1, guests), 3)
