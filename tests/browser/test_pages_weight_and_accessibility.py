"""Weight, width and accessibility of the pages."""

import time

import pytest
from playwright.sync_api import Page, expect

from tests.browser.accessible import check, overflow
from tests.browser.kitchen import open_display

pytestmark = pytest.mark.browser


@pytest.fixture
def guest(windows, installation) -> Page:
    phone = windows.phone(viewport={"width": 320, "height": 640})
    phone.goto(f"{installation.base}/table/2")
    return phone


def test_the_first_view_is_small_and_loads_nothing_from_elsewhere(windows, installation):
    phone = windows.phone()
    sizes: dict[str, int] = {}
    phone.on("requestfinished", lambda request: sizes.update({request.url: request.sizes()["responseBodySize"]}))
    phone.goto(f"{installation.base}/table/2", wait_until="networkidle")
    assert all(url.startswith(installation.base) for url in sizes)
    pictures = {url: size for url, size in sizes.items() if "/pictures/" in url}
    assert len(pictures) >= 4
    assert sum(sizes.values()) - sum(pictures.values()) < 60_000
    assert sum(sizes.values()) < 200_000


SHIFT = """new Promise((done) => new PerformanceObserver((list) => done(
    list.getEntries().reduce((sum, each) => sum + each.value, 0))).observe({type: "layout-shift", buffered: true})
    || setTimeout(() => done(0), 300))"""


def test_the_venue_s_pictures_move_nothing_and_may_be_missing(windows, installation):
    phone = windows.phone()
    phone.route("**/venue/pictures/*", lambda route: (time.sleep(0.2), route.continue_()))
    phone.goto(f"{installation.base}/table/2", wait_until="networkidle")
    cover, logo = phone.locator(".cover"), phone.locator(".logo")
    assert cover.evaluate("(image) => image.complete && image.naturalWidth > 0")
    assert phone.evaluate(SHIFT) < 0.01
    before = [each.bounding_box() for each in (cover, logo)]
    phone.unroute("**/venue/pictures/*")
    phone.route("**/venue/pictures/*", lambda route: route.abort())
    phone.reload(wait_until="networkidle")
    assert [each.bounding_box() for each in (cover, logo)] == before
    check(phone)


def test_the_guests_pages(guest, installation):
    check(guest)
    guest.locator(".category .add").nth(0).tap()
    guest.locator(".category .add").nth(5).tap()
    expect(guest.locator("#cart-count")).to_have_text("2 items")
    check(guest)
    guest.locator("#cart-bar").tap()
    guest.wait_for_url("**/cart*")
    check(guest)
    guest.get_by_role("button", name="Place order").tap()
    guest.wait_for_url("**/orders/*")
    check(guest)
    guest.goto(f"{installation.base}/table/2/cart")
    check(guest)


def test_other_pages_that_anyone_can_open(windows, installation):
    guest = windows.phone(viewport={"width": 320, "height": 640})
    for path in ("/", "/sign-in", "/table/999", "/q/00000000", "/nowhere"):
        guest.goto(f"{installation.base}{path}")
        check(guest)


def test_the_kitchen_display(windows, installation):
    open_display(windows, installation)  # signs in, unless another test has
    page = open_display(windows, installation)  # nobody has touched it: its sound waits for that, which it says
    expect(page.locator("#sound-button")).to_have_attribute("data-sound", "blocked")
    check(page)
    page.set_viewport_size({"width": 360, "height": 740})
    assert overflow(page) <= 0
    # Tickets are fitted to the new window in the next frames.
    page.wait_for_function(
        "() => [...document.querySelectorAll('button, a')].every((e) => !e.offsetParent || e.closest('.skip-link')"
        " || e.getBoundingClientRect().height >= 55.5)"
    )


def test_the_description_of_the_endpoints(windows, installation):
    page = windows.open()
    page.goto(f"{installation.base}/api/docs")
    page.locator(".endpoint").first.locator("summary").click()
    check(page)
    assert windows.complaints == []
