"""Glasses, seen from the side: their outlines, what is in them, and the light on them."""

from collections.abc import Sequence
from dataclasses import dataclass

from config.demo.drawing.colours import WHITE, Tone
from config.demo.drawing.shapes import MIDDLE, Point, curve, fill, inside, line, mirrored, moved, oval, solid, straight
from config.demo.drawing.tableware import standing_shadow

X = MIDDLE[0]
GROUND = 628


@dataclass(frozen=True, slots=True)
class Glass:
    """`bowl` is the right half of the outline, from the rim down; `foot` the half width of what it stands on."""

    bowl: tuple[Point, ...]
    foot: float = 0
    # How thick the glass is at its bottom and at its sides.
    bottom: float = 12
    wall: float = 9

    @property
    def rim(self) -> Point:
        return self.bowl[0]

    def half(self, y: float) -> float:
        """The half width of the inside at a height."""
        for (ax, ay), (bx, by) in zip(self.bowl, self.bowl[1:], strict=False):
            if ay <= y <= by and by > ay:
                return ax + (bx - ax) * (y - ay) / (by - ay) - self.wall
        return self.bowl[0][0] - self.wall


TUMBLER = Glass(
    ((158, 250), (158, 250), (156, 300), (148, 450), (139, 590), (136, 612), (120, 628), (90, 630)), bottom=40
)
HIGHBALL = Glass(
    ((112, 128), (112, 128), (111, 200), (105, 400), (99, 590), (97, 614), (84, 628), (60, 630)), bottom=30
)
BEER = Glass(
    ((118, 118), (118, 118), (126, 190), (128, 240), (112, 380), (96, 560), (98, 606), (90, 626), (60, 630)), bottom=34
)
COUPE = Glass(((196, 178), (196, 178), (192, 230), (168, 290), (118, 342), (60, 368), (14, 380), (8, 392)), foot=112)
WINE = Glass(
    ((104, 96), (104, 96), (122, 150), (138, 220), (136, 280), (108, 340), (58, 382), (12, 402), (8, 416)), foot=110
)
BALLOON = Glass(
    ((130, 96), (130, 96), (158, 150), (176, 220), (174, 290), (142, 356), (80, 402), (14, 424), (8, 438)), foot=118
)
DESSERT = Glass(
    ((172, 300), (172, 300), (170, 340), (156, 396), (120, 446), (70, 476), (18, 490), (12, 500)), foot=112, bottom=14
)
TEA = Glass(((132, 260), (132, 260), (131, 330), (128, 480), (124, 590), (118, 616), (100, 628), (70, 630)), bottom=26)


def _outline(glass: Glass, wall: float = 0, bottom: float = 0) -> str:
    right = [(max(x - wall, 0.5), y - (bottom if y > glass.bowl[-1][1] - 60 else 0)) for x, y in glass.bowl]
    return curve(moved(mirrored(right), X, 0))


def drink(glass: Glass, tone: Tone, level: float, within: str = "", *, head: str = "", standing: str = "") -> str:
    """A glass filled up to the height `level`.

    `within` is behind the front of the glass (ice, fruit), `head` replaces the liquid's surface (foam), and `standing`
    rises out of the glass behind its front rim (straws, herbs).
    """
    outline, inner = _outline(glass), _outline(glass, glass.wall, glass.bottom)
    rim_half, rim_y = glass.rim
    half = glass.half(level)
    lip = max(5.0, rim_half * 0.085)
    base_half = glass.foot or glass.bowl[-1][0] + 20
    surface = oval(X, level, half, half * 0.085)
    liquid = fill(f"M0 {level:.0f}H960V720H0Z", tone.base) + fill(surface, tone.base)
    deep = straight([(X + half * 0.42, level), (X + half * 0.5, 720), (X + 300, 720), (X + 300, level)])
    drawn = standing_shadow(GROUND, base_half, tone.light)
    drawn += _foot(glass) if glass.foot else ""
    drawn += fill(oval(X, rim_y, rim_half, lip), WHITE, 0.22) + fill(outline, WHITE, 0.2)
    drawn += standing
    drawn += inside(inner, liquid + fill(deep, tone.shade, 0.55) + (head or fill(surface, tone.light)) + within)
    return drawn + _front(glass, outline, rim_half, rim_y, lip)


def _front(glass: Glass, outline: str, rim_half: float, rim_y: float, lip: float) -> str:
    """What the light makes of the glass itself: a long gleam on the left, a short one on the right, the rim."""
    last = glass.bowl[-1][1] - glass.bottom
    left = [(-glass.half(y) + 10 + glass.wall * 0.4, y) for y in _steps(rim_y + 24, last - (last - rim_y) * 0.2)]
    right = [(glass.half(y) - 8, y) for y in _steps(rim_y + 40, rim_y + (last - rim_y) * 0.42)]
    return (
        line(outline, WHITE, 4, 0.55)
        + line(curve(moved(left, X, 0), False), WHITE, 13, 0.62)
        + line(curve(moved(right, X, 0), False), WHITE, 6, 0.5)
        + line(oval(X, rim_y, rim_half, lip), WHITE, 5, 0.85)
    )


def _steps(start: float, end: float) -> list[float]:
    return [start + (end - start) * index / 6 for index in range(7)]


def _foot(glass: Glass) -> str:
    top, half = glass.bowl[-1][1], glass.foot
    right = [
        (8, top - 14),
        (8, top - 14),
        (8, top + 40),
        (8.5, GROUND - 70),
        (12, GROUND - 34),
        (40, GROUND - 16),
        (half, GROUND - 6),
    ]
    stem = curve(moved(mirrored([*right, (half, GROUND - 6), (half * 0.8, GROUND + 6), (0, GROUND + 9)]), X, 0))
    gleam = line(straight([(X - 3, top), (X - 3, GROUND - 50)], False), WHITE, 4, 0.8)
    disc = line(
        curve([(X - half * 0.8, GROUND - 5), (X - half * 0.4, GROUND - 14), (X - 18, GROUND - 26)], False),
        WHITE,
        4,
        0.7,
    )
    return fill(stem, WHITE, 0.34) + line(stem, WHITE, 3, 0.4) + gleam + disc


def ice(x: float, y: float, size: float, turn: float) -> str:
    half, near = size / 2, size * 0.36
    rounded = [
        (-near, -half),
        (near, -half),
        (half, -near),
        (half, near),
        (near, half),
        (-near, half),
        (-half, near),
        (-half, -near),
    ]
    path = curve(moved(rounded, x, y, turn))
    face = curve(moved([(px * 0.7 - size * 0.05, py * 0.7 - size * 0.05) for px, py in rounded], x, y, turn))
    gleam = moved([(-size * 0.3, size * 0.12), (-size * 0.3, -size * 0.28), (size * 0.02, -size * 0.32)], x, y, turn)
    return (
        fill(path, WHITE, 0.32)
        + fill(face, WHITE, 0.2)
        + line(curve(gleam, False), WHITE, 5, 0.8)
        + line(path, WHITE, 2.5, 0.6)
    )


def bubbles(points: Sequence[Point], size: float = 4.5) -> str:
    return "".join(
        fill(oval(x, y, size * (0.7 + 0.5 * (index % 3) / 2)), WHITE, 0.7) for index, (x, y) in enumerate(points)
    )


def straw(x: float, top: float, foot: float, lean: float, tone: Tone) -> str:
    path = straight([(x + lean - 7, top), (x + lean + 7, top), (x + 7, foot), (x - 7, foot)])
    stripes = "".join(
        fill(straight([(x - 60 + lean, top + step), (x + 60 + lean, top + step - 26), (x + 60 + lean, top + step - 14),
                       (x - 60 + lean, top + step + 12)]), tone.light, 0.9)
        for step in range(20, int(foot - top), 44)
    )  # fmt: skip
    return inside(path, fill(path, tone.base) + stripes) + line(
        straight([(x + lean - 4, top), (x - 4, foot)], False), WHITE, 2.5, 0.5
    )


def bottle(glass: Tone, wine: str, label: Tone, mark: str) -> str:
    """`mark` is drawn upon the label, around its middle."""
    right = [(26, 62), (26, 62), (26, 74), (24, 80), (24, 190), (28, 228), (74, 282), (86, 330), (86, 400),
        (86, 600), (86, 606),
             (78, 624), (60, 630), (0, 630)]  # fmt: skip
    path = curve(moved(mirrored(right), X, 0))
    paper = straight([(X - 86, 372), (X + 86, 372), (X + 86, 548), (X - 86, 548)])
    band = solid(paper, label, 10, 0.4)
    capsule = straight([(X - 30, 56), (X + 30, 56), (X + 27, 150), (X - 27, 150)])
    body = fill(f"M{X - 90} 226H{X + 90}V640H{X - 90}Z", wine) + inside(path, band) + mark
    return (
        standing_shadow(GROUND, 92, glass.light)
        + solid(path, glass, 26, 0.3, body)
        + inside(path, fill(straight([(X + 42, 40), (X + 100, 40), (X + 100, 640), (X + 48, 640)]), glass.shade, 0.4))
        + solid(capsule, label, 9)
        + line(
            curve([(X - 14, 168), (X - 14, 216), (X - 26, 252), (X - 58, 292), (X - 68, 336), (X - 68, 360)], False),
            WHITE,
            9,
            0.5,
        )
        + line(straight([(X - 68, 562), (X - 68, 600)], False), WHITE, 9, 0.4)
    )
