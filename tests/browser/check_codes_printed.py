"""Cards of every kind on both papers, and words of any length on them; for `make sweep`."""

from itertools import product

import pytest
import requests
from playwright.sync_api import Page

from tests.browser import accessible
from tests.browser.paper import GRIDS, PAPERS, expect_codes
from tests.servers import PATIENCE

pytestmark = pytest.mark.browser


@pytest.fixture
def staff(windows, state_of) -> Page:
    return windows.open(storage_state=state_of("floor"), color_scheme="dark")


@pytest.mark.parametrize(("layout", "paper"), GRIDS)
def test_every_code_on_the_printed_sheets_leads_to_its_table(orders, staff, layout, paper):
    expect_codes(staff, orders, layout, paper, more=1)


def test_no_word_of_a_card_is_broken_or_cut_however_long_it_is(orders, staff):
    sections = ["Kitchen", "Gaststube", "Biergarten am Fluss", "Dachterrassenrestaurant", "WINTERGARTEN"]
    numbers = [8, *range(881, 886), 98_888]
    for number, section in zip(numbers[1:], [*sections, "Gaststube"], strict=True):
        body = {"tableNumber": number, "section": section}
        requests.post(f"{orders.base}/tables", json=body, headers=orders.headers, timeout=PATIENCE)
    query = f"numbers={','.join(map(str, numbers))}&headline=Speisekarte und Tischreservierung"
    wrong = {}
    for layout, paper in product(("card", "tent", "sticker", "page"), PAPERS):
        staff.goto(f"{orders.base}/tables/print?layout={layout}&paper={paper}&{query}")
        parts = ".face-venue, .face-sentence, .face-name, .face-name > *"
        if broken := accessible.broken_words(staff, parts):
            wrong[layout, paper] = broken
    assert wrong == {}
