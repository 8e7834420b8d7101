"""The header of staff's pages in a browser: its panels by keyboard and finger, and a live count."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.kitchen import Orders

pytestmark = pytest.mark.browser


def test_the_panels_open_and_close_without_javascript(windows, installation, state_of):
    phone = windows.phone(storage_state=state_of("manager"), java_script_enabled=False)
    phone.goto(f"{installation.base}/staff")
    phone.get_by_role("button", name="Go to another place. Now: Staff").tap()
    places = phone.get_by_role("navigation", name="Places")
    expect(places.get_by_role("link", name="Staff")).to_have_attribute("aria-current", "true")
    phone.keyboard.press("Escape")
    expect(places).to_be_hidden()
    phone.get_by_role("button", name="Signed in as").tap()
    expect(phone.locator("#shell-person").get_by_role("link", name="Your account")).to_be_visible()
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
    orders.call("waiter")
    for page in (floor, kitchen):
        if page is kitchen:
            page.clock.fast_forward(31_000)
        page.locator("[popovertarget=shell-needs]").click()
        expect(page.locator("#shell-needs")).to_contain_text(re.compile(rf"Tables? .*\b{orders.table}\b.* calls?"))
    floor.keyboard.press("Escape")
    expect(floor.locator("#shell-needs")).to_be_hidden()
