"""Points become outlines, outlines become shaded shapes, all in one light: it falls from the upper left.

Shapes are turned as points, never by an SVG transform: their shades must stay on the lower right. A canvas is 960 by
720; what matters lies inside its middle square, which is all that a thumbnail shows.
"""

import math
import re
from collections.abc import Iterable, Sequence
from random import Random
from zlib import crc32

from config.demo.drawing.colours import INK, Tone

WIDTH, HEIGHT = 960, 720
MIDDLE = (WIDTH / 2, HEIGHT / 2)

Point = tuple[float, float]


def ring(rx: float, ry: float | None = None, count: int = 16) -> list[Point]:
    ry = rx if ry is None else ry
    turns = [math.tau * index / count for index in range(count)]
    return [(rx * math.cos(turn), ry * math.sin(turn)) for turn in turns]


def blob(chance: Random, rx: float, ry: float | None = None, wobble: float = 0.1, count: int = 9) -> list[Point]:
    """A ring that a hand has drawn: each point is off by at most `wobble`."""
    return [(x * scale, y * scale) for x, y in ring(rx, ry, count) for scale in [1 + chance.uniform(-wobble, wobble)]]


def moved(points: Iterable[Point], x: float, y: float, turn: float = 0, scale: float = 1) -> list[Point]:
    """`turn` is in degrees, clockwise."""
    cos, sin = math.cos(math.radians(turn)) * scale, math.sin(math.radians(turn)) * scale
    return [(x + px * cos - py * sin, y + px * sin + py * cos) for px, py in points]


def mirrored(right: Sequence[Point]) -> list[Point]:
    """A whole outline of its right half, which runs from the top to the bottom."""
    return [*right, *((-x, y) for x, y in reversed(right))]


def around(x: float, y: float, radius: float, turn: float) -> Point:
    return x + radius * math.cos(math.radians(turn)), y + radius * math.sin(math.radians(turn))


def spread(
    chance: Random, count: int, rx: float, ry: float | None = None, apart: float = 0, *, inner: float = 0
) -> list[Point]:
    """Points inside an ellipse around the middle, no two closer than `apart`, none nearer to it than `inner`."""
    ry = rx if ry is None else ry
    found: list[Point] = []
    for _ in range(count * 60):
        turn, far = chance.uniform(0, math.tau), math.sqrt(chance.uniform(inner**2, 1))
        x, y = MIDDLE[0] + rx * far * math.cos(turn), MIDDLE[1] + ry * far * math.sin(turn)
        if all(math.hypot(x - ox, y - oy) >= apart for ox, oy in found):
            found.append((x, y))
        if len(found) == count:
            break
    return found


def curve(points: Sequence[Point], closed: bool = True) -> str:
    """A smooth path through the points (Catmull-Rom). The same point twice is a corner."""
    count = len(points)

    def point(index: int) -> Point:
        return points[index % count] if closed else points[min(max(index, 0), count - 1)]

    parts = [f"M{points[0][0]:.1f} {points[0][1]:.1f}"]
    for index in range(count if closed else count - 1):
        (ax, ay), (bx, by), (cx, cy), (dx, dy) = (point(index + step) for step in (-1, 0, 1, 2))
        if (bx, by) == (cx, cy):
            continue
        parts.append(
            f"C{bx + (cx - ax) / 6:.1f} {by + (cy - ay) / 6:.1f} "
            f"{cx - (dx - bx) / 6:.1f} {cy - (dy - by) / 6:.1f} {cx:.1f} {cy:.1f}"
        )
    return "".join(parts) + ("Z" if closed else "")


def straight(points: Sequence[Point], closed: bool = True) -> str:
    return "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in points) + ("Z" if closed else "")


def oval(x: float, y: float, rx: float, ry: float | None = None, turn: float = 0) -> str:
    return curve(moved(ring(rx, ry), x, y, turn))


def fill(path: str, colour: str, opacity: float = 1) -> str:
    return f'<path d="{path}" fill="{colour}"{_opacity(opacity)}/>'


def line(path: str, colour: str, width: float, opacity: float = 1) -> str:
    return (
        f'<path d="{path}" fill="none" stroke="{colour}" stroke-width="{width:.1f}" '
        f'stroke-linecap="round" stroke-linejoin="round"{_opacity(opacity)}/>'
    )


def _opacity(opacity: float) -> str:
    return "" if opacity == 1 else f' opacity="{opacity:g}"'


def inside(path: str, drawn: str) -> str:
    name = f"c{crc32(path.encode()):x}"
    return f'<clipPath id="{name}"><path d="{path}"/></clipPath><g clip-path="url(#{name})">{drawn}</g>'


def shadow(path: str, far: float = 22, soft: float = 14, opacity: float = 0.3) -> str:
    """Where the light does not reach: to the lower right, `far` away and blurred by `soft`."""
    if soft <= 5:
        # Two edges look soft enough at this size, and a blur takes a hundred times as long.
        return _cast(path, far * 0.55, opacity * 0.6) + _cast(path, far, opacity * 0.6)
    name = f"b{soft:g}"
    blur = f'<filter id="{name}"><feGaussianBlur stdDeviation="{soft:g}"/></filter>'
    return f'{blur}<g filter="url(#{name})">{_cast(path, far, opacity)}</g>'


def _cast(path: str, far: float, opacity: float) -> str:
    return f'<path d="{path}" transform="translate({far * 0.8:.1f} {far:.1f})" fill="{INK}" opacity="{opacity:g}"/>'


def solid(path: str, tone: Tone, depth: float = 10, rim: float = 0.5, within: str = "") -> str:
    """A body: lit along its upper left by `rim` of its `depth`, dark along its lower right; `within` lies on it."""
    edge = depth * rim
    return inside(
        path,
        fill(path, tone.light)
        + f'<path d="{path}" transform="translate({edge:.1f} {edge:.1f})" fill="{tone.base}"/>'
        + within
        + _outside(path, tone.shade, -depth * 0.8, -depth),
    )


def hollow(path: str, tone: Tone, depth: float = 10, within: str = "") -> str:
    """The inside of a vessel: dark along its upper left."""
    return inside(path, fill(path, tone.base) + within + _outside(path, tone.shade, depth * 0.8, depth))


def raised(path: str, tone: Tone, depth: float = 10, far: float = 8, within: str = "") -> str:
    """A body and the short shadow that it throws on what it lies on."""
    return shadow(path, far, 4, 0.32) + solid(path, tone, depth, within=within)


def strand(points: Sequence[Point], tone: Tone, width: float) -> str:
    """A string, stalk or strip of round section."""
    path = curve(points, closed=False)
    lit = curve([(x - width * 0.17, y - width * 0.2) for x, y in points], closed=False)
    return line(path, tone.shade, width + 7) + line(path, tone.base, width) + line(lit, tone.light, width * 0.26)


def _outside(path: str, colour: str, dx: float, dy: float) -> str:
    """Everything near the path but the path itself, moved. What is clipped costs time by its area: it is kept tight."""
    numbers = [float(number) for number in re.findall(r"-?[0-9.]+", path)]
    left, right, top, bottom = (
        end(axis) + sign * 40 for axis in (numbers[::2], numbers[1::2]) for end, sign in ((min, -1), (max, 1))
    )
    frame = f"M{left:.0f} {top:.0f}H{right:.0f}V{bottom:.0f}H{left:.0f}Z"
    return f'<path d="{frame}{path}" transform="translate({dx:.1f} {dy:.1f})" fill-rule="evenodd" fill="{colour}"/>'


def grown(drawn: str, by: float) -> str:
    """Larger, around the middle."""
    x, y = MIDDLE
    return f'<g transform="translate({x * (1 - by):.1f} {y * (1 - by):.1f}) scale({by:g})">{drawn}</g>'
