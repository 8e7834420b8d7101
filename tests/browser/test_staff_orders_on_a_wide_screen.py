"""Staff take an order on a tablet or at the bar: what is in it stands beside the menu."""

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.accessible import CONTRAST, check

pytestmark = pytest.mark.browser

RIGHT_OF_TEXT = """(node) => {
    const range = new Range();
    range.selectNodeContents(node);
    return range.getBoundingClientRect().right;
}"""


@pytest.fixture
def page(windows, state_of) -> Page:
    opened = windows.open(storage_state=state_of("floor"))
    opened.goto(f"{windows.base}/floor/tables/14/order")
    return opened


def dish(page: Page, name: str) -> Locator:
    return page.locator(".dish").filter(has=page.get_by_role("heading", name=name, exact=True))


def lines(page: Page) -> list[str]:
    """What the panel says, a line each."""
    shown = page.locator(".running-line").all()
    return [" ".join(each.inner_text().replace("+ Note", "").split()) for each in shown]


def test_the_panel_lists_what_is_chosen_in_its_order_and_changes_it(page):
    expect(page.get_by_text("Nothing is chosen yet.")).to_be_visible()
    expect(page.get_by_role("button", name="Send to the kitchen")).to_be_disabled()
    dish(page, "Olive Oil Cake").locator(".dish-text").click()
    dish(page, "Fennel Spritz").get_by_role("button", name="One more").click()
    assert lines(page) == ["− 1 + Olive Oil Cake €6.50", "− 1 + Fennel Spritz €9.50"]
    expect(page.get_by_text("Nothing is chosen yet.")).to_be_hidden()
    spritz = page.get_by_role("group", name="How many Fennel Spritz").and_(page.locator(".running *"))
    spritz.get_by_role("button", name="One more").click()
    expect(page.locator("#total")).to_have_text("€25.50")
    assert dish(page, "Fennel Spritz").locator("input").first.input_value() == "2"
    check(page)
    page.emulate_media(color_scheme="dark")
    check(page, rules=CONTRAST)
    page.locator(".running-line").first.get_by_role("button", name="One fewer").click()
    assert lines(page) == ["− 2 + Fennel Spritz €19.00"]
    assert dish(page, "Olive Oil Cake").locator("input").first.input_value() == "0"


def test_a_line_leads_to_the_dishs_note_and_choices_and_shows_them(page):
    dish(page, "Fennel Spritz").locator(".dish-text").click()
    page.locator(".running-what").click()
    page.keyboard.type("No ice")
    assert lines(page) == ["− 1 + Fennel Spritz No ice €9.50"]
    assert dish(page, "Fennel Spritz").locator(".note input").input_value() == "No ice"
    steak = dish(page, "Flat Iron Steak")
    steak.locator(".add").click()
    assert lines(page)[1] == "− 1 + Flat Iron Steak Please choose €24.50"
    page.get_by_role("searchbox").fill("cake")
    page.locator(".running-what").nth(1).click()
    expect(page.get_by_role("searchbox")).to_have_value("")
    steak.get_by_label("Medium rare").check()
    assert lines(page)[1] == "− 1 + Flat Iron Steak Medium rare €24.50"
    page.locator(".running-line").nth(1).get_by_role("button", name="One fewer").click()
    expect(steak.locator(".variant")).to_have_count(0)


def test_a_tablet_held_upright_has_the_panel_too_and_no_dish_moves_when_one_is_chosen(page):
    page.set_viewport_size({"width": 768, "height": 1024})
    expect(page.locator(".running")).to_be_visible()
    names = ("Bergamot Highball", "Fennel Spritz", "Quince Shrub")
    before = [dish(page, name).bounding_box() for name in names]
    dish(page, "Bergamot Highball").locator(".dish-text").click()
    dish(page, "Quince Shrub").get_by_role("button", name="One more").click()
    assert lines(page) == ["− 1 + Bergamot Highball €7.00", "− 1 + Quince Shrub €6.50"]
    assert [dish(page, name).bounding_box() for name in names] == before
    check(page)
    steak = dish(page, "Flat Iron Steak")
    sizes = [steak.locator(".add").bounding_box(), dish(page, "Fennel Spritz").locator(".stepper").bounding_box()]
    assert {(each["width"], each["height"]) for each in sizes} == {(46, 46)}
    steak.locator(".add").click()
    assert steak.bounding_box()["width"] == page.locator(".category ul").first.bounding_box()["width"]


@pytest.mark.parametrize("width", [768, 1280])
def test_what_is_chosen_is_taken_back_in_its_tile_which_stays_as_it_is(page, width):
    page.set_viewport_size({"width": width, "height": 1024})
    carpaccio = dish(page, "Beetroot Carpaccio")
    before, fewer = carpaccio.bounding_box(), carpaccio.get_by_role("button", name="One fewer")
    expect(fewer).to_be_hidden()
    for _ in range(2):
        carpaccio.get_by_role("button", name="One more").click()
    for button in (fewer, carpaccio.get_by_role("button", name="One more")):
        size = button.bounding_box()
        assert min(size["width"], size["height"]) >= 44
    size = fewer.bounding_box()
    assert size["x"] >= carpaccio.locator(".amount").evaluate(RIGHT_OF_TEXT)
    fewer.click()
    assert lines(page) == ["− 1 + Beetroot Carpaccio €9.00"]
    assert carpaccio.bounding_box() == before
    check(page)
    fewer.click()
    assert lines(page) == []
    page.locator("h1").click()  # while the focus is there, the button stays
    expect(fewer).to_be_hidden()


def test_an_open_dish_has_one_way_to_another_variant(page):
    steak = dish(page, "Flat Iron Steak")
    steak.locator(".add").click()
    expect(steak.locator(".add")).to_be_hidden()
    steak.get_by_label("Medium rare").check()
    steak.get_by_role("button", name="Another, made differently").click()
    expect(steak.locator(".variant")).to_have_count(2)
    for variant in (1, 0):
        steak.locator(".variant .fewer").nth(variant).evaluate("(each) => each.click()")
    expect(steak.locator(".variant")).to_have_count(0)
    expect(steak.locator(".add")).to_be_focused()


@pytest.mark.parametrize("width", [360, 768, 1280])
def test_choices_fold_once_they_are_made(page, width):
    page.set_viewport_size({"width": width, "height": 800})
    steak = dish(page, "Flat Iron Steak")
    body, done = steak.locator(".variant-body"), steak.get_by_role("button", name="Done")
    steak.locator(".add").click()
    done.click()
    expect(page.get_by_role("alert")).to_contain_text("Please choose")
    expect(body).to_be_visible()
    steak.get_by_label("Medium rare").check()
    expect(page.get_by_role("alert")).to_be_hidden()
    check(page)
    done.click()
    expect(body).to_be_hidden()
    expect(steak.locator(".add")).to_be_focused()
    assert steak.locator("[name^=variantQuantity]").input_value() == "1"


def test_choices_fold_when_another_dish_is_tapped_which_stays_under_the_finger(page):
    page.set_viewport_size({"width": 360, "height": 740})
    steak, below = dish(page, "Flat Iron Steak"), dish(page, "Olive Oil Cake")
    steak.locator(".add").click()
    below.get_by_role("button", name="One more").click()
    expect(steak.locator(".variant-body")).to_be_visible()  # nothing is chosen yet
    steak.get_by_label("Medium rare").check()
    below.scroll_into_view_if_needed()
    before = below.bounding_box()["y"]
    below.get_by_role("button", name="One more").click()
    expect(steak.locator(".variant-body")).to_be_hidden()
    assert abs(below.bounding_box()["y"] - before) <= 1
    assert below.locator("input").first.input_value() == "2"


def test_a_phone_has_the_sum_and_the_button_below_the_menu_instead(page):
    page.set_viewport_size({"width": 360, "height": 740})
    dish(page, "Fennel Spritz").locator(".dish-text").click()
    expect(page.locator("#chosen")).to_have_text("1 item€9.50Show only these")
    expect(page.get_by_role("button", name="Send to the kitchen")).to_be_in_viewport()
    expect(page.locator(".running")).to_be_hidden()


def test_a_small_tablet_gives_an_open_dish_the_row_and_notes_no_line(page):
    page.set_viewport_size({"width": 700, "height": 1024})
    highball, beside = (dish(page, name) for name in ("Bergamot Highball", "Fennel Spritz"))
    before = [highball.bounding_box(), beside.bounding_box()]
    highball.locator(".dish-text").click()
    expect(highball.locator(".note summary")).to_be_visible()
    assert [highball.bounding_box(), beside.bounding_box()] == before
    check(page)
    steak, whole = dish(page, "Flat Iron Steak"), page.locator("#order").bounding_box()["width"]
    sizes = [steak.locator(".add").bounding_box(), beside.locator(".stepper").bounding_box()]
    assert {(each["width"], each["height"]) for each in sizes} == {(50, 50)}
    steak.locator(".add").click()
    assert steak.bounding_box()["width"] == whole


def test_a_dish_under_the_pointer_does_not_look_chosen(page):
    olives, spritz = dish(page, "Nocellara Olives"), dish(page, "Fennel Spritz")
    spritz.locator(".dish-text").click()
    olives.hover()
    border = "(node) => getComputedStyle(node).borderTopColor"
    assert olives.evaluate(border) != spritz.evaluate(border)
