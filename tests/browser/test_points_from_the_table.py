"""A guest orders, enrols for the points that wait, says no once, and sees them arrive when the table is closed."""

import re

import pytest
import requests
from playwright.sync_api import Page, expect

from tests.browser import menu
from tests.browser.accessible import check
from tests.servers import Installation

pytestmark = pytest.mark.browser

TABLE = 4
ORDER = re.compile(r"/orders/[0-9a-f-]{36}$")


def order(phone: Page, installation: Installation, *, collects: bool | None = None) -> None:
    phone.goto(f"{installation.base}/table/{TABLE}")
    menu.add(phone, "Nocellara Olives")
    phone.locator("#cart-bar").tap()
    box = phone.get_by_role("checkbox", name="Collect points on Grace's card")
    if collects is None:
        expect(box).to_have_count(0)
    else:
        expect(box).to_be_checked()
        check(phone)
        earns = phone.get_by_text(re.compile(r"^It earns \d+ points\.$"))
        expect(earns).to_be_visible()
        with phone.expect_response(lambda response: response.request.method == "PUT"):
            phone.get_by_role("button", name="One more").tap()
        expect(earns).to_be_hidden()
        with phone.expect_response(lambda response: response.request.method == "PUT"):
            phone.get_by_role("button", name="One fewer").tap()
        expect(earns).to_be_visible()
    if collects is False:
        with phone.expect_response(lambda response: response.request.method == "PUT"):
            box.uncheck()
        expect(earns).to_be_hidden()
        phone.reload()
        expect(box).not_to_be_checked()
    phone.get_by_role("button", name="Place order").tap()
    phone.wait_for_url(ORDER)


def too_small(phone: Page) -> list[str]:
    """What a thumb would miss."""
    return phone.evaluate(
        "[...document.querySelectorAll('main :is(a, button, input:not([type=hidden]))')]"
        ".filter((e) => e.checkVisibility()"
        " && e.getBoundingClientRect().height < 43.5).map((e) => e.outerHTML)"
    )


def test_a_guest_collects_from_the_first_order_to_the_closed_table(installation, windows):
    phone = windows.phone()
    order(phone, installation)
    first = phone.url
    points = phone.locator("[data-part='points']")
    expect(points.get_by_role("heading")).to_have_text(re.compile(r"^\d+ points wait for you$"))
    check(phone)
    assert too_small(phone) == []
    points.get_by_role("link", name="Collect them").tap()
    expect(phone.get_by_role("heading", level=1)).to_have_text(re.compile(r"\d+ points wait for you"))
    check(phone)
    assert too_small(phone) == []
    phone.get_by_label("Your name").fill("Grace Hopper")
    phone.get_by_label("Email").fill("grace.hopper@example.com")
    phone.get_by_role("button", name="Get my card and collect").tap()
    phone.wait_for_url(first)
    expect(points).to_contain_text("will be collected on Grace's card when your table is closed.")
    check(phone)
    order(phone, installation, collects=False)
    expect(points.get_by_role("button", name="Collect on Grace's card")).to_be_visible()
    check(phone)
    phone.goto(first)
    staff = {"Authorization": f"Token {installation.token('floor')}"}
    seen = requests.get(f"{installation.base}/floor", headers=staff, timeout=10).json()
    own = next(each["session"] for each in seen["tables"] if each["tableNumber"] == TABLE)
    address, body = f"{installation.base}/table/{TABLE}/close", {"sessionId": own["id"]}
    closed = requests.post(address, json=body, headers=staff, timeout=10)
    assert closed.status_code == 200
    expect(points).to_contain_text("are on Grace's card.")  # without a reload
    check(phone)
    points.get_by_role("link", name="See your card").tap()
    phone.wait_for_url("**/member/*")
    expect(phone.locator("main")).to_contain_text("Purchase at Fig & Fennel Orchard Row")
    assert windows.complaints == []
