"""The bill on a guest's phone: asked for, and divided."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser import menu

pytestmark = pytest.mark.browser

TABLE = 5


def test_the_bill_is_asked_for_without_scrolling_and_then_divided(windows, installation):
    phone = windows.phone(viewport={"width": 320, "height": 480})  # too low for all of it
    phone.goto(f"{installation.base}/table/{TABLE}")
    menu.order(phone, "Nocellara Olives", "Chickpea Panisse")
    phone.get_by_role("link", name="See the bill").tap()
    phone.wait_for_url("**/bill?*")
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
    phone.get_by_role("radio", name="What I had").check()
    expect(phone.locator("#shares")).to_be_hidden()
    expect(phone.get_by_role("button", name="Add up")).to_be_hidden()
    expect(phone.locator("#your-part")).to_have_text("Your part: €0.00")
    phone.get_by_label("Nocellara Olives").check()
    expect(phone.locator("#your-part")).to_have_text("Your part: €4.50")
    phone.get_by_label("Chickpea Panisse").check()
    expect(phone.locator("#your-part")).to_have_text("Your part: €12.00")
    thanks = phone.get_by_text("Thank you for your visit.")
    expect(thanks).to_be_hidden()
    phone.emulate_media(media="print")
    expect(thanks).to_be_visible()
    assert windows.complaints == []
