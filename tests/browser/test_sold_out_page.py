"""How many portions of a dish are left is written on the page of what is sold out, and saved at once."""

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.accessible import check

pytestmark = pytest.mark.browser
DISH = "Jellied Pig's Ear"


@pytest.fixture
def page(windows, state_of) -> Page:
    opened = windows.open(storage_state=state_of("floor"))
    opened.goto(f"{windows.base}/menu/availability")
    return opened


def left(page: Page) -> Locator:
    return page.locator(".all").get_by_label(f"Portions left of {DISH}")


def write(page: Page, portions: str) -> None:
    with page.expect_response("**/portions"):
        left(page).fill(portions)
        left(page).press("Enter")


@pytest.mark.parametrize("width", [360, 1280])
def test_what_is_written_is_counted_and_none_left_takes_the_dish_off_the_menu(page, width):
    page.set_viewport_size({"width": width, "height": 800})
    expect(left(page)).to_have_value("")
    write(page, "3")
    expect(page.get_by_role("alert")).to_have_text(f"{DISH}: 3 left")
    check(page)
    page.reload()
    expect(left(page)).to_have_value("3")
    write(page, "0")
    expect(page.locator(".off")).to_contain_text(DISH)
    check(page)
    write(page, "")
    expect(page.locator(".off")).not_to_contain_text(DISH)
    expect(left(page)).to_have_value("")


def test_what_could_not_be_saved_is_said_and_taken_back(page):
    page.route("**/portions", lambda route: route.abort())
    left(page).fill("4")
    left(page).blur()
    expect(page.get_by_role("alert")).to_have_text("Not saved. Is there a connection?")
    expect(left(page)).to_have_value("")
