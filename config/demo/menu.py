"""The demonstration restaurant's menu.

The categories' names are chosen so that the alphabet follows the courses of a meal.
"""

from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

from config.demo.history import History
from restaurant.models import Allergen, MenuItem, Presence

APERITIVI = "Aperitivi"
BITES = "Bites & Small Plates"
GRILL = "Charcoal Grill"
PASTA = "Fresh Pasta"
SIDES = "Garden Sides"
SWEETS = "Sweets"
HOT_DRINKS = "Tea & Coffee"
CELLAR = "Wine, Beer & Softs"


@dataclass(frozen=True, slots=True)
class Dish:
    name: str
    price: str
    # How often it is chosen against the others of its category; 0 is never.
    appeal: int
    description: str
    available: bool = True
    # Allergens; what is in neither is not there. With None nothing is declared.
    contains: str | None = None
    may_contain: str = ""
    diet: str = ""


MENU: dict[str, tuple[Dish, ...]] = {
    APERITIVI: (
        Dish("Fennel Spritz", "9.50", 10,
             "Fennel-seed vermouth, prosecco and a long splash of soda. Our first drink since day one.",
             contains="sulphites"),
        Dish("Fig Leaf Negroni", "11.00", 6,
             "Gin steeped with fig leaves, bitter orange and red vermouth over one large cube."),
        Dish("Garden Gimlet", "10.50", 4,
             "Gin, lime cordial made here, and whatever herb grew fastest this week.",
             contains="sulphites"),
        Dish("Bergamot Highball", "7.00", 5,
             "Bergamot, white grape and tonic, with no alcohol in it and all the ceremony.",
             contains="", diet="vegan"),
        Dish("Quince Shrub", "6.50", 2,
             "Sharp quince vinegar and honey, topped with sparkling water. Alcohol free.",
             contains="sulphites", diet="vegetarian"),
    ),
    BITES: (
        Dish("Rosemary Focaccia", "5.50", 12,
             "Baked twice a day, still warm, with whipped ricotta and green oil.",
             contains="gluten milk", may_contain="sesame", diet="vegetarian"),
        Dish("Nocellara Olives", "4.50", 8,
             "Buttery green olives with lemon peel and wild fennel.",
             contains="", diet="vegan"),
        Dish("Burrata & Charred Figs", "12.50", 9,
             "Figs blistered over charcoal, basil and aged balsamic.",
             contains="milk", may_contain="nuts", diet="vegetarian"),
        Dish("Salt Cod Fritters", "9.50", 6,
             "Crisp outside, cloud inside, with saffron aioli.",
             contains="fish eggs gluten"),
        Dish("Beetroot Carpaccio", "9.00", 3,
             "Salt-baked beetroot, horseradish cream and toasted walnuts.",
             contains="nuts milk", diet="vegetarian"),
        Dish("Chickpea Panisse", "7.50", 5,
             "Golden chips of chickpea flour with a smoked tomato dip.",
             contains="", may_contain="gluten", diet="vegan"),
        Dish("Anchovy Toast", "8.50", 3,
             "Cantabrian anchovies on grilled sourdough with cold butter.",
             contains="fish gluten milk"),
        Dish("Jellied Pig's Ear", "8.00", 0,
             "A grandmother's recipe: pressed, set and sliced thin, with sharp pickles."),
    ),
    GRILL: (
        Dish("Half Chicken al Mattone", "19.50", 10,
             "Pressed under a brick until the skin crackles, with lemon and salsa verde.",
             contains="fish", may_contain="mustard"),
        Dish("Flat Iron Steak", "24.50", 8,
             "Dry-aged for four weeks and served pink, with anchovy butter.",
             contains="fish milk"),
        Dish("Pork Chop & Fennel", "22.00", 5,
             "A thick chop from the shoulder end, braised fennel and mustard fruit.",
             contains="mustard"),
        Dish("Whole Sea Bream", "23.50", 5,
             "Grilled on the bone over vine cuttings, with capers and charred lemon.",
             contains="fish"),
        Dish("Hispi Cabbage & Almond", "15.50", 4,
             "Blackened cabbage, almond cream and pickled raisins.",
             contains="nuts", diet="vegan"),
        Dish("Turbot for Two", "58.00", 1,
             "A whole fish for sharing, with brown butter and sea herbs.", available=False,
             contains="fish milk"),
    ),
    PASTA: (
        Dish("Tagliatelle al Ragu", "16.50", 12,
             "Beef and pork cooked for six hours, and ribbons rolled this morning.",
             contains="gluten eggs milk celery"),
        Dish("Cacio e Pepe", "14.50", 9,
             "Tonnarelli, pecorino and far more black pepper than you would dare.",
             contains="gluten milk", diet="vegetarian"),
        Dish("Crab Linguine", "21.00", 6,
             "Picked crab, chilli, garlic and a little tomato.",
             contains="crustaceans gluten"),
        Dish("Pumpkin Tortelli", "16.00", 5,
             "Filled with roast pumpkin and amaretti, in sage butter.",
             contains="gluten eggs milk nuts", diet="vegetarian"),
        Dish("Orecchiette & Sausage", "15.50", 6,
             "Fennel sausage, turnip tops and toasted crumbs.",
             contains="gluten milk", may_contain="celery"),
        Dish("Rigatoni alla Norma", "14.00", 4,
             "Fried aubergine, sweet tomato and basil. Ask for it without ricotta salata and it is vegan.",
             contains="gluten", diet="vegetarian"),
    ),
    SIDES: (
        Dish("Rosemary Potatoes", "5.50", 10,
             "Roasted in olive oil until the edges shatter.",
             contains="", may_contain="celery", diet="vegan"),
        Dish("Shaved Fennel Salad", "6.00", 6,
             "Orange, dill and good olive oil. It clears the way for the grill.",
             contains="", diet="vegan"),
        Dish("Grilled Greens", "5.50", 4,
             "Whatever the market had, with garlic and chilli.",
             contains="", may_contain="sesame", diet="vegan"),
        Dish("Leaves & Herbs", "4.50", 5,
             "Soft lettuces, tarragon and a mustard dressing.",
             contains="mustard", diet="vegan"),
        Dish("White Beans & Sage", "5.00", 2,
             "Simmered slowly, crushed a little, finished with peppery oil.",
             diet="vegan"),
    ),
    SWEETS: (
        Dish("House Tiramisu", "7.50", 12,
             "Spooned from the big dish at your table.",
             contains="eggs milk gluten", may_contain="nuts", diet="vegetarian"),
        Dish("Burnt Fig Tart", "8.00", 7,
             "Almond cream, sticky figs and a spoon of mascarpone.",
             contains="nuts eggs milk gluten", diet="vegetarian"),
        Dish("Olive Oil Cake", "6.50", 4,
             "Light, lemony and not too sweet, with whipped yoghurt.",
             contains="eggs milk gluten", may_contain="nuts", diet="vegetarian"),
        Dish("Blood Orange Sorbet", "5.50", 4,
             "Two scoops, three ingredients.",
             contains="", may_contain="milk nuts", diet="vegan"),
        Dish("Rhubarb Fool", "6.50", 1,
             "Poached rhubarb folded through cream, while the season lasts.", available=False,
             diet="vegetarian"),
    ),
    HOT_DRINKS: (
        Dish("Espresso", "2.60", 10,
             "A chocolatey house blend, roasted two streets away.",
             contains="", diet="vegan"),
        Dish("Flat White", "3.70", 9,
             "A double shot and silky milk; oat milk if you say so.",
             contains="milk", may_contain="nuts", diet="vegetarian"),
        Dish("Affogato", "5.50", 3,
             "Vanilla ice cream drowned in a hot espresso.",
             contains="milk eggs", may_contain="nuts", diet="vegetarian"),
        Dish("Fresh Mint Tea", "3.50", 5,
             "A fistful of mint and hot water, with honey on the side.",
             contains="", diet="vegetarian"),
        Dish("Breakfast Tea", "3.00", 3,
             "Loose leaf, in a pot with room for a second cup.",
             contains="", diet="vegan"),
    ),
    CELLAR: (
        Dish("House White, Glass", "7.00", 9,
             "A crisp Catarratto from western Sicily.",
             contains="sulphites", diet="vegan"),
        Dish("House Red, Glass", "7.00", 9,
             "A juicy Montepulciano that likes ragu.",
             contains="sulphites", diet="vegan"),
        Dish("Skin-Contact White, Bottle", "39.00", 1,
             "Amber, a little wild, all dried apricot and tea.",
             contains="sulphites", diet="vegan"),
        Dish("Harbour Pale Ale", "6.20", 6,
             "A small-batch can from the brewery by the quays.",
             contains="gluten", diet="vegan"),
        Dish("Blood Orange Soda", "4.00", 6,
             "Pressed fruit, very little sugar and plenty of bubbles.",
             contains="", diet="vegan"),
        Dish("Sparkling Water, Bottle", "4.50", 8,
             "Filtered and carbonated here, 75 cl. Refills of the still one are free.",
             contains="", diet="vegan"),
    ),
}  # fmt: skip


# VAT as in Ireland: food at the reduced rate, drinks at the standard one.
DEFAULT_VAT_RATE, _DRINKS = Decimal("13.5"), Decimal("23")
_RATES = {APERITIVI: _DRINKS, CELLAR: _DRINKS}


# The cost of ingredients in percent of the net price, from frequently to rarely chosen dishes.
_COSTS = {
    APERITIVI: (18, 26),
    HOT_DRINKS: (10, 16),
    CELLAR: (26, 34),
    SIDES: (20, 28),
    SWEETS: (20, 28),
    PASTA: (20, 30),
}


def write(history: History) -> None:
    for category, dishes in MENU.items():
        history.menu[category] = {_item(dish, category, history.opened): dish.appeal for dish in dishes}
        history.menu_items += history.menu[category]


def _item(dish: Dish, category: str, opened: datetime) -> MenuItem:
    return MenuItem(
        name=dish.name,
        description=dish.description,
        price=Decimal(dish.price),
        category=category,
        available=dish.available,
        cost=_cost(dish, category),
        vat_rate=_RATES.get(category),
        allergens=_declaration(dish),
        diet=dish.diet,
        created_at=opened,
    )


def _cost(dish: Dish, category: str) -> Decimal:
    least, most = _COSTS.get(category, (26, 38))
    net = Decimal(dish.price) * 100 / (100 + _RATES.get(category, DEFAULT_VAT_RATE))
    return (net * max(most - dish.appeal, least) / 100).quantize(Decimal("0.01"))


def _declaration(dish: Dish) -> dict[str, str]:
    if dish.contains is None:
        return {}
    presence = dict.fromkeys(Allergen.values, Presence.FREE.value)
    presence |= dict.fromkeys(dish.may_contain.split(), Presence.MAY_CONTAIN.value)
    return presence | dict.fromkeys(dish.contains.split(), Presence.CONTAINS.value)
