"""Images of codes, damaged as between printer and phone: one kind of damage at a time, and all together.

Only noise is random, and its seeds are fixed.
"""

import itertools

import numpy as np
import pytest

from qrservice import addresses, images
from tests import decoder
from tests.qrservice import pictures

SLUG = "7K2M9PXA"
EDGE = 512
COVERED = 0.05  # of the symbol's area
INK = {"black": 0, "grey": 128, "white": 255}


@pytest.fixture(params=pictures.BASES.values(), ids=pictures.BASES.keys())
def text(request, settings) -> str:
    settings.APP_BASE_URL = request.param
    return addresses.text_of_code(SLUG)


@pytest.fixture
def image(text) -> np.ndarray:
    return decoder.picture(images.png(text, EDGE))


@pytest.mark.parametrize("pixels", [2, 2.3, 3, 3.7, 5, 8.5])
def test_shrunk_to_so_many_pixels_a_module(image, text, pixels):
    smaller = pictures.shrunk(image, round(EDGE * pixels / module_pixels(image)))
    pictures.assert_says(smaller, text)


@pytest.mark.parametrize("modules", [0.1, 0.2, 0.3, 0.4])
def test_blurred_with_a_sigma_of_so_many_modules(image, text, modules):
    assert pictures.read(pictures.blurred(image, modules * module_pixels(image))) == text


@pytest.mark.parametrize("degrees", [0, 15, 45, 80, 180, 270])
def test_rotated(image, text, degrees):
    pictures.assert_says(pictures.rotated(image, degrees), text)


def test_seen_from_the_side(image, text):
    pictures.assert_says(pictures.seen_from_the_side(image), text)


@pytest.mark.parametrize("degrees", [7, 33, 45, 100, 200, 305])
def test_rotated_seen_from_the_side_blurred_shrunk_pale_and_noisy(image, text, degrees):
    seen = pictures.seen_from_the_side(pictures.rotated(image, degrees))
    seen = pictures.shrunk(pictures.blurred(seen, 0.15 * module_pixels(image)), 400)
    noise = np.random.default_rng(degrees).normal(0, 6, seen.shape)
    seen = np.clip(50 + seen * 0.7 + noise, 0, 255).astype(np.uint8)
    assert pictures.read(seen) == text


@pytest.mark.parametrize("ink", INK.values(), ids=INK.keys())
def test_with_5_percent_covered_wherever_the_three_corners_can_be_seen(image, text, ink):
    """Every place of a square stain, module by module. Without its corners no reader finds a symbol, and nobody
    corrects that: they are left alone. The smallest symbol, of 25 modules and level M, can lose 8 of its 44 code words;
    a stain touches more at about 5 in 100 places."""
    readable = [pictures.read(covered) == text for covered in stained(image, ink)]
    assert len(readable) > 200
    allowed = 0.06 if pictures.module_count(image) == 25 else 0
    assert readable.count(False) <= allowed * len(readable)


@pytest.mark.parametrize("size", [65, 66, 100, 127, 128, 129, 200, 256, 511, 513, 777, 1000, 1999, 2048, 3001, 4095])
def test_drawn_in_another_size(text, size):
    pictures.assert_says(decoder.picture(images.png(text, size)), text)


@pytest.mark.parametrize("size", [150, 333, 512, 2048])
def test_vector_forms_in_several_sizes(text, size):
    pictures.assert_says(pictures.from_svg(images.svg(text), size), text)
    pictures.assert_says(pictures.from_pdf(images.pdf(text), size), text)


@pytest.mark.parametrize("drawn_by", ["svg", "pdf"])
def test_vector_forms_with_a_label_in_the_middle(text, drawn_by):
    draw = {"svg": lambda: pictures.from_svg(images.svg(text), EDGE),
            "pdf": lambda: pictures.from_pdf(images.pdf(text), EDGE)}[drawn_by]  # fmt: skip
    drawn = draw().copy()
    side = COVERED**0.5 * module_pixels(drawn) * pictures.module_count(drawn)
    begin, end = round((EDGE - side) / 2), round((EDGE + side) / 2)
    drawn[begin:end, begin:end] = 255
    assert pictures.read(drawn) == text


def module_pixels(image: np.ndarray) -> float:
    return pictures.symbol(image)[0].shape[0] / pictures.module_count(image)


def stained(image: np.ndarray, ink: int):
    """The picture with COVERED of the symbol under a square of `ink`, at every place that touches no corner."""
    count, pixels = pictures.module_count(image), round(module_pixels(image))
    top, left = np.argwhere(image < 128).min(axis=0)
    side = (COVERED * count**2) ** 0.5
    last = count - side
    corner = 8  # modules: a finder pattern and the white around it
    for y, x in itertools.product(range(int(last) + 1), repeat=2):
        low, right = y + side > count - corner, x + side > count - corner
        if (y < corner and x < corner) or (y < corner and right) or (low and x < corner):
            continue
        copy = image.copy()
        begin_y, begin_x = top + y * pixels, left + x * pixels
        copy[begin_y : begin_y + round(side * pixels), begin_x : begin_x + round(side * pixels)] = ink
        yield copy
