"""The bill and the day as a browser prints them, also from a dark screen: black on white, on any paper."""

import calendar
import re
from datetime import timedelta

import pypdfium2
import pytest
from django.utils import timezone
from playwright.sync_api import expect

pytestmark = pytest.mark.browser

MILLIMETRES = 25.4 / 72  # of a PDF's point


@pytest.mark.parametrize(
    ("address", "options", "width", "words"),
    [
        ("/table/7/bill?paper=80mm", {"prefer_css_page_size": True}, 80, "Total due"),
        ("/table/7/bill?paper=a4", {"format": "A4"}, 210, "Total due"),
        ("/table/7/bill?paper=a4", {"format": "Letter"}, 215.9, "Total due"),
        ("/reports/restaurant/day", {"format": "Letter"}, 215.9, "Payments by method"),
    ],
)
def test_paper_is_white_and_wide_enough(installation, windows, state_of, address, options, width, words):
    staff = windows.open(storage_state=state_of("manager"), color_scheme="dark")
    staff.goto(f"{installation.base}{address}")
    sheet = pypdfium2.PdfDocument(staff.pdf(**options))[0]
    assert sheet.get_width() * MILLIMETRES == pytest.approx(width, abs=0.5)
    text = sheet.get_textpage().get_text_bounded()
    assert words in text
    assert not re.search(r"\bPrint\b|Download", text)
    pixels = sheet.render(scale=2, grayscale=True).to_numpy().squeeze()
    inked = (pixels < 200).any(axis=0).nonzero()[0]
    assert inked[0] * MILLIMETRES / 2 > 3
    assert inked[-1] * MILLIMETRES / 2 < width - 3
    assert (pixels > 250).mean() > 0.8


def test_a_bill_that_nobody_has_paid_of_names_its_sum_once(installation, windows, state_of):
    staff = windows.open(storage_state=state_of("manager"))
    staff.goto(f"{installation.base}/table/7/bill?paper=a4")
    staff.emulate_media(media="print")
    sums = staff.locator(".bill-sums > div")
    expect(sums).to_have_count(1)
    expect(sums).to_be_visible()
    expect(sums).to_contain_text("Total due")


def test_a_roll_is_as_long_as_the_bill(installation, windows, state_of):
    staff = windows.open(storage_state=state_of("manager"))
    staff.goto(f"{installation.base}/table/7/bill?paper=80mm")
    (sheet,) = pypdfium2.PdfDocument(staff.pdf(prefer_css_page_size=True))
    assert sheet.get_width() * MILLIMETRES == pytest.approx(80, abs=0.5)
    assert sheet.get_height() > sheet.get_width()
    text = sheet.get_textpage().get_text_bounded()
    assert "Not yet paid" in text
    assert "Thank you for your visit." in text
    pixels = sheet.render(scale=2, grayscale=True).to_numpy().squeeze()
    inked = (pixels < 200).any(axis=1).nonzero()[0]
    assert 3 < sheet.get_height() * MILLIMETRES - inked[-1] * MILLIMETRES / 2 < 9
    # On the screen nothing of it stays.
    expect(staff.locator(".bill")).not_to_have_attribute("style", re.compile("width"))
    expect(staff.locator(".bill-thanks")).to_be_hidden()


@pytest.mark.parametrize(("paper", "has_logo"), [("a4", True), ("80mm", False)])
def test_a_roll_of_thermal_paper_has_the_name_alone(installation, windows, state_of, paper, has_logo):
    staff = windows.open(storage_state=state_of("manager"))
    staff.goto(f"{installation.base}/table/7/bill?paper={paper}")
    logo = staff.locator(".bill-from .logo")
    expect(logo).to_be_visible()
    staff.emulate_media(media="print")
    expect(logo).to_be_visible(visible=has_logo)
    expect(staff.locator(".bill-venue")).to_be_visible()


def test_a_day_fits_one_sheet(installation, windows, state_of):
    staff = windows.open(storage_state=state_of("manager"))
    # A full day that is over, whenever this runs: what other tests order today makes its tables longer.
    day = timezone.localdate() - timedelta(days=2)
    saturday = day - timedelta(days=(day.weekday() - calendar.SATURDAY) % 7)
    staff.goto(f"{installation.base}/reports/restaurant/day?date={saturday}")
    assert [len(pypdfium2.PdfDocument(staff.pdf(format=paper))) for paper in ("A4", "Letter")] == [1, 1]


def test_the_tables_of_a_day_stand_on_one_grid(installation, windows, state_of):
    staff = windows.open(storage_state=state_of("manager"), viewport={"width": 794, "height": 1123})
    staff.goto(f"{installation.base}/reports/restaurant/day")
    staff.emulate_media(media="print")
    lefts = """(all) => all.map((each) => Math.round(each.getBoundingClientRect().left))"""
    tiles = staff.locator(".tiles").first.locator(".tile").evaluate_all(lefts)
    counts = staff.locator(".till-count dl > div:nth-child(-n + 4)").evaluate_all(lefts)
    assert staff.locator(".till-count dl > div:nth-child(n + 5)").evaluate_all(lefts) == tiles  # cards below cash
    panels = staff.locator(".panel:not(.panel-wide)").evaluate_all(lefts)
    assert tiles == counts
    assert panels == [tiles[0]] * 2 + [tiles[2]] * 2  # two below each other, twice
