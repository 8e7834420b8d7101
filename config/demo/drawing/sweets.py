"""Sweets; those in layers and in glasses from the side."""

from random import Random

from config.demo.drawing import garnishes as g
from config.demo.drawing.colours import (
    BLOOD,
    COCOA,
    COFFEE,
    CRUST,
    FIG_FLESH,
    FIG_SKIN,
    INK,
    LEMON,
    MILK,
    SPONGE,
    Tone,
)
from config.demo.drawing.glasses import DESSERT, GROUND, Glass, drink
from config.demo.drawing.shapes import (
    MIDDLE,
    around,
    curve,
    fill,
    hollow,
    inside,
    line,
    moved,
    oval,
    raised,
    shadow,
    solid,
    straight,
)
from config.demo.drawing.tableware import saucer_from_the_side

X, Y = MIDDLE
_VANILLA = Tone("#fbe9b7", "#e0c07a", "#fff8e2")


def house_tiramisu(chance: Random) -> str:
    """A square of it: the front with its layers, the cocoa on top, the right side in the shade."""
    left, right, back = X - 190, X + 130, 66
    top, bottom = 320, GROUND - 44
    front = straight([(left, top), (right, top), (right, bottom), (left, bottom)])
    side = straight([(right, top), (right + back, top - 62), (right + back, bottom - 44), (right, bottom)])
    layers = fill(front, MILK.base)
    for y in (372, 486):
        layers += fill(straight([(left, y), (right, y), (right, y + 58), (left, y + 58)]), "#c98d4b")
        for index in range(5):
            finger = oval(left + 32 + index * 64, y + 29, 31, 27)
            soaked = fill(oval(left + 32 + index * 64, y + 40, 30, 20), "#8a5128", 0.8)
            layers += solid(finger, SPONGE, 5, within=soaked)
    layers += fill(straight([(right - 46, top), (right, top), (right, bottom), (right - 30, bottom)]), "#c9a877", 0.2)
    shaded = fill(side, "#d9c29c") + "".join(
        fill(straight([(right, y), (right + back, y - 56), (right + back, y - 4), (right, y + 58)]), "#94602f")
        for y in (372, 486)
    )
    lid = straight(
        [(left - 4, top + 6), (left + back - 6, top - 66), (right + back + 4, top - 66), (right + 4, top + 6)]
    )
    drips = "".join(
        fill(oval(left + far, top + 8, 26, deep), COCOA.base)
        for far, deep in ((22, 16), (70, 24), (124, 14), (178, 26), (232, 17), (292, 22))
    )
    dust = [(chance.uniform(left + 60, right + 20), chance.uniform(top - 58, top - 4)) for _ in range(46)]
    cocoa = solid(lid, COCOA, 7, 0.5, g.strewn(dust, chance, 4, (COCOA.light, COCOA.shade), True))
    crumbs = [(X + dx, GROUND - 40 + dy) for dx, dy in ((196, 4), (222, -4), (246, 6), (-226, 2), (-248, 8))]
    bean = raised(oval(right - 40, top - 40, 30, 19, -20), COFFEE, 6, 5) + line(
        curve([(right - 64, top - 36), (right - 40, top - 42), (right - 16, top - 46)], False), COFFEE.shade, 5
    )
    mint = g.leaf(right - 96, top - 74, 46, -52) + g.leaf(right - 30, top - 82, 42, 38)
    body = (
        inside(front, layers)
        + shaded
        + inside(straight([(left, top), (right, top), (right, bottom), (left, bottom)]), drips)
    )
    return (
        saucer_from_the_side(GROUND - 34, 318)
        + body
        + cocoa
        + mint
        + bean
        + g.strewn(crumbs, chance, 6, (COCOA.base, COCOA.light))
    )


def burnt_fig_tart(chance: Random) -> str:
    edge = [(x, y) for index in range(44) for x, y in [around(0, 0, 236 if index % 2 else 222, index * 360 / 44)]]
    drawn = raised(curve(moved(edge, X, Y)), CRUST, 14, 18)
    drawn += hollow(oval(X, Y, 200), Tone("#e3b463", "#ab7430", "#f2d08a"), 12)
    for turn in range(0, 360, 40):
        drawn += _wedge_of_fig(*around(X, Y, 134, turn + 12), turn + 102, chance, 1.08)
    for turn in range(30, 390, 90):
        drawn += _wedge_of_fig(*around(X, Y, 42, turn), turn + 90, chance, 0.86)
    quenelle = [(-84, 6), (-84, 6), (-40, -36), (20, -42), (70, -18), (86, 8), (86, 8), (44, 34), (-20, 38), (-60, 26)]
    ridges = "".join(
        line(curve(moved([(-66, dy), (0, dy - 14), (66, dy)], X + 4, Y + 6, -24), False), MILK.shade, 4, 0.8)
        for dy in (6, 20)
    )
    drawn += raised(curve(moved(quenelle, X + 4, Y + 4, -24)), MILK, 12, 12) + ridges
    glaze = [around(X, Y, 168, turn) for turn in (-160, -120, -80, 150, 200)]
    return drawn + g.glints(glaze, 6, 18, 0.6) + g.leaf(X - 66, Y - 18, 44, -70) + g.leaf(X - 44, Y - 54, 36, 0)


def _wedge_of_fig(x: float, y: float, turn: float, chance: Random, size: float = 1) -> str:
    outer = [(0, -66), (0, -66), (24, -34), (44, 6), (38, 42), (0, 56), (-38, 42), (-44, 6), (-24, -34)]
    pale = curve(moved([(px * 0.84, py * 0.86 + 2) for px, py in outer], x, y, turn, size))
    flesh = curve(moved([(px * 0.66, py * 0.66 + 7) for px, py in outer], x, y, turn, size))
    seeds = moved([(chance.uniform(-20, 20), chance.uniform(-12, 34)) for _ in range(11)], x, y, turn, size)
    burnt = fill(oval(*moved([(0, -54)], x, y, turn, size)[0], 24 * size), INK, 0.6)
    return (
        raised(curve(moved(outer, x, y, turn, size)), FIG_SKIN, 8 * size, 8, burnt)
        + fill(pale, "#e9c49c")
        + hollow(flesh, FIG_FLESH, 7 * size)
        + g.strewn(seeds, chance, 3.4 * size, ("#f6d79a",), True)
    )


def olive_oil_cake(chance: Random) -> str:
    """A wedge that points to the left, its cut side to the front."""
    top, bottom = 372, GROUND - 42
    tip, right = X - 232, X + 132
    front = curve(
        [
            (tip, top + 34),
            (tip, top + 34),
            (right, top),
            (right, top),
            (right, bottom),
            (right, bottom),
            (tip + 8, bottom),
            (tip + 8, bottom),
        ]
    )
    back = straight([(right, top), (right + 74, top - 74), (right + 74, bottom - 60), (right, bottom)])
    upper = curve(
        [
            (tip, top + 34),
            (tip, top + 34),
            (right, top),
            (right, top),
            (right + 74, top - 76),
            (right + 74, top - 76),
            (X - 20, top - 40),
        ]
    )
    holes = "".join(
        fill(
            oval(chance.uniform(tip + 40, right - 16), chance.uniform(top + 56, bottom - 20), size, size * 0.7),
            SPONGE.shade,
            0.75,
        )
        for size in [chance.uniform(3, 9) for _ in range(42)]
    )
    crust = line(curve([(tip, top + 42), (X - 40, top + 20), (right, top + 8)], False), CRUST.base, 20)
    foot = line(straight([(tip, bottom - 4), (right, bottom - 4)], False), CRUST.light, 12)
    cake = solid(front, SPONGE, 12, 0.2, holes + crust + foot) + solid(
        back, Tone(CRUST.base, CRUST.shade, CRUST.light), 8
    )
    sugar = [(X + far, top - 14 - far * 0.16 + chance.uniform(-16, 12)) for far in range(-90, 150, 11)]
    cake += solid(upper, Tone("#c9863c", "#a4652a", "#dfa55c"), 6) + g.strewn(sugar, chance, 4.5, ("#fffaf0",), True)
    cloud = [(-84, 40), (-88, 4), (-52, -26), (-30, -62), (8, -84), (4, -54), (50, -40), (80, -4), (84, 40)]
    yoghurt = raised(curve(moved(cloud, X + 206, GROUND - 70)), MILK, 12, 6)
    folds = line(curve([(X + 138, GROUND - 60), (X + 196, GROUND - 48), (X + 262, GROUND - 70)], False), MILK.shade, 5)
    zest = "".join(
        line(curve(moved([(-20, 0), (-6, -10), (10, -4), (22, -12)], x, y, turn), False), LEMON.base, 7)
        for x, y, turn in (
            (X + 186, GROUND - 128, 10),
            (X + 222, GROUND - 104, 60),
            (X + 30, top - 34, 0),
            (X + 84, top - 48, 40),
            (X - 40, top - 4, -20),
        )
    )
    leaves = g.leaf(X + 236, GROUND - 142, 40, 30) + g.leaf(X + 192, GROUND - 152, 36, -40)
    return saucer_from_the_side(GROUND - 34, 326) + cake + yoghurt + folds + zest + leaves


def _scoop(x: float, y: float, radius: float, tone: Tone, chance: Random, *, fleck: str) -> str:
    """A ball with the ragged skirt that the scoop leaves."""
    ball = oval(x, y, radius, radius * 0.96)
    skirt = [(-1.04, 0.44), (-0.9, 0.28), (-0.5, 0.42), (-0.1, 0.36), (0.36, 0.46), (0.8, 0.3), (1.06, 0.42),
        (1.0, 0.7), (0.5, 0.96), (0, 1.02),
             (-0.5, 0.96), (-1.0, 0.72)]  # fmt: skip
    grain = g.strewn(
        [around(x, y, radius * chance.uniform(0.1, 0.8), chance.uniform(0, 360)) for _ in range(18)],
        chance,
        3.4,
        (fleck,),
        True,
    )
    strokes = "".join(
        line(curve(moved([(-0.5, dy), (-0.1, dy - 0.1), (0.34, dy)], x, y, scale=radius), False), tone.shade, 4, 0.6)
        for dy in (-0.36, -0.04)
    )
    return (
        solid(ball, tone, radius * 0.17, within=strokes)
        + solid(curve(moved(skirt, x, y, scale=radius)), tone, radius * 0.1)
        + grain
    )


def blood_orange_sorbet(chance: Random) -> str:
    red = Tone("#e0643f", "#b8402b", "#f69a70")
    wheel = g.citrus(X + 130, 186, 86, BLOOD, 14)
    balls = _scoop(X + 76, 266, 92, red, chance, fleck=red.light) + shadow(oval(X - 52, 262, 102, 100), 12, 8, 0.4)
    balls += _scoop(X - 56, 262, 104, Tone("#e8724a", "#c04a30", "#fba980"), chance, fleck=red.light)
    bowl = drink(DESSERT, Tone("#e9805a", "#c0492f", "#f6a684"), 340)
    mint = g.leaf(X - 12, 146, 58, -34) + g.leaf(X + 40, 158, 50, 42) + g.leaf(X + 10, 128, 42, 6)
    return wheel + balls + bowl + mint


_COFFEE_GLASS = Glass(
    ((150, 300), (150, 300), (150, 340), (144, 470), (134, 590), (130, 612), (112, 628), (80, 630)), bottom=34
)


def affogato(chance: Random) -> str:
    brew = Tone("#5a301b", "#371a0d", "#8a5630")
    ball = _scoop(X, 282, 124, _VANILLA, chance, fleck="#8a6a3a")
    poured = [(-58, -70), (-24, -98), (28, -100), (66, -74), (80, -28), (74, 22), (62, 48), (50, 20), (36, -8),
        (20, 10), (12, 58), (-4, 74), (-14, 40),
              (-22, 0), (-42, -14), (-58, -34)]  # fmt: skip
    sauce = solid(curve(moved(poured, X + 6, 266)), brew, 8) + g.glints([(X - 34, 212), (X - 6, 190)], 7, 24, 0.6)
    melt = fill(curve([(X - 150, 434), (X - 90, 410), (X - 30, 444), (X + 40, 416), (X + 100, 448),
        (X + 150, 422), (X + 150, 384), (X - 150, 384)]),
                _VANILLA.base, 0.85)  # fmt: skip
    glass = drink(_COFFEE_GLASS, brew, 396, melt)
    beans = "".join(
        raised(oval(X + dx, GROUND + dy, 25, 17, turn), COFFEE, 6, 5)
        + line(curve(moved([(-20, 2), (0, -3), (20, 2)], X + dx, GROUND + dy, turn), False), COFFEE.light, 3.5)
        for dx, dy, turn in ((-206, -4, 20), (-172, 16, -24), (214, 12, 14))
    )
    return ball + sauce + glass + beans
