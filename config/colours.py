"""The colours that pages derive from the venue's accent, readable on light and on dark paper.

Readable is what WCAG asks of text: a contrast of 4.5.
"""

import colorsys
from dataclasses import asdict, dataclass

Colour = tuple[int, int, int]

CONTRAST = 4.6  # a little more than 4.5: colours are rounded
SHAPE = 1.1  # what the wash differs from paper at least: a chip of it has a shape
# As in static/css/tokens.css.
LIGHT_PAPER: Colour = (0xFA, 0xF6, 0xEF)
LIGHT_WARNING: Colour = (0x8A, 0x53, 0x00)
DARK_CARD: Colour = (0x24, 0x1F, 0x1B)
ON_LIGHT: Colour = (0xFF, 0xFA, 0xF5)
ON_DARK: Colour = (0x14, 0x0C, 0x0A)
WHITE: Colour = (255, 255, 255)
BLACK: Colour = (0, 0, 0)
NEUTRAL_WASH: Colour = (0xEF, 0xE9, 0xDF)
ALIKE = 20 / 360  # of a turn: hues that are taken for each other


@dataclass(frozen=True, slots=True)
class Accent:
    """What the CSS variables of the same names hold."""

    accent: Colour
    accent_deep: Colour  # behind large areas, and under the mouse
    on_accent: Colour  # text on both
    accent_wash: Colour  # behind text in `accent`
    fill: Colour  # of a button, with an edge in `accent`
    on_fill: Colour
    fill_deep: Colour  # under the mouse

    @property
    def properties(self) -> dict[str, str]:
        """As style sheets name and write them: `on-accent` -> `#fffaf5`."""
        return {name.replace("_", "-"): css(colour) for name, colour in asdict(self).items()}


def parse(text: str) -> Colour:
    """`7a2848` -> (122, 40, 72)"""
    return int(text[0:2], 16), int(text[2:4], 16), int(text[4:6], 16)


def css(colour: Colour) -> str:
    return "#{:02x}{:02x}{:02x}".format(*colour)


def on_light(accent: Colour) -> Accent:
    """For light paper: darkened until it can be read there. A button is filled with the colour itself."""
    wash = _wash_on_light(accent)
    readable = _until_readable(accent, (0, 0, 0), on=(LIGHT_PAPER, wash))
    deep = _mix(readable, (0, 0, 0), 0.75)
    if on(accent) == WHITE:
        return Accent(readable, deep, ON_LIGHT, wash, readable, ON_LIGHT, deep)
    return Accent(readable, deep, ON_LIGHT, wash, accent, BLACK, _mix(accent, WHITE, 0.8))


def on_dark(accent: Colour) -> Accent:
    """For dark paper: lightened until it can be read there."""
    wash = _mix(accent, DARK_CARD, 0.2)
    readable = _until_readable(accent, (255, 255, 255), on=(DARK_CARD, wash))
    deep = _mix(readable, (255, 255, 255), 0.6)
    return Accent(readable, deep, ON_DARK, wash, readable, ON_DARK, deep)


def on(colour: Colour) -> Colour:
    """White or black, whichever can be read on it."""
    return WHITE if contrast(colour, WHITE) >= CONTRAST else BLACK


def contrast(one: Colour, other: Colour) -> float:
    """From 1 to 21, as WCAG defines it."""
    darker, lighter = sorted((_luminance(one), _luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


def _wash_on_light(accent: Colour) -> Colour:
    """A tenth of the accent, or as much more as can be told from paper; half at the most, of one as light as that.

    Of one that is amber the wash has little of its colour: what is chosen would look like a warning.
    """
    if abs(_hue(accent) - _hue(LIGHT_WARNING)) <= ALIKE:
        return _mix(accent, NEUTRAL_WASH, 0.18)
    for percent in range(10, 50, 2):
        wash = _mix(accent, ON_LIGHT, percent / 100)
        if contrast(wash, LIGHT_PAPER) >= SHAPE:
            return wash
    return _mix(accent, ON_LIGHT, 0.5)


def _until_readable(colour: Colour, towards: Colour, *, on: tuple[Colour, ...]) -> Colour:
    for percent in range(100, 0, -2):
        mixed = _mix(colour, towards, percent / 100)
        if all(contrast(mixed, each) >= CONTRAST for each in on):
            return mixed
    return towards


def _hue(colour: Colour) -> float:
    """From 0 to 1, once around; 0 also of grey."""
    return colorsys.rgb_to_hsv(*colour)[0]


def _mix(one: Colour, other: Colour, share: float) -> Colour:
    """`share` is that of the first."""
    red, green, blue = (round(a * share + b * (1 - share)) for a, b in zip(one, other, strict=True))
    return red, green, blue


def _luminance(colour: Colour) -> float:
    red, green, blue = (
        channel / 12.92 if channel <= 0.04045 else ((channel + 0.055) / 1.055) ** 2.4
        for channel in (each / 255 for each in colour)
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
