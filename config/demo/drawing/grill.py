"""What comes off the charcoal, from above."""

from collections.abc import Sequence
from random import Random

from config.demo.drawing import garnishes as g
from config.demo.drawing.colours import (
    BLOOD,
    BONE,
    BUTTER,
    CHAR,
    CRUST,
    FISH,
    GREENS,
    INK,
    LEMON,
    MEAT,
    MILK,
    OLIVE,
    ORANGE,
    PORK,
    ROSY,
    SKIN,
    Tone,
)
from config.demo.drawing.shapes import (
    MIDDLE,
    Point,
    around,
    blob,
    curve,
    fill,
    inside,
    line,
    moved,
    oval,
    raised,
    solid,
    spread,
    straight,
)

X, Y = MIDDLE
_SALSA = Tone("#6f8f36", "#4c6a22", "#a3bd5f")


def _bars(body: str, turn: float, gap: float = 58, width: float = 13, opacity: float = 0.75, *, far: int = 320) -> str:
    """The marks of the grill, inside an outline."""
    count = int(far / gap)
    lines = "".join(
        line(straight(moved([(-far, step * gap), (far, step * gap)], X, Y, turn), False), CHAR, width, opacity)
        for step in range(-count, count + 1)
    )
    return inside(body, lines)


def half_chicken(chance: Random) -> str:
    def put(points: Sequence[Point]) -> str:
        return curve(moved(points, X - 18, Y - 6, -14, 1.1))

    bone = [(160, 100), (190, 118), (222, 124), (238, 146), (224, 164), (212, 188), (186, 184), (170, 152), (140, 132)]
    breast = [(-196, 10), (-196, -60), (-158, -122), (-80, -156), (14, -158), (92, -124), (132, -60), (134, 10),
              (96, 76), (20, 112), (-70, 116), (-150, 84)]  # fmt: skip
    leg = [(-66, 78), (-40, 14), (22, -22), (92, -12), (138, 34), (162, 82), (190, 116), (176, 148), (138, 146),
           (84, 146), (20, 156), (-42, 132)]  # fmt: skip
    wing = [(-182, -70), (-140, -108), (-76, -104), (-34, -66), (-32, -26), (-62, -16), (-96, -44), (-124, -40),
            (-138, 2), (-166, 34), (-196, 28), (-204, -20)]  # fmt: skip
    glow = fill(put([(-150, -110), (-20, -150), (60, -110), (20, -50), (-90, -30), (-170, -30)]), SKIN.light, 0.4)
    deep = fill(
        put([(150, 40), (80, 110), (-40, 130), (-170, 110), (-120, 70), (0, 84), (90, 30), (130, -40)]), "#a4561c", 0.5
    )
    thigh = fill(put([(-40, 60), (-10, 14), (50, -4), (96, 18), (60, 60), (0, 92)]), SKIN.light, 0.45)
    drawn = fill(curve(moved(blob(chance, 224, 158, 0.08, 11), X - 4, Y + 22)), _SALSA.base, 0.9)
    drawn += raised(put(bone), BONE, 10, 10) + raised(put(breast), SKIN, 24, 18, glow + deep + _blisters(chance, 40))
    drawn += _bars(put(breast), -52, 62, 15, 0.5)
    drawn += raised(put(leg), SKIN, 22, 14, thigh + _blisters(chance, 30)) + _bars(put(leg), -52, 62, 15, 0.5)
    drawn += raised(put(wing), SKIN, 15, 12)
    drawn += g.glints([(X - 20, Y - 140), (X + 44, Y - 128), (X + 24, Y + 16), (X - 168, Y - 52)], 9, 34, 0.6)
    drawn += g.citrus(X - 140, Y + 146, 62, LEMON, charred=True) + g.citrus(X + 160, Y - 130, 58, LEMON, charred=True)
    spots = [around(X, Y, chance.uniform(190, 222), turn) for turn in range(60, 112, 6)]
    return (
        drawn + g.strewn(spots, chance, 8, (_SALSA.base, _SALSA.light, _SALSA.shade)) + g.leaf(X + 36, Y + 146, 40, 80)
    )


def _blisters(chance: Random, count: int) -> str:
    return "".join(
        fill(curve(moved(blob(chance, size, size * 0.6, 0.25, 7), x, y, chance.uniform(0, 90))), colour, 0.4)
        for (x, y), size, colour in (
            (at, chance.uniform(7, 22), chance.choice((SKIN.shade, SKIN.light)))
            for at in spread(chance, count, 210, 150, 30)
        )
    )


def flat_iron_steak(chance: Random) -> str:
    drawn = ""
    whole = [
        (-100, -118),
        (-20, -136),
        (70, -122),
        (104, -40),
        (100, 60),
        (70, 128),
        (-30, 134),
        (-104, 110),
        (-120, 0),
    ]
    end = curve(moved(whole, X + 134, Y - 92, -38, 0.98))
    drawn += raised(end, MEAT, 18, 16) + _bars(end, -8, 46, 12, 0.7) + _bars(end, 82, 46, 9, 0.28)
    for index in range(6):
        drawn += _slice_of_steak(X + 62 - index * 49, Y - 30 + index * 37, -38 + index * 1.8, chance)
    pat = curve(moved(blob(chance, 54, 46, 0.08, 9), X + 134, Y - 108))
    melted = curve(moved(blob(chance, 84, 62, 0.14, 10), X + 126, Y - 96))
    drawn += fill(melted, BUTTER.base, 0.7) + raised(pat, BUTTER, 13, 9)
    drawn += g.strewn([(X + 134 + dx, Y - 108 + dy) for dx, dy in ((-22, -8), (4, -20), (20, 4), (-6, 12),
        (-26, 14), (10, 24))], chance, 5,
                      (GREENS.base, MEAT.light))  # fmt: skip
    salt = [(X + 80 - far * 50 + dx, Y - 30 + far * 39 + dy) for far in range(6) for dx, dy in ((-44, -40), (24, 42))]
    drawn += g.strewn(salt, chance, 5, ("#fffaf0",))
    return drawn + g.sprig(X - 150, Y - 150, 190, 40)


def _slice_of_steak(x: float, y: float, turn: float, chance: Random) -> str:
    side = [
        (-34, -128),
        (6, -136),
        (36, -118),
        (44, -40),
        (42, 50),
        (32, 122),
        (-4, 134),
        (-36, 118),
        (-30, 40),
        (-28, -40),
    ]
    wide = [(px * 1.08, py) for px, py in side]
    cut = [(px * 0.82 + 3, py * 0.9) for px, py in side]
    pink = [(px * 0.58 + 4, py * 0.76) for px, py in side]
    grain = "".join(
        line(curve(moved([(dx, -80), (dx + 5, 0), (dx - 2, 80)], x, y, turn), False), "#e8a08e", 3, 0.6)
        for dx in (-8, 6, 19)
    )
    return (
        raised(curve(moved(wide, x, y, turn)), MEAT, 10, 12)
        + fill(curve(moved(cut, x, y, turn)), "#b5604c")
        + solid(curve(moved(pink, x, y, turn)), ROSY, 6)
        + grain
    )


def pork_chop(chance: Random) -> str:
    def put(points: Sequence[Point]) -> str:
        return curve(moved(points, X - 6, Y - 26, -8, 1.14))

    fat = [(-150, -74), (-90, -124), (10, -134), (102, -104), (146, -36), (140, 38), (90, 92), (14, 100),
        (-60, 84), (-110, 104), (-150, 84),
           (-166, 10)]  # fmt: skip
    meat = [(-132, -62), (-80, -104), (8, -112), (84, -88), (122, -32), (116, 28), (76, 68), (12, 76), (-66, 62),
        (-112, 76), (-136, 60),
            (-146, 8)]  # fmt: skip
    bone = [(-128, -92), (-176, -60), (-192, 8), (-182, 84), (-206, 140), (-200, 168), (-176, 172), (-164, 152),
        (-142, 90), (-150, 20),
            (-134, -40), (-106, -76)]  # fmt: skip
    fennel = "".join(_braised(X + dx, Y + dy, turn) for dx, dy, turn in ((-38, 138, 84), (74, 148, 104), (156, 84, 62)))
    drawn = raised(put(bone), BONE, 12, 14) + raised(put(fat), Tone("#e9c48e", "#c08f55", "#f7e0b8"), 14, 16)
    drawn += solid(put(meat), PORK, 14) + _bars(put(fat), -48, 56, 14, 0.72)
    drawn += fennel + g.glints([(X - 60, Y - 118), (X + 40, Y - 128), (X + 110, Y - 60)], 8, 30, 0.6)
    for dx, dy, size, tone in ((-178, 108, 30, BLOOD), (-128, 150, 26, Tone("#d8a32a", "#a97812", "#f3cf6b")),
        (152, -124, 32, ORANGE),
                               (196, -70, 24, BLOOD),
                               (112, -172, 22, Tone("#93a33c", "#6b7a25", "#c3cd75"))):  # fmt: skip
        drawn += raised(oval(X + dx, Y + dy, size), tone, size * 0.34, 8) + g.glints(
            [(X + dx - size * 0.5, Y + dy - size * 0.3)], 6, 13
        )
    return drawn + g.frond(X + 178, Y + 60, 130, 40)


def _braised(x: float, y: float, turn: float) -> str:
    """A wedge of fennel: layers that meet at the root."""
    tone = Tone("#dcd592", "#aaa256", "#f3efc4")
    outline = [(0, 92), (0, 92), (-40, 52), (-60, -6), (-44, -60), (-26, -96), (-8, -70), (6, -104), (18, -70),
        (38, -92), (52, -48), (58, 0),
               (38, 54)]  # fmt: skip
    layers = "".join(
        line(curve(moved([(0, 80), (dx * 0.8, 20), (dx, -26), (dx * 0.7, -70)], x, y, turn), False), tone.shade, 5)
        for dx in (-36, -13, 12, 36)
    )
    body = curve(moved(outline, x, y, turn))
    browned = fill(oval(*moved([(0, -20)], x, y, turn)[0], 46, 34, turn), CRUST.base, 0.45)
    return raised(body, tone, 9, 10, browned) + inside(body, layers)


def whole_sea_bream(chance: Random) -> str:
    turn = -18

    def put(points: Sequence[Point]) -> str:
        return curve(moved(points, X, Y, turn, 1.06))

    def put_open(points: Sequence[Point]) -> str:
        return curve(moved(points, X, Y, turn, 1.06), False)

    body = [(-270, 6), (-270, 6), (-236, -42), (-170, -92), (-76, -116), (30, -100), (124, -58), (186, -22),
        (192, 0), (186, 22), (122, 62),
            (20, 100), (-84, 106), (-172, 82), (-240, 40)]  # fmt: skip
    tail = [
        (170, 0),
        (206, -30),
        (270, -92),
        (282, -88),
        (262, -24),
        (256, 0),
        (262, 26),
        (282, 92),
        (270, 96),
        (206, 32),
    ]
    back = [(-130, -98), (-60, -146), (30, -144), (108, -104), (142, -52), (60, -84), (-60, -106)]
    belly = [(-20, 96), (10, 132), (66, 118), (104, 70), (50, 86)]
    fins = Tone("#7c8b8a", "#566563", "#a9b6b3")
    whole = put(body)
    flank = fill(put([(px, py + 46) for px, py in body]), "#b9c6c4") + fill(
        put([(px - 6, py + 108) for px, py in body]), "#e3e2d4"
    )
    scales = "".join(
        line(curve(moved([(cx - 9, cy - 15), (cx + 5, cy),
            (cx - 9, cy + 15)], X, Y, turn, 1.06), False), FISH.shade, 3.5, 0.6)
        for cx in range(-90, 170, 38) for cy in (-30, 6, 42) if abs(cy) < 78 - max(cx, 0) * 0.4
    )  # fmt: skip
    scores = ""
    for dx in (-84, -14, 56, 118):
        high = 92 - max(dx, 0) * 0.42
        slit = [(dx + 34, -high), (dx + 34, -high), (dx + 16, 0), (dx - 22, high), (dx - 22, high), (dx - 10, -4)]
        scores += fill(put(slit), CHAR, 0.88)
    gill = line(put_open([(-176, -84), (-140, -46), (-128, 4), (-142, 52), (-172, 80)]), "#5f757b", 8)
    face = fill(
        put([(-300, -120), (-176, -88), (-140, -46), (-128, 4), (-142, 52), (-176, 84), (-300, 90)]), "#8ea1a4", 0.55
    )
    mouth = line(put_open([(-268, 14), (-250, 20), (-232, 18)]), "#4d5f64", 6)
    rays = "".join(line(put_open([(x1, y1), (x2, y2)]), fins.shade, 4) for x1, y1, x2, y2 in
                   ((204, -10, 260, -68), (208, 0, 246, -18), (208, 4, 246, 22), (204, 12, 260, 72)))  # fmt: skip
    spines = "".join(
        line(put_open([(dx, -104 + abs(dx) * 0.12), (dx + 22, -140 + abs(dx) * 0.2)]), fins.shade, 4)
        for dx in (-80, -40, 0, 40, 76)
    )
    side_fin = [(-112, 16), (-74, -2), (-40, 18), (-34, 40), (-62, 50), (-100, 38)]
    fin_lines = "".join(line(put_open([(-96, 26 + dy * 0.4), (-48, 26 + dy)]), fins.shade, 3) for dy in (-10, 2, 14))
    eye = moved([(-206, -20)], X, Y, turn, 1.06)[0]
    drawn = (
        raised(put(tail), fins, 9, 12)
        + rays
        + raised(put(back), fins, 9, 10)
        + spines
        + raised(put(belly), fins, 9, 10)
    )
    drawn += raised(whole, Tone("#8a9fa5", "#6b8087", "#c9d4d4"), 16, 18, flank + scales + face + scores) + gill + mouth
    drawn += raised(put(side_fin), fins, 6, 5) + fin_lines
    drawn += (
        fill(oval(*eye, 20), "#f6edd6") + fill(oval(*eye, 12), INK) + fill(oval(eye[0] - 4, eye[1] - 4, 4), MILK.light)
    )
    drawn += g.citrus(X + 88, Y + 148, 62, LEMON, 12, charred=True) + g.citrus(
        X - 46, Y - 182, 54, LEMON, 30, charred=True
    )
    capers = [
        (X + dx, Y + dy)
        for dx, dy in ((-96, 158), (-60, 174), (-20, 156), (-128, 176), (40, -156), (76, -168), (110, -144))
    ]
    return drawn + g.dots(capers, 12, OLIVE) + g.frond(X - 150, Y + 206, 120, 40)
