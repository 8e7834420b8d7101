"""Images of codes, each read back by two libraries."""

import numpy as np
import pytest
import zxingcpp

from qrservice import addresses, images
from tests import decoder
from tests.qrservice import pictures

SLUG = "7K2M9PXA"
SIZES = [64, 79, 333, 512, 4096]  # the smallest, the largest, and edges that are no whole number of bytes or modules


@pytest.fixture(params=pictures.BASES.values(), ids=pictures.BASES.keys())
def text(request, settings) -> str:
    settings.APP_BASE_URL = request.param
    return addresses.text_of_code(SLUG)


@pytest.mark.parametrize("size", SIZES)
def test_a_png_has_whole_pixels_for_modules_a_quiet_zone_of_four_and_says_the_short_address(text, size):
    modules = np.array([list(row) for row in images.modules(text)], np.uint8)
    image = decoder.picture(images.png(text, size))
    drawn, margin = pictures.symbol(image)
    pixels = drawn.shape[0] // len(modules)
    assert image.shape == (size, size)
    assert pixels == size // (len(modules) + 8), "the modules could be larger"
    assert margin >= 4 * pixels
    assert (drawn == np.kron(1 - modules, np.full((pixels, pixels), 255, np.uint8))).all()
    pictures.assert_says(image, text)


def test_a_png_that_could_not_show_every_module_is_refused():
    long = "https://example.com/" + "x" * 180
    with pytest.raises(images.DoesNotFitError, match="needs an image of 65 pixels or more"):
        images.png(long, 64)
    pictures.assert_says(decoder.picture(images.png(long, 65)), long)


def symbol_of(text: str, level: str) -> int:
    barcode = zxingcpp.create_barcode(text, zxingcpp.BarcodeFormat.QRCode, ec_level=level)
    return zxingcpp.write_barcode_to_image(barcode, scale=1, add_quiet_zones=False).shape[0]


def test_error_correction_is_the_highest_that_the_symbol_of_level_m_has_room_for():
    found = set()
    lengths = (*range(1, 130, 3), 400, 1000)
    for text in ("HTTP://A/", *(f"HTTPS://EXAMPLE.COM/Q/{letter * length}" for length in lengths for letter in "Aa")):
        free = [level for level in "MQH" if symbol_of(text, level) == symbol_of(text, "M")]
        image = decoder.picture(images.png(text, 512))
        assert (pictures.level(image), len(images.modules(text))) == (free[-1], symbol_of(text, "M")), text
        assert pictures.read(image) == text
        found |= {free[-1]}
    assert found == {"M", "Q", "H"}


def test_a_text_that_no_symbol_of_level_m_has_room_for_is_refused():
    longest = "a" * 2331
    assert pictures.read(decoder.picture(images.png(longest, 1024))) == longest
    with pytest.raises(ValueError, match="too long"):
        images.png(longest + "a", 1024)


@pytest.mark.parametrize(
    ("base", "modules"),
    [("https://a-restaurant.example.com", 29), ("https://a-restaurant.example.com/x", 33),
     ("https://restaurant.example.com", 29), ("https://qr.example.com", 25), ("https://qr.example.com/x", 29)],
)  # fmt: skip
def test_capitals_make_a_smaller_symbol_where_they_mean_the_same(settings, base, modules):
    settings.APP_BASE_URL = base
    assert len(images.modules(addresses.text_of_code(SLUG))) == modules


@pytest.mark.parametrize("drawn_by", ["svg", "pdf"])
def test_vector_forms_have_the_same_modules_no_seams_and_a_quiet_zone_of_four(text, drawn_by):
    modules = 1 - np.array([list(row) for row in images.modules(text)], np.uint8)
    expected = np.kron(np.pad(modules, 4, constant_values=1), np.full((10, 10), 255, np.uint8))
    draw = {"svg": lambda: pictures.from_svg(images.svg(text), len(expected)),
            "pdf": lambda: pictures.from_pdf(images.pdf(text), len(expected))}[drawn_by]  # fmt: skip
    drawn = draw()[: len(expected), : len(expected)]
    assert np.abs(drawn.astype(int) - expected).max() < 64
    pictures.assert_says(drawn, text)


def test_an_svg_is_small_and_has_a_size_and_a_title(settings):
    settings.APP_BASE_URL = "https://qr.example.com"
    text = addresses.text_of_code(SLUG)
    svg = images.svg(text).decode()
    assert f"<title>{text}</title>" in svg
    assert 'width="264" height="264" viewBox="0 0 33 33"' in svg
    assert len(svg) < 3000
    pictures.assert_says(pictures.from_svg(images.svg(text), 512), text)


def test_what_means_something_in_xml_is_escaped():
    text = "https://example.com/?a=1&b=<2>"
    assert b"<title>https://example.com/?a=1&amp;b=&lt;2&gt;</title>" in images.svg(text)
    pictures.assert_says(pictures.from_svg(images.svg(text), 512), text)


def test_a_pdf_is_one_page_of_60_millimetres_with_a_title():
    text = "https://example.com/(ü)/Q"
    document = pictures.pypdfium2.PdfDocument(images.pdf(text))
    assert [round(points / 72 * 25.4, 2) for points in document[0].get_size()] == [60, 60]
    assert document.get_metadata_dict()["Title"] == text
    assert len(images.pdf(text)) < 2500
    assert pictures.read(pictures.from_pdf(images.pdf(text), 512)) == text


def test_the_tables_of_a_pdf_point_where_its_objects_begin():
    pdf = images.pdf("https://example.com/")
    start = int(pdf.split(b"startxref\n")[1].split(b"\n")[0])
    head, _, entries = pdf[start:].split(b"trailer")[0].partition(b"\n0 ")
    assert head == b"xref"
    for number, entry in enumerate(entries.splitlines()[2:], start=1):
        assert pdf[int(entry[:10]) :].startswith(b"%d 0 obj\n" % number)


def test_a_terminal_shows_the_symbol_in_half_blocks(text):
    lines = images.terminal(text).replace("\x1b[30;107m", "").replace("\x1b[0m", "").splitlines()
    halves = {" ": (255, 255), "▀": (0, 255), "▄": (255, 0), "█": (0, 0)}
    rows = [[halves[glyph][half] for glyph in line] for line in lines for half in (0, 1)]
    image = np.array(rows, np.uint8).repeat(8, axis=0).repeat(8, axis=1)
    pictures.assert_says(np.ascontiguousarray(image[: image.shape[1]]), text)
