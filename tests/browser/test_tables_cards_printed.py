"""The cards of the tables, as a browser prints them, read back from a rendering of the paper."""

import pypdfium2
import pytest
import requests
from playwright.sync_api import Page

from tests import decoder

pytestmark = pytest.mark.browser

MILLIMETRES = 25.4 / 72  # of a PDF's point
PAPERS = {"a4": (210, 297), "letter": (215.9, 279.4)}
DOTS = 8  # a millimetre, in the rendering: 203 dots an inch, as a cheap printer has


@pytest.fixture
def staff(windows, state_of) -> Page:
    return windows.open(storage_state=state_of("floor"))


@pytest.fixture(scope="session")
def tables(installation) -> list[dict]:
    token = installation.token("floor")
    headers = {"Authorization": f"Token {token}"}
    return requests.get(f"{installation.base}/tables/print", headers=headers, timeout=10).json()["tables"]


@pytest.mark.parametrize("paper", sorted(PAPERS))
def test_every_card_on_the_printed_sheets_leads_to_its_table(installation, staff, tables, paper):
    staff.goto(f"{installation.base}/tables/print?paper={paper}", wait_until="networkidle")
    document = pypdfium2.PdfDocument(staff.pdf(prefer_css_page_size=True))
    width, height = PAPERS[paper]
    assert len(document) == -(-len(tables) // 8)
    read = []
    for page in document:
        assert [side * MILLIMETRES for side in page.get_size()] == pytest.approx([width, height], abs=0.5)
        sheet = page.render(scale=DOTS * MILLIMETRES, grayscale=True).to_numpy().squeeze()
        left, top = (width - 2 * 95) / 2, (height - 4 * 66) / 2
        for row in range(4):
            for column in range(2):
                y, x = round((top + row * 66) * DOTS), round((left + column * 95) * DOTS)
                code = sheet[y : y + 66 * DOTS, x : x + 58 * DOTS]
                read.append(decoder.read(code))
    # The codes follow the installation to its present address; what is stored names the one where they were made.
    slugs = [table["shortUrl"].rpartition("/")[2] for table in tables]
    addresses = [f"{installation.base}/q/{slug}".upper() for slug in slugs]
    assert read == addresses + [""] * (len(read) - len(addresses))


def test_a_code_is_at_least_four_centimetres_without_its_quiet_zone(installation, staff):
    staff.goto(f"{installation.base}/tables/print", wait_until="networkidle")
    sheet = pypdfium2.PdfDocument(staff.pdf(prefer_css_page_size=True))[0]
    pixels = sheet.render(scale=DOTS * MILLIMETRES, grayscale=True).to_numpy().squeeze()
    left, top = (210 - 2 * 95) / 2, (297 - 4 * 66) / 2
    # Between the cut marks of the first card there is nothing dark but the code.
    card = pixels[
        round((top + 5) * DOTS) : round((top + 61) * DOTS), round((left + 5) * DOTS) : round((left + 57) * DOTS)
    ]
    columns = (card < 128).any(axis=0).nonzero()[0]
    assert (columns[-1] - columns[0] + 1) / DOTS >= 40


def test_some_tables_can_be_printed_alone_with_their_numbers_in_words(installation, staff):
    staff.goto(f"{installation.base}/tables/print?numbers=12,3")
    assert staff.locator(".place-number").all_inner_texts() == ["3", "12"]
    assert staff.locator(".place-words").all_inner_texts() == ["three", "twelve"]
