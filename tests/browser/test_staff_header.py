"""The header of staff's pages in a browser: one row at every width, panels by keyboard and finger, a live count."""

import re

import pytest
import requests
from playwright.sync_api import Page, expect

from tests.browser.accessible import STANDARD, overflow, violations
from tests.browser.kitchen import SOON, Orders

pytestmark = pytest.mark.browser

EVERYTHING = [*STANDARD, "best-practice"]
PAGES = ("/", "/floor", "/till", "/reports", "/staff", "/setup", "/menu/availability")
TOO_SMALL = """[...document.querySelectorAll('.shell :is(a, button), .venue')].filter((each) => each.offsetParent
    && (each.offsetHeight < 44 || each.offsetWidth < 44)).map((each) => each.outerHTML.slice(0, 90))"""


def accessible(page: Page) -> None:
    found = violations(page, rules=EVERYTHING)
    assert [f"{each['id']}: {each['nodes'][0]['html'][:120]}" for each in found] == []
    assert overflow(page) <= 0, f"{page.url} is too wide for {page.viewport_size}"


def test_the_header_is_one_row_on_every_page_at_every_width(windows, installation, state_of):
    page = windows.open(storage_state=state_of("manager"))
    for address in PAGES:
        page.goto(installation.base + address)
        for width in (320, 768, 1280):
            page.set_viewport_size({"width": width, "height": 800})
            assert overflow(page) <= 0, (address, width)
            assert page.locator("header.masthead").bounding_box()["height"] <= 60, (address, width)
            assert page.evaluate(TOO_SMALL) == []
        accessible(page)
    assert windows.complaints == []


def test_the_panels_open_and_close_without_javascript(windows, installation, state_of):
    phone = windows.phone(storage_state=state_of("manager"), java_script_enabled=False)
    phone.goto(f"{installation.base}/staff")
    phone.get_by_role("button", name="Go to another place. Now: Staff").tap()
    places = phone.get_by_role("navigation", name="Places")
    expect(places.get_by_role("link", name="Staff")).to_have_attribute("aria-current", "true")
    phone.keyboard.press("Escape")
    expect(places).to_be_hidden()
    phone.get_by_role("button", name="Signed in as").tap()
    expect(phone.locator("#shell-person").get_by_role("link", name="Change password")).to_be_visible()
    phone.get_by_role("button", name="Go to another place. Now: Staff").tap()
    places.get_by_role("link", name="Till").tap()
    expect(phone).to_have_url(f"{installation.base}/till")


def test_the_count_on_the_floor_and_in_the_kitchen_is_up_to_date(windows, installation, state_of):
    orders = Orders(installation)
    orders.answer_calls()
    orders.sit_down()
    floor = windows.phone(storage_state=state_of("floor"))
    floor.goto(f"{installation.base}/floor")
    kitchen = windows.open(storage_state=state_of("floor"))
    kitchen.clock.install()
    kitchen.goto(f"{installation.base}/kitchen")
    body = {"sessionId": orders.session, "kind": "waiter"}
    assert requests.post(f"{orders.base}/table/{orders.table}/calls", json=body, timeout=10).ok
    for page in (floor, kitchen):
        if page is kitchen:
            page.clock.fast_forward(31_000)
        page.locator("[popovertarget=shell-needs]").click()
        expect(page.locator("#shell-needs")).to_contain_text(
            re.compile(rf"Tables? .*\b{orders.table}\b.* calls?"), timeout=SOON
        )
    accessible(floor)
    floor.keyboard.press("Escape")
    expect(floor.locator("#shell-needs")).to_be_hidden()
