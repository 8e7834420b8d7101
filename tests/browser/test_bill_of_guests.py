"""The bill on a guest's phone: asked for, and divided."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser import menu
from tests.browser.accessible import check

pytestmark = pytest.mark.browser

TABLE = 5


@pytest.fixture
def phone(windows, installation) -> Page:
    """At the bill of what it has ordered, in a window that is too low for all of it."""
    phone = windows.phone(viewport={"width": 320, "height": 480})
    phone.goto(f"{installation.base}/table/{TABLE}")
    menu.add(phone, "Nocellara Olives", "Chickpea Panisse")
    phone.locator("#cart-bar").tap()
    phone.get_by_role("button", name="Place order").tap()
    phone.wait_for_url("**/orders/*")
    phone.get_by_role("link", name="See the bill").tap()
    phone.wait_for_url("**/bill?*")
    return phone


def test_the_bill_is_asked_for_without_scrolling_and_then_divided(phone, windows):
    check(phone)
    ask = phone.get_by_role("button", name="Ask to pay")
    expect(ask).to_be_in_viewport(ratio=1)
    ask.tap()
    expect(phone.get_by_text("Somebody is on the way with the bill.")).to_be_visible()
    expect(phone).to_have_url(re.compile(rf"/table/{TABLE}/bill\?sessionId=.+#calls$"))
    expect(ask).to_have_count(0)
    for way in ("Together", "Equally", "What I had"):
        expect(phone.get_by_role("radio", name=way)).to_be_visible()
    expect(phone.get_by_text("One payment of €12.00")).to_be_visible()
    expect(phone.locator("#shares")).to_be_hidden()
    phone.get_by_role("radio", name="Equally").check()
    expect(phone.get_by_text("One payment of")).to_be_hidden()
    expect(phone.get_by_text("2 people pay €6.00 each")).to_be_visible()
    phone.get_by_role("button", name="One more").tap()
    expect(phone.locator("#people")).to_have_text("3")
    check(phone)
    phone.get_by_role("radio", name="What I had").check()
    expect(phone.locator("#shares")).to_be_hidden()
    expect(phone.get_by_role("button", name="Add up")).to_be_hidden()
    expect(phone.locator("#your-part")).to_have_text("Your part: €0.00")
    phone.get_by_label("Nocellara Olives").check()
    expect(phone.locator("#your-part")).to_have_text("Your part: €4.50")
    phone.get_by_label("Chickpea Panisse").check()
    expect(phone.locator("#your-part")).to_have_text("Your part: €12.00")
    check(phone)
    thanks = phone.get_by_text("Thank you for your visit.")
    expect(thanks).to_be_hidden()
    phone.emulate_media(media="print")
    expect(thanks).to_be_visible()
    assert windows.complaints == []
