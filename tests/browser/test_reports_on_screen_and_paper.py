"""The reports in a browser: their panels, files and plots by the keyboard, on paper, and addresses that are copied."""

import csv
import re

import pytest
from playwright.sync_api import Page, expect

pytestmark = pytest.mark.browser


@pytest.fixture
def desk(windows, state_of) -> Page:
    return windows.open(storage_state=state_of("manager"))


def test_another_period_is_two_clicks_and_its_file_is_of_the_same_days(desk, installation, windows):
    desk.goto(f"{installation.base}/reports/restaurant/menu")
    period = desk.locator(".choose summary").first
    ninety = desk.get_by_role("link", name="Last 90 days", exact=True)
    period.click()
    expect(ninety).to_be_visible()
    desk.keyboard.press("Escape")
    expect(ninety).to_be_hidden()
    desk.keyboard.press("Enter")
    expect(ninety).to_be_visible()
    desk.get_by_role("heading", level=1).click()  # anywhere else
    expect(ninety).to_be_hidden()
    period.click()
    ninety.click()
    desk.wait_for_url("**?from=*&to=*")
    expect(period).to_have_text("Period: Last 90 days")
    shown = desk.get_by_role("table").last.locator("tbody tr").count()
    with desk.expect_download() as download:
        desk.get_by_role("link", name="Download CSV").click()
    assert re.fullmatch(r"menu-20[0-9-]{8}-20[0-9-]{8}\.csv", download.value.suggested_filename)
    with open(download.value.path(), encoding="utf-8-sig", newline="") as file:
        lines = list(csv.reader(file))
    start = lines.index(["All items"])
    assert lines.index([], start) - start == shown + 2  # its title, its columns
    *_, end = [number for number, line in enumerate(lines) if not line]
    assert lines[end + 1] == ["About this report"]
    assert windows.complaints == []


def test_a_row_is_a_link_as_a_whole_and_a_phone_finds_the_strip_and_the_notes_as_it_needs_them(desk, installation):
    desk.goto(f"{installation.base}/reports/restaurant?days=7")  # after midnight nothing is sold today
    desk.locator("#places-title ~ .bars li:has(a)").first.click()  # anywhere on it
    expect(desk.get_by_role("heading", level=1)).to_contain_text("Table ")
    desk.goto(f"{installation.base}/reports/loyalty/re-engagement")
    notes = desk.locator(".report-notes ul")
    expect(notes).to_be_visible()
    desk.set_viewport_size({"width": 360, "height": 740})
    expect(notes).to_be_hidden()
    expect(desk.get_by_role("navigation", name="Reports").locator("[aria-current]")).to_be_in_viewport()


def test_values_of_a_plot_are_under_the_keys(desk, installation):
    desk.goto(f"{installation.base}/reports/loyalty?days=28")
    for weeks in desk.locator(".plot-weeks").all():
        expect(weeks).to_be_hidden()  # they are for phones
    plots = desk.locator(".plot:not(.plot-weeks)")
    assert [each.locator(".point[tabindex='0']").count() for each in plots.all()] == [1, 1]  # one stop of the Tab key
    points = plots.first.locator(".point")
    points.last.focus()
    for key, place in (("ArrowLeft", -2), ("Home", 0), ("ArrowRight", 1), ("End", -1)):
        desk.keyboard.press(key)
        expect(points.nth(place)).to_be_focused()
        expect(points.nth(place).locator(".tip")).to_have_css("opacity", "1")
    expect(points.first.locator(".tip")).to_have_css("opacity", "0")


def test_all_three_maps_are_printed_without_the_tools(desk, installation):
    desk.goto(f"{installation.base}/reports/restaurant/peak-hours")
    maps = desk.locator(".heat")
    for shown in ("Orders", "Sales", "Scans"):
        desk.get_by_text(shown, exact=True).and_(desk.locator(".heat-switch *")).click()
        expect(desk.locator(".heat:visible caption")).to_have_text(f"{shown} by day and hour")
    desk.emulate_media(media="print")
    expect(desk.locator(".report-tools .button").first).to_be_hidden()
    expect(desk.locator(".report-window")).to_be_visible()
    expect(desk.locator(".report-sentence")).to_be_visible()
    expect(maps.and_(desk.locator(":visible"))).to_have_count(3)
    file = desk.pdf(format="A4", print_background=False)
    assert 1 <= len(re.findall(rb"/Type /Page[\n ]", file)) <= 4


def test_addresses_to_write_to_are_copied(desk, installation):
    desk.goto(f"{installation.base}/reports/loyalty/re-engagement?offer=discount")
    desk.context.grant_permissions(["clipboard-read", "clipboard-write"])
    letter = desk.locator(".letter").filter(has=desk.locator("textarea")).first
    expect(letter.get_by_role("textbox")).to_have_count(0)  # folded
    letter.get_by_text("Mark as written, or copy addresses").click()
    letter.get_by_role("button", name="Copy addresses").click()
    expect(letter.get_by_role("button", name="Copied")).to_be_visible()
    expect(letter.get_by_role("status").filter(has_text="Sent? Then mark them")).to_be_visible()
    copied = desk.evaluate("navigator.clipboard.readText()")
    assert copied == letter.get_by_role("textbox").input_value()
    assert "@example.com" in copied
    offer = desk.locator(".letter").filter(has=desk.get_by_label("Percent off"))
    offer.get_by_label("Percent off").fill("15")
    expect(offer.locator("blockquote")).to_contain_text("get 15% off")
    for link in (offer.get_by_role("link", name="Open mail to"), desk.locator(".write[href*='15%25%20off']").first):
        expect(link).to_have_attribute("href", re.compile("body=We'd%20love.*15%25%20off"))
