"""Coffee from above, tea from the side."""

from random import Random

from config.demo.drawing import garnishes as g
from config.demo.drawing.colours import COFFEE, CREAM, CREMA, CRISP, WHITE, Tone
from config.demo.drawing.glasses import TEA, drink
from config.demo.drawing.shapes import (
    MIDDLE,
    blob,
    curve,
    fill,
    hollow,
    inside,
    line,
    mirrored,
    moved,
    oval,
    raised,
    shadow,
    solid,
)
from config.demo.drawing.tableware import plate, spoon, steam

X, Y = MIDDLE
_MILK_FOAM = Tone("#fbecd2", "#e2c08d", WHITE)


def _cup(tone: Tone, radius: float, coffee: str, turn: float = -38) -> str:
    """On its saucer; `coffee` is what is drawn on the surface."""
    handle = curve(moved([(radius * 0.8, -26), (radius * 1.3, -34), (radius * 1.62, -20), (radius * 1.62, 20),
        (radius * 1.3, 34), (radius * 0.8, 26)],
                         X, Y, turn))  # fmt: skip
    hole = curve(
        moved(
            [(radius * 1.08, -12), (radius * 1.4, -14), (radius * 1.46, 0), (radius * 1.4, 14), (radius * 1.08, 12)],
            X,
            Y,
            turn,
        )
    )
    whole, inner, surface = oval(X, Y, radius), oval(X, Y, radius * 0.89), oval(X, Y, radius * 0.84)
    return (
        shadow(handle, 20, 9, 0.36)
        + shadow(whole, 26, 12, 0.4)
        + solid(handle, tone, 9)
        + fill(hole, tone.shade)
        + solid(whole, tone, 10, 0.8)
        + hollow(inner, Tone(CREAM.base, CREAM.shade, CREAM.light), 16)
        + inside(surface, coffee + fill(f"{_crescent(radius)}", COFFEE.shade, 0.3))
    )


def _crescent(radius: float) -> str:
    """Where the wall of the cup keeps the light off."""
    outer = [(-radius, -radius), (radius, -radius), (radius * 0.6, -radius * 0.56),
        (-radius * 0.1, -radius * 0.72), (-radius * 0.6, -radius * 0.3),
             (-radius * 0.66, radius * 0.44), (-radius, radius)]  # fmt: skip
    return curve(moved(outer, X, Y))


def espresso(chance: Random) -> str:
    radius = 156
    crema = fill(oval(X, Y, radius), CREMA.base) + fill(
        curve(moved(blob(chance, 116, 112, 0.05, 9), X + 4, Y + 4)), "#8a5429"
    )
    for dx, dy, wide, high, colour in (
        (6, 12, 92, 84, "#6b3d1f"),
        (-44, -42, 62, 34, CREMA.base),
        (58, 48, 40, 26, "#8a5429"),
        (-52, 56, 26, 16, CREMA.shade),
    ):
        crema += fill(curve(moved(blob(chance, wide, high, 0.13, 9), X + dx, Y + dy, -30)), colour)
    spots = [(X + chance.uniform(-92, 92), Y + chance.uniform(-80, 92)) for _ in range(40)]
    crema += g.strewn(spots, chance, 4, (CREMA.shade, CREMA.light), True)
    biscuit = raised(curve(moved([(-66, -20), (-66, -20), (66, -20), (66, -20), (72, 0), (66, 20), (66, 20),
        (-66, 20), (-66, 20), (-72, 0)],
                                 X + 168, Y + 150, -44)), CRISP, 9, 10)  # fmt: skip
    return biscuit + spoon(X - 206, Y + 30, 14, 0.86) + _cup(Tone("#7a2f49", "#561d32", "#9c4f69"), radius, crema)


def flat_white(chance: Random) -> str:
    radius = 216
    brown = fill(oval(X, Y, radius), "#9a5f2f") + fill(oval(X, Y, radius * 0.79), "#b2743c")
    rosetta = ""
    for index in range(6):
        size, y = 118 - index * 15, 92 - index * 40
        wing = [(0, 34), (size * 0.6, 18), (size, -26), (size * 0.86, -54), (size * 0.42, -26), (0, -8)]
        rosetta += fill(curve(moved(mirrored(wing), X, Y + y, 0)), _MILK_FOAM.base)
        if index < 5:
            gap = [(0, -10), (size * 0.44, -28), (size * 0.84, -56)]
            rosetta += line(
                curve(moved([*((-px, py) for px, py in reversed(gap)), *gap[1:]], X, Y + y), False), "#a86a36", 9
            )
    heart = [(0, -128), (0, -128), (22, -158), (46, -150), (42, -116), (0, -80), (-42, -116), (-46, -150), (-22, -158)]
    stalk = line(curve([(X, Y - 110), (X + 1, Y), (X, Y + 132)], False), "#a86a36", 6)
    return _cup(
        Tone("#7d8f72", "#63745a", "#99a98e"),
        radius,
        brown + rosetta + fill(curve(moved(heart, X, Y + 4)), _MILK_FOAM.base) + stalk,
    )


def fresh_mint_tea(chance: Random) -> str:
    handle = line(
        curve([(X + 124, 330), (X + 190, 326), (X + 214, 390), (X + 204, 470), (X + 166, 516), (X + 122, 522)], False),
        WHITE,
        24,
        0.42,
    )
    handle += line(curve([(X + 124, 324), (X + 192, 320), (X + 218, 388), (X + 208, 470)], False), WHITE, 5, 0.8)
    tea = Tone("#d8c860", "#aea038", "#efe6a6")
    leaves = "".join(
        g.leaf(X + dx, y, size, turn)
        for dx, y, size, turn in (
            (-56, 420, 62, -40),
            (40, 404, 66, 32),
            (-14, 480, 60, 6),
            (60, 500, 56, 70),
            (-66, 530, 54, -80),
            (8, 556, 50, 110),
        )
    )
    stalk = line(curve([(X + 8, 600), (X - 6, 470), (X + 20, 320), (X + 36, 220)], False), "#4f8139", 8)
    rising = "".join(
        g.leaf(X + dx, y, size, turn)
        for dx, y, size, turn in (
            (-10, 268, 62, -62),
            (84, 262, 60, 64),
            (0, 206, 56, -42),
            (74, 200, 52, 40),
            (40, 158, 54, 2),
        )
    )
    return handle + drink(TEA, tea, 336, stalk + leaves, standing=stalk + rising) + steam(X - 92, 236, 120)


def saucer(tone: Tone) -> str:
    return plate(tone, radius=312, well=0.62)
