"""From SVG to the stored picture."""

import io
from pathlib import Path

import resvg_py
from django.utils.text import slugify
from PIL import Image, ImageFilter

from config.demo.drawing import dishes
from config.demo.drawing.shapes import HEIGHT, WIDTH

FOLDER = Path(__file__).resolve().parent.parent / "pictures"

# In pixels, as the menu shows them: beside a dish's name, and on the dish's own page.
WIDTHS = (176, 720)
# Of WebP. All pictures together must stay below 400 KB: plain ones get the better quality, and in busy ones, which take
# the most bytes, the other does not show. A trace of softness saves a sixth.
_GOOD, _ENOUGH = 62, 32
_PLAIN = 7_000
_SOFTNESS = 0.5


def path_of(dish: str, width: int) -> Path:
    return FOLDER / f"{slugify(dish)}-{width}.webp"


def picture(dish: str, width: int) -> Image.Image:
    png = resvg_py.svg_to_bytes(svg_string=dishes.svg(dish), width=WIDTH, height=HEIGHT)
    image = Image.open(io.BytesIO(bytes(png))).convert("RGB")
    return image.resize((width, width * HEIGHT // WIDTH), Image.Resampling.LANCZOS)


def store(dish: str) -> int:
    """Returns the bytes of the files."""
    return sum(_store(dish, width) for width in WIDTHS)


def _store(dish: str, width: int) -> int:
    image = picture(dish, width)
    if width > WIDTHS[0]:
        image = image.filter(ImageFilter.GaussianBlur(_SOFTNESS))
    stored = _webp(image, _GOOD)
    if len(stored) > _PLAIN:
        stored = _webp(image, _ENOUGH)
    return path_of(dish, width).write_bytes(stored)


def _webp(image: Image.Image, quality: int) -> bytes:
    stored = io.BytesIO()
    image.save(stored, "WEBP", quality=quality, method=6)
    return stored.getvalue()
