"""The menu's list and its import, in real windows."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.accessible import CONTRAST, STANDARD, violations

pytestmark = pytest.mark.browser

MENU = "/admin/restaurant/menuitem/"
FILE = (
    "name;price;category;available\nA dish with a long name that has to wrap;12,50;;no\n{name};99,50;{category};yes\n"
)


def manager(windows, installation, **options) -> Page:
    page = windows.open(storage_state={"cookies": [installation.cookie("manager")]}, **options)
    page.goto(f"{installation.base}{MENU}")
    return page


def test_a_click_switches_an_item_and_leaves_what_is_half_edited(windows, installation):
    page = manager(windows, installation)
    price = page.locator("#id_form-1-price")
    price.fill("77")
    button = page.locator(".menu-switch").first
    name = page.locator("#result_list tbody th").first.inner_text()
    for words in ("Sold out", "Available"):
        button.click()
        expect(button).to_have_text(f"{name}: {words}")
        expect(page.locator("#list-status")).to_have_text(f"{name}: {words}")
    expect(price).to_have_value("77")
    assert windows.complaints == []


def test_a_click_works_without_javascript_and_keeps_the_filter(windows, installation):
    page = manager(windows, installation, java_script_enabled=False)
    page.goto(f"{installation.base}{MENU}?q=a&available__exact=1")
    button = page.locator(".menu-switch").first
    pk = button.get_attribute("id")
    button.click()
    assert page.url == f"{installation.base}{MENU}?q=a&available__exact=1#{pk}"
    expect(page.locator("ul.messagelist")).to_contain_text("is sold out")
    page.goto(f"{installation.base}{MENU}?available__exact=0")
    page.locator(f"#{pk}").click()
    expect(page.locator("ul.messagelist")).to_contain_text("is available again")


def test_the_preview_can_be_read_by_everyone_and_confirmed(windows, installation):
    page = manager(windows, installation, color_scheme="light")
    name = page.locator("#result_list tbody th").last.inner_text()
    category = page.locator("#result_list input[list]").last.input_value()
    fits(windows, page, "#changelist-form")
    page.get_by_role("link", name="Import CSV").click()
    page.wait_for_selector("[name=import_file]")
    fits(windows, page, "#content-main")
    file = FILE.format(name=name, category=category)
    page.set_input_files("[name=import_file]", {"name": "m.csv", "mimeType": "text/csv", "buffer": file.encode()})
    page.get_by_role("button", name="Show what would change").click()
    expect(page.locator(".menu-rows tbody tr")).to_have_count(2)
    expect(page.get_by_role("button", name="Confirm import")).to_be_visible()
    fits(windows, page, "#content-main")


def fits(windows, page: Page, part: str) -> None:
    """On phones and screens, in the light and in the dark."""
    assert windows.complaints == []
    for width in (320, 1280):
        page.set_viewport_size({"width": width, "height": 800})
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        for scheme, rules in (("light", STANDARD), ("dark", CONTRAST)):
            page.emulate_media(color_scheme=scheme)
            found = violations(page, part=part, rules=rules)
            serious = [each for each in found if each["impact"] in {"serious", "critical"}]
            named = [(each["id"], [node["html"] for node in each["nodes"]][:3]) for each in serious]
            assert named == [], (width, scheme)
    windows.complaints.clear()  # the inspector's own styles are blocked too
