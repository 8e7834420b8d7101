"""Add becomes a stepper, in the menu; and what is removed from the cart comes back."""

import re
from datetime import UTC, datetime, timedelta

import pytest
from playwright.sync_api import Page, expect

from tests.browser import menu
from tests.browser.accessible import check
from tests.servers import wait_for

pytestmark = pytest.mark.browser

# What a thumb may hit and is smaller than 44 pixels. The link of a dish's name covers all of the dish.
TOO_SMALL = """[...document.querySelectorAll("a, button, summary, label:has(input), textarea, input")]
    .filter((each) => each.checkVisibility({visibilityProperty: true, contentVisibilityAuto: true}))
    .filter((each) => !each.matches("label *, .item-name a, .visually-hidden, .skip-link"))
    .filter((each) => { const box = each.getBoundingClientRect(); return box.width < 43.9 || box.height < 43.9; })
    .map((each) => each.outerHTML)"""

SHIFT = """new Promise((done) => new PerformanceObserver((list) => done(
    list.getEntries().reduce((sum, each) => sum + each.value, 0))).observe({type: "layout-shift", buffered: true})
    || setTimeout(() => done(0), 300))"""


# Of each stepper, how much of its picture is seen on its left, on its right and below it.
ROUND_STEPPERS = """[...document.querySelectorAll(".is-stepper")].map((each) => {
    const picture = each.parentElement.querySelector(".item-picture").getBoundingClientRect();
    const box = each.getBoundingClientRect();
    const painted = getComputedStyle(each, "::before");
    return [box.left + parseFloat(painted.left) - picture.left, picture.right - box.right + parseFloat(painted.right),
        picture.bottom - box.bottom + parseFloat(painted.bottom)]; })"""


@pytest.fixture
def phone(windows, installation) -> Page:
    phone = windows.phone(viewport={"width": 360, "height": 740})
    phone.goto(f"{installation.base}/table/8")
    return phone


def item(phone: Page, name: str):
    return phone.locator(".item", has_text=name)


def stored(phone: Page) -> list[tuple[str, int, str]]:
    """The cart as the server has it."""
    read = "(address) => fetch(address, {headers: {Accept: 'application/json'}}).then((each) => each.json())"
    lines = phone.evaluate(read, "/table/8/cart")["items"]
    return [(line["name"], line["quantity"], line["specialInstructions"]) for line in lines]


def test_a_stepper_lies_within_its_picture(phone):
    phone.locator(".favourite button.add").first.tap()
    expect(phone.locator(".is-stepper")).to_have_count(2)
    for width in (320, 360, 768, 1280):
        phone.set_viewport_size({"width": width, "height": 740})
        for beside in phone.evaluate(ROUND_STEPPERS):
            assert min(beside) > 4, width
            assert abs(beside[0] - beside[1]) < 1, width


def test_the_price_of_a_favourite_stands_straight_under_its_name(phone):
    names = phone.locator(".favourite .item-name a")
    names.first.evaluate("(each) => (each.textContent = 'Cake')")
    names.nth(1).evaluate("(each) => (each.textContent = 'Half a chicken al mattone')")
    for each in phone.locator(".favourite").all()[:2]:
        name, price = each.locator(".item-name").bounding_box(), each.locator(".item-price").bounding_box()
        assert 0 <= price["y"] - (name["y"] + name["height"]) < 4


def test_the_first_dish_is_early_and_the_strip_shows_where_there_is_more(windows, installation, phone):
    assert phone.locator("#menu li").first.bounding_box()["y"] < 400
    assert phone.evaluate(TOO_SMALL) == []
    expect(phone.get_by_role("link", name="Fig & Fennel")).to_have_attribute("href", "/table/8?from=cart")
    strip = phone.locator(".categories ul")
    expect(strip).to_have_class("more-after")
    expect(phone.locator(".categories a").first).to_have_attribute("aria-current", "true")
    phone.locator(".category").nth(3).evaluate("(each) => each.scrollIntoView()")
    fourth = phone.locator(".categories a").nth(3)
    expect(fourth).to_have_attribute("aria-current", "true")
    expect(fourth).to_be_in_viewport(ratio=1)
    expect(strip).to_have_class(re.compile("more-before"))
    phone.locator(".categories a").last.evaluate("(each) => each.click()")
    expect(phone.locator(".categories a").last).to_have_attribute("aria-current", "true")
    expect(strip).to_have_class("more-before")
    wide = windows.open()
    wide.goto(f"{installation.base}/table/8")
    expect(wide.locator(".categories ul")).not_to_have_class(re.compile("more"))
    wide.set_viewport_size({"width": 768, "height": 800})
    assert wide.locator(".favourites ul").evaluate("(each) => each.scrollWidth - each.clientWidth") <= 0
    widths = "(all) => [...new Set(all.map((each) => Math.round(each.getBoundingClientRect().width)))]"
    before = wide.locator(".favourite").evaluate_all(widths)
    assert len(before) == 1
    add = wide.locator(".favourite button.add").first
    add.click()
    expect(wide.locator(".favourite .is-stepper")).to_have_count(1)
    assert wide.locator(".favourite").evaluate_all(widths) == before


def test_a_favourite_of_the_house_is_counted_in_both_its_places(windows, phone):
    assert phone.evaluate(SHIFT) == 0
    favourite = phone.locator(".favourite", has=phone.locator("button.add")).first
    name = favourite.locator(".item-name").inner_text()
    whole_name = re.compile(rf"^\s*{re.escape(name)}\s*$")
    dish = phone.locator(".item", has=phone.locator(".item-name", has_text=whole_name))
    favourite.locator(".add").tap()
    for place in (favourite, dish):
        expect(place.locator(".adder-number")).to_have_text("1")
    dish.get_by_role("button", name=f"Add {name}").click()
    for place in (favourite, dish):
        expect(place.locator(".adder-number")).to_have_text("2")
    expect(phone.locator("#cart-bar")).to_contain_text("2 items")
    favourite.locator(".fewer").tap()
    favourite.get_by_role("button", name=f"Remove {name}").tap()
    for place in (favourite, dish):
        expect(place.locator(".adder-number")).to_have_count(0)
    phone.get_by_role("button", name="Undo").press("Enter")
    expect(favourite.locator(".add")).to_be_focused()
    expect(dish.locator(".adder-number")).to_have_text("1")
    check(phone)
    assert phone.evaluate(TOO_SMALL) == []
    # What is searched for is found once, with whatever else has its words.
    texts = [text.lower() for text in phone.locator(".item .item-text").all_text_contents()]
    number = sum(all(word in text for word in name.lower().split()) for text in texts)
    phone.get_by_label("Search the menu").fill(name)
    expect(favourite).to_be_hidden()
    expect(dish).to_be_visible()
    expect(phone.locator(".item:visible")).to_have_count(number)
    expect(phone.locator("#found p")).to_have_text("1 dish" if number == 1 else f"{number} dishes")
    phone.get_by_role("button", name="Clear the search").tap()
    favourite.get_by_role("link", name=name).tap()
    expect(phone.get_by_role("dialog", name=name)).to_be_visible()
    assert windows.complaints == []


def test_as_many_as_were_tapped_are_ordered_and_the_last_one_taken_away_comes_back(windows, phone):
    olives = item(phone, "Nocellara Olives")
    add = phone.get_by_role("button", name="Add Nocellara Olives")
    add.dblclick()
    add.tap()
    expect(olives.locator(".adder-number")).to_have_text("3")
    expect(phone.locator("#cart-bar")).to_contain_text("3 items")
    expect(phone.locator("#cart-total")).to_have_text("€13.50")
    expect(phone.locator("#announcement")).to_have_text("3 × Nocellara Olives in your order. 3 items, €13.50")
    check(phone)
    assert phone.evaluate(TOO_SMALL) == []
    phone.locator("#cart-bar").tap()
    expect(phone.locator(".line [name=quantity]")).to_have_value("3")
    phone.locator(".note summary").tap()
    phone.locator("textarea").fill("No lemon")
    phone.get_by_role("link", name="Menu").tap()
    fewer = phone.get_by_role("button", name="One fewer Nocellara Olives")
    chosen = phone.get_by_role("button", name="3 × Nocellara Olives in your order")
    expect(fewer).to_be_hidden()  # its picture shows the count
    chosen.tap()
    expect(add).to_be_focused()
    phone.get_by_role("heading", name="Aperitivi").tap()
    expect(fewer).to_be_hidden()
    assert phone.evaluate(TOO_SMALL) == []
    chosen.press("Enter")
    fewer.tap()
    fewer.tap()
    phone.get_by_role("button", name="Remove Nocellara Olives").press("Enter")
    expect(phone.locator("#toast")).to_contain_text("Removed Nocellara Olives.")
    undo = phone.get_by_role("button", name="Undo")
    expect(undo).to_be_focused()
    expect(phone.locator("#cart-bar")).to_be_hidden()
    check(phone)
    # The removal may still be on its way.
    with phone.expect_response(lambda answer: '"quantity":1' in (answer.request.post_data or "")):
        undo.press("Enter")
    expect(olives.locator(".adder-number")).to_have_text("1")
    expect(add).to_be_focused()
    phone.reload()
    expect(olives.locator(".adder-number")).to_have_text("1")
    assert stored(phone) == [("Nocellara Olives", 1, "No lemon")]
    assert windows.complaints == []


# What of a dish's stepper, and of the bar, the next picture shows after a tap on its plus.
FIRST_PICTURE = """(name) => new Promise((done) => {
    const add = document.querySelector(`.item [aria-label="Add ${name}"]`);
    add.click();
    const bar = document.getElementById("cart-bar");
    requestAnimationFrame(() => done([add.parentElement.className, bar.hidden]));
})"""


def test_a_finger_is_answered_before_the_bar_rises(phone):
    assert phone.evaluate(FIRST_PICTURE, "Nocellara Olives") == ["adder is-touched", True]
    expect(phone.locator("#cart-bar")).to_contain_text("1 item")
    expect(phone.locator(".is-touched")).to_have_count(0)


def test_a_double_tap_on_the_last_one_can_be_undone(phone):
    menu.add(phone, "Quince Shrub")
    remove = phone.get_by_role("button", name="Remove Quince Shrub")
    remove.evaluate("(button) => { button.click(); button.click(); }")
    phone.get_by_role("button", name="Undo").tap()
    expect(item(phone, "Quince Shrub").locator(".adder-number")).to_have_text("1")
    expect(phone.locator("#cart-bar")).to_contain_text("1 item")


# How many milliseconds the page can do nothing else.
ADD_AND_LEAVE = """() => {
    const began = performance.now();
    document.querySelector(`.item [aria-label="Add Quince Shrub"]`).click();
    document.getElementById("cart-bar").click();
    return new Promise((done) => setTimeout(() => done(performance.now() - began)));
}"""


def test_the_cart_has_what_was_tapped_right_before_it(phone):
    menu.add(phone, "Quince Shrub")
    phone.wait_for_load_state("networkidle")
    assert phone.evaluate(ADD_AND_LEAVE) < 1000
    expect(phone.locator(".line [name=quantity]")).to_have_value("2")


def test_a_tap_is_stored_also_where_nothing_is_painted(phone):
    """As in a window that was left at once: browsers paint none that can't be seen."""
    phone.evaluate("window.requestAnimationFrame = () => 0")
    with phone.expect_response("**/cart"):
        phone.evaluate("document.querySelector(`.item [aria-label='Add Nocellara Olives']`).click()")
    assert stored(phone) == [("Nocellara Olives", 1, "")]


def test_a_tap_is_stored_when_the_page_is_left_before_it_is_painted(phone):
    phone.evaluate("""() => {
        window.requestAnimationFrame = window.setTimeout = () => 0;
        document.querySelector(`.item [aria-label="Add Quince Shrub"]`).click();
        location.assign("/rewards");
    }""")
    phone.wait_for_url("**/rewards")
    wait_for(lambda: stored(phone) == [("Quince Shrub", 1, "")], "the cart")


def test_a_tap_that_is_refused_while_the_next_one_is_painted_leaves_no_number(phone):
    waiting = []

    def hold(route):
        waiting.append(route)

    phone.route("**/cart", hold)
    with phone.expect_request("**/cart"):
        menu.add(phone, "Quince Shrub")
    phone.clock.install()
    phone.clock.pause_at(datetime.now(UTC) + timedelta(hours=1))  # what would be said waits for us
    phone.evaluate("window.requestAnimationFrame = () => 0")
    phone.evaluate("document.querySelector(`.item [aria-label='Add Quince Shrub']`).click()")
    waiting[0].fulfill(status=409, json={"error": "Quince Shrub has just sold out."})
    expect(phone.locator("#toast")).to_contain_text("Quince Shrub has just sold out.")
    expect(item(phone, "Quince Shrub").locator(".adder-number")).to_have_count(0)
    expect(phone.locator("#cart-bar")).to_be_hidden()
    phone.clock.run_for(600)  # until it would be said that there are two
    expect(phone.locator("#announcement")).not_to_contain_text("2")


def test_a_lost_answer_adds_nothing_twice_and_a_lost_connection_takes_the_tap_back(phone):
    lost = []

    def lose_the_first_answer(route):
        if lost:
            route.continue_()
            return
        lost.append(route.fetch().status)  # the server has it, and its answer never arrives
        route.abort()

    phone.route("**/cart", lose_the_first_answer)
    menu.add(phone, "Quince Shrub")
    expect(phone.locator("#cart-bar")).to_contain_text("1 item")
    phone.wait_for_timeout(300)
    assert (lost, stored(phone)) == ([200], [("Quince Shrub", 1, "")])
    phone.unroute("**/cart")
    phone.context.set_offline(True)
    add = phone.get_by_role("button", name="Add Quince Shrub")
    add.tap()
    add.tap()
    expect(phone.locator("#toast")).to_contain_text("No connection: Quince Shrub was not changed.")
    expect(item(phone, "Quince Shrub").locator(".adder-number")).to_have_text("1")
    phone.context.set_offline(False)
    add.tap()
    expect(phone.locator("#cart-bar")).to_contain_text("2 items")


def test_what_is_removed_from_the_cart_comes_back_with_its_choices_and_note(windows, phone):
    item(phone, "Flat Iron Steak").get_by_role("link", name=re.compile("^Add")).tap()
    sheet = phone.get_by_role("dialog", name="Flat Iron Steak")
    expect(sheet.locator(".dish-add")).to_be_visible()
    assert phone.evaluate(TOO_SMALL) == []
    sheet.locator(".choice", has_text="Medium rare").tap()
    sheet.get_by_label("Note for the kitchen").fill("Cut in half")
    sheet.locator(".dish-add").tap()
    expect(sheet).to_be_hidden()
    menu.add(phone, "Nocellara Olives")
    expect(phone.locator("#cart-bar")).to_contain_text("2 items")
    phone.locator("#cart-bar").tap()
    phone.wait_for_url("**/cart", wait_until="load")
    assert phone.evaluate(TOO_SMALL) == []
    steak = phone.locator(".line", has_text="Flat Iron Steak")
    expect(steak.get_by_role("button", name="One fewer")).to_have_count(0)
    steak.get_by_role("button", name="One more").tap()
    steak.get_by_role("button", name="One fewer").tap()
    steak.get_by_role("button", name="Remove Flat Iron Steak").tap()
    expect(phone.locator("#toast")).to_contain_text("Removed Flat Iron Steak.")
    expect(phone.locator(".line")).to_have_count(1)
    check(phone)
    phone.get_by_role("button", name="Undo").tap()
    expect(phone.locator(".line-name")).to_have_text(["Flat Iron Steak", "Nocellara Olives"])
    phone.locator(".line", has_text="Nocellara Olives").get_by_role("button", name="Remove").press("Enter")
    phone.locator(".line", has_text="Flat Iron Steak").get_by_role("button", name="Remove").press("Enter")
    expect(phone.get_by_text("Your order is empty")).to_be_visible()
    expect(phone.get_by_role("button", name="Undo")).to_be_focused()
    check(phone)
    phone.get_by_role("button", name="Undo").press("Enter")
    expect(phone.locator("#total")).to_have_text("€24.50")
    phone.get_by_role("link", name="Menu").tap()
    expect(phone.locator("#cart-bar")).to_contain_text("1 item")
    assert stored(phone) == [("Flat Iron Steak", 1, "Cut in half")]
    assert windows.complaints == []
