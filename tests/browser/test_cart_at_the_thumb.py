"""What places the order is in sight however long the cart is, with its price."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.accessible import check, overflow

pytestmark = pytest.mark.browser


@pytest.mark.parametrize("width", [320, 360, 1280])
def test_the_button_that_places_a_long_order_is_in_sight_and_names_the_price(windows, installation, width):
    phone = windows.phone(viewport={"width": width, "height": 640})
    phone.goto(f"{installation.base}/table/9")
    dishes = phone.locator(".category button.add")
    for number in range(7):
        dishes.nth(number).tap()
    expect(phone.locator("#cart-bar")).to_contain_text("7 items")
    phone.locator("#cart-bar").tap()
    phone.wait_for_url("**/cart", wait_until="load")
    place = phone.get_by_role("button", name="Place order")
    total = phone.locator("#total")
    expect(place).to_be_in_viewport(ratio=1)
    expect(place).to_have_text(f"Place order · {total.inner_text()}")
    before = place.inner_text()
    phone.get_by_role("button", name="One more").first.tap()
    expect(place).not_to_have_text(before)
    expect(place).to_have_text(f"Place order · {total.inner_text()}")
    # Nothing lies below the bar: what ends the page is scrolled clear of it, and so is what has the focus.
    assert overflow(phone) <= 0
    last = phone.locator("main :is(a, summary, button):not(.place-bar *)").filter(visible=True).last
    last.focus()
    expect(last).to_be_in_viewport(ratio=1)
    assert last.evaluate("""(each) => { const box = each.getBoundingClientRect();
        return each.contains(document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2)); }""")
    check(phone)
    # An open note has a row of its own.
    phone.locator(".note summary").first.tap()
    note = phone.get_by_label(re.compile("^Note for the kitchen")).first
    assert note.bounding_box()["width"] > 200
    phone.evaluate("scrollTo(0, document.body.scrollHeight)")  # half a dish under the bar would count as a small target
    check(phone)


def test_a_dish_and_its_price_stand_on_one_line_and_its_row_is_even(windows, installation):
    phone = windows.phone(viewport={"width": 360, "height": 640})
    phone.goto(f"{installation.base}/table/9")
    phone.locator(".category button.add").first.tap()
    expect(phone.locator("#cart-bar")).to_contain_text("1 item")
    phone.locator("#cart-bar").tap()
    phone.wait_for_url("**/cart", wait_until="load")
    boxes = [phone.locator(each).first.bounding_box() for each in (".line", ".line-name", ".line-total", ".stepper")]
    row, name, price, stepper = boxes
    assert name["y"] == price["y"]
    heights = "(all) => new Set(all.map((each) => getComputedStyle(each).lineHeight)).size"
    assert phone.locator(".line-name, .line-total").evaluate_all(heights) == 1
    above, below = name["y"] - row["y"], row["y"] + row["height"] - stepper["y"] - stepper["height"]
    assert abs(above - below) <= 1  # the row's line


def test_whoever_names_an_allergy_at_the_last_moment_finds_the_waiter(windows, installation):
    phone = windows.phone()
    phone.goto(f"{installation.base}/table/9")
    phone.locator(".category button.add").first.tap()
    expect(phone.locator("#cart-bar")).to_contain_text("1 item")
    phone.locator("#cart-bar").tap()
    phone.wait_for_url("**/cart", wait_until="load")
    waiter = phone.get_by_role("button", name="Call the waiter")
    expect(waiter).to_be_hidden()
    phone.get_by_role("link", name="An allergy?").tap()
    expect(waiter).to_be_in_viewport(ratio=1)
    waiter.tap()
    expect(phone.locator(".calls-state")).to_have_text(re.compile(r"^Waiter called at \d\d:\d\d$"))
    expect(phone.locator(".calls-state")).to_be_hidden()  # unfolded, it is said once
    expect(phone.get_by_text("Somebody is on the way.")).to_be_visible()
    check(phone)
    phone.locator(".fold-row", has_text="Need something?").tap()
    expect(phone.locator(".calls-state")).to_be_visible()
    phone.goto(f"{installation.base}/table/9?from=cart")
    phone.get_by_role("link", name="Call the waiter").tap()
    expect(phone.get_by_role("button", name="Ask to pay")).to_be_in_viewport(ratio=1)


def test_in_a_wide_window_what_is_beside_the_order_is_unfolded(windows, installation):
    window = windows.phone(viewport={"width": 1280, "height": 800})
    window.goto(f"{installation.base}/table/10")
    window.locator(".category button.add").first.click()
    expect(window.locator("#cart-bar")).to_contain_text("1 item")
    window.locator("#cart-bar").click()
    window.wait_for_url("**/cart", wait_until="load")
    bill = window.get_by_role("link", name="See the bill")
    expect(bill).to_be_visible()
    expect(window.get_by_role("button", name="Place order")).to_be_visible()
    check(window)
    window.set_viewport_size({"width": 360, "height": 740})
    expect(bill).to_be_hidden()


def test_what_goes_well_with_the_order_is_added_to_it_with_what_was_typed(windows, installation):
    phone = windows.phone(viewport={"width": 320, "height": 640})
    phone.goto(f"{installation.base}/table/11")
    phone.locator(".category .item", has_text="Fennel Spritz").locator("button.add").tap()
    expect(phone.locator("#cart-bar")).to_contain_text("1 item")
    phone.locator("#cart-bar").tap()
    phone.wait_for_url("**/cart", wait_until="load")
    phone.get_by_role("button", name="One more").tap()
    row = phone.get_by_role("region", name="Goes well with what you have")
    row.get_by_role("button", name="Nocellara Olives").tap()
    expect(phone.locator(".line-name")).to_have_text(["Fennel Spritz", "Nocellara Olives"])
    expect(phone.locator("#total")).to_have_text("€23.50")
    expect(phone.get_by_role("button", name="Place order")).to_have_text("Place order · €23.50")
    expect(row.get_by_role("button", name="Nocellara Olives")).to_have_count(0)
    expect(row.get_by_role("button", name="Rosemary Focaccia")).to_be_visible()
    assert overflow(phone) <= 0
    check(phone)
    # It is stored.
    phone.reload()
    expect(phone.locator("#total")).to_have_text("€23.50")
    assert windows.complaints == []
