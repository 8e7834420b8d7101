"""The palette: every colour of the set, as three tones of one thing in one light."""

from typing import NamedTuple


class Tone(NamedTuple):
    base: str
    shade: str
    light: str


# What the pictures stand on: `shade` is the table in drawings from the side, `light` where the window falls.
SAND = Tone("#e3cba3", "#d3b68a", "#ecd9b8")
BLUSH = Tone("#d79f86", "#c4876d", "#e2b19a")
SAGE = Tone("#a4af8d", "#8e9a77", "#b3bd9f")
MIST = Tone("#93aaae", "#7c959a", "#a6babd")
FIG = Tone("#7a4356", "#663547", "#8a5266")
HONEY = Tone("#d6a654", "#c08f3f", "#e0b66d")
PINE = Tone("#56634f", "#465240", "#65725d")

# Crockery, boards and cutlery.
CREAM = Tone("#f8efdf", "#e0cfb3", "#fffbf2")
STONE = Tone("#46525a", "#343e45", "#5b6972")
CLAY = Tone("#c2704c", "#9f5438", "#d68c69")
LEAF_GLAZE = Tone("#7d8f72", "#63745a", "#99a98e")
BLUE_GLAZE = Tone("#55798c", "#416172", "#7596a7")
WOOD = Tone("#b9824f", "#96633a", "#cd9a68")
STEEL = Tone("#d9d5cc", "#aaa49a", "#f7f4ee")
IRON = Tone("#39383a", "#262527", "#525053")

# Food.
PASTA = Tone("#efc567", "#c88f36", "#fae09a")
RAGU = Tone("#9c3d22", "#742815", "#c2613a")
TOMATO = Tone("#cc4126", "#9e2b17", "#e86f4a")
BASIL = Tone("#4f8139", "#365f2a", "#7aa858")
SAGE_LEAF = Tone("#7f9769", "#5e764d", "#a3b68c")
ROSEMARY = Tone("#58754a", "#3d5735", "#86a172")
GREENS = Tone("#5b8a3c", "#3f682b", "#8bb35f")
FENNEL = Tone("#e9edcb", "#bccb92", "#fafbe9")
MEAT = Tone("#7a3d22", "#532414", "#9f5c37")
ROSY = Tone("#c94f55", "#a23641", "#e58079")
SKIN = Tone("#c9812f", "#9a551b", "#eab25c")
PORK = Tone("#c98a55", "#a2653a", "#e2ae7c")
BONE = Tone("#f6ead2", "#d8c39c", "#fffaf0")
CRISP = Tone("#dc9c3c", "#ae6e20", "#f2c36d")
CRUST = Tone("#b06d30", "#86491c", "#cf934f")
CRUMB = Tone("#f0d59f", "#d9b370", "#faebc8")
MILK = Tone("#fdf6e7", "#e3d3b6", "#ffffff")
BUTTER = Tone("#f7dc86", "#dcb551", "#fdeeb8")
BEET = Tone("#96204d", "#6d1237", "#bd4a75")
FIG_SKIN = Tone("#51263f", "#38172c", "#78466a")
FIG_FLESH = Tone("#c74a50", "#9b303c", "#ea8b78")
FISH = Tone("#9fb1b5", "#748a91", "#cdd9da")
ANCHOVY = Tone("#a5583d", "#7b3b28", "#cf8a6a")
SHELL = Tone("#d9573a", "#ab3b25", "#f08a68")
CRAB = Tone("#f6dccb", "#e2a98f", "#fff4ec")
OLIVE = Tone("#98a145", "#6f782c", "#c3ca78")
AUBERGINE = Tone("#4a2440", "#321529", "#6f4363")
POTATO = Tone("#e6af4c", "#b97b27", "#f7d385")
NUT = Tone("#c08a52", "#94622f", "#ddb07c")
LEMON = Tone("#f1c53c", "#cf9a1d", "#fae07d")
ORANGE = Tone("#e8862b", "#c1641a", "#f6ad5f")
BLOOD = Tone("#d2432f", "#a12a27", "#ee7c55")
CITRON = Tone("#cdd05a", "#a3a838", "#e6e894")
COFFEE = Tone("#4a2818", "#321810", "#74452a")
CREMA = Tone("#b8773a", "#935725", "#d9a263")
COCOA = Tone("#5b3422", "#412317", "#7b4c34")
SPONGE = Tone("#f0c766", "#d39f3d", "#f9e09c")
CHILLI = Tone("#cf2f22", "#9c1d17", "#ef6a52")

INK = "#2c1712"
CHAR = "#331c15"
WHITE = "#ffffff"
