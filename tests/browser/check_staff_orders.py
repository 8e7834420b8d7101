"""The page on which staff take an order, at every width: nothing moves, nothing is too long; for `make sweep`."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.accessible import overflow
from tests.browser.staff_order import add, dish, lines, unfold

pytestmark = pytest.mark.browser

END_OF_TEXT = """(node) => {
    const range = new Range();
    range.selectNodeContents(node);
    const { right, bottom } = range.getBoundingClientRect();
    return [right, bottom];
}"""
CORNERS = "(all) => all.map((each) => getComputedStyle(each).borderRadius)"


@pytest.fixture
def page(windows, state_of) -> Page:
    opened = windows.open(storage_state=state_of("floor"))
    opened.goto(f"{windows.base}/floor/tables/14/order")
    return opened


@pytest.mark.parametrize(("width", "height"), [(1280, 800), (768, 1024)])
def test_no_category_is_longer_than_the_screen(page, width, height):
    page.set_viewport_size({"width": width, "height": height})
    tabs = page.locator("#jumps a")
    assert tabs.count() >= 8  # other tests may have added some
    for each in tabs.all():
        each.click()
        assert page.evaluate("document.documentElement.scrollHeight - innerHeight") <= 0
        assert page.locator("#send").bounding_box()["y"] < height - 40


@pytest.mark.parametrize("width", [320, 360, 700, 768, 1280])
def test_a_dish_is_added_and_taken_back_in_its_tile_and_nothing_moves(page, width):
    page.set_viewport_size({"width": width, "height": 1024})
    tiles = [dish(page, name) for name in ("Bergamot Highball", "Fennel Spritz", "Quince Shrub")]
    before = [each.bounding_box() for each in tiles]
    for place in ({"x": 4, "y": 4}, {"x": before[0]["width"] / 2, "y": before[0]["height"] - 4}):
        tiles[0].click(position=place)
    tiles[2].click(position={"x": before[2]["width"] - 4, "y": 4})
    assert [each.locator("input").input_value() for each in tiles] == ["2", "0", "1"]
    tiles[0].click(position={"x": before[0]["width"] - 4, "y": before[0]["height"] / 2})
    assert tiles[0].locator("input").input_value() == "3"
    tiles[0].locator(".amount").evaluate("(each) => { each.textContent = '€100.00'; }")
    fewer = tiles[0].get_by_role("button", name="One fewer")
    size = fewer.bounding_box()
    assert min(size["width"], size["height"]) >= 44
    right, bottom = tiles[0].locator(".amount").evaluate(END_OF_TEXT)
    assert size["y"] >= bottom if width >= 768 else size["x"] >= right  # clear of its price
    fewer.click()
    assert [each.bounding_box() for each in tiles] == before
    assert overflow(page) <= 0


@pytest.mark.parametrize("width", [360, 768, 1280])
def test_choices_take_the_whole_width_and_look_alike(page, width):
    page.set_viewport_size({"width": width, "height": 800})
    steak = dish(page, "Flat Iron Steak")
    add(steak)
    assert steak.bounding_box()["width"] == page.locator("#dishes").bounding_box()["width"]
    corners = steak.locator(".choice").evaluate_all(CORNERS)
    assert len(corners) == 8
    assert len(set(corners)) == 1
    assert overflow(page) <= 0


def test_a_chosen_tile_has_a_stepper_whose_plus_is_the_tile_and_does_not_look_like_one_under_the_pointer(page):
    spritz, gimlet = dish(page, "Fennel Spritz"), dish(page, "Garden Gimlet")
    add(spritz)
    stepper = spritz.locator(".dish-count")
    box = stepper.bounding_box()
    page.mouse.click(box["x"] + box["width"] - 16, box["y"] + box["height"] / 2)
    assert lines(page) == ["2 Fennel Spritz €19.00"]
    gimlet.hover()
    border = "(node) => getComputedStyle(node).borderTopColor"
    assert gimlet.evaluate(border) != spritz.evaluate(border)


def test_the_note_of_a_line_stands_beside_its_stepper(page):
    add(dish(page, "Fennel Spritz"))
    line = page.locator(".running-line")
    assert page.locator(".running-what").bounding_box()["height"] == 48
    unfold(page, "Fennel Spritz")
    stepper, note = (line.locator(each).bounding_box() for each in (".stepper", ".running-note"))
    assert note["height"] <= stepper["height"]
    assert abs(stepper["y"] + stepper["height"] / 2 - note["y"] - note["height"] / 2) <= 1
    expect(line).to_have_count(1)
