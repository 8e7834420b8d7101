"""The page of what is sold out: a dish is found, taken off and brought back, and its portions are counted at once."""

import pytest
from playwright.sync_api import Page, expect

pytestmark = pytest.mark.browser
DISH = "Jellied Pig's Ear"


def test_a_dish_is_found_and_taken_off_and_its_portions_are_counted(windows, state_of):
    page = windows.phone(storage_state=state_of("floor"))
    page.goto(f"{windows.base}/menu/availability")
    left = page.locator(".all").get_by_label(f"Portions left of {DISH}")

    def write(portions: str) -> None:
        with page.expect_response("**/portions"):
            left.fill(portions)
            left.press("Enter")

    expect(left).to_have_value("")
    write("3")
    expect(page.get_by_role("alert")).to_have_text(f"{DISH}: 3 left")
    page.reload()
    expect(left).to_have_value("3")
    write("0")
    expect(page.locator(".off")).to_contain_text(DISH)
    write("")
    expect(page.locator(".off")).not_to_contain_text(DISH)
    expect(left).to_have_value("")
    page.route("**/portions", lambda route: route.abort())
    left.fill("4")
    left.blur()
    expect(page.get_by_role("alert")).to_have_text("Not saved. Is there a connection?")
    expect(left).to_have_value("")

    find(page, "nothing like it")
    expect(page.get_by_text("No such dish")).to_be_visible()
    page.get_by_role("button", name="Show all dishes").click()
    find(page, "JELLIED")
    expect(page.get_by_text("1 dish", exact=True)).to_be_visible()
    expect(page.locator(".item:visible")).to_have_count(1)
    page.locator("summary:visible", has_text=f"Take off {DISH}").click()
    page.get_by_role("button", name="Until tomorrow").locator("visible=true").click()
    expect(page.locator(".off-item", has_text=DISH)).to_contain_text("Until tomorrow")
    page.locator(".item-off", has_text=DISH).get_by_role("button", name="Available again").click()
    expect(page.locator(".off-item, .item-off").filter(has_text=DISH)).to_have_count(0)


def find(page: Page, words: str) -> None:
    page.get_by_label("Find a dish").fill(words)
