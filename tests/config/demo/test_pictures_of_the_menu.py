"""The stored pictures of the demonstration's dishes, and the drawings that they are made from."""

import pytest
from django.utils.text import slugify
from PIL import Image, ImageChops, ImageStat

from config.demo.drawing import dishes, rendering
from config.demo.menu import MENU

NAMES = [dish.name for category in MENU.values() for dish in category]
FILES = {path.name for path in rendering.FOLDER.iterdir()}


def files_of(names: list[str]) -> set[str]:
    return {f"{slugify(name)}-{width}.webp" for name in names for width in rendering.WIDTHS}


def test_every_picture_belongs_to_a_dish_and_every_drawing_is_stored():
    assert files_of(NAMES) >= FILES
    assert files_of(list(dishes.drawn())) == FILES


def test_most_dishes_have_a_picture_and_some_have_none():
    assert 0.7 < len(FILES) / len(files_of(NAMES)) < 0.85


def test_pictures_open_are_four_by_three_and_small_together():
    for dish in dishes.drawn():
        for width in rendering.WIDTHS:
            with Image.open(rendering.path_of(dish, width)) as image:
                assert (image.format, image.size) == ("WEBP", (width, width * 3 // 4)), dish
    assert sum(path.stat().st_size for path in rendering.FOLDER.iterdir()) <= 420_000


@pytest.mark.slow
def test_a_dish_rendered_again_looks_like_its_file():
    for dish in ("House Red, Glass", "Pumpkin Tortelli"):
        with Image.open(rendering.path_of(dish, 720)) as stored:
            difference = ImageChops.difference(stored.convert("RGB"), rendering.picture(dish, 720))
        assert max(ImageStat.Stat(difference).mean) < 4, dish
