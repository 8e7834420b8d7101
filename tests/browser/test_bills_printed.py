"""The bill and the day as a browser prints them, also from a dark screen: black on white, on any paper."""

import calendar
import re
from datetime import UTC, datetime, timedelta

import pypdfium2
import pytest
from playwright.sync_api import Page, expect

from tests.browser.paper import MILLIMETRES, pixels, sheets, size

pytestmark = pytest.mark.browser


@pytest.fixture
def staff(windows, state_of) -> Page:
    return windows.open(storage_state=state_of("manager"), color_scheme="dark")


def expect_paper(sheet: pypdfium2.PdfPage, width: float, *words: str) -> None:
    """White, of this width in millimetres, with ink inside its margins, these words, and no buttons."""
    assert size(sheet)[0] == pytest.approx(width, abs=0.5)
    text = sheet.get_textpage().get_text_bounded()
    for word in words:
        assert word in text
    assert not re.search(r"\bPrint\b|Download", text)
    inked = pixels(sheet, scale=2)
    columns = (inked < 200).any(axis=0).nonzero()[0] * MILLIMETRES / 2
    assert columns[0] > 3
    assert columns[-1] < width - 3
    assert (inked > 250).mean() > 0.8


def test_a_bill_is_printed_on_any_paper_and_a_roll_is_as_long_as_the_bill(installation, staff):
    staff.goto(f"{installation.base}/table/7/bill?paper=80mm")
    logo = staff.locator(".bill-from .logo")
    expect(logo).to_be_visible()
    [roll] = sheets(staff)
    expect_paper(roll, 80, "Total due", "Not yet paid", "Thank you for your visit.")
    assert roll.get_height() > roll.get_width()
    last = (pixels(roll, scale=2) < 200).any(axis=1).nonzero()[0][-1]
    assert 3 < roll.get_height() * MILLIMETRES - last * MILLIMETRES / 2 < 9
    # On the screen nothing of it stays.
    expect(staff.locator(".bill")).not_to_have_attribute("style", re.compile("width"))
    expect(staff.locator(".bill-thanks")).to_be_hidden()
    staff.emulate_media(media="print", color_scheme="dark")
    expect(logo).to_be_hidden()  # on thermal paper the name stands alone
    expect(staff.locator(".bill-venue")).to_be_visible()

    staff.goto(f"{installation.base}/table/7/bill?paper=a4")
    expect(logo).to_be_visible()
    expect(staff.locator(".bill-sums > div")).to_have_text([re.compile("Total due")])  # once, as nobody has paid
    for paper, width in (("A4", 210), ("Letter", 215.9)):
        expect_paper(sheets(staff, format=paper)[0], width, "Total due")


def test_a_day_fits_one_sheet(installation, staff):
    # A full day that is over, whenever this runs: what other tests order today makes its tables longer.
    day = datetime.now(UTC).date() - timedelta(days=2)
    saturday = day - timedelta(days=(day.weekday() - calendar.SATURDAY) % 7)
    staff.goto(f"{installation.base}/reports/restaurant/day?date={saturday}")
    for paper, width in (("A4", 210), ("Letter", 215.9)):
        [sheet] = sheets(staff, format=paper)
        expect_paper(sheet, width, "Payments by method")
