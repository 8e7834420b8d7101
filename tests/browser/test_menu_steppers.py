"""On the menu Add becomes a stepper: a tap shows at once, is stored, and is taken back where it can't be."""

import re
from datetime import UTC, datetime, timedelta

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser import menu
from tests.servers import wait_for

pytestmark = pytest.mark.browser

TABLE = 8
OLIVES = "Nocellara Olives"


@pytest.fixture
def phone(windows, installation) -> Page:
    phone = windows.phone()
    phone.goto(f"{installation.base}/table/{TABLE}")
    return phone


def count_in(place: Locator) -> Locator:
    return place.locator(".adder-number")


def test_a_favourite_of_the_house_is_counted_in_both_its_places(windows, phone):
    favourites = phone.get_by_role("region", name="House favourites").get_by_role("listitem")
    favourite = favourites.filter(has=phone.get_by_role("button", name=re.compile("^Add "))).first
    name = favourite.get_by_role("link").first.inner_text()
    dish = menu.dish(phone, name)
    favourite.get_by_role("button", name=f"Add {name}").tap()
    for place in (favourite, dish):
        expect(count_in(place)).to_have_text("1")
    dish.get_by_role("button", name=f"Add {name}").click()
    for place in (favourite, dish):
        expect(count_in(place)).to_have_text("2")
    expect(phone.locator("#cart-bar")).to_contain_text("2 items")
    favourite.get_by_role("button", name=f"One fewer {name}").tap()
    favourite.get_by_role("button", name=f"Remove {name}").tap()
    for place in (favourite, dish):
        expect(count_in(place)).to_have_count(0)
    phone.get_by_role("button", name="Undo").press("Enter")
    expect(favourite.get_by_role("button", name=f"Add {name}")).to_be_focused()
    expect(count_in(dish)).to_have_text("1")
    assert windows.complaints == []


def test_as_many_as_were_tapped_are_ordered_and_the_last_one_taken_away_comes_back(windows, phone):
    olives = menu.dish(phone, OLIVES)
    add = phone.get_by_role("button", name=f"Add {OLIVES}")
    add.dblclick()
    add.tap()
    expect(count_in(olives)).to_have_text("3")
    expect(phone.locator("#cart-bar")).to_contain_text("3 items")
    expect(phone.locator("#cart-total")).to_have_text("€13.50")
    expect(phone.locator("#announcement")).to_have_text(f"3 × {OLIVES} in your order. 3 items, €13.50")
    menu.open_cart(phone)
    expect(phone.get_by_role("spinbutton", name="Quantity")).to_have_value("3")
    phone.get_by_label("Note for the kitchen", exact=True).tap()
    phone.get_by_label(f"Note for the kitchen: {OLIVES}").fill("No lemon")
    phone.get_by_role("link", name="Menu", exact=True).tap()
    fewer = phone.get_by_role("button", name=f"One fewer {OLIVES}")
    chosen = phone.get_by_role("button", name=f"3 × {OLIVES} in your order")
    expect(fewer).to_be_hidden()  # its picture shows the count
    chosen.tap()
    expect(add).to_be_focused()
    phone.get_by_role("heading", name="Aperitivi").tap()
    expect(fewer).to_be_hidden()
    chosen.press("Enter")
    fewer.tap()
    fewer.tap()
    phone.get_by_role("button", name=f"Remove {OLIVES}").press("Enter")
    expect(phone.locator("#toast")).to_contain_text(f"Removed {OLIVES}.")
    undo = phone.get_by_role("button", name="Undo")
    expect(undo).to_be_focused()
    expect(phone.locator("#cart-bar")).to_be_hidden()
    # What was tapped before may still be on its way; with its note comes only what was undone.
    with phone.expect_response(lambda answer: "No lemon" in (answer.request.post_data or "")):
        undo.press("Enter")
    expect(count_in(olives)).to_have_text("1")
    expect(add).to_be_focused()
    phone.reload()
    expect(count_in(olives)).to_have_text("1")
    assert menu.stored(phone, TABLE) == [(OLIVES, 1, "No lemon")]
    assert windows.complaints == []


# Whether a dish's plus, and the bar, are shown as tapped in the first picture after a tap.
FIRST_PICTURE = """(name) => new Promise((done) => {
    const add = document.querySelector(`.item [aria-label="Add ${name}"]`);
    add.click();
    const bar = document.getElementById("cart-bar");
    requestAnimationFrame(() => done([add.parentElement.matches(".is-touched"), !bar.hidden]));
})"""
CLICK = "(button) => button.click()"


def test_a_tap_is_answered_first_and_stored_whatever_comes_next(windows, phone):
    assert phone.evaluate(FIRST_PICTURE, OLIVES) == [True, False]
    bar, olives, add = phone.locator("#cart-bar"), menu.dish(phone, OLIVES), f".item [aria-label='Add {OLIVES}']"
    expect(bar).to_contain_text("1 item")
    expect(phone.locator(".is-touched")).to_have_count(0)
    # A double tap on the last one is one, and can be undone.
    phone.get_by_role("button", name=f"Remove {OLIVES}").evaluate("(button) => { button.click(); button.click(); }")
    phone.get_by_role("button", name="Undo").tap()
    expect(count_in(olives)).to_have_text("1")
    expect(bar).to_contain_text("1 item")
    # The cart has what was tapped right before it.
    phone.evaluate(f'document.querySelector("{add}").click(); document.getElementById("cart-bar").click()')
    phone.wait_for_url("**/cart", wait_until="load")
    expect(phone.get_by_role("spinbutton", name="Quantity")).to_have_value("2")
    # In a window that is left at once nothing is painted.
    phone.get_by_role("link", name="Menu", exact=True).tap()
    phone.wait_for_url(re.compile(rf"/table/{TABLE}\?"), wait_until="load")
    phone.evaluate("window.requestAnimationFrame = () => 0")
    with phone.expect_response("**/cart"):
        phone.locator(add).evaluate(CLICK)
    assert menu.stored(phone, TABLE) == [(OLIVES, 3, "")]
    # The page is gone before it is painted.
    phone.evaluate("window.setTimeout = () => 0")
    phone.evaluate(f'document.querySelector("{add}").click(); location.assign("/rewards")')
    phone.wait_for_url("**/rewards")
    wait_for(lambda: menu.stored(phone, TABLE) == [(OLIVES, 4, "")], "the cart")
    assert windows.complaints == []


def test_a_tap_that_is_lost_or_refused_is_taken_back_and_adds_nothing_twice(phone):
    lost, held = [], []

    def lose_the_first_answer(route):
        if lost:
            route.continue_()
            return
        lost.append(route.fetch().status)  # the server has it, and its answer never arrives
        route.abort()

    phone.route("**/cart", lose_the_first_answer)
    with phone.expect_response("**/cart"):
        menu.add(phone, "Quince Shrub")
    assert (lost, menu.stored(phone, TABLE)) == ([200], [("Quince Shrub", 1, "")])
    phone.unroute("**/cart")
    phone.context.set_offline(True)
    add, shrub = phone.get_by_role("button", name="Add Quince Shrub"), menu.dish(phone, "Quince Shrub")
    add.tap()
    add.tap()
    expect(phone.locator("#toast")).to_contain_text("No connection: Quince Shrub was not changed.")
    expect(count_in(shrub)).to_have_text("1")
    phone.context.set_offline(False)
    with phone.expect_response(lambda answer: '"quantity":2' in (answer.request.post_data or "")):
        add.tap()
    expect(phone.locator("#cart-bar")).to_contain_text("2 items")
    # Refused while the next one is painted.
    phone.route("**/cart", lambda route: held.append(route))  # noqa: PLW0108 (no attribute can be set on a built-in)
    with phone.expect_request("**/cart"):
        menu.add(phone, OLIVES)
    phone.clock.install()
    phone.clock.pause_at(datetime.now(UTC) + timedelta(hours=1))  # what would be announced waits for us
    phone.evaluate("window.requestAnimationFrame = () => 0")
    phone.locator(f".item [aria-label='Add {OLIVES}']").evaluate(CLICK)
    held[0].fulfill(status=409, json={"error": f"{OLIVES} has just sold out."})
    expect(phone.locator("#toast")).to_contain_text(f"{OLIVES} has just sold out.")
    expect(count_in(menu.dish(phone, OLIVES))).to_have_count(0)
    expect(phone.locator("#cart-bar")).to_contain_text("2 items")
    phone.clock.run_for(600)  # until it would be announced that there are two
    expect(phone.locator("#announcement")).not_to_contain_text(f"2 × {OLIVES}")
