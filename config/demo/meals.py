"""What a party orders."""

from config.demo.history import History
from config.demo.menu import APERITIVI, BITES, CELLAR, DEFAULT_VAT_RATE, GRILL, HOT_DRINKS, PASTA, SIDES, SWEETS
from restaurant.models import OrderItem

_MOST_ITEMS = 6

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
_REQUEST_CHANCE = 0.07


def choose(history: History, category: str, portions: int, kinds: int) -> list[OrderItem]:
    """Choose `portions` from one category, of at most `kinds` different dishes."""
    rng = history.rng
    dishes = {dish: weight for dish, weight in history.menu[category].items() if weight}
    items: list[OrderItem] = []
    for _ in range(min(kinds, portions)):
        dish = history.pick(dishes)
        del dishes[dish]
        request = rng.choice(_REQUESTS[category]) if rng.random() < _REQUEST_CHANCE else ""
        items.append(
            OrderItem(
                menu_item=dish,
                name=dish.name,
                quantity=1,
                price=dish.price,
                special_instructions=request,
                vat_rate=DEFAULT_VAT_RATE if dish.vat_rate is None else dish.vat_rate,
            )
        )
    for _ in range(portions - len(items)):
        rng.choice(items).quantity += 1
    return items


def main_order(history: History, guests: int, *, evening: bool) -> list[OrderItem]:
    """Return a main course for each guest, with drinks, starters and sides."""
    rng = history.rng
    from_grill = sum(rng.random() < (0.5 if evening else 0.3) for _ in range(guests))
    items = choose(history, GRILL, from_grill, 2) + choose(history, PASTA, guests - from_grill, 2)
    items += choose(history, APERITIVI if evening and rng.random() < 0.4 else CELLAR, guests, 2)
    if rng.random() < (0.65 if evening else 0.35):
        items += choose(history, BITES, (guests + 1) // 2, 2)
    if rng.random() < 0.45:
        items += choose(history, SIDES, (guests + 1) // 2, 1)
    return items[:_MOST_ITEMS]


def last_course(history: History, guests: int, *, evening: bool) -> list[OrderItem]:
    """Return sweets, coffee, or both."""
    rng = history.rng
    sweets = choose(history, SWEETS, rng.randint(1, guests), 2) if rng.random() < (0.75 if evening else 0.4) else []
    if sweets and rng.random() < 0.4:
        return sweets
    return sweets + choose(history, HOT_DRINKS, rng.randint(1, guests), 3)
