"""Fresh pasta, from above: nests and shapes, and what goes over them."""

import math
from collections.abc import Sequence
from random import Random

from config.demo.drawing import garnishes as g
from config.demo.drawing.colours import (
    AUBERGINE,
    CRAB,
    CRISP,
    GREENS,
    INK,
    MEAT,
    MILK,
    PASTA,
    RAGU,
    SHELL,
    TOMATO,
    Tone,
)
from config.demo.drawing.shapes import (
    MIDDLE,
    Point,
    around,
    blob,
    curve,
    fill,
    hollow,
    line,
    moved,
    oval,
    raised,
    ring,
    shadow,
    solid,
    spread,
    straight,
    strand,
)

X, Y = MIDDLE


def nest(chance: Random, radius: float, width: float, strands: int, tone: Tone = PASTA, *, loose: float = 0.1) -> str:
    """Strings wound around the middle, the outer ones first, and some that lie across."""
    ground = curve(moved(blob(chance, radius, wobble=0.03), X, Y))
    drawn = shadow(ground, 16, 10, 0.34) + fill(
        curve(moved(blob(chance, radius * 0.97, wobble=0.04), X, Y)), tone.shade
    )
    for index in range(strands):
        part = index / strands
        mean = radius * (0.95 - 0.82 * part)
        start, sweep = chance.uniform(0, 360), chance.uniform(110, 230)
        away = radius * loose
        cx, cy = X + chance.uniform(-away, away), Y + chance.uniform(-away, away)
        drift = chance.uniform(-0.16, 0.1) * radius
        points = []
        for step in range(9):
            far = mean + drift * step / 8 + chance.uniform(-0.012, 0.012) * radius
            px, py = around(cx, cy, far, start + sweep * step / 8)
            reach = max(1.0, math.hypot(px - X, py - Y) / radius)
            points.append((X + (px - X) / reach, Y + (py - Y) / reach))
        drawn += strand(points, tone, width)
    return drawn


def tagliatelle_al_ragu(chance: Random) -> str:
    sauce = curve(moved(blob(chance, 150, 132, 0.12, 11), X + 4, Y))
    oil = curve(moved(blob(chance, 168, 148, 0.1, 11), X + 4, Y + 2))
    drawn = nest(chance, 226, 27, 44, loose=0.14) + fill(oil, "#d9812f", 0.75) + raised(sauce, RAGU, 12)
    for x, y in spread(chance, 44, 142, 122, 19):
        size = chance.uniform(13, 22)
        tone = chance.choice((RAGU, RAGU, MEAT, TOMATO))
        drawn += raised(curve(moved(blob(chance, size, size * 0.8, 0.22, 6), x, y, chance.uniform(0, 180))), tone, 6, 5)
    drawn += g.glints(spread(chance, 14, 120, 100, 40), 4, 11, 0.6)
    for dx, dy, turn in ((-52, -34, 20), (48, -56, -40), (30, 50, 70), (-50, 52, -15)):
        drawn += g.shaving(X + dx, Y + dy, 74, turn, chance, tone=MILK)
    return drawn + g.leaf(X - 6, Y - 4, 50, -50) + g.leaf(X + 44, Y + 14, 42, 65)


def cacio_e_pepe(chance: Random) -> str:
    cream = Tone("#f3d998", "#cfa95c", "#fdf0c8")
    drawn = nest(chance, 222, 15, 90, cream, loose=0.2)
    drawn += "".join(
        g.shaving(X + dx, Y + dy, 70, turn, chance, tone=MILK)
        for dx, dy, turn in ((-60, 40, 30), (54, 46, -25), (10, -70, 10), (-10, 90, 60), (96, -30, -70))
    )
    drawn += g.strewn(spread(chance, 120, 205, apart=15), chance, 5.6, (INK, "#4a352a", INK))
    return drawn + g.strewn(spread(chance, 50, 276, apart=18, inner=0.84), chance, 3.2, (INK,), True)


def crab_linguine(chance: Random) -> str:
    drawn = nest(chance, 224, 17, 76, loose=0.18)
    for x, y in spread(chance, 9, 170, apart=74):
        drawn += raised(curve(moved(blob(chance, 27, 24, 0.12, 7), x, y)), TOMATO, 9, 6) + g.glints([(x - 13, y - 6)])
    for x, y in spread(chance, 17, 168, apart=48):
        size = chance.uniform(20, 30)
        turn = chance.uniform(0, 180)
        flake = moved(blob(chance, size * 1.25, size * 0.72, 0.14, 8), x, y, turn)
        fibres = "".join(
            line(straight(moved([(-size, dy), (size, dy)], x, y, turn), False), CRAB.shade, 2.4, 0.8) for dy in (-5, 4)
        )
        drawn += raised(curve(flake), CRAB, 8, 6, fibres)
    drawn += _claw(X - 6, Y + 4)
    drawn += "".join(g.chilli_ring(x, y, 13) for x, y in spread(chance, 8, 190, apart=70, inner=0.6))
    herbs = spread(chance, 8, 180, apart=70)
    return drawn + "".join(g.leaf(x, y, 19, chance.uniform(0, 360), GREENS) for x, y in herbs)


def _claw(x: float, y: float) -> str:
    """Two fingers, open; it points to the upper right."""

    def put(points: Sequence[Point]) -> str:
        return curve(moved(points, x, y, 32, 1.25))

    finger = [
        (0, 60),
        (46, 56),
        (82, 10),
        (92, -52),
        (66, -112),
        (10, -146),
        (10, -146),
        (26, -104),
        (24, -70),
        (30, -52),
        (18, -34),
        (16, -14),
        (-6, 0),
    ]
    thumb = [
        (-8, 34),
        (-48, 30),
        (-78, -10),
        (-80, -64),
        (-48, -122),
        (-48, -122),
        (-40, -84),
        (-28, -62),
        (-30, -46),
        (-14, -30),
        (6, -8),
    ]
    palm = [(8, 138), (36, 120), (58, 76), (66, 28), (48, -8), (8, -16), (-32, 2), (-52, 40), (-46, 90), (-22, 128)]
    arm = [(-16, 120), (26, 118), (24, 150), (22, 176), (22, 176), (-12, 176), (-12, 176), (-14, 150)]
    tips = [fill(oval(*moved([at], x, y, 32, 1.25)[0], 46), INK, 0.72) for at in ((12, -150), (-50, -128))]
    spots = "".join(
        fill(oval(*moved([(px, py)], x, y, 32, 1.25)[0], size), SHELL.light, 0.8)
        for px, py, size in ((20, 20, 9), (-8, 48, 7), (30, 58, 6), (4, 84, 6), (-24, 22, 5))
    )
    return (
        raised(put(arm), SHELL, 14, 14)
        + raised(put(thumb), SHELL, 12, 14, tips[1])
        + raised(put(finger), SHELL, 12, 14, tips[0])
        + raised(put(palm), SHELL, 16, 10, spots)
    )


def pumpkin_tortelli(chance: Random) -> str:
    butter = curve(moved(blob(chance, 216, 204, 0.06, 10), X, Y))
    drawn = fill(butter, "#e2a63c", 0.75) + fill(curve(moved(blob(chance, 196, 182, 0.07, 9), X, Y)), "#edb850", 0.8)
    places = [
        (-112, -104, -22),
        (34, -136, 14),
        (146, -46, 62),
        (-152, 38, 80),
        (118, 96, -30),
        (-42, 132, 8),
        (0, 0, -14),
    ]
    for dx, dy, turn in places:
        drawn += _tortello(X + dx, Y + dy, turn, chance)
    for dx, dy, turn, size in ((-62, -42, -60, 62), (66, 54, 40, 60), (70, -66, 100, 52), (-92, 96, 30, 50)):
        drawn += g.sage(X + dx, Y + dy, size, turn)
    drawn += g.strewn(spread(chance, 40, 196, apart=24), chance, 6.5, (CRISP.shade, CRISP.base, CRISP.light))
    return drawn + g.glints(spread(chance, 8, 205, apart=80, inner=0.85), 5, 15)


def _tortello(x: float, y: float, turn: float, chance: Random) -> str:
    half = 74
    edge: list[Point] = []
    for ax, ay, bx, by in ((-1, -1, 1, -1), (1, -1, 1, 1), (1, 1, -1, 1), (-1, 1, -1, -1)):
        for step in range(8):
            part = step / 8
            out = 1.0 if step % 2 else 0.93
            edge.append(((ax + (bx - ax) * part) * half * out, (ay + (by - ay) * part) * half * out))
    filled = curve(moved(blob(chance, half * 0.66, half * 0.66, 0.05, 10), x, y, turn))
    sheen = curve(moved([(-32, 2), (-26, -20), (-6, -32)], x, y), False)
    pressed = "".join(
        line(straight(moved([(along, 0.78 * half),
            (along, 0.9 * half)], x, y, turn + side * 90), False), PASTA.shade, 4, 0.8)
        for side in range(4) for along in (-48, -29, -10, 10, 29, 48)
    )  # fmt: skip
    return (
        raised(curve(moved(edge, x, y, turn)), PASTA, 7, 9)
        + pressed
        + shadow(filled, 7, 5, 0.2)
        + solid(filled, Tone("#f0bd58", "#d3902f", "#f8d98f"), 18, 0.3)
        + line(sheen, "#fdeec0", 7, 0.85)
    )


def orecchiette_and_sausage(chance: Random) -> str:
    drawn = fill(curve(moved(blob(chance, 216, wobble=0.05), X, Y)), "#d8a748", 0.8)
    places = spread(chance, 48, 200, apart=47)
    for index, (x, y) in enumerate(places):
        kind = index % 9
        if kind == 4:
            drawn += _sausage(x, y, chance)
        drawn += _ear(x, y, chance)
    for x, y in spread(chance, 9, 176, apart=88):
        drawn += _sausage(x, y, chance)
    for x, y in spread(chance, 8, 180, apart=104):
        turn = chance.uniform(0, 360)
        drawn += g.leaf(x, y, 40, turn, GREENS) + line(
            straight([around(x, y, 40, turn + 90), around(x, y, 66, turn + 90)], False), GREENS.light, 8
        )
    return drawn + g.strewn(spread(chance, 70, 205, apart=19), chance, 6, (CRISP.base, CRISP.light, CRISP.shade))


def _ear(x: float, y: float, chance: Random) -> str:
    turn, size = chance.uniform(0, 360), chance.uniform(32, 38)
    outer = curve(moved(blob(chance, size, size * 0.84, 0.06, 9), x, y, turn))
    inner = curve(moved(blob(chance, size * 0.64, size * 0.5, 0.08, 8), x + 1, y + 1, turn))
    marks = line(curve(moved([(-size * 0.3, -4), (0, 5), (size * 0.3, -3)], x, y, turn), False), PASTA.shade, 3, 0.8)
    return raised(outer, PASTA, 6, 6) + hollow(inner, Tone("#e4b552", "#b67c29", PASTA.light), 9) + marks


def _sausage(x: float, y: float, chance: Random) -> str:
    size = chance.uniform(29, 38)
    lump = curve(moved(blob(chance, size, size * 0.86, 0.16, 7), x, y))
    spots = g.strewn([(x + chance.uniform(-14, 14), y + chance.uniform(-12, 12)) for _ in range(5)], chance, 3.5,
                     (MEAT.shade, CRISP.light), True)  # fmt: skip
    return raised(lump, Tone("#a9603c", "#7a3f25", "#c98660"), 9, 6) + spots


def rigatoni_alla_norma(chance: Random) -> str:
    sauce = curve(moved(blob(chance, 220, 214, 0.05, 11), X, Y))
    drawn = raised(sauce, TOMATO, 10)
    for index, (x, y) in enumerate(spread(chance, 26, 178, apart=62)):
        drawn += _tube(x, y, chance.uniform(0, 360), chance)
        if index % 3 == 0:
            drawn += fill(
                curve(moved(blob(chance, 40, 20, 0.2, 7), x + 8, y + 6, chance.uniform(0, 180))), TOMATO.base, 0.92
            )
    for x, y in spread(chance, 7, 165, apart=112):
        drawn += _aubergine(x, y, chance)
    for dx, dy, turn in ((-70, -80, 20), (66, 60, -30), (80, -70, 60), (-64, 84, -60), (0, 4, 10)):
        drawn += g.shaving(X + dx, Y + dy, 92, turn, chance, tone=MILK)
    return drawn + g.leaf(X - 24, Y - 30, 58, -38) + g.leaf(X + 36, Y - 16, 52, 58) + g.leaf(X + 2, Y + 36, 46, 176)


def _tube(x: float, y: float, turn: float, chance: Random) -> str:
    long, wide = chance.uniform(50, 58), 25
    red = Tone("#eab057", "#bd7a30", "#f7d28a")
    body = moved([(-long, -wide), (-long, -wide), (long, -wide), (long, -wide), (long + 9, 0), (long, wide),
        (long, wide),
                  (-long, wide), (-long, wide), (-long + 3, 0)], x, y, turn)  # fmt: skip
    ridges = "".join(
        line(straight(moved([(-long, dy), (long, dy)], x, y, turn), False), red.shade, 3, 0.75)
        for dy in (-14, -3, 8, 19)
    )
    end = moved([(-long + px, py) for px, py in ring(11, wide, 12)], x, y, turn)
    hole = moved([(-long + px, py) for px, py in ring(7, wide - 7, 12)], x, y, turn)
    return raised(curve(body), red, 9, 8, ridges) + fill(curve(end), red.light) + fill(curve(hole), "#8a3a1c")


def _aubergine(x: float, y: float, chance: Random) -> str:
    flesh = Tone("#d5ad62", "#a37a37", "#ecd197")
    whole = curve(moved(blob(chance, 50, 46, 0.05, 9), x, y))
    fried = curve(moved(blob(chance, 42, 38, 0.05, 9), x - 1, y - 2))
    pips = [
        (x + dx + chance.uniform(-4, 4), y + dy)
        for dx, dy in ((-18, -8), (-4, -18), (14, -10), (18, 8), (0, 16), (-16, 10))
    ]
    return raised(whole, AUBERGINE, 7, 9) + solid(fried, flesh, 6) + g.strewn(pips, chance, 3.6, (flesh.shade,), True)
