"""The codes of tables and locations, as a browser prints them, read back from a rendering of the paper."""

import pytest
from playwright.sync_api import Page, expect

from tests import decoder
from tests.browser.paper import DOTS, expect_codes, pixels, sheets

pytestmark = pytest.mark.browser


@pytest.fixture
def staff(windows, state_of) -> Page:
    """In the dark: paper is white all the same."""
    return windows.open(storage_state=state_of("manager"), color_scheme="dark")


def test_every_code_on_the_printed_sheets_leads_to_its_table(orders, staff):
    """On paper, size and layout of its kind; `make sweep` prints every kind on both papers."""
    expect_codes(staff, orders, "card", "a4")
    expect_codes(staff, orders, "tent", "letter")
    expect_codes(staff, orders, "page", "letter")
    expect_codes(staff, orders, "sticker", "letter", start=8, more=1)  # the first seven are gone


def test_every_check_in_code_on_a_sheet_leads_to_the_location(installation, staff):
    code = "from loyalty.models import Location; each = Location.objects.first(); print(each.pk, each.short_url)"
    location, short_url = installation.shell(code).split()[-2:]
    address = f"{installation.base}/q/{short_url.rpartition('/')[2]}".upper()
    for layout, places, least in (("page", 1, 95), ("card", 4, 50), ("tent", 4, 40)):
        staff.goto(f"{installation.base}/locations/{location}/print?layout={layout}")
        [sheet] = sheets(staff)
        inked = pixels(sheet)
        height, width = (side // 2 if places == 4 else side for side in inked.shape)
        for number in range(places):
            y, x = number // 2 * height, number % 2 * width
            text, edge = decoder.read_and_measure(inked[y : y + height, x : x + width])
            assert text == address, layout
            assert edge / DOTS >= least, layout


def test_what_is_printed_is_chosen_on_the_page_also_on_a_phone(installation, staff):
    staff.set_viewport_size({"width": 360, "height": 740})
    staff.goto(f"{installation.base}/tables/print")
    staff.get_by_role("link", name="Tents").click()
    staff.get_by_role("link", name="US Letter").click()
    fold = staff.locator(".folded-choice > summary")
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
    expect(staff.locator(".sheet-tent.sheet-letter")).to_have_count(2)
    assert staff.locator(".face-number").all_inner_texts() == ["3", "3", "4", "4", "12", "12"]
    assert set(staff.locator(".face-small").all_inner_texts()) == {"Window", "Terrace"}
