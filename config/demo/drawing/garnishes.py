"""Leaves, sprigs, citrus and the small things that are strewn over a dish."""

import math
from collections.abc import Sequence
from random import Random

from config.demo.drawing.colours import BASIL, CHAR, CHILLI, FENNEL, INK, LEMON, NUT, ROSEMARY, SAGE_LEAF, WHITE, Tone
from config.demo.drawing.shapes import (
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
    ring,
    shadow,
    solid,
    straight,
)

_SIDE = [(0, -50), (13, -38), (25, -14), (26, 8), (16, 32), (0, 48)]
_SLIM = [(0, -50), (7, -38), (13, -14), (14, 8), (9, 32), (0, 48)]


def leaf(x: float, y: float, size: float, turn: float, tone: Tone = BASIL, *, slim: bool = False) -> str:
    """One half in the light and one in the shade, whichever way it lies."""
    right = _SLIM if slim else _SIDE
    left = [(-px, py) for px, py in reversed(right)]
    scale = size / 50
    whole = curve(moved([*right, *left], x, y, turn, scale))
    # The half that looks down and to the right is the darker one.
    facing = math.cos(math.radians(turn)) + math.sin(math.radians(turn))
    half = straight(moved([(0, -60), (60 if facing > 0 else -60, 0), (0, 60)], x, y, turn, scale))
    rib = curve(moved([(0, -40), (1.5, 0), (0, 62)], x, y, turn, scale), False)
    veins = "".join(
        line(straight(moved([(0, py), (side * 17, py - 12)], x, y, turn, scale), False), tone.light, scale * 1.6, 0.6)
        for py in (-12, 8, 26) for side in (-1, 1)
    )  # fmt: skip
    drawn = inside(whole, fill(whole, tone.base) + fill(half, tone.shade) + ("" if slim else veins))
    return shadow(whole, 7, 4, 0.3) + drawn + line(rib, tone.light, scale * 2.6)


def sprig(x: float, y: float, length: float, turn: float, tone: Tone = ROSEMARY) -> str:
    """Rosemary: a bent stalk full of needles."""
    stalk = [(0, length / 2), (length * 0.05, length * 0.15), (length * 0.02, -length * 0.2), (0, -length / 2)]
    drawn = line(curve(moved(stalk, x, y, turn), False), tone.shade, 6)
    steps = int(length / 13)
    for index in range(steps + 1):
        up = length * (0.42 - 0.92 * index / steps)
        reach = 31 if index < steps - 3 else 31 - 5 * (index - steps + 4)
        for side, colour in ((1, tone.shade), (-1, tone.base)):
            root, tip = (length * 0.025, up), (side * reach + length * 0.025, up - 25)
            drawn += line(straight(moved([root, tip], x, y, turn), False), colour, 7.5)
        if index % 2:
            lit = moved([(length * 0.025 - 8, up - 8), (length * 0.025 - 22, up - 19)], x, y, turn)
            drawn += line(straight(lit, False), tone.light, 3)
    path = curve(moved(stalk, x, y, turn), False)
    return _shade(line(path, INK, 34)) + drawn


def frond(x: float, y: float, length: float, turn: float, tone: Tone = BASIL) -> str:
    """Dill or fennel: a bent stalk whose branches end in fans of fine hairs."""

    def put(points: Sequence[Point], colour: str, width: float) -> str:
        return line(curve(moved(points, x, y, turn), False), colour, width)

    drawn = put([(0, 0), (length * 0.06, -length * 0.5), (0, -length * 0.86)], tone.shade, 6)
    ends = [(0.0, -length * 0.84, -90.0)]
    for index, (far, side) in enumerate(((0.34, 1), (0.44, -1), (0.58, 1), (0.68, -1), (0.78, 1))):
        reach = length * (0.3 - index * 0.035)
        root = (length * 0.05, -length * far)
        end = (root[0] + side * reach, root[1] - reach * 0.55)
        drawn += put([root, (root[0] + side * reach * 0.6, root[1] - reach * 0.2), end], tone.shade, 4.5)
        ends.append((*end, -90 + side * 48))
    for ex, ey, heading in ends:
        for index, open_ in enumerate((-75, -50, -25, 0, 25, 50, 75)):
            hair = length * (0.17 if index % 2 else 0.13)
            tip = around(ex, ey, hair, heading + open_)
            middle = around(ex, ey, hair * 0.55, heading + open_ * 0.7)
            drawn += put([(ex, ey), middle, tip], (tone.base, tone.light, tone.shade)[index % 3], 4.2)
    return drawn


def citrus(x: float, y: float, radius: float, tone: Tone = LEMON, turn: float = 10, *, charred: bool = False) -> str:
    """A slice or a half, from above."""
    rind, pith = oval(x, y, radius), oval(x, y, radius * 0.89)
    flesh = tone if not charred else Tone(tone.shade, CHAR, tone.light)
    wedges = ""
    for index in range(8):
        middle = turn + index * 45
        corners = [around(x, y, radius * 0.1, middle), around(x, y, radius * 0.76, middle - 18),
                   around(x, y, radius * 0.82, middle), around(x, y, radius * 0.76, middle + 18)]  # fmt: skip
        path = curve([corners[0], corners[0], corners[1], corners[1], corners[2], corners[3], corners[3]])
        wedges += fill(path, flesh.base if index % 2 else flesh.light)
        if charred:
            wedges += fill(oval(*around(x, y, radius * 0.6, middle + 4), radius * 0.17), CHAR, 0.55)
    return shadow(rind, 9, 5, 0.32) + solid(rind, tone, radius * 0.09) + fill(pith, "#fdf3d3") + wedges


def wedge(x: float, y: float, size: float, turn: float, tone: Tone = LEMON) -> str:
    """A quarter of a lemon on its side."""
    outer = moved([(-50, 0), (-50, 0), (-36, 26), (0, 38), (36, 26), (50, 0), (50, 0), (0, -7)], x, y, turn, size / 50)
    flesh = moved([(-43, 1), (-43, 1), (-28, 17), (0, 27), (28, 17), (43, 1), (43, 1), (0, -3)], x, y, turn, size / 50)
    ribs = "".join(
        line(straight(moved([(0, -5), (dx, 27)], x, y, turn, size / 50), False), "#fdf3d3", size * 0.035)
        for dx in (-26, -9, 9, 26)
    )
    return raised(curve(outer), tone, size * 0.12) + inside(curve(flesh), fill(curve(flesh), tone.light) + ribs)


def strewn(points: Sequence[Point], chance: Random, size: float, colours: tuple[str, ...], flat: bool = False) -> str:
    """Crumbs, pepper, salt: small corners that lie each its own way."""
    drawn = ""
    for index, (x, y) in enumerate(points):
        grown = size * chance.uniform(0.65, 1.35)
        path = straight(moved(blob(chance, grown, grown * 0.8, 0.35, 5), x, y, chance.uniform(0, 360)))
        drawn += ("" if flat else _shade(fill(path, INK))) + fill(path, colours[index % len(colours)])
    return drawn


def _shade(drawn: str) -> str:
    return f'<g transform="translate(3 4)" opacity="0.22">{drawn}</g>'


def chilli_ring(x: float, y: float, radius: float) -> str:
    return (
        shadow(oval(x, y, radius), 4, 2, 0.3)
        + line(oval(x, y, radius * 0.75), CHILLI.shade, radius * 0.62)
        + line(oval(x - 1, y - 1, radius * 0.75), CHILLI.base, radius * 0.42)
        + fill(oval(x + radius * 0.1, y, radius * 0.16), "#f8dfa0")
    )


def dots(points: Sequence[Point], radius: float, tone: Tone) -> str:
    return "".join(raised(oval(x, y, radius), tone, radius * 0.4, 5) for x, y in points)


def glints(points: Sequence[Point], width: float = 5, length: float = 14, opacity: float = 0.75) -> str:
    """Oil and glaze: short strokes of light, all bent the same way."""
    return "".join(
        line(curve([(x, y), (x + length * 0.4, y - length * 0.45),
            (x + length, y - length * 0.6)], False), WHITE, width,
             opacity)
        for x, y in points
    )  # fmt: skip


def walnut(x: float, y: float, size: float, turn: float, chance: Random) -> str:
    points = [(px * (1.05 if index % 2 else 0.95), py * (1.05 if index % 2 else 0.95))
              for index, (px, py) in enumerate(ring(size, size * 0.72, 12))]  # fmt: skip
    folds = "".join(
        line(curve(moved([(side * size * 0.18, -size * 0.3), (side * size * 0.42, 0), (side * size * 0.2, size * 0.3)],
                         x, y, turn), False), NUT.shade, size * 0.13)
        for side in (-1, 1)
    )  # fmt: skip
    rib = line(straight(moved([(0, -size * 0.6), (0, size * 0.6)], x, y, turn), False), NUT.shade, size * 0.12)
    return raised(curve(moved(points, x, y, turn)), NUT, size * 0.22) + folds + rib


def shaving(x: float, y: float, length: float, turn: float, chance: Random, *, tone: Tone = FENNEL) -> str:
    """A curl of cheese."""
    bend = chance.uniform(0.12, 0.26) * length
    half = length / 2
    points = [
        (-half, 0),
        (-half, 0),
        (0, -bend),
        (half, 0),
        (half, 0),
        (half * 0.9, 15),
        (0, 17 - bend * 0.5),
        (-half, 13),
    ]
    return raised(curve(moved(points, x, y, turn)), tone, 5, 6)


def sage(x: float, y: float, size: float, turn: float) -> str:
    return leaf(x, y, size, turn, SAGE_LEAF, slim=True)
