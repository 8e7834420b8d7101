"""The reports in a browser: on a phone, a desk, in the dark and on paper."""

import csv
import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.accessible import CONTRAST, STANDARD, check, overflow

pytestmark = pytest.mark.browser

PATHS = [
    "/reports", "/reports/restaurant", "/reports/restaurant/peak-hours", "/reports/restaurant/peak-hours?days=365",
    "/reports/restaurant/menu", "/reports/restaurant/tables/3", "/reports/loyalty", "/reports/loyalty/segments",
    "/reports/loyalty/re-engagement",
]  # fmt: skip


@pytest.fixture
def desk(windows, state_of) -> Page:
    return windows.open(storage_state=state_of("manager"))


@pytest.mark.parametrize("path", PATHS)
def test_everybody_can_read_them_in_the_light_and_in_the_dark(windows, state_of, installation, path):
    page = windows.open(storage_state=state_of("manager"), color_scheme="light", viewport={"width": 320, "height": 640})
    assert page.goto(f"{installation.base}{path}").status == 200
    check(page, rules=STANDARD)
    page.emulate_media(color_scheme="dark")
    check(page, rules=CONTRAST)
    page.set_viewport_size({"width": 1280, "height": 800})
    assert overflow(page) <= 0
    page.emulate_media(color_scheme="light")
    assert overflow(page) <= 0
    assert windows.complaints == []


def test_one_leads_to_the_next(desk, installation):
    desk.goto(f"{installation.base}/")
    desk.get_by_role("link", name="Reports", exact=True).click()
    desk.get_by_role("link", name="Restaurant today").click()
    expect(desk.locator("h1")).to_have_text("Restaurant today")
    desk.goto(f"{installation.base}/reports/loyalty")
    desk.locator("main a[href^='/reports/members/']").first.click()
    expect(desk.locator(".tile-label").first).to_be_visible()
    check(desk)
    desk.get_by_role("link", name="Reports", exact=True).click()
    expect(desk.locator("h1")).to_have_text("Reports")


def test_another_number_of_days_is_one_click_and_its_file_is_of_the_same_days(desk, installation):
    desk.goto(f"{installation.base}/reports/restaurant/menu")
    desk.get_by_role("link", name="90 days", exact=True).click()
    desk.wait_for_url("**?days=90")
    expect(desk.locator(".periods [aria-current]")).to_have_text("90 days")
    shown = desk.locator(".figures").last.locator("tbody tr").count()
    with desk.expect_download() as download:
        desk.get_by_role("link", name="Download CSV").click()
    assert re.fullmatch(r"menu-90-days-[0-9-]+\.csv", download.value.suggested_filename)
    with open(download.value.path(), encoding="utf-8-sig", newline="") as file:
        lines = list(csv.reader(file))
    *_, end = [number for number, line in enumerate(lines) if not line]
    start = max(number for number, line in enumerate(lines[:end]) if not line)
    assert end - start - 1 == shown + 2  # its title, its columns
    assert lines[end + 1] == ["About this report"]


def test_a_wrong_number_of_days_is_said_and_not_guessed(desk, installation):
    assert desk.goto(f"{installation.base}/reports/restaurant/menu?days=0").status == 400
    expect(desk.locator("main")).to_contain_text("from 1 to 365")


def test_plots_are_drawn_to_scale(desk, installation):
    desk.goto(f"{installation.base}/reports/loyalty")
    sizes = desk.evaluate(
        "[...document.querySelectorAll('.bars')][0].querySelectorAll('li').values().toArray().map((row) => "
        "[row.querySelector('rect').getBoundingClientRect().width,"
        " Number(row.querySelector('.bar-value').textContent.replace(/[^0-9]/g, ''))])"
    )
    widest = max(sizes, key=lambda each: each[1])
    assert widest[0] > 100
    for width, number in sizes:
        assert width / widest[0] == pytest.approx(max(number / widest[1], 0.01), abs=0.01)


def test_they_can_be_printed(desk, installation, tmp_path):
    desk.goto(f"{installation.base}/reports/restaurant/peak-hours")
    desk.emulate_media(media="print")
    expect(desk.locator(".report-tools")).to_be_hidden()
    expect(desk.locator(".heat").first).to_be_visible()
    file = desk.pdf(format="A4", print_background=False)
    pages = file.count(b"/Type /Page\n") or file.count(b"/Type /Page ")
    assert 1 <= pages <= 4
