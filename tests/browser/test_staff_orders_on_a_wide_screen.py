"""Staff take an order on a tablet, at the bar or on a phone: one category, and beside it what is in the order."""

import re

import pytest
import requests
from playwright.sync_api import Page, Route, expect

from tests.browser.staff_order import add, dish, lines, shown, tab, unfold
from tests.servers import PATIENCE

pytestmark = pytest.mark.browser


@pytest.fixture
def page(windows, state_of) -> Page:
    opened = windows.open(storage_state=state_of("floor"))
    opened.goto(f"{windows.base}/floor/tables/14/order")
    return opened


def test_one_category_is_shown_at_a_time_and_the_search_finds_in_all(page):
    assert shown(page) == ["Bergamot Highball", "Fennel Spritz", "Fig Leaf Negroni", "Garden Gimlet", "Quince Shrub"]
    expect(tab(page, "Aperitivi")).to_have_attribute("aria-current", "true")
    tab(page, "Garden Sides").click()
    expect(page.locator(".dish-name:visible").first).to_have_text("Grilled Greens")
    expect(tab(page, "Aperitivi")).not_to_have_attribute("aria-current", "true")
    page.get_by_role("searchbox").fill("OLIVE")
    assert shown(page) == ["Nocellara Olives", "Olive Oil Cake"]
    expect(page.locator("#jumps [aria-current]")).to_have_count(0)
    page.get_by_role("searchbox").fill("ölive cake")  # without accents
    assert shown(page) == ["Olive Oil Cake"]
    page.get_by_role("searchbox").fill("nothing like it")
    expect(page.locator("#found")).to_have_text("No dishes found")
    page.get_by_role("searchbox").fill("")
    expect(page.locator(".dish-name:visible").first).to_have_text("Grilled Greens")


def test_a_dish_is_added_by_its_whole_tile_or_the_keyboard_and_taken_back_in_it(page):
    tiles = [dish(page, name) for name in ("Bergamot Highball", "Fennel Spritz", "Quince Shrub")]
    before = [each.bounding_box() for each in tiles]
    width, height = before[0]["width"], before[0]["height"]
    for corner in ({"x": 4, "y": 4}, {"x": width / 2, "y": height - 4}, {"x": width - 4, "y": height / 2}):
        tiles[0].click(position=corner)
    tiles[2].click(position={"x": width - 4, "y": 4})
    assert [each.locator("input").input_value() for each in tiles] == ["3", "0", "1"]
    assert [each.bounding_box() for each in tiles] == before  # nothing moves under the finger
    fewer = tiles[2].get_by_role("button", name="One fewer")
    fewer.click()
    assert lines(page) == ["3 Bergamot Highball €21.00"]
    expect(fewer).to_be_hidden()
    expect(tiles[2].locator(".add")).to_be_focused()

    button = page.get_by_role("button", name="Add Fennel Spritz, €9.50")
    button.focus()
    page.keyboard.press("Enter")
    expect(button).to_be_focused()
    expect(page.get_by_role("status").filter(has_text="4 items")).to_contain_text("€30.50")
    page.locator("summary", has_text="Allergies").click()
    page.get_by_label("Milk").check()
    expect(dish(page, "Burrata & Charred Figs").locator(".add")).to_have_accessible_description("Contains milk")


def test_the_panel_lists_what_is_chosen_in_its_order_and_changes_it(page):
    expect(page.get_by_text("Nothing is chosen yet.")).to_be_visible()
    expect(page.get_by_role("button", name="Send to the kitchen")).to_be_disabled()
    cake, spritz = dish(page, "Olive Oil Cake"), dish(page, "Fennel Spritz")
    add(dish(page, "Olive Oil Cake"))
    add(dish(page, "Fennel Spritz"))
    assert lines(page) == ["1 Olive Oil Cake €6.50", "1 Fennel Spritz €9.50"]
    expect(page.get_by_text("Nothing is chosen yet.")).to_be_hidden()
    line = page.get_by_role("group", name="How many Fennel Spritz").and_(page.locator(".running *"))
    expect(line).to_be_hidden()
    unfold(page, "Fennel Spritz")
    line.get_by_role("button", name="One more").click()
    expect(page.locator("#total")).to_have_text("€25.50")
    assert spritz.locator("input").input_value() == "2"
    unfold(page, "Olive Oil Cake")
    expect(line).to_be_hidden()  # one at a time
    page.locator(".running-line").first.get_by_role("button", name="One fewer").click()
    assert lines(page) == ["2 Fennel Spritz €19.00"]
    assert cake.locator("input").input_value() == "0"
    unfold(page, "Fennel Spritz")
    line.get_by_label("Quantity").fill("12")
    line.get_by_label("Quantity").press("Enter")
    assert lines(page) == ["12 Fennel Spritz €114.00"]
    assert spritz.locator("input").input_value() == "12"
    # Its note is written there, and sent with it.
    page.get_by_role("button", name=re.compile(r"^Note ?: Fennel Spritz")).click()
    page.keyboard.type("No ice")
    page.keyboard.press("Enter")
    expect(page.get_by_label("Note for the kitchen: Fennel Spritz")).to_be_hidden()
    assert lines(page) == ["12 Fennel Spritz No ice €114.00"]
    sent = page.locator("#order").evaluate("(form) => [...new FormData(form)].filter(([name]) => /^note-/.test(name))")
    assert [text for _name, text in sent] == ["No ice"]


def test_choices_are_asked_for_folded_once_made_and_found_again_wherever_the_menu_is(page):
    steak = dish(page, "Flat Iron Steak")
    body, done = steak.locator(".variant-body"), steak.get_by_role("button", name="Done")
    add(steak)
    assert lines(page) == ["1 Flat Iron Steak Please choose €24.50"]
    done.click()
    expect(page.get_by_role("alert")).to_contain_text("Please choose")
    expect(body).to_be_visible()
    # Neither is the order sent: it leads to what is missing.
    tab(page, "Sweets").click()
    expect(steak).to_be_hidden()
    page.get_by_role("button", name="Send to the kitchen").click()
    expect(page.get_by_role("alert")).to_contain_text("Flat Iron Steak")
    expect(steak.get_by_label("Medium rare")).to_be_visible()
    page.get_by_role("searchbox").fill("cake")
    expect(steak).to_be_hidden()
    page.locator(".running-what").click()
    expect(page.get_by_role("searchbox")).to_have_value("")
    steak.get_by_label("Medium rare").check()
    expect(page.get_by_role("alert")).to_be_hidden()
    assert steak.get_by_text("Medium rare").filter(visible=True).count() == 1
    done.click()
    expect(body).to_be_hidden()
    expect(steak.locator(".add")).to_be_focused()
    assert lines(page) == ["1 Flat Iron Steak Medium rare €24.50"]
    tab(page, "Sweets").click()
    unfold(page, "Flat Iron Steak")
    page.get_by_role("button", name=re.compile(r"^Choices, note ?: Flat Iron Steak")).click()
    steak.get_by_label("Note for the kitchen").fill("Cut")
    assert lines(page) == ["1 Flat Iron Steak Medium rare Cut €24.50"]
    # Another variant: one way to it while it is open, and none until that is chosen, too.
    expect(steak.locator(".add")).to_be_hidden()
    another = steak.get_by_role("button", name="Add another version")
    another.click()
    expect(steak.locator(".variant")).to_have_count(2)
    expect(another).to_have_count(0)
    steak.get_by_label("Rare", exact=True).last.check()
    steak.locator(".variant-done:visible").click()
    expect(steak.locator(".dish-number")).to_have_text("2")
    steak.locator(".dish-count").get_by_role("button", name="One fewer").click()  # of the last
    assert lines(page) == ["1 Flat Iron Steak Medium rare Cut €24.50"]
    page.locator(".running-line").get_by_role("button", name="One fewer").evaluate("(each) => each.click()")
    expect(steak.locator(".variant")).to_have_count(0)
    assert lines(page) == []


def test_on_a_phone_choices_fold_under_the_finger_and_the_order_lies_over_the_menu(page):
    page.set_viewport_size({"width": 360, "height": 640})  # the category is longer than the window
    steak, below = dish(page, "Flat Iron Steak"), dish(page, "Hispi Cabbage & Almond")
    add(steak)
    add(below)
    expect(steak.locator(".variant-body")).to_be_visible()  # nothing is chosen yet
    steak.get_by_label("Medium rare").check()
    below.scroll_into_view_if_needed()
    before = below.bounding_box()["y"]
    add(below)
    expect(steak.locator(".variant-body")).to_be_hidden()
    assert abs(below.bounding_box()["y"] - before) <= 1  # it stays under the finger
    assert below.locator("input").input_value() == "2"

    running, opener = page.locator(".running"), page.get_by_role("button", name="This order")
    summary = page.locator(".sum p")
    expect(summary).to_have_text(re.compile("^3 items"))
    expect(page.get_by_role("button", name="Send to the kitchen")).to_be_in_viewport()
    expect(running).to_be_hidden()
    opener.click()
    expect(opener).to_have_attribute("aria-expanded", "true")
    unfold(page, "Hispi Cabbage & Almond")
    running.get_by_role("button", name="One more").locator("visible=true").click()
    expect(summary).to_have_text(re.compile("^4 items"))
    page.mouse.click(180, 60)  # the menu behind it
    expect(running).to_be_hidden()
    opener.click()
    page.keyboard.press("Escape")
    expect(running).to_be_hidden()
    expect(opener).to_be_focused()


def lose_once(page: Page, address: str) -> None:
    """The server gets the next request to this address, and its response never arrives."""

    def lose(route: Route) -> None:
        route.fetch()
        route.abort()

    page.route(address, lose, times=1)


def test_over_a_bad_network_an_order_what_is_sent_again_and_a_payment_count_once(windows, state_of, orders):
    orders.sit_down()
    page = windows.open(storage_state=state_of("manager"), viewport={"width": 320, "height": 640})
    page.goto(f"{windows.base}/floor/tables/{orders.table}/order")
    add(dish(page, "Fennel Spritz"))
    page.get_by_role("button", name="This order").click()
    unfold(page, "Fennel Spritz")
    page.get_by_role("button", name=re.compile(r"^Note ?: Fennel Spritz")).click()
    page.keyboard.type("No ice")
    page.get_by_role("button", name="This order").click()
    steak = dish(page, "Flat Iron Steak")
    for number, done in enumerate(("Medium rare", "Rare")):
        add(steak)
        steak.get_by_label(done, exact=True).nth(number).check()
        steak.get_by_role("button", name="Done").locator("visible=true").click()
    lose_once(page, f"**/table/{orders.table}/order")
    send = page.get_by_role("button", name="Send to the kitchen")
    send.click()
    expect(page.get_by_role("alert")).to_contain_text("Tap again")
    send.click()
    page.wait_for_url(f"**/floor/tables/{orders.table}")
    expect(page.locator(".order")).to_have_count(1)

    # What the table has had comes first, and is sent again by two taps.
    page.get_by_role("link", name="Order for guests").click()
    expect(tab(page, "Same again")).to_have_attribute("aria-current", "true")
    assert shown(page) == ["Fennel Spritz", "Flat Iron Steak"]
    page.get_by_role("button", name="Add Fennel Spritz, €9.50").click()
    send.click()
    page.wait_for_url(f"**/floor/tables/{orders.table}")
    expect(page.locator(".order")).to_have_count(2)
    page.get_by_role("link", name="Same again").first.click()
    expect(page.locator(".running-line")).to_have_count(3)
    steaks = ["1 Flat Iron Steak Medium rare €24.50", "1 Flat Iron Steak Rare €24.50"]
    assert lines(page) == ["1 Fennel Spritz No ice €9.50", *steaks]
    expect(page.locator(".variant-body:visible")).to_have_count(0)
    send.click()
    page.wait_for_url(f"**/floor/tables/{orders.table}")
    expect(page.locator(".order")).to_have_count(3)
    entries = [" ".join(each.split()) for each in page.locator(".order .entries").all_inner_texts()]
    assert sorted(map(entries.count, entries)) == [1, 2, 2]

    page.goto(f"{windows.base}/table/{orders.table}/bill")
    page.get_by_text("Divide", exact=True).click()
    page.get_by_role("button", name="2", exact=True).click()
    page.get_by_role("radio", name="1 of 2 €63.25").check()
    page.get_by_label("Card").check()
    lose_once(page, f"**/table/{orders.table}/payments")
    take = page.get_by_role("button", name="Take payment")
    take.click()
    expect(page.locator("#unsure")).to_contain_text("Tap again")
    take.click()
    expect(page.get_by_role("heading", name="€63.25 is due")).to_be_visible()
    bill = requests.get(f"{orders.base}/table/{orders.table}/bill", headers=orders.headers, timeout=PATIENCE).json()
    assert [(each["method"], each["amount"]) for each in bill["payments"]] == [("card", 63.25)]
