"""The menu's page: what it loads and whether it stays still, its search, and its strip of categories."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Locator, expect

from tests.browser import menu
from tests.servers import ROOT

FONTS = Path(ROOT) / "static" / "fonts"
TABLE = 6


def test_the_typeface_is_small_and_its_licence_lies_beside_it():
    assert sum(each.stat().st_size for each in FONTS.glob("*.woff2")) <= 45 * 1024
    assert "SIL OPEN FONT LICENSE" in (FONTS / "OFL.txt").read_text()


# Far dishes get their heights when they come near: what is in view tells.
IN_VIEW = """() => [...document.querySelectorAll("h1, h2, a, img")].map((each) => each.getBoundingClientRect())
    .filter((box) => box.top < innerHeight).map((box) => [box.top, box.height])"""

# The venue's two pictures: whether they have come, and their room.
OF_VENUE = """() => [...document.querySelectorAll(".cover, .logo")]
    .map((each) => [each.naturalWidth, each.offsetWidth, each.offsetHeight])"""


@pytest.mark.browser
def test_the_first_view_is_small_and_stays_still_whatever_comes_late_or_never(windows, installation):
    phone = windows.phone()
    late, sizes = [], {}
    phone.on("requestfinished", lambda request: sizes.update({request.url: request.sizes()["responseBodySize"]}))
    phone.route(re.compile(r"\.woff2$|/pictures/"), lambda route: late.append(route))  # noqa: PLW0108
    phone.goto(f"{installation.base}/table/{TABLE}", wait_until="domcontentloaded")
    phone.wait_for_function("() => [...document.fonts].some((each) => each.status === 'loading')")
    # Letters may still be exchanged within 100 ms.
    began = phone.evaluate("performance.now()")
    phone.wait_for_function("(began) => performance.now() > began + 400", arg=began)
    before = phone.evaluate(IN_VIEW)
    assert len(before) > 5
    assert any(route.request.url.endswith(".woff2") for route in late)
    for route in late:
        route.continue_()
    phone.unroute_all()
    phone.wait_for_load_state("networkidle")
    assert phone.evaluate(IN_VIEW) == before
    of_venue = phone.evaluate(OF_VENUE)
    assert [width > 0 for width, *_ in of_venue] == [True, True]
    # What has come: little, and nothing from elsewhere.
    assert all(url.startswith(installation.base) for url in sizes)
    pictures = {url: size for url, size in sizes.items() if "/pictures/" in url}
    assert len(pictures) >= 4
    assert sum(sizes.values()) - sum(pictures.values()) < 60_000
    assert sum(sizes.values()) < 200_000
    # The letters are there at once from then on. Pictures may be missing, which leaves no broken sign.
    phone.route("**/pictures/*", lambda route: route.abort())
    phone.reload()
    assert phone.evaluate("document.fonts.check('16px Figtree')")
    expect(phone.locator(".item .item-picture").first).to_have_class(re.compile("is-broken"))
    expect(phone.locator(".item .item-picture").first).to_be_visible()  # its room stays
    assert [box for _, *box in phone.evaluate(OF_VENUE)] == [box for _, *box in of_venue]


@pytest.mark.browser
def test_search_finds_dishes_by_their_words_says_how_many_and_has_ways_out(windows, installation):
    phone = windows.phone()
    phone.goto(f"{installation.base}/table/{TABLE}")
    field, status = phone.get_by_role("searchbox", name="Search the menu"), phone.locator("#found p")
    items, links = phone.locator(".item:visible"), phone.get_by_role("navigation").get_by_role("link")
    favourites = phone.get_by_role("region", name="House favourites")
    every = (items.count(), links.count())
    assert every[0] > 40
    name = favourites.get_by_role("link").first.inner_text()
    field.fill(name)
    expect(favourites).to_be_hidden()  # what is found is found once
    expect(menu.dish(phone, name)).to_be_visible()
    field.fill("tiramisù")
    expect(items).to_have_count(1)
    expect(links).to_have_text(["Sweets"])
    expect(status).to_have_text("1 dish")
    phone.get_by_role("button", name="Clear the search").tap()
    expect(field).to_be_focused()
    assert (items.count(), links.count(), field.input_value()) == (*every, "")
    field.fill("no such dish")
    expect(items).to_have_count(0)
    expect(status).to_have_text("No dish matches “no such dish”.")
    phone.get_by_role("button", name="Show all dishes").tap()
    assert (items.count(), field.input_value()) == (every[0], "")
    field.fill("tiramis")
    expect(items).to_have_count(1)
    field.press("Escape")
    assert (items.count(), field.input_value(), status.inner_text()) == (every[0], "", "")
    # It goes on where the filter by allergens has loaded the page again.
    field.fill("burnt fig")
    phone.get_by_text("Allergies").tap()
    phone.get_by_label("nuts", exact=True).tap()
    phone.get_by_role("button", name="Show the menu").tap()
    expect(phone.locator("#filter")).to_contain_text("Without nuts")
    expect(items).to_have_count(1)
    apart = phone.get_by_role("list", name="Set apart for you").get_by_role("listitem")
    expect(apart.filter(visible=True)).to_contain_text("Burnt Fig Tart")


SCROLLED = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done))))"


def assert_fades(strip: Locator, *, start: bool, end: bool) -> None:
    """It fades on the sides with more."""
    for side, fades in (("start", start), ("end", end)):
        expect(strip).to_have_css(f"--fade-{side}", "40px" if fades else "0px")


@pytest.mark.browser
def test_the_strip_of_categories_follows_the_scroll_and_shows_where_there_is_more(windows, installation):
    phone = windows.phone()
    phone.goto(f"{installation.base}/table/{TABLE}")
    links = phone.get_by_role("navigation", name="Categories").get_by_role("link")
    strip = phone.locator(".categories .strip")
    current = re.compile("true")
    assert_fades(strip, start=False, end=True)
    expect(links.first).to_have_attribute("aria-current", current)
    phone.get_by_role("heading", name=links.nth(3).inner_text()).evaluate("(each) => each.scrollIntoView()")
    expect(links.nth(3)).to_have_attribute("aria-current", current)
    expect(links.nth(3)).to_be_in_viewport(ratio=1)
    assert_fades(strip, start=True, end=True)
    phone.set_viewport_size({"width": 360, "height": 2000})
    links.last.evaluate("(each) => each.click()")  # whose category never gets to the top
    expect(links.last).to_have_attribute("aria-current", current)
    assert_fades(strip, start=True, end=False)
    phone.evaluate(SCROLLED)
    expect(links.last).to_have_attribute("aria-current", current)
    phone.set_viewport_size({"width": 1280, "height": 800})
    assert_fades(strip, start=False, end=False)
