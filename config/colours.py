"""The colours that pages derive from the venue's accent, readable on light and dark backgrounds.

Readable is a contrast of 4.5, as WCAG asks for text.
"""

import colorsys
from dataclasses import asdict, dataclass

Colour = tuple[int, int, int]

CONTRAST = 4.6  # a little more than 4.5: colours are rounded
SHAPE = 1.1  # the least contrast of wash and paper, so that a chip has a visible shape
# As in static/css/tokens.css.
LIGHT_PAPER: Colour = (0xFA, 0xF6, 0xEF)
LIGHT_WARNING: Colour = (0x8A, 0x53, 0x00)
DARK_CARD: Colour = (0x24, 0x1F, 0x1B)
ON_LIGHT: Colour = (0xFF, 0xFA, 0xF5)
ON_DARK: Colour = (0x14, 0x0C, 0x0A)
WHITE: Colour = (255, 255, 255)
BLACK: Colour = (0, 0, 0)
NEUTRAL_WASH: Colour = (0xEF, 0xE9, 0xDF)
ALIKE = 20 / 360  # the distance up to which hues look alike, in turns


@dataclass(frozen=True, slots=True)
class Accent:
    """The values of the CSS variables of the same names."""

    accent: Colour
    accent_deep: Colour  # behind large areas, and under the mouse
    on_accent: Colour  # text on both
    accent_wash: Colour  # behind text in `accent`
    fill: Colour  # of a button, with an edge in `accent`
    on_fill: Colour
    fill_deep: Colour  # under the mouse

    @property
    def properties(self) -> dict[str, str]:
        """The colours by CSS name, such as `on-accent` -> `#fffaf5`."""
        return {name.replace("_", "-"): css(colour) for name, colour in asdict(self).items()}


def parse(text: str) -> Colour:
    """Return (122, 40, 72) for `7a2848`."""
    return int(text[0:2], 16), int(text[2:4], 16), int(text[4:6], 16)


def css(colour: Colour) -> str:
    return "#{:02x}{:02x}{:02x}".format(*colour)


def on_light(accent: Colour) -> Accent:
    """Return the colours for light backgrounds: the accent is darkened until it is readable, except on buttons."""
    wash = _wash_on_light(accent)
    readable = _until_readable(accent, (0, 0, 0), on=(LIGHT_PAPER, wash))
    deep = _mix(readable, (0, 0, 0), 0.75)
    if on(accent) == WHITE:
        return Accent(readable, deep, ON_LIGHT, wash, readable, ON_LIGHT, deep)
    return Accent(readable, deep, ON_LIGHT, wash, accent, BLACK, _mix(accent, WHITE, 0.8))


def on_dark(accent: Colour) -> Accent:
    """Return the colours for dark backgrounds: the accent is lightened until it is readable."""
    wash = _mix(accent, DARK_CARD, 0.2)
    readable = _until_readable(accent, (255, 255, 255), on=(DARK_CARD, wash))
    deep = _mix(readable, (255, 255, 255), 0.6)
    return Accent(readable, deep, ON_DARK, wash, readable, ON_DARK, deep)


def on(colour: Colour) -> Colour:
    """Return white or black, whichever is readable on the colour."""
    return WHITE if contrast(colour, WHITE) >= CONTRAST else BLACK


def contrast(one: Colour, other: Colour) -> float:
    """Return the contrast by WCAG, from 1 to 21."""
    darker, lighter = sorted((_luminance(one), _luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


def _wash_on_light(accent: Colour) -> Colour:
    """Return a tint of the accent, just strong enough to differ from the background.

    For amber it is neutral, because a tint would look like a warning.
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
        if all(contrast(mixed, background) >= CONTRAST for background in on):
            return mixed
    return towards


def _hue(colour: Colour) -> float:
    """Return the hue from 0 to 1; 0 for grey."""
    return colorsys.rgb_to_hsv(*colour)[0]


def _mix(one: Colour, other: Colour, share: float) -> Colour:
    """Mix two colours, with `share` of the first."""
    red, green, blue = (round(a * share + b * (1 - share)) for a, b in zip(one, other, strict=True))
    return red, green, blue


def _luminance(colour: Colour) -> float:
    red, green, blue = (
        channel / 12.92 if channel <= 0.04045 else ((channel + 0.055) / 1.055) ** 2.4
        for channel in (value / 255 for value in colour)
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
