"""The bill on a guest's phone, who says what they pay for; and on the waiter's, who takes it from one by one."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser import menu

pytestmark = pytest.mark.browser

TABLE = 5
PARTS = 6  # the table whose bill is divided


def test_a_guest_ticks_what_they_pay_for_and_calls_with_it(windows, installation):
    phone = windows.phone(viewport={"width": 320, "height": 480})  # too low for all of it
    phone.goto(f"{installation.base}/table/{TABLE}")
    menu.order(phone, "Nocellara Olives", "Chickpea Panisse")
    phone.get_by_role("link", name="See the bill").tap()
    phone.wait_for_url("**/bill?*")
    card = phone.get_by_role("button", name="By card")
    expect(card).to_be_in_viewport(ratio=1)
    total = phone.locator("#mine-sum")
    expect(total).to_have_text("€12.00")
    olives = phone.get_by_role("checkbox", name="Nocellara Olives")
    expect(olives).to_be_checked()
    olives.uncheck()
    expect(total).to_have_text("€7.50")
    # Who shares a dish pays for it.
    phone.get_by_role("combobox", name="Nocellara Olives").select_option("1/3")
    expect(olives).to_be_checked()
    expect(total).to_have_text("€9.00")
    for way, sentence in (("Together", "One payment of €12.00"), ("Equally", "2 people pay €6.00 each")):
        phone.get_by_role("radio", name=way).check()
        expect(phone.get_by_text(sentence)).to_be_visible()
        expect(card).to_be_hidden()
        expect(phone.get_by_role("button", name="Ask to pay")).to_be_in_viewport(ratio=1)
    phone.get_by_role("radio", name="My part").check()
    phone.get_by_role("textbox", name="Your name").fill("Anna")
    card.tap()
    expect(phone.get_by_text("You pay €9.00 by card.")).to_be_visible()
    expect(phone).to_have_url(re.compile(rf"/table/{TABLE}/bill\?sessionId=.+#pay$"))
    expect(olives).to_be_checked()
    thanks = phone.get_by_text("Thank you for your visit.")
    expect(thanks).to_be_hidden()
    phone.emulate_media(media="print")
    expect(thanks).to_be_visible()
    assert windows.complaints == []


def test_three_taps_take_the_money_of_one_of_eight(windows, installation, state_of):
    guest = windows.phone()
    guest.goto(f"{installation.base}/table/{PARTS}")
    menu.order(guest, "Nocellara Olives", "Chickpea Panisse")
    waiter = windows.phone(storage_state=state_of("floor"))
    waiter.goto(f"{installation.base}/floor/tables/{PARTS}")
    chips = waiter.get_by_role("navigation", name="Bill").get_by_role("link")
    expect(chips.last).to_be_in_viewport(ratio=1)
    assert len({chip.bounding_box()["y"] for chip in chips.all()}) == 1  # one row, and all of it to be seen
    waiter.get_by_role("link", name="Divide").tap()
    waiter.get_by_role("button", name="8", exact=True).tap()
    for number, method in ((3, "Card"), (1, "Cash")):
        waiter.get_by_role("radio", name=f"{number} of 8").check()
        waiter.get_by_role("radio", name=method).check()
        waiter.get_by_role("button", name="Take payment").tap()
        expect(waiter.get_by_role("radio", name=f"{number} of 8")).to_be_disabled()
    expect(waiter.locator("#pay-name")).to_have_text("€9.00 is due")
    # What is handed over, by two notes.
    waiter.get_by_role("radio", name=re.compile("^All")).check()
    waiter.get_by_role("radio", name="Card").check()
    expect(waiter.locator("#tendered")).to_be_hidden()
    waiter.get_by_role("radio", name="Cash").check()
    for note in ("€5", "€10"):
        waiter.get_by_role("button", name=note, exact=True).tap()
    expect(waiter.locator("#tendered")).to_have_value("15")
    waiter.get_by_role("button", name="Take payment").tap()
    expect(waiter.locator(".bill-change")).to_have_text(re.compile("Change €6.00"))
    expect(waiter.locator(".bill-change")).to_be_in_viewport()
    expect(waiter.locator("#pay-name")).to_have_text("This bill is paid")
    assert windows.complaints == []
