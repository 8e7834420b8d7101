"""Garden sides, from above."""

from random import Random

from config.demo.drawing import garnishes as g
from config.demo.drawing.colours import (
    CHAR,
    GREENS,
    POTATO,
    Tone,
)
from config.demo.drawing.shapes import (
    MIDDLE,
    curve,
    fill,
    line,
    moved,
    oval,
    raised,
    solid,
    spread,
    straight,
)

X, Y = MIDDLE


def rosemary_potatoes(chance: Random) -> str:
    drawn = ""
    places = spread(chance, 26, 186, apart=72)
    for x, y in places:
        drawn += _potato(x, y, chance)
    for x, y in spread(chance, 6, 96, apart=80):
        drawn += _potato(x, y, chance)
    drawn += g.sprig(X - 66, Y - 40, 200, 36) + g.sprig(X + 90, Y + 70, 170, -40)
    return drawn + g.strewn(spread(chance, 34, 200, apart=26), chance, 5.5, ("#fffaf0",))


def _potato(x: float, y: float, chance: Random) -> str:
    turn = chance.uniform(0, 360)
    corners = [(-46, -26), (-8, -42), (40, -30), (50, 8), (26, 38), (-26, 40), (-52, 10)]
    shape = [(px * chance.uniform(0.9, 1.1), py * chance.uniform(0.9, 1.1)) for px, py in corners]
    facet = [(px * 0.72 - 5, py * 0.66 - 6) for px, py in shape]
    edge = Tone("#c98a34", "#8e551b", "#e9b764")
    face = curve(moved(facet, x, y, turn))
    brown = fill(oval(x + chance.uniform(-20, 24), y + chance.uniform(-8, 24), 20, 12, turn), "#b06a22", 0.5)
    return raised(curve(moved(shape, x, y, turn)), edge, 9, 9) + solid(face, POTATO, 5, within=brown)


def grilled_greens(chance: Random) -> str:
    drawn = ""
    for index, dy in enumerate((-118, -78, -40, -2, 38, 78, 116)):
        away = 30 if index % 2 else -26
        drawn += _asparagus(X + away, Y + dy, chance.uniform(-22, -14), index % 2 == 0)
    for dx, dy in ((-96, -70), (20, -112), (112, -24), (-28, 20), (64, 84), (-130, 66), (-50, 130), (150, -110)):
        drawn += g.chilli_ring(X + dx, Y + dy, 18)
    for dx, dy, turn in (
        (-50, -36, 20),
        (76, -66, 80),
        (20, 48, -30),
        (-96, 14, 60),
        (120, 36, 10),
        (-10, -84, 40),
        (-70, 92, 0),
    ):
        drawn += _garlic(X + dx, Y + dy, turn)
    return (
        drawn + g.wedge(X + 150, Y + 140, 62, -30) + g.strewn(spread(chance, 26, 190, 130, 30), chance, 5, ("#fffaf0",))
    )


def _asparagus(x: float, y: float, turn: float, left: bool) -> str:
    side = -1 if left else 1
    stalk = [(side * px, py) for px, py in ((-220, -14), (-220, -14), (0, -17), (130, -19), (190, -17), (226, 0),
        (226, 0), (190, 17), (130, 19),
                                            (0, 17), (-220, 14), (-220, 14))]  # fmt: skip
    body = curve(moved(stalk, x, y, turn))
    marks = "".join(
        line(straight(moved([(dx - 12, -30), (dx + 12, 30)], x, y, turn), False), CHAR, 12, 0.6)
        for dx in (-150, -70, 10, 90)
    )
    tips = "".join(
        g.leaf(*moved([(side * px, py)], x, y, turn)[0], size, turn + side * 90 + spin, GREENS, slim=True)
        for px, py, size, spin in (
            (150, -9, 22, -14),
            (150, 9, 22, 14),
            (176, 0, 26, 0),
            (204, -4, 20, -8),
            (204, 6, 18, 10),
        )
    )
    return raised(body, GREENS, 11, 11, marks) + tips


def _garlic(x: float, y: float, turn: float) -> str:
    tone = Tone("#f0d9a0", "#c39a4c", "#fbf0cf")
    return raised(curve(moved([(-24, 0), (-6, -15), (22, -10), (26, 6), (2, 14), (-18, 10)], x, y, turn)), tone, 6, 6)
