"""Bites and small plates, from above."""

from random import Random

from config.demo.drawing import garnishes as g
from config.demo.drawing.colours import (
    ANCHOVY,
    BASIL,
    BEET,
    BUTTER,
    CHAR,
    CREAM,
    CRISP,
    CRUMB,
    CRUST,
    FIG_FLESH,
    FIG_SKIN,
    GREENS,
    INK,
    LEAF_GLAZE,
    LEMON,
    MILK,
    OLIVE,
    STONE,
    TOMATO,
    Tone,
)
from config.demo.drawing.shapes import (
    MIDDLE,
    around,
    blob,
    curve,
    fill,
    hollow,
    inside,
    line,
    moved,
    oval,
    raised,
    spread,
    straight,
)
from config.demo.drawing.tableware import ramekin

X, Y = MIDDLE


def rosemary_focaccia(chance: Random) -> str:
    drawn = ""
    for dx, dy, turn in ((-134, -98, -9), (110, -134, -7), (-102, 134, -8)):
        drawn += _focaccia(X + dx, Y + dy, turn, chance)
    drawn += ramekin(X + 142, Y + 100, 118, CREAM, MILK, swirl="#7f9a3a")
    return drawn + g.leaf(X + 134, Y + 92, 38, 60)


def _focaccia(x: float, y: float, turn: float, chance: Random) -> str:
    half_width, half_height = 112, 106
    corners = [(-1, -1), (0, -1.04), (1, -1), (1.03, 0), (1, 1), (0, 1.03), (-1, 1), (-1.03, 0)]
    outline = [(px * half_width * 0.97, py * half_height * 0.97) for px, py in corners]
    soft = [
        point for index, point in enumerate(outline) for point in ([point] if index % 2 else _round(outline, index))
    ]
    crust = curve(moved(soft, x, y, turn))
    top = Tone("#dfa64c", "#b97528", "#f2cd84")
    browned = "".join(
        fill(curve(moved(blob(chance, 40, 26, 0.2, 8), *at, chance.uniform(0, 180))), "#c8852f", 0.55)
        for at in moved([(-70, -58), (60, -66), (-34, 66), (78, 50)], x, y, turn)
    )
    drawn = raised(crust, top, 12, 14, browned)
    for row in (-62, 0, 60):
        for column in (-66, 0, 66):
            at = moved([(column + chance.uniform(-9, 9), row + chance.uniform(-9, 9))], x, y, turn)[0]
            drawn += hollow(oval(*at, 19, 15), Tone("#d0923a", "#b0711f", "#e9b966"), 8)
    drawn += g.sprig(*moved([(4, 0)], x, y, turn)[0], 128, chance.uniform(30, 70))
    salt = moved([(chance.uniform(-74, 74), chance.uniform(-74, 74)) for _ in range(14)], x, y, turn)
    return drawn + g.strewn(salt, chance, 5, ("#fffaf0",))


def _round(points: list[tuple[float, float]], index: int) -> list[tuple[float, float]]:
    x, y = points[index]
    (ax, ay), (bx, by) = points[index - 1], points[(index + 1) % len(points)]
    return [(x + (ax - x) * 0.22, y + (ay - y) * 0.22), (x + (bx - x) * 0.22, y + (by - y) * 0.22)]


def nocellara_olives(chance: Random) -> str:
    drawn = fill(oval(X, Y, 246), "#7c8236", 0.55)
    places = spread(chance, 48, 208, apart=58)
    for index, (x, y) in enumerate(places):
        drawn += _olive(x, y, chance)
        if index % 6 == 2:
            drawn += _peel(x + 22, y + 20, chance.uniform(0, 360))
    for x, y in spread(chance, 16, 170, apart=78):
        drawn += _olive(x, y, chance)
    return drawn + _peel(X + 20, Y - 92, 24) + _peel(X - 96, Y + 60, 110) + _peel(X + 104, Y + 86, -30)


def _olive(x: float, y: float, chance: Random) -> str:
    turn = chance.uniform(0, 180)
    tone = chance.choice((OLIVE, OLIVE, Tone("#a9b150", "#7e8834", "#d2d78a")))
    tip = moved([(44, 0)], x, y, turn)[0]
    spot = fill(oval(*tip, 5), tone.shade)
    sheen = curve([(x - 22, y - 4), (x - 17, y - 16), (x - 4, y - 22)], False)
    return raised(oval(x, y, 47, 38, turn), tone, 15, 9, spot) + line(sheen, "#f3f3c8", 7, 0.9)


def _peel(x: float, y: float, turn: float) -> str:
    outline = [(-48, 4), (-48, 4), (-20, -16), (18, -14), (48, 4), (48, 4), (44, 20), (16, 6), (-18, 6), (-44, 20)]
    return raised(curve(moved(outline, x, y, turn)), LEMON, 5, 6)


def burrata_and_charred_figs(chance: Random) -> str:
    vinegar = [around(X, Y, chance.uniform(176, 226), turn) for turn in range(10, 370, 22)]
    drawn = "".join(fill(oval(x, y, chance.uniform(5, 13)), "#3a1a1c") for x, y in vinegar)
    for turn in (-158, -112, -64, -14, 34, 82, 128, 170):
        drawn += _fig(*around(X, Y, 152, turn), turn + 90, chance)
    drawn += raised(curve(moved(blob(chance, 112, 106, 0.03, 10), X, Y)), MILK, 20, 16)
    knot = [(-34, -6), (-52, -34), (-24, -42), (-6, -18), (14, -44), (40, -30), (30, -6), (12, 8), (-12, 10)]
    drawn += raised(curve(moved(knot, X - 6, Y - 18, 12)), MILK, 9, 6)
    folds = line(curve([(X - 58, Y + 34), (X - 14, Y + 58), (X + 44, Y + 46)], False), MILK.shade, 6)
    oil = fill(oval(X + 44, Y + 22, 24, 15, -24), "#c4c04a", 0.75) + fill(oval(X - 52, Y + 12, 12, 9), "#c4c04a", 0.75)
    pepper = g.strewn(spread(chance, 16, 84, apart=22), chance, 3.6, (INK,), True)
    greens = "".join(g.leaf(*around(X, Y, far, turn), size, spin) for far, turn, size, spin in
                     ((112, -92, 50, -30), (118, 12, 46, 70), (116, 150, 50, 200), (46, 70, 38, 120)))  # fmt: skip
    return drawn + folds + oil + pepper + greens


def _fig(x: float, y: float, turn: float, chance: Random) -> str:
    """Half a fig with its cut side up; its stalk points outwards."""
    outer = [(0, -78), (0, -78), (12, -60), (26, -34), (46, -2), (50, 26), (34, 50), (0, 58), (-34, 50),
        (-50, 26), (-46, -2), (-26, -34),
             (-12, -60)]  # fmt: skip
    pale = [(px * 0.84, py * 0.84 + 4) for px, py in outer]
    flesh = [(px * 0.68, py * 0.64 + 10) for px, py in outer]
    seeds = moved([(chance.uniform(-24, 24), chance.uniform(-10, 36)) for _ in range(13)], x, y, turn)
    heart = curve(moved([(0, -18), (0, -18), (10, 8), (8, 30), (0, 36), (-8, 30), (-10, 8)], x, y, turn))
    char = "".join(
        line(straight(moved([(-60, dy), (60, dy - 16)], x, y, turn), False), CHAR, 9, 0.5) for dy in (-14, 16, 44)
    )
    return (
        raised(curve(moved(outer, x, y, turn)), FIG_SKIN, 9, 9)
        + fill(curve(moved(pale, x, y, turn)), "#efd3b2")
        + hollow(curve(moved(flesh, x, y, turn)), FIG_FLESH, 7)
        + fill(heart, FIG_FLESH.shade)
        + g.strewn(seeds, chance, 3.4, ("#f6d79a",), True)
        + inside(curve(moved(flesh, x, y, turn)), char)
    )


def salt_cod_fritters(chance: Random) -> str:
    drawn = ""
    for dx, dy in ((-150, -90), (-36, -150), (-166, 42), (-52, -28), (-66, 122), (72, 150), (92, -128)):
        drawn += _fritter(X + dx, Y + dy, chance)
    drawn += ramekin(X + 112, Y + 20, 104, STONE, Tone("#f3cc5a", "#cf9a2c", "#fbe39a"))
    drawn += g.wedge(X + 2, Y + 66, 62, 158)
    herbs = ((-108, 6, 120), (-104, -140, 20), (14, -98, 80), (0, 160, 160), (-4, 22, 30))
    return drawn + "".join(g.leaf(X + dx, Y + dy, 30, turn, GREENS) for dx, dy, turn in herbs)


def _fritter(x: float, y: float, chance: Random) -> str:
    whole = curve(moved(blob(chance, 66, 62, 0.07, 11), x, y))
    crags = "".join(
        raised(curve(moved(blob(chance, size, size * 0.8, 0.2, 6), x + dx, y + dy)), tone, 5, 4)
        for dx, dy, size, tone in ((-24, -20, 17, CRISP), (14, -30, 13, CRISP), (24, 6, 16, CRUST),
            (-14, 18, 15, CRISP), (6, 36, 11, CRUST),
                                   (-38, 8, 9, CRUST))
    )  # fmt: skip
    flecks = [(x + chance.uniform(-38, 38), y + chance.uniform(-38, 38)) for _ in range(5)]
    return raised(whole, CRISP, 17, 12) + crags + g.strewn(flecks, chance, 4.5, (BASIL.base, "#fff4d6"), True)


def beetroot_carpaccio(chance: Random) -> str:
    drawn = ""
    for radius, count, first in ((166, 11, 0), (88, 7, 20), (0, 1, 0)):
        for index in range(count):
            drawn += _slice_of_beet(*around(X, Y, radius, first + 360 * index / count), chance)
    cream = [
        around(X, Y, far, turn)
        for far, turn in ((130, -150), (138, -70), (120, -10), (142, 60), (126, 140), (40, 100), (58, -110))
    ]
    for index, (x, y) in enumerate(cream):
        drawn += raised(oval(x, y, 25 if index % 2 else 18), MILK, 9, 6)
    nuts = (
        (84, -118, 20),
        (96, 34, 100),
        (78, 176, 60),
        (172, 98, 140),
        (176, -36, 10),
        (20, -10, 80),
        (178, -176, 50),
    )
    drawn += "".join(g.walnut(*around(X, Y, far, turn), 30, spin, chance) for far, turn, spin in nuts)
    leaves = ((110, -40, 30), (112, 98, 150), (104, -172, -60), (180, 20, 100), (172, -112, -20), (44, 40, 60))
    return drawn + "".join(g.leaf(*around(X, Y, far, turn), 27, spin, GREENS) for far, turn, spin in leaves)


def _slice_of_beet(x: float, y: float, chance: Random) -> str:
    rings = "".join(line(oval(x, y, size), BEET.light, 5, 0.55) for size in (24, 44))
    return raised(curve(moved(blob(chance, 68, 66, 0.03, 10), x, y)), BEET, 6, 8, rings)


def chickpea_panisse(chance: Random) -> str:
    drawn = ""
    chips = (
        (-96, -128, -14),
        (-80, -66, 4),
        (-122, -6, -22),
        (-86, 56, 8),
        (-62, 122, -10),
        (-150, 70, 64),
        (-24, -104, 58),
        (-40, 18, -62),
    )
    for dx, dy, turn in chips:
        drawn += _chip(X + dx, Y + dy, turn, chance)
    drawn += ramekin(X + 122, Y + 26, 114, LEAF_GLAZE, TOMATO, swirl="#e8794f")
    herbs = ((-30, 80, 40), (40, -120, -30), (-150, -60, 70))
    return drawn + "".join(g.leaf(X + dx, Y + dy, 30, turn, GREENS) for dx, dy, turn in herbs)


def _chip(x: float, y: float, turn: float, chance: Random) -> str:
    long, wide = 104, 29
    sides = [
        (-long, -wide),
        (-long, -wide),
        (long, -wide),
        (long, -wide),
        (long, wide),
        (long, wide),
        (-long, wide),
        (-long, wide),
    ]
    edge = fill(
        straight(moved([(-long, wide * 0.35), (long, wide * 0.35), (long, wide + 9), (-long, wide + 9)], x, y, turn)),
        CRISP.shade,
        0.45,
    )
    pepper = moved([(chance.uniform(-90, 90), chance.uniform(-20, 6)) for _ in range(8)], x, y, turn)
    return raised(curve(moved(sides, x, y, turn)), CRISP, 8, 10, edge) + g.strewn(
        pepper, chance, 4, (CRUST.shade, "#fff4d6"), True
    )


def anchovy_toast(chance: Random) -> str:
    bread = [(-232, 40), (-238, -40), (-206, -112), (-120, -146), (0, -152), (124, -142), (208, -106), (238, -36),
        (230, 50),
             (206, 116), (120, 138), (0, 142), (-120, 140), (-206, 118)]  # fmt: skip
    crumb = [(px * 0.9, py * 0.86) for px, py in bread]
    bars = "".join(
        line(straight(moved([(dx, -200), (dx + 90, 200)], X, Y, -16), False), "#8a5423", 15, 0.6)
        for dx in range(-260, 261, 84)
    )
    face = curve(moved(crumb, X, Y, -16))
    holes = "".join(fill(curve(moved(blob(chance, size, size * 0.7, 0.2, 7), x, y)), CRUMB.shade, 0.8) for (x, y),
        size in
                    zip(spread(chance, 20, 190, 110, 40), [chance.uniform(6, 13) for _ in range(20)],
                        strict=False))  # fmt: skip
    drawn = raised(curve(moved(bread, X, Y, -16)), CRUST, 14, 18) + inside(face, fill(face, CRUMB.base) + bars + holes)
    for dx, dy in ((-150, -36), (-68, 44), (26, -44), (112, 40), (170, -50), (-150, 62)):
        drawn += _butter(*moved([(dx, dy)], X, Y, -16)[0], chance)
    for dx in (-136, -46, 44, 134):
        drawn += _fillet(*moved([(dx, -2)], X, Y, -16)[0], chance.uniform(4, 16))
    drawn += "".join(g.leaf(*moved([(dx, dy)], X, Y, -16)[0], 24, turn, GREENS) for dx, dy, turn in
                     ((-92, -60, 30), (0, 70, 80), (84, -66, -30), (176, 60, 100)))  # fmt: skip
    return drawn + g.strewn(spread(chance, 26, 200, 110, 30), chance, 3.6, (INK,), True)


def _butter(x: float, y: float, chance: Random) -> str:
    return raised(curve(moved(blob(chance, 44, 28, 0.1, 8), x, y, chance.uniform(-40, 40))), BUTTER, 8, 7)


def _fillet(x: float, y: float, turn: float) -> str:
    outline = [
        (0, -112),
        (0, -112),
        (20, -70),
        (25, -10),
        (19, 60),
        (3, 108),
        (3, 108),
        (-15, 60),
        (-22, -10),
        (-15, -70),
    ]
    rib = line(curve(moved([(1, -96), (3, 0), (2, 94)], x, y, turn), False), ANCHOVY.shade, 4)
    bones = "".join(
        line(straight(moved([(2, dy), (side * 16, dy + 11)], x, y, turn), False), ANCHOVY.light, 2.6, 0.85)
        for dy in range(-70, 71, 20) for side in (-1, 1)
    )  # fmt: skip
    return raised(curve(moved(outline, x, y, turn)), ANCHOVY, 9, 9) + bones + rib
