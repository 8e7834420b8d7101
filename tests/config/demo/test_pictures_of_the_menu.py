"""The stored pictures of the demonstration's dishes."""

from django.utils.text import slugify
from PIL import Image

from config.demo import menu
from config.demo.menu import PICTURES

NAMES = [dish["name"] for dish in menu.read()]
FILES = sorted(PICTURES.iterdir())
WIDTHS = 176, 720


def test_most_dishes_have_a_picture_in_two_widths_and_some_have_none():
    stored = {path.name for path in FILES}
    pictured = [name for name in NAMES if f"{slugify(name)}-720.webp" in stored]
    assert 0.7 < len(pictured) / len(NAMES) < 0.85
    assert stored == {f"{slugify(name)}-{width}.webp" for name in pictured for width in WIDTHS}


def test_pictures_open_are_four_by_three_and_small_together():
    for path in FILES:
        with Image.open(path) as image:
            width = int(path.stem.rsplit("-", 1)[1])
            assert (image.format, image.size) == ("WEBP", (width, width * 3 // 4)), path
    assert sum(path.stat().st_size for path in FILES) <= 420_000
