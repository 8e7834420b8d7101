"""The cards of the tables, as a browser prints them, read back from a rendering of the paper."""

from dataclasses import dataclass
from itertools import product

import numpy as np
import pypdfium2
import pytest
import requests
from playwright.sync_api import Page, expect

from tests import decoder
from tests.browser import accessible

pytestmark = pytest.mark.browser

MILLIMETRES = 25.4 / 72  # of a PDF's point
INCH = 25.4
PAPERS = {"a4": (210, 297), "letter": (8.5 * INCH, 11 * INCH)}
FOOT = 40  # of a tent: what its flaps have to leave of the sheet to the two sides
DOTS = 8  # a millimetre, in the rendering: 203 dots an inch, as a cheap printer has


@dataclass
class Grid:
    """Where the codes of a sheet are, in millimetres: what a ruler or the box of the labels says."""

    columns: int
    rows: int
    left: float
    top: float
    across: float  # from one card to the next
    down: float
    least: float = 40  # the edge of a code without its quiet zone
    sides: int = 1


GRIDS = {
    ("card", "a4"): Grid(2, 2, 0, 0, 105, 148.5),
    ("card", "letter"): Grid(2, 2, 0, 0, 4.25 * INCH, 5.5 * INCH),
    ("tent", "a4"): Grid(2, 2, 0, FOOT, 105, 108.5, least=46, sides=2),
    ("tent", "letter"): Grid(2, 2, 0, FOOT, 4.25 * INCH, 99.7, least=42, sides=2),
    ("sticker", "a4"): Grid(3, 7, 7.2, 15.15, 66.05, 38.1, least=25),  # L7160
    ("sticker", "letter"): Grid(2, 5, 3.97, 0.5 * INCH, 106.36, 2 * INCH, least=25),  # 5163
    ("page", "letter"): Grid(1, 1, 0, 0, 8.5 * INCH, 11 * INCH, least=90),
}


@pytest.fixture
def staff(windows, state_of) -> Page:
    """In the dark: paper is white all the same."""
    return windows.open(storage_state=state_of("floor"), color_scheme="dark")


@pytest.fixture(scope="session")
def addresses(installation) -> dict[int, str]:
    """What the codes lead to, by table number. They follow the installation to its present address."""
    token = installation.token("floor")
    headers = {"Authorization": f"Token {token}"}
    tables = requests.get(f"{installation.base}/tables/print", headers=headers, timeout=10).json()["tables"]
    slugs = {table["tableNumber"]: table["shortUrl"].rpartition("/")[2] for table in tables}
    return {number: f"{installation.base}/q/{slug}".upper() for number, slug in slugs.items()}


def difference_of_sides(pixels: np.ndarray) -> float:
    """Of a tent, what is seen from the front and what is seen from behind: of 255, on average."""
    height, width = (edge // 2 for edge in pixels.shape)
    front, behind = pixels[-height : -FOOT * DOTS, :width], pixels[FOOT * DOTS : height, :width]
    return float(np.abs(front.astype(int) - behind[::-1, ::-1]).mean())


@pytest.mark.parametrize(("layout", "paper"), GRIDS)
def test_every_code_on_the_printed_sheets_leads_to_its_table(installation, staff, addresses, layout, paper):
    grid = GRIDS[layout, paper]
    on_sheet = grid.columns * grid.rows // grid.sides
    chosen = dict(list(addresses.items())[: on_sheet + 1])
    query = f"layout={layout}&paper={paper}&numbers={','.join(map(str, chosen))}"
    staff.goto(f"{installation.base}/tables/print?{query}", wait_until="networkidle")
    document = pypdfium2.PdfDocument(staff.pdf(prefer_css_page_size=True))
    assert len(document) == -(-len(chosen) // on_sheet)
    for sheet, first in zip(document, range(0, len(chosen), on_sheet), strict=True):
        assert [side * MILLIMETRES for side in sheet.get_size()] == pytest.approx(PAPERS[paper], abs=0.5)
        pixels = sheet.render(scale=DOTS * MILLIMETRES, grayscale=True).to_numpy().squeeze()
        assert pixels[0, 0] == pixels[-1, 0] == 255  # the paper's edges are the printer's
        assert grid.sides == 1 or difference_of_sides(pixels) < 15
        found = list(chosen.values())[first : first + on_sheet]
        expected = (found + [""] * (on_sheet - len(found))) * grid.sides
        for (row, column), address in zip(product(range(grid.rows), range(grid.columns)), expected, strict=True):
            y, x = round((grid.top + row * grid.down) * DOTS), round((grid.left + column * grid.across) * DOTS)
            card = pixels[y : y + round(grid.down * DOTS), x : x + round(grid.across * DOTS)]
            text, edge = decoder.read_and_measure(card)
            assert text == address
            assert not address or edge / DOTS >= grid.least


def test_labels_that_are_gone_stay_empty_on_the_first_sheet(installation, staff, addresses):
    grid = GRIDS["sticker", "letter"]
    chosen = dict(list(addresses.items())[:4])
    query = f"layout=sticker&paper=letter&start=8&numbers={','.join(map(str, chosen))}"
    staff.goto(f"{installation.base}/tables/print?{query}", wait_until="networkidle")
    document = pypdfium2.PdfDocument(staff.pdf(prefer_css_page_size=True))
    expected = iter([""] * 7 + list(chosen.values()) + [""] * 9)
    assert len(document) == 2
    for sheet in document:
        pixels = sheet.render(scale=DOTS * MILLIMETRES, grayscale=True).to_numpy().squeeze()
        for row, column in product(range(grid.rows), range(grid.columns)):
            y, x = round((grid.top + row * grid.down) * DOTS), round((grid.left + column * grid.across) * DOTS)
            bottom, right = y + round((grid.down - 1) * DOTS), x + round((grid.across - 1) * DOTS)
            label = pixels[y + DOTS : bottom, x + DOTS : right]
            address = next(expected)
            assert decoder.read_and_measure(label)[0] == address
            assert address or label.min() == 255  # no ink


def test_what_is_printed_is_chosen_on_the_page_also_on_a_phone(installation, staff):
    staff.set_viewport_size({"width": 360, "height": 740})
    staff.goto(f"{installation.base}/tables/print")
    accessible.check(staff)
    staff.get_by_role("link", name="Tents").click()
    staff.get_by_role("link", name="US Letter").click()
    fold = staff.locator(".which-fold > summary")
    tables = installation.shell("from restaurant.models import Table; print(Table.objects.count())")
    expect(fold).to_contain_text(f"All {tables} tables, 1 of each")  # other tests may have added one
    fold.click()
    staff.get_by_label("Only these").check()
    staff.get_by_label("Table numbers").fill("12, 3-4")
    staff.get_by_label("Table numbers").press("Enter")
    expect(fold).to_contain_text("3 tables, 1 of each")
    staff.get_by_role("button", name="One more").click()
    expect(staff.get_by_role("button", name="Print 6 cards anyway")).to_be_visible()
    staff.get_by_role("button", name="One fewer").click()
    expect(staff.get_by_role("button", name="Print 3 cards anyway")).to_be_visible()
    accessible.check(staff)
    assert staff.locator(".sheet-tent.sheet-letter").count() == 2
    assert staff.locator(".face-number").all_inner_texts() == ["3", "3", "4", "4", "12", "12"]
    assert set(staff.locator(".face-small").all_inner_texts()) == {"Window", "Terrace"}
    box = staff.locator(".sheet").first.bounding_box()
    assert box is not None
    assert box["height"] / box["width"] == pytest.approx(11 / 8.5, rel=0.01)
    # A foot on which a tent stands: deeper than a third of its height.
    flaps, side = staff.locator(".sheet").first.locator(".flap"), staff.locator(".face").first.bounding_box()
    feet = [flap.bounding_box()["height"] for flap in flaps.all()]
    assert [foot / box["height"] for foot in feet] == pytest.approx([FOOT / (11 * INCH)] * 4, rel=0.01)
    assert min(feet) > side["height"] / 3
    assert accessible.overflow(staff) <= 0


def test_no_word_of_a_card_is_broken_or_cut_however_long_it_is(installation, staff):
    headers = {"Authorization": f"Token {installation.token('floor')}"}
    sections = ["Kitchen", "Gaststube", "Biergarten am Fluss", "Dachterrassenrestaurant", "WINTERGARTEN"]
    numbers = [8, *range(881, 886), 98_888]
    for number, section in zip(numbers[1:], [*sections, "Gaststube"], strict=True):
        body = {"tableNumber": number, "section": section}
        requests.post(f"{installation.base}/tables", json=body, headers=headers, timeout=10)
    query = f"numbers={','.join(map(str, numbers))}&headline=Speisekarte und Tischreservierung"
    wrong = {}
    for layout, paper in product(("card", "tent", "sticker", "page"), PAPERS):
        staff.goto(f"{installation.base}/tables/print?layout={layout}&paper={paper}&{query}")
        parts = ".face-venue, .face-sentence, .face-name, .face-name > *"
        if broken := accessible.broken_words(staff, parts):
            wrong[layout, paper] = broken
    assert wrong == {}
