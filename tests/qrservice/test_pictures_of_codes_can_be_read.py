"""PNG images (decision 3.7), read back with two decoders that did not write them."""

import numpy as np
import pytest
import zxingcpp

from qrservice import gateway
from qrservice.models import Code
from tests import decoder

pytestmark = pytest.mark.django_db


@pytest.fixture
def code(db) -> Code:
    gateway.create_code(redirect_url="https://example.com/")
    return Code.objects.get()


def picture(client, code, query: str = "") -> np.ndarray:
    answer = client.get(f"/qr/{code.slug}{query}")
    assert (answer.status_code, answer["Content-Type"]) == (200, "image/png")
    return decoder.picture(answer.content)


@pytest.mark.parametrize("size", [64, 100, 333, 512, 1000, 2048, 4096])
def test_the_picture_has_exactly_the_asked_edge_and_says_the_short_address(client, code, size):
    image = picture(client, code, f"?size={size}")
    assert image.shape == (size, size)
    assert set(np.unique(image)) == {0, 255}
    expected = f"HTTP://127.0.0.1:8000/Q/{code.slug}"
    assert zxingcpp.read_barcode(image).text == expected
    if size >= 100:  # what OpenCV's reader needs
        assert decoder.read(image) == expected


def test_the_edge_is_512_if_not_asked(client, code):
    assert picture(client, code).shape == (512, 512)


def test_modules_are_whole_pixels_and_the_quiet_zone_has_four_of_them(client, code):
    image = picture(client, code, "?size=333")
    dark = np.argwhere(image == 0)
    top, left = dark.min(axis=0)
    bottom, right = dark.max(axis=0)
    symbol = image[top : bottom + 1, left : right + 1]
    assert symbol.shape == (25 * 10, 25 * 10)
    assert all((block == block[0, 0]).all() for row in np.split(symbol, 25) for block in np.split(row, 25, axis=1))
    assert min(top, left, 333 - 1 - bottom, 333 - 1 - right) >= 4 * 10


@pytest.mark.parametrize("size", ["63", "4097", "0", "-5", "abc", "", "1e3", "512.0", "٥١٢", "9" * 50])
def test_another_size_is_400(client, code, size):
    assert client.get(f"/qr/{code.slug}?size={size}").status_code == 400


def test_the_picture_is_cached_for_long(client, code):
    answer = client.get(f"/qr/{code.slug}")
    assert "immutable" in answer["Cache-Control"]
    again = client.get(f"/qr/{code.slug}", headers={"if-none-match": answer["ETag"]})
    assert (again.status_code, again.content) == (304, b"")


def test_a_picture_of_nothing_is_404(client, db):
    assert client.get("/qr/ZZZZZZZZ").status_code == 404
