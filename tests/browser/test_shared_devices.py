"""A tablet that several people share: enrolled by a manager, one PIN after the other, and what was typed waits."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.accessible import check
from tests.browser.conftest import Windows

pytestmark = pytest.mark.browser

WIDTHS = {360: 740, 768: 1024, 1280: 800}


def check_at_every_width(page: Page) -> None:
    for width, height in WIDTHS.items():
        page.set_viewport_size({"width": width, "height": height})
        check(page)


def sign_in(page: Page, name: str, pin: str) -> None:
    page.get_by_role("radio", name=name).check()
    for digit in pin:
        page.get_by_role("button", name=digit, exact=True).click()
    page.get_by_role("group", name="Digits").get_by_role("button", name="Sign in").click()


def new_pin(page: Page, windows: Windows) -> str:
    page.goto(f"{windows.base}/staff")
    person = page.locator("[data-username=floor]")
    person.locator("summary").click()
    person.get_by_role("button", name="New PIN").click()
    return page.get_by_label("PIN").input_value()


def test_two_people_share_a_tablet(windows, installation):
    page = windows.open()
    page.goto(f"{windows.base}/sign-in?next=/staff/devices")
    page.fill("[name=username]", "manager")
    page.fill("[name=password]", installation.passwords["manager"])
    page.get_by_role("button", name="Sign in").click()
    page.get_by_label("Its name").fill("Bar")
    check_at_every_width(page)
    page.get_by_role("button", name="Share it").click()
    expect(page.get_by_role("heading", name="This device is “Bar”")).to_be_visible()
    check_at_every_width(page)
    tomas = new_pin(page, windows)
    page.goto(f"{windows.base}/account/pin")
    check_at_every_width(page)
    page.get_by_label("PIN", exact=True).fill("2580")
    page.get_by_label("Your password").fill(installation.passwords["manager"])
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("status")).to_have_text("Your PIN is set.")
    page.get_by_role("button", name="Switch, now Orla").click()
    check_at_every_width(page)

    sign_in(page, "Tomas", "000000")
    expect(page.get_by_role("alert")).to_have_text("This PIN is wrong.")
    check_at_every_width(page)
    sign_in(page, "Tomas", tomas)
    page.goto(f"{windows.base}/floor/tables/8/order")
    page.locator(".dish:not(.dish-varied) .add:visible").first.click()
    page.get_by_role("searchbox").fill("steak")
    page.get_by_role("button", name="Add Flat Iron Steak").click()
    page.locator(".variant-note:visible").fill("no onions")
    page.set_viewport_size({"width": 320, "height": 640})
    check(page)
    page.get_by_role("button", name="Switch, now Tomas").click()

    sign_in(page, "Orla", "2580")
    expect(page).to_have_url(f"{windows.base}/floor/tables/8/order")
    expect(page.locator("#count")).to_have_text("0 items")
    page.goto(f"{windows.base}/staff")
    expect(page.get_by_role("heading", name="Your password, please")).to_be_visible()
    check_at_every_width(page)
    page.get_by_label("Password of Orla").fill(installation.passwords["manager"])
    page.get_by_role("button", name="Sign in with the password").click()
    expect(page.get_by_role("heading", name="Staff", exact=True)).to_be_visible()
    check_at_every_width(page)
    page.get_by_role("button", name="Switch, now Orla").click()

    page.goto(f"{windows.base}/floor/tables/8/order")  # locked, it asks who it is
    sign_in(page, "Tomas", tomas)
    expect(page.locator("#count")).to_have_text("2 items")
    expect(page.locator(".variant-note").first).to_have_value("no onions")


def test_a_page_that_stays_open_locks_by_itself(windows, installation):
    page = windows.open()
    page.goto(f"{windows.base}/sign-in?next=/staff/devices")
    page.fill("[name=username]", "manager")
    page.fill("[name=password]", installation.passwords["manager"])
    page.get_by_role("button", name="Sign in").click()
    page.get_by_label("Its name").fill("Bar")
    page.get_by_role("button", name="Share it").click()
    page.clock.install()
    page.goto(f"{windows.base}/floor")
    page.clock.fast_forward("05:10")
    expect(page.get_by_role("heading", name="Floor")).to_be_visible()  # the server says that it is not yet time
    assert page.request.post(f"{windows.base}/switch/lock").ok
    page.clock.fast_forward("05:10")
    page.wait_for_url("**/switch?next=%2Ffloor")
