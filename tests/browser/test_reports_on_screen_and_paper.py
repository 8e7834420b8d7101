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
    "/reports/loyalty/re-engagement", "/reports/restaurant/day",
    "/reports/restaurant?days=28&compare=year",
]  # fmt: skip


EVERY_RULE = [*STANDARD, "best-practice"]
TILES_SHARES = "(all) => all.map((each) => [...each.children].map((tile) => tile.clientWidth / each.clientWidth))"


@pytest.fixture
def desk(windows, state_of) -> Page:
    return windows.open(storage_state=state_of("manager"))


@pytest.mark.parametrize("path", PATHS)
def test_everybody_can_read_them_in_the_light_and_in_the_dark(windows, state_of, installation, path):
    page = windows.open(storage_state=state_of("manager"), color_scheme="light", viewport={"width": 320, "height": 640})
    assert page.goto(f"{installation.base}{path}").status == 200
    for shares in page.eval_on_selector_all(".tiles:not(.report-doors)", TILES_SHARES):
        *pairs, last = (round(each, 1) for each in shares)
        wanted = ({1}, 1) if len(shares) == 3 else ({0.5}, 1 if len(shares) % 2 else 0.5)
        assert (set(pairs), last) == wanted  # of the width: two and two, but three are rows
    expect(page.locator(".report-notes ul")).to_be_hidden()
    open_everything(page)
    check(page, rules=EVERY_RULE)
    page.emulate_media(color_scheme="dark")
    check(page, rules=CONTRAST)
    page.set_viewport_size({"width": 1280, "height": 800})
    assert overflow(page) <= 0
    page.emulate_media(color_scheme="light")
    assert overflow(page) <= 0
    assert windows.complaints == []


def open_everything(page: Page) -> None:
    """Of the two choices in the head, which close each other, the first."""
    folded = ".more, .report-notes, .choose:first-child"
    page.evaluate(f"document.querySelectorAll('{folded}').forEach((each) => {{ each.open = true; }})")


def test_one_leads_to_the_next(desk, installation):
    desk.goto(f"{installation.base}/")
    desk.get_by_role("link", name="Reports", exact=True).click()
    desk.get_by_role("link", name="Sales").first.click()
    expect(desk.locator("h1")).to_have_text("Sales today")
    desk.locator(".choose summary").first.click()
    desk.get_by_role("link", name="Last 7 days").click()  # after midnight nothing is sold today
    desk.locator("#places-title ~ .bars li:has(a)").first.click()  # anywhere on it
    expect(desk.locator("h1")).to_contain_text("Table ")
    desk.goto(f"{installation.base}/reports/loyalty")
    desk.locator("tr:has(a[href^='/reports/members/'])").first.click()
    expect(desk.locator(".tile-label").first).to_be_visible()
    check(desk)
    desk.get_by_role("link", name="Overview").click()
    expect(desk.locator("h1")).to_have_text("Reports")


def test_another_period_is_two_clicks_and_its_file_is_of_the_same_days(desk, installation):
    desk.goto(f"{installation.base}/reports/restaurant/menu")
    desk.locator(".choose summary").first.click()
    desk.keyboard.press("Escape")
    expect(desk.get_by_role("link", name="Last 90 days")).to_be_hidden()
    desk.keyboard.press("Enter")
    desk.get_by_role("link", name="Last 90 days", exact=True).click()
    desk.wait_for_url("**?from=*&to=*")
    expect(desk.locator(".choose summary").first).to_have_text("Period: Last 90 days")
    shown = desk.locator(".figures").last.locator("tbody tr").count()
    with desk.expect_download() as download:
        desk.get_by_role("link", name="Download CSV").click()
    assert re.fullmatch(r"menu-20[0-9-]{8}-20[0-9-]{8}\.csv", download.value.suggested_filename)
    with open(download.value.path(), encoding="utf-8-sig", newline="") as file:
        lines = list(csv.reader(file))
    start = lines.index(["All items"])
    assert lines.index([], start) - start == shown + 2  # its title, its columns
    *_, end = [number for number, line in enumerate(lines) if not line]
    assert lines[end + 1] == ["About this report"]


def test_the_day_is_chosen_and_what_is_due_leads_to_its_bills(desk, installation):
    desk.set_viewport_size({"width": 360, "height": 800})
    desk.goto(f"{installation.base}/reports/restaurant/day")
    rows = desk.locator(".report-head :is(.days > *, summary, #print)").evaluate_all(
        "(all) => new Set(all.filter((each) => each.checkVisibility()).map((each) => each.offsetTop)).size"
    )
    assert rows <= 2
    desk.get_by_role("link", name="Earlier").click()
    desk.wait_for_url("**?date=*")
    desk.locator(".days summary").click()
    desk.get_by_role("link", name="Today", exact=True).click()
    expect(desk.locator(".days summary")).to_have_text("Day: Today")
    desk.get_by_text("Download", exact=True).click()
    with desk.expect_download() as download:
        desk.get_by_role("link", name="Order lines (CSV)").click()
    assert download.value.suggested_filename.startswith("lines-")


def test_a_list_is_sorted_by_its_head(desk, installation):
    desk.goto(f"{installation.base}/reports/restaurant/menu")
    table = desk.locator(".all-items table")
    expect(table.get_by_role("columnheader", name="Sales", exact=True)).to_have_attribute("aria-sort", "descending")
    table.get_by_role("link", name="Price").click()
    desk.wait_for_url("**?sort=-price*")
    prices = [float(text.strip("€")) for text in table.locator("tbody td:nth-child(8)").all_text_contents()]
    assert prices == sorted(prices, reverse=True)
    check(desk)


def test_a_wrong_number_of_days_is_said_and_not_guessed(desk, installation):
    assert desk.goto(f"{installation.base}/reports/restaurant/menu?days=0").status == 400
    expect(desk.locator("main")).to_contain_text("from 1 to 365")


def test_plots_are_drawn_to_scale(desk, installation):
    desk.goto(f"{installation.base}/reports/loyalty")
    sizes = desk.evaluate(
        "document.querySelector('.bars').querySelectorAll('li:not(.bars-head)').values().toArray().map((row) => "
        "[row.querySelector('rect').getBoundingClientRect().width,"
        " Number(row.querySelector('.bar-value').firstChild.textContent.replace(/[^0-9]/g, ''))])"
    )
    widest = max(sizes, key=lambda each: each[1])
    assert widest[0] > 100
    for width, number in sizes:
        assert width / widest[0] == pytest.approx(max(number / widest[1], 0.01), abs=0.01)


def test_values_of_a_plot_are_under_the_keys(desk, installation):
    desk.goto(f"{installation.base}/reports/loyalty?days=28")
    for weeks in desk.locator(".plot-weeks").all():
        expect(weeks).to_be_hidden()  # they are for phones
    plots = desk.locator(".plot:not(.plot-weeks)")
    assert [each.locator(".point[tabindex='0']").count() for each in plots.all()] == [1, 1]  # one stop of the Tab key
    plot = plots.first
    points = plot.locator(".point")
    points.last.focus()
    expect(points.last.locator(".tip")).to_have_css("opacity", "1")
    desk.keyboard.press("ArrowLeft")
    expect(points.nth(-2)).to_be_focused()
    expect(points.nth(-2).locator(".tip")).to_have_css("opacity", "1")
    expect(points.last.locator(".tip")).to_have_css("opacity", "0")
    desk.keyboard.press("Home")
    expect(points.first).to_be_focused()
    ticks = plot.locator(".plot-ticks li").all_text_contents()
    assert ticks[-1] == "0"
    assert 3 <= len(ticks) <= 5  # zero and two to four more
    heights = desk.evaluate(
        "[...document.querySelectorAll('.plot:not(.plot-weeks) .column')]"
        ".map((each) => each.height.baseVal.valueInSpecifiedUnits)"
    )
    assert 33 < max(heights) <= 100


def test_they_can_be_printed(desk, installation, tmp_path):
    desk.goto(f"{installation.base}/reports/restaurant/peak-hours")
    expect(desk.locator(".heat:visible caption")).to_have_text("Orders by day and hour")
    for shown in ("Sales", "Scans"):
        desk.locator(".heat-switch").get_by_text(shown, exact=True).click()
        expect(desk.locator(".heat:visible caption")).to_have_text(f"{shown} by day and hour")
    desk.emulate_media(media="print")
    expect(desk.locator(".report-tools .button").first).to_be_hidden()
    expect(desk.locator(".report-window")).to_be_visible()
    expect(desk.locator(".report-sentence")).to_be_visible()
    expect(desk.locator(".heat")).to_have_count(3)
    for place in (0, 1, 2):
        expect(desk.locator(".heat").nth(place)).to_be_visible()
    file = desk.pdf(format="A4", print_background=False)
    pages = file.count(b"/Type /Page\n") or file.count(b"/Type /Page ")
    assert 1 <= pages <= 4


def test_addresses_to_write_to_are_copied(desk, installation):
    desk.set_viewport_size({"width": 320, "height": 640})
    desk.goto(f"{installation.base}/reports/loyalty/re-engagement?offer=discount")
    assert overflow(desk) <= 0
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


@pytest.mark.parametrize(
    ("path", "door", "name", "about"),
    [("/reports", ".report-doors .tile", "a", ".tile-change"), ("/", ".welcome .doors a", "strong", "span")],
)
def test_what_leads_on_is_named_on_a_line_of_its_own(windows, state_of, installation, path, door, name, about):
    page = windows.open(**({"storage_state": state_of("manager")} if path == "/reports" else {}))
    page.goto(f"{installation.base}{path}")
    found = page.locator(door).first
    named, told = (found.locator(each).first.bounding_box() for each in (name, about))
    assert named
    assert told
    assert named["y"] + named["height"] <= told["y"]
    expect(page.locator(f"{door} a" if path == "/reports" else door).first).to_have_css("text-decoration-line", "none")


def test_on_a_phone_the_row_of_reports_fades_on_the_side_with_more(windows, state_of, installation):
    page = windows.open(storage_state=state_of("manager"), viewport={"width": 360, "height": 740})
    page.goto(f"{installation.base}/reports")
    row = page.locator(".report-nav")
    expect(row).to_have_css("--fade-end", "40px")
    expect(row).to_have_css("--fade-start", "0px")
    row.evaluate("row => row.scrollTo(row.scrollWidth, 0)")
    expect(row).to_have_css("--fade-end", "0px")
    expect(row).to_have_css("--fade-start", "40px")


@pytest.mark.parametrize("width", [768, 1280])
def test_a_row_of_reports_that_fits_does_not_fade(desk, installation, width):
    desk.set_viewport_size({"width": 360, "height": 740})
    desk.goto(f"{installation.base}/reports/loyalty/re-engagement")  # the last: the row is at its end
    row = desk.locator(".report-nav")
    expect(row).to_have_css("--fade-start", "40px")
    desk.set_viewport_size({"width": width, "height": 800})
    expect(row).to_have_css("--fade-start", "0px")
    expect(row).to_have_css("--fade-end", "0px")
    assert row.evaluate("(row) => row.scrollWidth <= row.clientWidth")
