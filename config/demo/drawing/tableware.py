"""Crockery, boards, cutlery and the two grounds: a cloth from above, a table from the side."""

from config.demo.drawing.colours import CREAM, INK, IRON, STEEL, WHITE, WOOD, Tone
from config.demo.drawing.shapes import (
    HEIGHT,
    MIDDLE,
    WIDTH,
    curve,
    fill,
    hollow,
    line,
    mirrored,
    moved,
    oval,
    shadow,
    solid,
    straight,
)


def sheet(ground: Tone, drawn: str) -> str:
    """The whole SVG of a dish that is seen from above."""
    window = fill("M0 0H420L960 560V720H700L0 90Z", ground.light, 0.55)
    return _document(fill(f"M0 0H{WIDTH}V{HEIGHT}H0Z", ground.base) + window + drawn)


def table(ground: Tone, drawn: str) -> str:
    """The whole SVG of a drink or a sweet that is seen from the side."""
    wall = fill(f"M0 0H{WIDTH}V{HEIGHT}H0Z", ground.base) + fill("M0 0H330L850 540H430L0 110Z", ground.light, 0.55)
    return _document(wall + fill(f"M0 540H{WIDTH}V{HEIGHT}H0Z", ground.shade) + drawn)


def _document(drawn: str) -> str:
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}">{drawn}</svg>'


def plate(
    tone: Tone = CREAM, band: str = "", radius: float = 330, well: float = 0.79, at: tuple[float, float] = MIDDLE
) -> str:
    """From above. `band` is the colour of a line around the rim."""
    whole, inner = oval(*at, radius), oval(*at, radius * well)
    painted = line(oval(*at, radius * 0.94), band, radius * 0.026) if band else ""
    return (
        shadow(whole, 26, 18, 0.34)
        + solid(whole, tone, 9, 0.6, painted)
        + hollow(inner, tone, 9)
        + line(oval(*at, radius * well), tone.light, 2.5, 0.8)
    )


def platter(tone: Tone = CREAM, turn: float = 0, rx: float = 345, ry: float = 245) -> str:
    whole, inner = oval(*MIDDLE, rx, ry, turn), oval(*MIDDLE, rx - 52, ry - 52, turn)
    return shadow(whole, 26, 18, 0.34) + solid(whole, tone, 9, 0.6) + hollow(inner, tone, 9)


def bowl(tone: Tone, inner: Tone, radius: float = 290, at: tuple[float, float] = MIDDLE) -> str:
    """From above: a narrow rim and a deep inside."""
    whole, inside_ = oval(*at, radius), oval(*at, radius * 0.9)
    return shadow(whole, 30, 20, 0.36) + solid(whole, tone, 10, 0.7) + hollow(inside_, inner, radius * 0.1)


def pan(radius: float = 262) -> str:
    """A skillet of cast iron, from above."""
    x, y = MIDDLE
    handle = curve(moved([(200, -30), (300, -24), (400, -30), (430, 0), (400, 30), (300, 24), (200, 30)], x, y, 38))
    hole = oval(*moved([(392, 0)], x, y, 38)[0], 14)
    whole, inner = oval(x, y, radius), oval(x, y, radius * 0.9)
    return (
        shadow(handle, 26, 16, 0.34)
        + shadow(whole, 28, 18, 0.36)
        + solid(handle, IRON, 8)
        + fill(hole, INK, 0.6)
        + solid(whole, IRON, 10)
        + hollow(inner, IRON, 20)
    )


def ramekin(x: float, y: float, radius: float, tone: Tone, dip: Tone, *, swirl: str = "") -> str:
    """A small bowl of something, from above; `swirl` is the colour of what is drawn through it."""
    whole, inner = oval(x, y, radius), oval(x, y, radius * 0.8)
    turns = [
        (-0.45, 0.1), (-0.2, -0.4), (0.3, -0.35), (0.42, 0.1), (0.1, 0.38), (-0.2, 0.2), (-0.05, -0.05), (0.15, 0),
    ]  # fmt: skip
    path = curve(moved(turns, x, y, scale=radius), closed=False)
    drawn = line(path, dip.shade, radius * 0.16, 0.7) + line(path, swirl or dip.light, radius * 0.12)
    return shadow(whole, 14, 8, 0.34) + solid(whole, tone, 7) + hollow(inner, dip, radius * 0.13, drawn)


def board(width: float = 600, height: float = 420, turn: float = -8, tone: Tone = WOOD) -> str:
    """A wooden board with its grain, from above."""
    w, h, corner = width / 2, height / 2, 46
    corners = [(-w, -h), (w, -h), (w, h), (-w, h)]
    rounded = []
    for index, (x, y) in enumerate(corners):
        before, after = corners[index - 1], corners[(index + 1) % 4]
        rounded += [_toward((x, y), before, corner), _toward((x, y), before, corner * 0.3)]
        rounded += [_toward((x, y), after, corner * 0.3), _toward((x, y), after, corner)]
    whole = curve(_with_sides(moved(rounded, *MIDDLE, turn)))
    grain = "".join(
        line(curve(moved([(-w, y), (-w / 3, y + bend), (w / 4, y - bend), (w, y)], *MIDDLE, turn), False),
             tone.shade, 4, 0.35)
        for y, bend in ((-h * 0.72, 8), (-h * 0.4, -10), (h * 0.05, 12), (h * 0.42, -9), (h * 0.78, 7))
    )  # fmt: skip
    return shadow(whole, 24, 16, 0.34) + solid(whole, tone, 12, 0.5, grain)


def _toward(start: tuple[float, float], end: tuple[float, float], far: float) -> tuple[float, float]:
    length = ((end[0] - start[0]) ** 2 + (end[1] - start[1]) ** 2) ** 0.5
    return start[0] + (end[0] - start[0]) * far / length, start[1] + (end[1] - start[1]) * far / length


def _with_sides(points: list[tuple[float, float]]) -> list[tuple[float, float]]:
    """The end of each corner and the start of the next twice, so that the side between them is straight."""
    return [each for index, each in enumerate(points) for _ in range(2 if index % 4 in (0, 3) else 1)]


def fork(x: float = 66, y: float = 372) -> str:
    """In the margin, which a thumbnail leaves out."""
    half = [(6, 190), (13, 180), (13, 150), (7, 60), (7, -60), (24, -90), (26, -120), (25, -190), (19, -196)]
    right = [*half, (14, -188), (12, -120), (6, -116), (6, -190), (0, -197)]
    path = curve(moved(mirrored(right), x, y))
    return shadow(path, 10, 6, 0.34) + solid(path, STEEL, 5)


def knife(x: float = 893, y: float = 372) -> str:
    path = curve(moved([(-11, 190), (11, 190), (14, 150), (9, 40), (9, 20), (9, -190), (4, -200), (-14, -150),
                        (-19, -60), (-17, 10), (-9, 22), (-9, 40), (-14, 150)], x, y))  # fmt: skip
    return shadow(path, 10, 6, 0.34) + solid(path, STEEL, 5)


def spoon(x: float = 890, y: float = 380, turn: float = 0, scale: float = 1) -> str:
    right = [(0, -195), (24, -180), (36, -140), (30, -98), (10, -64), (7, -40), (7, 60), (12, 150), (12, 180), (5, 190)]
    path = curve(moved(mirrored(right), x, y, turn, scale))
    dent = curve(moved(mirrored([(0, -183), (18, -170), (26, -138), (19, -104), (0, -86)]), x, y, turn, scale))
    return shadow(path, 10, 6, 0.34) + solid(path, STEEL, 5) + hollow(dent, STEEL, 7)


def saucer_from_the_side(y: float, half: float, tone: Tone = CREAM) -> str:
    """A plate on the table that carries something; its upper edge is at `y`."""
    x = MIDDLE[0]
    top = oval(x, y, half, half * 0.14)
    under = straight(
        [(x - half * 0.98, y + 6), (x + half * 0.98, y + 6), (x + half * 0.5, y + 44), (x - half * 0.5, y + 44)]
    )
    ground = fill(oval(x + 34, y + 46, half * 0.92, 17), INK)
    return (
        _soft(ground, 9, 0.34)
        + solid(under, tone, 16)
        + solid(top, tone, 4)
        + fill(oval(x, y + 2, half * 0.72, half * 0.085), tone.shade, 0.55)
    )


def standing_shadow(y: float, half: float, tint: str = "") -> str:
    """Under a vessel on the table, and the colour that falls through its drink."""
    x = MIDDLE[0]
    dark = _soft(fill(oval(x + half * 0.45, y, half * 1.35, 17), INK), 9, 0.4)
    return dark + (_soft(fill(oval(x + half * 0.8, y + 3, half * 0.75, 9), tint), 6, 0.75) if tint else "")


def _soft(drawn: str, soft: float, opacity: float) -> str:
    return (
        f'<filter id="s{soft:g}" x="-30%" y="-150%" width="160%" height="400%">'
        f'<feGaussianBlur stdDeviation="{soft:g}"/></filter>'
        f'<g filter="url(#s{soft:g})" opacity="{opacity:g}">{drawn}</g>'
    )


def steam(x: float, y: float, height: float = 150) -> str:
    rise = [(0, 0), (-16, -height * 0.25), (10, -height * 0.5), (-10, -height * 0.75), (8, -height)]
    return "".join(
        line(curve(moved(rise, x + dx, y + dy, scale=size), False), WHITE, 9, 0.5)
        for dx, dy, size in ((-44, 0, 0.8), (4, -8, 1), (50, 0, 0.75))
    )
