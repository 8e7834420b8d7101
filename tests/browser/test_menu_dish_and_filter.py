"""A dish as a sheet over the menu, and the menu of a guest with allergies, on a phone."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.accessible import check, overflow

pytestmark = pytest.mark.browser

# One line, and nothing of it is cut.
FITS = """(button) => [button, ...button.children].every((each) => each.scrollWidth <= each.clientWidth)
    && button.offsetHeight === document.querySelector("#sheet .stepper").offsetHeight"""


@pytest.fixture
def phone(windows, installation) -> Page:
    phone = windows.phone(viewport={"width": 320, "height": 640})
    phone.goto(f"{installation.base}/table/3")
    return phone


def item(phone: Page, name: str):
    return phone.locator(".item", has_text=name)


def choice(phone: Page, name: str):
    return phone.locator("#sheet .choice").filter(has=phone.get_by_text(name, exact=True))


def test_no_description_takes_more_than_four_lines_and_on_most_phones_none_is_cut(phone):
    descriptions = phone.locator(".item-description")
    lines = descriptions.evaluate_all(
        "(all) => all.map((each) => Math.round(each.offsetHeight / parseFloat(getComputedStyle(each).lineHeight)))"
    )
    assert len(lines) > 20
    assert max(lines) == 4
    phone.set_viewport_size({"width": 360, "height": 640})
    assert descriptions.evaluate_all("(all) => all.filter((each) => each.scrollHeight > each.clientHeight).length") == 0


def test_a_dish_is_not_shown_before_its_styles_have_come(phone):
    def late(route):
        phone.wait_for_timeout(500)
        route.continue_()

    phone.route(re.compile(r"/goes_with[^/]*\.css$"), late)
    item(phone, "Flat Iron Steak").get_by_role("link", name=re.compile("^Add")).tap()
    beside = phone.get_by_role("dialog", name="Flat Iron Steak").locator(".goes-with-what").first
    beside.wait_for()
    assert beside.bounding_box()["height"] >= 44


def test_the_sheet_has_its_room_while_the_first_dish_is_loaded(phone):
    waiting = []

    def hold(route):
        waiting.append(route)

    phone.route(re.compile(r"/dishes/|/dish[^/]*\.css$"), hold)
    item(phone, "Flat Iron Steak").get_by_role("link", name=re.compile("^Add")).tap()
    expect(phone.locator("#sheet")).to_be_visible()
    assert phone.locator(".sheet-body").bounding_box()["height"] > 0.39 * 640
    for route in waiting:
        route.continue_()


def test_styles_of_a_dish_that_could_not_be_loaded_come_with_the_next_one(phone):
    padding = "(body) => getComputedStyle(body).paddingTop"  # none, by the dish's styles
    styles = re.compile(r"/dish\.[^/]*\.css$")
    phone.route(styles, lambda route: route.abort())
    steak = item(phone, "Flat Iron Steak").get_by_role("link", name=re.compile("^Add"))
    sheet = phone.get_by_role("dialog", name="Flat Iron Steak")
    steak.tap()
    expect(sheet.locator(".dish-add")).to_be_visible()
    assert phone.locator(".sheet-body").evaluate(padding) != "0px"
    phone.unroute(styles)
    sheet.get_by_role("button", name="Close").tap()
    expect(sheet).to_be_hidden()
    steak.tap()
    expect(sheet.locator(".dish-add")).to_be_visible()
    assert phone.locator(".sheet-body").evaluate(padding) == "0px"


def test_a_dish_is_chosen_in_the_sheet_within_its_limits_and_added(windows, phone, installation):
    steak = item(phone, "Flat Iron Steak")
    steak.get_by_role("link", name=re.compile("^Add")).tap()
    sheet = phone.get_by_role("dialog", name="Flat Iron Steak")
    add = sheet.locator(".dish-add")
    expect(add).to_have_accessible_name("Make your choice from €24.50")
    assert add.evaluate(FITS)
    expect(phone).to_have_url(re.compile("/table/3/dishes/"))
    before = steak.bounding_box()["y"]
    check(phone)

    add.tap()  # nothing is chosen yet
    expect(sheet.get_by_text("Please choose one.")).to_be_visible()
    choice(phone, "Medium").tap()
    expect(sheet.get_by_text("Please choose one.")).to_be_hidden()
    expect(add).to_have_accessible_name("Add · €24.50")
    for side in ("Grilled greens", "Leaves & herbs", "Romesco sauce"):
        choice(phone, side).tap()
    expect(sheet.get_by_text("You can choose 2 here.")).to_be_visible()
    expect(choice(phone, "Romesco sauce").locator("input")).not_to_be_checked()
    expect(sheet.get_by_text("2 of 2 chosen")).to_be_visible()
    expect(add).to_have_accessible_name("Add · €32.00")
    sheet.get_by_role("button", name="One more").tap()
    expect(add).to_have_accessible_name("Add · €64.00")
    sheet.get_by_role("spinbutton").fill("99")
    expect(add).to_have_accessible_name("Add · €3,168.00")
    assert add.evaluate(FITS)
    sheet.get_by_role("spinbutton").fill("2")
    check(phone)

    add.tap()
    expect(sheet).to_be_hidden()
    expect(phone.locator("#cart-bar")).to_contain_text("€64.00")
    expect(steak.locator(".adder-number")).to_have_text("2")
    assert abs(steak.bounding_box()["y"] - before) < 2
    assert windows.complaints == []


def test_the_first_choice_is_in_the_first_view(phone, installation):
    phone.set_viewport_size({"width": 360, "height": 740})
    item(phone, "Flat Iron Steak").get_by_role("link", name="Flat Iron Steak", exact=True).tap()
    expect(phone.locator("#sheet .dish-add")).to_be_visible()
    phone.goto(phone.url)
    first, bar = (phone.locator(f"main {each}").first.bounding_box() for each in (".choice", ".dish-bar"))
    assert first["y"] + first["height"] <= bar["y"]
    expect(phone.locator(".dish-free p")).to_be_hidden()
    phone.get_by_text("What it's free from", exact=True).tap()
    expect(phone.locator(".dish-free p")).to_be_visible()
    check(phone)


def test_what_fields_suggest_is_readable_in_the_dark(windows, installation):
    phone = windows.phone(color_scheme="dark")
    phone.goto(f"{installation.base}/table/3")
    shown = "(field) => getComputedStyle(field, '::placeholder').color"
    muted = phone.evaluate(
        "() => { const it = document.body.appendChild(document.createElement('p')); it.className = 'soft';"
        " return getComputedStyle(it).color; }"
    )
    assert phone.locator("#search-field").evaluate(shown) == muted
    item(phone, "Flat Iron Steak").get_by_role("link", name="Flat Iron Steak", exact=True).tap()
    assert phone.locator("#dish-note").evaluate(shown) == muted


def test_what_is_not_chosen_stands_on_the_ground_of_a_field_in_the_dark(windows, installation):
    phone = windows.phone(color_scheme="dark")
    phone.goto(f"{installation.base}/table/3")
    item(phone, "Flat Iron Steak").get_by_role("link", name=re.compile("^Add")).tap()
    for kind, name in (("radio", "Medium"), ("checkbox", "Grilled greens")):
        box = choice(phone, name).locator(f"input[type={kind}]")
        expect(box).to_have_css("background-color", "rgb(46, 40, 35)")  # --raised
        size = "(box) => [box.offsetLeft, box.offsetWidth, box.offsetHeight]"
        before = box.evaluate(size)
        choice(phone, name).tap()
        expect(box).to_be_checked()
        assert box.evaluate(size) == before
    assert windows.complaints == []


def test_the_sheet_closes_by_back_escape_and_its_button_and_its_address_is_a_page(phone, installation):
    menu = re.compile(r"/table/3\?from=cart$")
    item(phone, "Quince Shrub").locator(".item-text").tap()
    sheet = phone.get_by_role("dialog", name="Quince Shrub")
    expect(sheet).to_be_visible()
    assert phone.evaluate("document.activeElement.closest('#sheet') !== null")
    address = phone.url
    phone.go_back()
    expect(sheet).to_be_hidden()
    expect(phone).to_have_url(menu)
    phone.go_forward()
    expect(sheet).to_be_visible()
    phone.keyboard.press("Escape")
    expect(sheet).to_be_hidden()
    item(phone, "Quince Shrub").get_by_role("link", name="Quince Shrub").tap()
    sheet.get_by_role("button", name="Close").tap()
    expect(sheet).to_be_hidden()
    expect(phone).to_have_url(menu)
    phone.goto(address)
    expect(phone.get_by_role("heading", name="Quince Shrub")).to_be_visible()
    check(phone)


def test_a_guest_with_allergies_has_them_set_apart(phone):
    phone.locator("#filter summary").tap()
    for allergen in ("nuts", "milk"):
        phone.locator(".tick", has_text=re.compile(f"^{allergen}$")).tap()
    check(phone)
    phone.get_by_role("button", name="Show the menu").tap()
    expect(phone.locator(".filter-on")).to_contain_text("Without milk, nuts")
    tart = phone.locator(".apart .item", has_text="Burnt Fig Tart")
    expect(tart).to_contain_text("Contains milk, nuts")
    expect(item(phone, "Nocellara Olives").get_by_role("button", name="Add Nocellara Olives")).to_be_visible()
    expect(phone.locator(".apart .item", has_text="Nocellara Olives")).to_have_count(0)
    check(phone)
    tart.get_by_role("link", name="View Burnt Fig Tart").tap()
    sheet = phone.get_by_role("dialog", name="Burnt Fig Tart")
    expect(sheet.get_by_text("You asked for a menu without milk, nuts.")).to_be_visible()
    check(phone)
    sheet.get_by_role("button", name="Add anyway").tap()
    expect(phone.locator("#cart-count")).to_have_text("1 item")
    phone.get_by_role("link", name="Clear").tap()
    expect(phone.locator(".apart")).to_have_count(0)


def test_a_picture_that_fails_leaves_no_broken_sign(phone):
    phone.route("**/pictures/*", lambda route: route.abort())
    phone.reload()
    picture = phone.locator(".item .item-picture").first
    expect(picture).to_have_class(re.compile("is-broken"))
    assert picture.bounding_box()["width"] == 108


def test_what_goes_well_with_a_dish_is_added_without_leaving_it(windows, phone):
    item(phone, "Flat Iron Steak").get_by_role("link", name="Flat Iron Steak", exact=True).tap()
    sheet = phone.get_by_role("dialog", name="Flat Iron Steak")
    choice(phone, "Medium").tap()
    wine = sheet.get_by_role("button", name="House Red, Glass")
    expect(wine).to_have_text("Add: House Red, Glass")
    wine.tap()
    expect(wine).to_have_text("1 added: House Red, Glass")
    wine.tap()
    expect(wine).to_have_text("2 added: House Red, Glass")
    expect(choice(phone, "Medium").locator("input")).to_be_checked()
    check(phone)
    # One that is looked at lies over the dish, and the way back leads there.
    sheet.get_by_role("link", name="Harbour Pale Ale").tap()
    expect(phone.get_by_role("dialog", name="Harbour Pale Ale").locator(".dish-add")).to_be_visible()
    phone.go_back()
    expect(sheet.locator(".dish-add")).to_be_visible()
    phone.go_back()
    expect(phone.locator("#sheet")).to_be_hidden()
    expect(phone.locator("#cart-bar")).to_contain_text("2 items")
    assert windows.complaints == []


def test_on_a_dish_s_own_page_it_is_added_too_and_the_bar_stays_in_sight(windows, phone, installation):
    steak = item(phone, "Flat Iron Steak").get_by_role("link", name="Flat Iron Steak", exact=True)
    phone.goto(installation.base + steak.get_attribute("href"))
    add = phone.locator(".dish-add")
    wine = phone.get_by_role("button", name="House Red, Glass")
    wine.scroll_into_view_if_needed()
    expect(add).to_be_in_viewport(ratio=1)
    wine.tap()
    expect(wine).to_have_text("1 added: House Red, Glass")
    assert overflow(phone) <= 0
    check(phone)
    phone.locator(".back").tap()
    expect(phone.locator("#cart-bar")).to_contain_text("1 item")
    assert windows.complaints == []
