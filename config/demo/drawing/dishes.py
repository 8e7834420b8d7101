"""Which dish is drawn by what, on which crockery and ground."""

from collections.abc import Callable
from random import Random

from config.demo.drawing import bites, cups, drinks, grill, pasta, sides, sweets
from config.demo.drawing.colours import (
    BLUE_GLAZE,
    BLUSH,
    CLAY,
    CREAM,
    FIG,
    HONEY,
    LEAF_GLAZE,
    MIST,
    PINE,
    SAGE,
    SAND,
    STONE,
    Tone,
)
from config.demo.drawing.shapes import grown
from config.demo.drawing.tableware import board, bowl, fork, knife, pan, plate, platter, sheet, table

Food = Callable[[Random], str]

# A main course and a plate of pasta lie between fork and knife, a tart beside a fork, in the margins.
_FORK_AND_KNIFE = fork() + knife()
_FORK = fork()

# Name of the dish: the ground, the cutlery, what it is served on, the food.
FROM_ABOVE: dict[str, tuple[Tone, str, str, Food]] = {
    "Rosemary Focaccia": (SAGE, "", board(700, 580), bites.rosemary_focaccia),
    "Nocellara Olives": (MIST, "", bowl(CLAY, CLAY, 300), bites.nocellara_olives),
    "Burrata & Charred Figs": (BLUSH, _FORK_AND_KNIFE, plate(LEAF_GLAZE), bites.burrata_and_charred_figs),
    "Salt Cod Fritters": (HONEY, "", plate(CREAM, BLUE_GLAZE.base), bites.salt_cod_fritters),
    "Beetroot Carpaccio": (PINE, _FORK_AND_KNIFE, plate(CREAM), bites.beetroot_carpaccio),
    "Chickpea Panisse": (BLUSH, "", plate(STONE), bites.chickpea_panisse),
    "Anchovy Toast": (SAND, "", plate(BLUE_GLAZE), bites.anchovy_toast),
    "Half Chicken al Mattone": (MIST, _FORK_AND_KNIFE, plate(CREAM), grill.half_chicken),
    "Flat Iron Steak": (PINE, "", board(690, 560), grill.flat_iron_steak),
    "Pork Chop & Fennel": (SAND, _FORK_AND_KNIFE, plate(STONE), grill.pork_chop),
    "Whole Sea Bream": (BLUSH, "", platter(BLUE_GLAZE, -18, 376, 268), grill.whole_sea_bream),
    "Tagliatelle al Ragu": (SAGE, _FORK_AND_KNIFE, plate(CREAM, FIG.base), pasta.tagliatelle_al_ragu),
    "Cacio e Pepe": (BLUSH, _FORK_AND_KNIFE, plate(STONE), pasta.cacio_e_pepe),
    "Crab Linguine": (MIST, _FORK_AND_KNIFE, plate(CREAM, BLUE_GLAZE.base), pasta.crab_linguine),
    "Pumpkin Tortelli": (PINE, _FORK_AND_KNIFE, plate(CREAM), pasta.pumpkin_tortelli),
    "Orecchiette & Sausage": (SAND, _FORK_AND_KNIFE, plate(CLAY), pasta.orecchiette_and_sausage),
    "Rigatoni alla Norma": (HONEY, _FORK_AND_KNIFE, plate(BLUE_GLAZE), pasta.rigatoni_alla_norma),
    "Rosemary Potatoes": (BLUSH, "", pan(290), sides.rosemary_potatoes),
    "Grilled Greens": (FIG, "", platter(CREAM, -18, 376, 268), sides.grilled_greens),
    "Burnt Fig Tart": (SAGE, _FORK, plate(CREAM, FIG.base), sweets.burnt_fig_tart),
    "Espresso": (BLUSH, "", cups.saucer(CREAM), cups.espresso),
    "Flat White": (MIST, "", cups.saucer(CREAM), cups.flat_white),
}

# Name of the dish: the ground, what stands on it, and how much larger it is shown than it is drawn.
FROM_THE_SIDE: dict[str, tuple[Tone, Food, float]] = {
    "Fennel Spritz": (MIST, drinks.fennel_spritz, 1.05),
    "Fig Leaf Negroni": (BLUSH, drinks.fig_leaf_negroni, 1.04),
    "Garden Gimlet": (FIG, drinks.garden_gimlet, 1.1),
    "Bergamot Highball": (PINE, drinks.bergamot_highball, 1.1),
    "House Tiramisu": (MIST, sweets.house_tiramisu, 1.05),
    "Olive Oil Cake": (PINE, sweets.olive_oil_cake, 1.04),
    "Blood Orange Sorbet": (SAGE, sweets.blood_orange_sorbet, 1.1),
    "Affogato": (HONEY, sweets.affogato, 1.14),
    "Fresh Mint Tea": (SAND, cups.fresh_mint_tea, 1.12),
    "House White, Glass": (PINE, drinks.house_white, 1.1),
    "House Red, Glass": (SAND, drinks.house_red, 1.1),
    "Skin-Contact White, Bottle": (MIST, drinks.skin_contact_white, 1.06),
    "Harbour Pale Ale": (FIG, drinks.harbour_pale_ale, 1.1),
    "Blood Orange Soda": (HONEY, drinks.blood_orange_soda, 1.08),
}


def drawn() -> list[str]:
    """The dishes that have a picture."""
    return [*FROM_ABOVE, *FROM_THE_SIDE]


def svg(dish: str) -> str:
    """The picture of a dish: the same on every call. Raises KeyError."""
    chance = Random(dish)
    if dish in FROM_ABOVE:
        ground, cutlery, crockery, food = FROM_ABOVE[dish]
        return sheet(ground, cutlery + crockery + grown(food(chance), 1.12))
    ground, food, size = FROM_THE_SIDE[dish]
    return table(ground, grown(food(chance), size))
