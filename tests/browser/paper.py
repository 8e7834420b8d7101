"""What a browser prints, read back from a rendering of the paper: where the codes are, and what they lead to."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product

import numpy as np
import pypdfium2
import pytest
import requests
from playwright.sync_api import Page

from tests import decoder
from tests.browser.kitchen import Orders
from tests.servers import PATIENCE

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


def sheets(page: Page, **options) -> list[pypdfium2.PdfPage]:
    """As the browser prints what it shows; without options in the size that the page asks for."""
    page.wait_for_load_state("networkidle")
    return list(pypdfium2.PdfDocument(page.pdf(**(options or {"prefer_css_page_size": True}))))


def size(sheet: pypdfium2.PdfPage) -> list[float]:
    """Width and height, in millimetres."""
    return [side * MILLIMETRES for side in sheet.get_size()]


def pixels(sheet: pypdfium2.PdfPage, scale: float = DOTS * MILLIMETRES) -> np.ndarray:
    return sheet.render(scale=scale, grayscale=True).to_numpy().squeeze()


def difference_of_sides(sheet: np.ndarray) -> float:
    """Of a tent, what is seen from the front and what is seen from behind: of 255, on average."""
    height, width = (edge // 2 for edge in sheet.shape)
    front, behind = sheet[-height : -FOOT * DOTS, :width], sheet[FOOT * DOTS : height, :width]
    return float(np.abs(front.astype(int) - behind[::-1, ::-1]).mean())


def cells(sheet: np.ndarray, grid: Grid) -> Iterator[np.ndarray]:
    """Its cards, row by row, without a line of the cuts around them."""
    for row, column in product(range(grid.rows), range(grid.columns)):
        y, x = round((grid.top + row * grid.down) * DOTS), round((grid.left + column * grid.across) * DOTS)
        yield sheet[y : y + round(grid.down * DOTS), x : x + round(grid.across * DOTS)]


def addresses(orders: Orders) -> dict[int, str]:
    """What the codes of tables lead to, by number. They follow the installation to its present address."""
    tables = requests.get(f"{orders.base}/tables/print", headers=orders.headers, timeout=PATIENCE).json()["tables"]
    slugs = {table["tableNumber"]: table["shortUrl"].rpartition("/")[2] for table in tables}
    return {number: f"{orders.base}/q/{slug}".upper() for number, slug in slugs.items()}


def expect_codes(staff: Page, orders: Orders, layout: str, paper: str, start: int = 1, more: int = 0) -> None:
    """A sheet of tables and `more`, from label `start` on: every code is where it belongs and leads to its table."""
    grid = GRIDS[layout, paper]
    on_sheet = grid.columns * grid.rows // grid.sides
    chosen = dict(list(addresses(orders).items())[: on_sheet + more + 1 - start])
    numbers = ",".join(map(str, chosen))
    staff.goto(f"{orders.base}/tables/print?layout={layout}&paper={paper}&start={start}&numbers={numbers}")
    printed = sheets(staff)
    expected = [""] * (start - 1) + list(chosen.values())
    assert len(printed) == -(-len(expected) // on_sheet), (layout, paper)
    expected += [""] * on_sheet
    for number, sheet in enumerate(printed):
        assert size(sheet) == pytest.approx(PAPERS[paper], abs=0.5)
        inked = pixels(sheet)
        assert inked[0, 0] == inked[-1, 0] == 255  # the paper's edges are the printer's
        assert grid.sides == 1 or difference_of_sides(inked) < 15
        on_this = expected[number * on_sheet :][:on_sheet] * grid.sides
        for card, address in zip(cells(inked, grid), on_this, strict=True):
            if start > 1 and not address:
                assert card[DOTS:-DOTS, DOTS:-DOTS].min() == 255  # no ink
                continue
            text, edge = decoder.read_and_measure(card)
            assert text == address, (layout, paper)
            assert not address or edge / DOTS >= grid.least, (layout, paper)
