"""From SVG to the stored picture."""

import io
from pathlib import Path

import resvg_py
from django.utils.text import slugify
from PIL import Image, ImageFilter

from config.demo.drawing import dishes
from config.demo.drawing.shapes import HEIGHT, WIDTH

FOLDER = Path(__file__).resolve().parent.parent / "pictures"

# Of WebP. All pictures together must stay below 400 KB: plain ones get the better quality, and in busy ones, which take
# the most bytes, the other does not show. A trace of softness saves a sixth.
_GOOD, _ENOUGH = 55, 30
_PLAIN = 10_000
_SOFTNESS = 0.6


def path_of(dish: str) -> Path:
    return FOLDER / f"{slugify(dish)}.webp"


def picture(dish: str) -> Image.Image:
    png = resvg_py.svg_to_bytes(svg_string=dishes.svg(dish), width=WIDTH, height=HEIGHT)
    return Image.open(io.BytesIO(bytes(png))).convert("RGB")


def store(dish: str) -> int:
    """Returns the bytes of the file."""
    image = picture(dish)
    stored = _webp(image, _GOOD)
    if len(stored) > _PLAIN:
        stored = _webp(image, _ENOUGH)
    return path_of(dish).write_bytes(stored)


def _webp(image: Image.Image, quality: int) -> bytes:
    stored = io.BytesIO()
    image.filter(ImageFilter.GaussianBlur(_SOFTNESS)).save(stored, "WEBP", quality=quality, method=6)
    return stored.getvalue()
