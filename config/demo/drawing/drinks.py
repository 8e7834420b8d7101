"""Aperitivi, wine, beer and softs."""

from random import Random

from config.demo.drawing import garnishes as g
from config.demo.drawing.colours import BASIL, BLOOD, CITRON, CLAY, CREAM, LEMON, ORANGE, WHITE, Tone
from config.demo.drawing.glasses import (
    BALLOON,
    BEER,
    COUPE,
    HIGHBALL,
    TUMBLER,
    WINE,
    bottle,
    bubbles,
    drink,
    ice,
    straw,
)
from config.demo.drawing.shapes import MIDDLE, Point, curve, fill, line, moved, oval, raised, solid, straight

X = MIDDLE[0]
_SPRITZ = Tone("#eab24a", "#cf8b26", "#f9dd94")
_NEGRONI = Tone("#c23a22", "#8f2218", "#e8714a")
_GIMLET = Tone("#bfcf72", "#97ab48", "#e2ebae")
_BERGAMOT = Tone("#ecdf8e", "#cdbb58", "#f8f2c6")
_GRAPE = Tone("#b9c46a", "#87953c", "#e3eaa6")
_SODA = Tone("#df5638", "#b23227", "#f5936a")
_WHITE_WINE = Tone("#ecd682", "#cbb04f", "#f8eebb")
_RED_WINE = Tone("#7c1c35", "#541024", "#a8405a")
_ALE = Tone("#e2a034", "#bb7517", "#f4c569")


def _rising(chance: Random, count: int, half: float, top: float, bottom: float) -> list[Point]:
    return [(X + chance.uniform(-half, half), chance.uniform(top, bottom)) for _ in range(count)]


def _wheel_on_rim(x: float, y: float, radius: float, tone: Tone, turn: float = 8) -> str:
    return g.citrus(x, y, radius, tone, turn)


def fennel_spritz(chance: Random) -> str:
    cubes = ice(X - 62, 252, 88, -14) + ice(X + 44, 238, 92, 18) + ice(X - 6, 326, 84, 6)
    fizz = bubbles(_rising(chance, 26, 110, 220, 390))
    herbs = g.frond(X + 46, 300, 236, 18)
    return drink(BALLOON, _SPRITZ, 196, cubes + fizz, standing=herbs) + _wheel_on_rim(X - 128, 128, 62, LEMON)


def fig_leaf_negroni(chance: Random) -> str:
    cube = ice(X - 2, 420, 180, -7)
    peel = [
        (-58, 10),
        (-58, 10),
        (-30, -26),
        (14, -34),
        (52, -12),
        (60, 10),
        (60, 10),
        (40, 22),
        (8, -4),
        (-26, 4),
        (-44, 26),
    ]
    twist = curve(moved(peel, X + 66, 268, -24, 1.15))
    pith = line(curve(moved([(-46, 18), (-26, -4), (10, -12), (42, 10)], X + 66, 268, -24, 1.15), False), "#fbe0a8", 7)
    leaf = _fig_leaf(X - 92, 176, 1.25, -26)
    return leaf + drink(TUMBLER, _NEGRONI, 342, cube) + raised(twist, ORANGE, 8, 8) + pith


def _fig_leaf(x: float, y: float, size: float, turn: float) -> str:
    right = [(0, -100), (0, -100), (20, -82), (26, -50), (20, -26), (44, -54), (70, -58), (84, -46), (82, -22),
        (52, 4), (82, 6),
             (92, 24), (84, 44), (50, 48), (22, 44), (6, 62)]  # fmt: skip
    whole = curve(moved([*right, *((-px, py) for px, py in reversed(right))], x, y, turn, size))
    half = straight(moved([(0, -120), (120, -120), (120, 90), (0, 90)], x, y, turn, size))
    ribs = "".join(
        line(curve(moved([(0, 52), (dx * 0.45, dy * 0.4 + 20), (dx, dy)], x, y, turn, size), False), BASIL.light, 4)
        for dx, dy in ((0, -84), (58, -38), (-58, -38), (70, 26), (-70, 26))
    )
    stalk = line(curve(moved([(0, 56), (2, 80), (12, 120)], x, y, turn, size), False), BASIL.light, 8)
    return stalk + solid(whole, BASIL, 6, within=fill(half, BASIL.shade)) + ribs


def garden_gimlet(chance: Random) -> str:
    floating = g.leaf(X - 30, 208, 46, 62, BASIL) + g.leaf(X + 26, 206, 40, -70, BASIL)
    return drink(COUPE, _GIMLET, 220) + floating + _wheel_on_rim(X + 172, 178, 62, CITRON, 20)


def bergamot_highball(chance: Random) -> str:
    cubes = ice(X - 34, 262, 92, -10) + ice(X + 38, 342, 88, 14) + ice(X - 30, 426, 90, 8) + ice(X + 34, 512, 86, -12)
    fizz = bubbles(_rising(chance, 34, 80, 230, 570))
    slices = g.citrus(X + 30, 442, 58, CITRON, 4) + g.citrus(X - 34, 334, 54, CITRON, 30)
    grapes = "".join(
        raised(oval(X + dx, y, size), _GRAPE, size * 0.3, 8) + g.glints([(X + dx - size * 0.5, y - size * 0.3)], 6, 14)
        for dx, y, size in ((206, 596, 34), (164, 610, 30), (248, 612, 29))
    )
    glass = drink(HIGHBALL, _BERGAMOT, 212, slices + cubes + fizz)
    return glass + _wheel_on_rim(X - 104, 152, 66, CITRON) + grapes


def blood_orange_soda(chance: Random) -> str:
    cubes = ice(X - 34, 270, 90, 12) + ice(X + 36, 352, 88, -14) + ice(X - 28, 444, 88, -6)
    fizz = bubbles(_rising(chance, 40, 80, 230, 570))
    stick = straw(X - 6, 62, 560, 62, Tone(CREAM.base, CREAM.shade, BLOOD.base))
    slices = g.citrus(X + 30, 480, 58, BLOOD, 20)
    return drink(HIGHBALL, _SODA, 216, slices + cubes + fizz, standing=stick) + _wheel_on_rim(X - 106, 154, 70, BLOOD)


def wine(tone: Tone) -> str:
    return drink(WINE, tone, 236)


def house_white(chance: Random) -> str:
    beads = "".join(
        fill(oval(x, y, size), WHITE, 0.5)
        for x, y, size in ((414, 262, 5), (428, 300, 4), (552, 300, 4), (530, 330, 5))
    )
    return wine(_WHITE_WINE) + beads


def house_red(chance: Random) -> str:
    return wine(_RED_WINE)


def skin_contact_white(chance: Random) -> str:
    sun = solid(oval(X, 442, 42), ORANGE, 7)
    rays = line(straight([(X - 54, 512), (X + 54, 512)], False), CLAY.shade, 5) + line(
        straight([(X - 34, 528), (X + 34, 528)], False), CLAY.shade, 4
    )
    amber = Tone("#c9781f", "#94510f", "#e9a850")
    return bottle(amber, "#d4852a", CREAM, sun + rays)


def harbour_pale_ale(chance: Random) -> str:
    crown = "".join(
        solid(oval(X + dx, 124 + dy, size, size * 0.62), Tone("#fff6e4", "#ecd8b0", WHITE), 9)
        for dx, dy, size in ((-80, 6, 42), (80, 8, 42), (-32, -10, 58), (34, -6, 56))
    )
    bubbly = "".join(
        fill(oval(X + dx, y, size, size * 0.6), "#f3dfb6")
        for dx, y, size in ((-84, 176, 9), (-40, 190, 12), (16, 180, 8), (58, 194, 13), (92, 172, 8))
    )
    fizz = bubbles(_rising(chance, 46, 84, 270, 560), 4)
    pale = fill(straight([(X - 140, 100), (X + 140, 100), (X + 140, 210), (X - 140, 210)]), "#fff6e4") + fill(
        oval(X, 210, 130, 14), "#fff6e4"
    )
    return drink(BEER, _ALE, 214, fizz, head=pale + bubbly) + crown
