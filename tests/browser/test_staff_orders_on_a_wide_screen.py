"""Staff take an order on a tablet or at the bar: one category, and beside it what is in the order."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.accessible import CONTRAST, check

pytestmark = pytest.mark.browser

END_OF_TEXT = """(node) => {
    const range = new Range();
    range.selectNodeContents(node);
    const { right, bottom } = range.getBoundingClientRect();
    return [right, bottom];
}"""
CORNERS = "(all) => all.map((each) => getComputedStyle(each).borderRadius)"
NAMES = "(all) => all.map((each) => each.querySelector('.dish-name').textContent)"


@pytest.fixture
def page(windows, state_of) -> Page:
    opened = windows.open(storage_state=state_of("floor"))
    opened.goto(f"{windows.base}/floor/tables/14/order")
    return opened


def dish(page: Page, name: str) -> Locator:
    """Its tile, in its category."""
    found = page.locator(".dish").filter(has=page.locator(".dish-name").get_by_text(name, exact=True))
    category = found.evaluate("(each) => each.closest('.category').querySelector('h2').textContent")
    tab(page, category).click()
    return found


def tab(page: Page, name: str) -> Locator:
    return page.get_by_role("navigation", name="Categories").locator("a, button").get_by_text(name, exact=True)


def add(tile: Locator) -> None:
    tile.locator(".add").click()


def shown(page: Page) -> list[str]:
    return page.locator(".dish:visible").evaluate_all(NAMES)


def lines(page: Page) -> list[str]:
    """What the panel says, a line each: how many, of what and how, its note, and what it comes to."""
    found = []
    for each in page.locator(".running-line").all():
        names = (".running-dish", ".running-options", ".running-noted", ".amount")
        texts = [each.locator(name).text_content() for name in names]
        assert each.locator(".running-count").text_content() == f"{each.locator('input').first.input_value()}\u00a0×"
        found.append(" ".join(f"{each.locator('.stepper input').input_value()} {' '.join(texts)}".split()))
    return found


def unfold(page: Page, name: str) -> None:
    """A line of the order: how many, and its note."""
    page.locator(".running-line").get_by_role("button", name=name, expanded=False).click()


def test_a_chosen_tile_has_a_stepper_whose_plus_is_the_tile_itself(page):
    tile = dish(page, "Fennel Spritz")
    add(tile)
    stepper = tile.locator(".dish-count")
    sign = stepper.evaluate("(each) => getComputedStyle(each, '::after').content")
    assert sign.startswith('"+"')
    box = stepper.bounding_box()
    page.mouse.click(box["x"] + box["width"] - 16, box["y"] + box["height"] / 2)
    expect(stepper.locator("input")).to_have_value("2")
    stepper.locator(".fewer").click()
    expect(stepper.locator("input")).to_have_value("1")


def test_one_category_is_shown_at_a_time_and_the_search_finds_in_all(page):
    assert shown(page) == ["Bergamot Highball", "Fennel Spritz", "Fig Leaf Negroni", "Garden Gimlet", "Quince Shrub"]
    expect(tab(page, "Aperitivi")).to_have_attribute("aria-current", "true")
    tab(page, "Garden Sides").click()
    expect(page.locator(".dish-name:visible").first).to_have_text("Grilled Greens")
    expect(tab(page, "Aperitivi")).not_to_have_attribute("aria-current", "true")
    page.get_by_role("searchbox").fill("OLIVE")
    assert shown(page) == ["Nocellara Olives", "Olive Oil Cake"]
    expect(page.locator("#jumps [aria-current]")).to_have_count(0)
    page.get_by_role("searchbox").fill("nothing like it")
    expect(page.locator("#found")).to_have_text("No dishes found")
    page.get_by_role("searchbox").fill("")
    expect(page.locator(".dish-name:visible").first).to_have_text("Grilled Greens")


@pytest.mark.parametrize(("width", "height"), [(1280, 800), (768, 1024)])
def test_no_category_is_longer_than_the_screen(page, width, height):
    page.set_viewport_size({"width": width, "height": height})
    tabs = page.locator("#jumps a")
    assert tabs.count() >= 8  # other tests may have added some
    for each in tabs.all():
        each.click()
        assert page.evaluate("document.documentElement.scrollHeight - innerHeight") <= 0
        assert page.locator("#send").bounding_box()["y"] < height - 40
    check(page)


@pytest.fixture
def table(installation) -> Iterator[str]:
    """A free table's page. What is ordered there is gone afterwards."""
    yield "/floor/tables/13"
    installation.shell(
        "from restaurant.models import Order, TableSession\n"
        "sessions = TableSession.objects.filter(table__table_number=13, ended_at=None)\n"
        "Order.objects.filter(session__in=sessions).delete()\n"
        "sessions.delete()"
    )


def test_what_the_table_has_had_comes_first_and_is_sent_again_by_two_taps(page, windows, table):
    page.goto(f"{windows.base}{table}/order")
    add(dish(page, "Fennel Spritz"))
    unfold(page, "Fennel Spritz")
    page.locator(".running-note").click()
    page.keyboard.type("No ice")
    steak = dish(page, "Flat Iron Steak")
    add(steak)
    steak.get_by_label("Medium rare").check()
    page.get_by_role("button", name="Send to the kitchen").click()
    page.wait_for_url(f"**{table}")
    page.get_by_role("link", name="Order for guests").click()
    expect(tab(page, "Same again")).to_have_attribute("aria-current", "true")
    assert shown(page) == ["Fennel Spritz", "Flat Iron Steak"]
    check(page)
    page.get_by_role("button", name="Add Fennel Spritz, €9.50").click()
    page.get_by_role("button", name="Send to the kitchen").click()
    page.wait_for_url(f"**{table}")
    expect(page.locator(".order")).to_have_count(2)
    page.get_by_role("link", name="Same again").first.click()
    expect(page.locator(".running-line")).to_have_count(2)
    assert lines(page) == ["1 Fennel Spritz No ice €9.50", "1 Flat Iron Steak Medium rare €24.50"]
    expect(page.locator(".variant-body")).to_be_hidden()
    page.get_by_role("button", name="Send to the kitchen").click()
    page.wait_for_url(f"**{table}")
    expect(page.locator(".order")).to_have_count(3)
    orders = [" ".join(each.split()) for each in page.locator(".order .entries").all_inner_texts()]
    assert sorted(map(orders.count, orders)) == [1, 2, 2]


def test_the_panel_lists_what_is_chosen_in_its_order_and_changes_it(page):
    expect(page.get_by_text("Nothing is chosen yet.")).to_be_visible()
    expect(page.get_by_role("button", name="Send to the kitchen")).to_be_disabled()
    cake, spritz = dish(page, "Olive Oil Cake"), dish(page, "Fennel Spritz")
    add(dish(page, "Olive Oil Cake"))
    add(dish(page, "Fennel Spritz"))
    assert lines(page) == ["1 Olive Oil Cake €6.50", "1 Fennel Spritz €9.50"]
    expect(page.get_by_text("Nothing is chosen yet.")).to_be_hidden()
    assert {box["height"] for box in map(Locator.bounding_box, page.locator(".running-what").all())} == {48}
    line = page.get_by_role("group", name="How many Fennel Spritz").and_(page.locator(".running *"))
    expect(line).to_be_hidden()
    unfold(page, "Fennel Spritz")
    line.get_by_role("button", name="One more").click()
    expect(page.locator("#total")).to_have_text("€25.50")
    assert spritz.locator("input").input_value() == "2"
    check(page)
    page.emulate_media(color_scheme="dark")
    check(page, rules=CONTRAST)
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


def test_a_note_is_written_in_the_order_and_sent_with_it(page):
    add(dish(page, "Fennel Spritz"))
    line = page.locator(".running-line")
    unfold(page, "Fennel Spritz")
    note, stepper = line.locator(".running-note"), line.locator(".stepper")
    beside, below = (each.bounding_box() for each in (stepper, note))
    assert beside["height"] - 2 <= below["height"] <= beside["height"]
    assert abs(beside["y"] + beside["height"] / 2 - below["y"] - below["height"] / 2) <= 1
    line.get_by_role("button", name=re.compile(r"^Note ?: Fennel Spritz")).click()
    page.keyboard.type("No ice")
    check(page)
    page.keyboard.press("Enter")
    expect(page.get_by_label("Note for the kitchen: Fennel Spritz")).to_be_hidden()
    assert lines(page) == ["1 Fennel Spritz No ice €9.50"]
    sent = page.locator("#order").evaluate("(form) => [...new FormData(form)].filter(([name]) => /^note-/.test(name))")
    assert [text for _name, text in sent] == ["No ice"]


def test_a_line_leads_to_its_choices_wherever_the_menu_is(page):
    steak = dish(page, "Flat Iron Steak")
    add(steak)
    assert lines(page) == ["1 Flat Iron Steak Please choose €24.50"]
    page.get_by_role("searchbox").fill("cake")
    expect(steak).to_be_hidden()
    page.locator(".running-what").click()
    expect(page.get_by_role("searchbox")).to_have_value("")
    steak.get_by_label("Medium rare").check()
    assert lines(page) == ["1 Flat Iron Steak Medium rare €24.50"]
    tab(page, "Sweets").click()
    unfold(page, "Flat Iron Steak")
    page.get_by_role("button", name=re.compile(r"^Choices, note ?: Flat Iron Steak")).click()
    steak.get_by_label("Note for the kitchen").fill("Cut")
    assert lines(page) == ["1 Flat Iron Steak Medium rare Cut €24.50"]
    page.locator(".running-line").get_by_role("button", name="One fewer").click()
    expect(steak.locator(".variant")).to_have_count(0)


def test_an_order_without_its_choices_leads_to_them_instead_of_the_kitchen(page):
    steak = dish(page, "Flat Iron Steak")
    add(steak)
    tab(page, "Sweets").click()
    page.get_by_role("button", name="Send to the kitchen").click()
    expect(page.get_by_role("alert")).to_contain_text("Flat Iron Steak")
    expect(steak.get_by_label("Medium rare")).to_be_visible()


@pytest.mark.parametrize("width", [360, 700, 768, 1280])
def test_the_whole_dish_adds_one_and_nothing_moves(page, width):
    page.set_viewport_size({"width": width, "height": 1024})
    names = ("Bergamot Highball", "Fennel Spritz", "Quince Shrub")
    tiles = [dish(page, name) for name in names]
    before = [each.bounding_box() for each in tiles]
    for place in ({"x": 4, "y": 4}, {"x": before[0]["width"] / 2, "y": before[0]["height"] - 4}):
        tiles[0].click(position=place)
    tiles[2].click(position={"x": before[2]["width"] - 4, "y": 4})
    assert [each.locator("input").input_value() for each in tiles] == ["2", "0", "1"]
    tiles[0].click(position={"x": before[0]["width"] - 4, "y": before[0]["height"] / 2})
    assert tiles[0].locator("input").input_value() == "3"
    assert [each.bounding_box() for each in tiles] == before
    check(page)


def test_a_dish_is_added_with_the_keyboard_and_told_to_a_screen_reader(page):
    button = page.get_by_role("button", name="Add Bergamot Highball, €7.00")
    button.focus()
    page.keyboard.press("Enter")
    expect(button).to_be_focused()
    expect(page.get_by_role("status").filter(has_text="1 item")).to_contain_text("€7.00")
    page.locator("summary", has_text="Allergies").click()
    page.get_by_label("Milk").check()
    burrata = dish(page, "Burrata & Charred Figs").locator(".add")
    expect(burrata).to_have_accessible_description("Contains milk")


@pytest.mark.parametrize("width", [320, 768, 1280])
def test_what_is_chosen_is_taken_back_in_its_tile_clear_of_its_price(page, width):
    page.set_viewport_size({"width": width, "height": 1024})
    carpaccio = dish(page, "Beetroot Carpaccio")
    before, fewer = carpaccio.bounding_box(), carpaccio.get_by_role("button", name="One fewer")
    expect(fewer).to_be_hidden()
    for _ in range(2):
        add(carpaccio)
    carpaccio.locator(".amount").evaluate("(each) => { each.textContent = '€100.00'; }")
    size = fewer.bounding_box()
    assert min(size["width"], size["height"]) >= 44
    right, bottom = carpaccio.locator(".amount").evaluate(END_OF_TEXT)
    assert size["y"] >= bottom if width >= 768 else size["x"] >= right
    fewer.click()
    assert lines(page) == ["1 Beetroot Carpaccio €9.00"]
    assert carpaccio.bounding_box() == before
    check(page)
    fewer.click()
    assert lines(page) == []
    expect(fewer).to_be_hidden()
    expect(carpaccio.locator(".add")).to_be_focused()


def test_an_open_dish_has_one_way_to_another_variant(page):
    steak = dish(page, "Flat Iron Steak")
    add(steak)
    expect(steak.locator(".add")).to_be_hidden()
    steak.get_by_label("Medium rare").check()
    steak.get_by_role("button", name="Add another version").click()
    expect(steak.locator(".variant")).to_have_count(2)
    expect(steak.get_by_role("button", name="Add another version")).to_have_count(0)  # until it is chosen
    for variant in (1, 0):
        steak.locator(".variant .fewer").nth(variant).evaluate("(each) => each.click()")
    expect(steak.locator(".variant")).to_have_count(0)
    expect(steak.locator(".add")).to_be_focused()


def test_a_dish_with_choices_counts_its_variants_and_takes_back_the_last(page):
    steak = dish(page, "Flat Iron Steak")
    for done in ("Rare", "Well done"):
        add(steak)
        steak.get_by_label(done, exact=True).last.check()
        steak.locator(".variant-done:visible").click()
    expect(steak.locator(".dish-number")).to_have_text("2")
    steak.locator(".dish-count").get_by_role("button", name="One fewer").click()
    assert lines(page) == ["1 Flat Iron Steak Rare €24.50"]


@pytest.mark.parametrize("width", [360, 768, 1280])
def test_choices_fold_once_they_are_made(page, width):
    page.set_viewport_size({"width": width, "height": 800})
    steak = dish(page, "Flat Iron Steak")
    body, done = steak.locator(".variant-body"), steak.get_by_role("button", name="Done")
    add(steak)
    whole = page.locator("#dishes").bounding_box()["width"]
    assert steak.bounding_box()["width"] == whole
    done.click()
    expect(page.get_by_role("alert")).to_contain_text("Please choose")
    expect(body).to_be_visible()
    steak.get_by_label("Medium rare").check()
    expect(page.get_by_role("alert")).to_be_hidden()
    assert steak.get_by_text("Medium rare").filter(visible=True).count() == 1
    corners = steak.locator(".choice > span").evaluate_all(
        "(all) => all.map((each) => getComputedStyle(each).borderRadius)"
    )
    assert len(corners) == 8
    assert len(set(corners)) == 1
    check(page)
    done.click()
    expect(body).to_be_hidden()
    expect(steak.locator(".add")).to_be_focused()
    assert steak.locator("[name^=variantQuantity]").input_value() == "1"


def test_choices_fold_when_another_dish_is_tapped_which_stays_under_the_finger(page):
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
    assert abs(below.bounding_box()["y"] - before) <= 1
    assert below.locator("input").input_value() == "2"


def test_a_phone_shows_the_order_over_the_menu_when_it_is_asked_for(page):
    page.set_viewport_size({"width": 360, "height": 740})
    add(dish(page, "Fennel Spritz"))
    running, opener = page.locator(".running"), page.get_by_role("button", name="This order")
    expect(page.locator(".sum p")).to_have_text("1 item €9.50")
    expect(page.get_by_role("button", name="Send to the kitchen")).to_be_in_viewport()
    expect(running).to_be_hidden()
    opener.click()
    expect(opener).to_have_attribute("aria-expanded", "true")
    unfold(page, "Fennel Spritz")
    running.get_by_role("button", name="One more").click()
    expect(page.locator(".sum p")).to_have_text("2 items €19.00")
    check(page)
    page.mouse.click(180, 60)  # the menu behind it
    expect(running).to_be_hidden()
    expect(page.locator(".sum p")).to_have_text("2 items €19.00")
    opener.click()
    page.keyboard.press("Escape")
    expect(running).to_be_hidden()
    expect(opener).to_be_focused()


def test_a_dish_under_the_pointer_does_not_look_chosen(page):
    spritz, gimlet = dish(page, "Fennel Spritz"), dish(page, "Garden Gimlet")
    add(spritz)
    gimlet.hover()
    border = "(node) => getComputedStyle(node).borderTopColor"
    assert gimlet.evaluate(border) != spritz.evaluate(border)
