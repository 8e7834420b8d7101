"""The stored pictures of the demonstration's dishes, and the drawings that they are made from."""

from django.utils.text import slugify
from PIL import Image, ImageChops, ImageStat

from config.demo.drawing import dishes, rendering
from config.demo.menu import MENU

NAMES = [dish.name for category in MENU.values() for dish in category]
FILES = sorted(rendering.FOLDER.iterdir())


def test_every_picture_belongs_to_a_dish_and_every_drawing_is_stored():
    assert {path.name for path in FILES} <= {f"{slugify(name)}.webp" for name in NAMES}
    assert {path.name for path in FILES} == {f"{slugify(name)}.webp" for name in dishes.drawn()}


def test_most_dishes_have_a_picture_and_some_have_none():
    assert 0.7 < len(FILES) / len(NAMES) < 0.85


def test_pictures_open_are_four_by_three_and_small_together():
    for path in FILES:
        with Image.open(path) as image:
            assert (image.format, image.size) == ("WEBP", (960, 720)), path.name
    assert sum(path.stat().st_size for path in FILES) <= 420_000


def test_a_dish_rendered_again_looks_like_its_file():
    for dish in ("House Red, Glass", "Pumpkin Tortelli"):
        with Image.open(rendering.path_of(dish)) as stored:
            difference = ImageChops.difference(stored.convert("RGB"), rendering.picture(dish))
        assert max(ImageStat.Stat(difference).mean) < 4, dish
