"""The cart's page: what places the order stays in sight, and what is removed comes back."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser import menu

pytestmark = pytest.mark.browser

OLIVES, STEAK, WINE = "Nocellara Olives", "Flat Iron Steak", "House Red, Glass"
IS_HIT = """(each) => { const box = each.getBoundingClientRect();
    return each.contains(document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2)); }"""


def test_in_a_long_cart_the_button_that_orders_and_the_waiter_are_in_sight(windows, installation):
    phone = windows.phone(viewport={"width": 320, "height": 640})
    phone.goto(f"{installation.base}/table/9")
    menu.add(phone, OLIVES, "Chickpea Panisse", "Burrata & Charred Figs", "Quince Shrub", "Fennel Spritz")
    expect(phone.locator("#cart-bar")).to_contain_text("5 items")
    menu.open_cart(phone)
    place, total = phone.get_by_role("button", name="Place order"), phone.locator("#total")
    expect(place).to_be_in_viewport(ratio=1)
    before = place.inner_text()
    assert before == f"Place order · {total.inner_text()}"
    phone.get_by_role("button", name="One more").first.tap()
    expect(place).not_to_have_text(before)
    expect(place).to_have_text(f"Place order · {total.inner_text()}")
    # What has the focus is scrolled clear of the bar.
    last = phone.get_by_role("main").locator("a, summary").filter(visible=True).last
    last.focus()
    expect(last).to_be_in_viewport(ratio=1)
    assert last.evaluate(IS_HIT)

    # Whoever names an allergy at the last moment finds the waiter.
    waiter, state = phone.get_by_role("button", name="Call the waiter"), phone.locator(".calls-state")
    expect(waiter).to_be_hidden()
    phone.get_by_role("link", name="An allergy?").tap()
    expect(waiter).to_be_in_viewport(ratio=1)
    waiter.tap()
    expect(state).to_have_text(re.compile(r"^\s*Waiter called at \d\d:\d\d\s*$"))
    expect(state).to_be_hidden()  # unfolded, it is said once
    expect(phone.get_by_text("Somebody is on the way.")).to_be_visible()
    phone.get_by_role("heading", name="Need something?").tap()
    expect(state).to_be_visible()
    phone.goto(f"{installation.base}/table/9?from=cart")
    phone.get_by_role("button", name="Call the waiter").tap()
    expect(phone.get_by_text("The waiter is called. Somebody is on the way.")).to_be_in_viewport(ratio=1)

    # Beside the order there is room in a wide window.
    phone.set_viewport_size({"width": 1280, "height": 800})
    phone.goto(f"{installation.base}/table/9/cart")
    bill = phone.get_by_role("link", name="See the bill")
    expect(bill).to_be_visible()
    expect(place).to_be_visible()
    phone.set_viewport_size({"width": 360, "height": 740})
    expect(bill).to_be_hidden()
    assert windows.complaints == []


def test_what_goes_well_is_added_and_what_is_removed_comes_back_as_it_was(windows, installation):
    phone = windows.phone()
    phone.goto(f"{installation.base}/table/11")
    menu.dish(phone, STEAK).get_by_role("link", name=re.compile("^Add")).tap()
    sheet = phone.get_by_role("dialog", name=STEAK)
    sheet.get_by_text("Medium rare", exact=True).tap()
    sheet.get_by_label("Note for the kitchen").fill("Cut in half")
    sheet.get_by_role("button", name="Add · €24.50").tap()
    expect(sheet).to_be_hidden()
    menu.add(phone, "Fennel Spritz")
    expect(phone.locator("#cart-bar")).to_contain_text("2 items")
    menu.open_cart(phone)
    names, total = phone.locator("#cart .lines h2"), phone.locator("#total")
    steak, spritz = (phone.get_by_role("group", name=f"How many {name}") for name in (STEAK, "Fennel Spritz"))
    # With what was typed just before.
    spritz.get_by_role("button", name="One more").tap()
    beside = phone.get_by_role("region", name="Goes well with what you have")
    beside.get_by_role("button", name=WINE).tap()
    expect(names).to_have_text([STEAK, "Fennel Spritz", WINE])
    expect(total).to_have_text("€50.50")
    expect(phone.get_by_role("button", name="Place order")).to_have_text("Place order · €50.50")
    expect(beside.get_by_role("button", name=WINE)).to_have_count(0)

    expect(steak.get_by_role("button", name="One fewer")).to_have_count(0)
    steak.get_by_role("button", name="One more").tap()
    steak.get_by_role("button", name="One fewer").tap()
    steak.get_by_role("button", name=f"Remove {STEAK}").tap()
    expect(phone.locator("#toast")).to_contain_text(f"Removed {STEAK}.")
    expect(names).to_have_text(["Fennel Spritz", WINE])
    undo = phone.get_by_role("button", name="Undo")
    undo.tap()
    expect(names).to_have_text([STEAK, "Fennel Spritz", WINE])
    spritz.get_by_role("button", name="One fewer").tap()
    for name in (WINE, "Fennel Spritz", STEAK):
        phone.get_by_role("button", name=f"Remove {name}").press("Enter")
    expect(phone.get_by_text("Your order is empty")).to_be_visible()
    expect(undo).to_be_focused()
    undo.press("Enter")
    expect(total).to_have_text("€24.50")
    phone.get_by_role("link", name="Menu", exact=True).tap()
    expect(phone.locator("#cart-bar")).to_contain_text("1 item")
    assert menu.stored(phone, 11) == [(STEAK, 1, "Cut in half")]
    assert windows.complaints == []
