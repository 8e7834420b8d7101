"""The venue's icon on a home screen: its logo on a square, or the product's sign in the venue's colour."""

import io

from PIL import Image, ImageDraw

from config import colours
from config.services.branding import DARK_GROUND, LIGHT_GROUND

# Of the square that the logo may take; a maskable icon is cut by the device, to a circle at the most.
_SHARE = {"icon": 0.76, "maskable": 0.6}
_CORNER = 7 / 32  # of an icon that is not cut
# static/img/icon.svg, in a square of 32.
_RINGS = ((5.2, 5.2), (17.2, 5.2), (5.2, 17.2))
_RING, _STROKE = 9.6, 2.6
_STEP = ((18, 18), (22, 18), (22, 22), (26, 22), (26, 26), (22, 26), (22, 22), (18, 22))
_OVERSAMPLING = 4  # times the size in which it is drawn


def draw(kind: str, size: int, *, logo: bytes | None, ground: str, theme: str) -> bytes:
    """Return a PNG. `ground`, "light" or "dark", is the background of a transparent logo."""
    picture = _with_logo(kind, size, logo, ground) if logo else _with_sign(kind, size, colours.parse(theme.lstrip("#")))
    if kind == "icon":
        picture.putalpha(_corners(size))
    file = io.BytesIO()
    picture.save(file, "PNG", optimize=True)
    return file.getvalue()


def _with_logo(kind: str, size: int, data: bytes, ground: str) -> Image.Image:
    logo = Image.open(io.BytesIO(data)).convert("RGBA")
    own: tuple[int, ...] = logo.getpixel((0, 0))[:3]  # type: ignore[index]
    colour = {"light": LIGHT_GROUND, "dark": DARK_GROUND}.get(ground, own)
    picture = Image.new("RGB", (size, size), colour)
    share = size * _SHARE[kind] / max(logo.size)
    width, height = (max(1, round(side * share)) for side in logo.size)
    small = logo.resize((width, height), Image.Resampling.LANCZOS)
    picture.paste(small, ((size - width) // 2, (size - height) // 2), small)
    return picture


def _with_sign(kind: str, size: int, colour: colours.Colour) -> Image.Image:
    fine = size * _OVERSAMPLING
    unit = fine / 32 * (1 if kind == "icon" else 0.8)
    margin = (fine - 32 * unit) / 2
    picture = Image.new("RGB", (fine, fine), colour)
    pen = ImageDraw.Draw(picture)
    for x, y in _RINGS:
        box = [margin + corner * unit for corner in (x, y, x + _RING, y + _RING)]
        pen.rectangle(box, outline=colours.ON_LIGHT, width=round(_STROKE * unit))
    pen.polygon([(margin + x * unit, margin + y * unit) for x, y in _STEP], fill=colours.ON_LIGHT)
    return picture.resize((size, size), Image.Resampling.LANCZOS)


def _corners(size: int) -> Image.Image:
    mask = Image.new("L", (size * _OVERSAMPLING, size * _OVERSAMPLING), 0)
    edge = size * _OVERSAMPLING - 1
    ImageDraw.Draw(mask).rounded_rectangle((0, 0, edge, edge), radius=edge * _CORNER, fill=255)
    return mask.resize((size, size), Image.Resampling.LANCZOS)
