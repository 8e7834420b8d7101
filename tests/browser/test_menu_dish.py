"""A dish as a sheet over the menu, and as a page of its own."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser import menu

pytestmark = pytest.mark.browser

STEAK, SHRUB, WINE = "Flat Iron Steak", "Quince Shrub", "House Red, Glass"


@pytest.fixture
def phone(windows, installation) -> Page:
    phone = windows.phone()
    phone.goto(f"{installation.base}/table/3")
    return phone


def choose(dish: Locator, name: str) -> Locator:
    """The box of this choice, after a tap on it."""
    label = dish.locator("label", has=dish.page.get_by_text(name, exact=True))
    label.tap()
    return label.locator("input")


def test_a_dish_is_shown_once_it_is_there_and_the_sheet_closes_by_back_escape_and_its_button(phone, installation):
    on_menu = re.compile(r"/table/3\?from=cart$")
    sheet, loading = phone.get_by_role("dialog", name=STEAK), phone.locator("#sheet")
    add, close = phone.locator("#sheet .dish-add"), phone.get_by_role("button", name="Close")
    held = []
    phone.route(re.compile(r"/table/3/dishes/"), lambda route: held.append(route))  # noqa: PLW0108
    with phone.expect_request(re.compile(r"/table/3/dishes/")):
        menu.dish(phone, STEAK).get_by_role("link", name=re.compile("^Add")).tap()
    expect(loading).to_be_visible()
    expect(loading.locator(".sheet-body")).to_be_visible()  # it has its room
    expect(add).to_have_count(0)
    held[0].continue_()
    expect(add).to_be_visible()
    assert phone.evaluate("document.activeElement.closest('#sheet') !== null")
    close.tap()
    expect(sheet).to_be_hidden()
    phone.unroute_all()
    menu.dish(phone, SHRUB).tap()
    sheet = phone.get_by_role("dialog", name=SHRUB)
    expect(add).to_be_visible()
    address = phone.url
    phone.go_back()
    expect(sheet).to_be_hidden()
    expect(phone).to_have_url(on_menu)
    phone.go_forward()
    expect(sheet).to_be_visible()
    phone.keyboard.press("Escape")
    expect(sheet).to_be_hidden()
    expect(phone).to_have_url(on_menu)
    favourite = phone.get_by_role("region", name="House favourites").get_by_role("link").first
    name = favourite.inner_text()
    favourite.tap()
    expect(phone.get_by_role("dialog", name=name)).to_be_visible()
    close.tap()
    expect(phone).to_have_url(on_menu)
    phone.goto(address)
    expect(phone.get_by_role("heading", name=SHRUB, level=1)).to_be_visible()


def test_a_dish_is_chosen_in_the_sheet_within_its_limits_and_added(windows, phone):
    steak = menu.dish(phone, STEAK)
    steak.get_by_role("link", name=re.compile("^Add")).tap()
    sheet = phone.get_by_role("dialog", name=STEAK)
    add = sheet.locator(".dish-add")
    expect(add).to_have_accessible_name("Make your choice from €24.50")
    expect(phone).to_have_url(re.compile("/table/3/dishes/"))
    add.tap()  # nothing is chosen yet
    expect(sheet.get_by_text("Please choose one.")).to_be_visible()
    choose(sheet, "Medium")
    expect(sheet.get_by_text("Please choose one.")).to_be_hidden()
    expect(add).to_have_accessible_name("Add · €24.50")
    for side in ("Grilled greens", "Leaves & herbs"):
        expect(choose(sheet, side)).to_be_checked()
    expect(choose(sheet, "Romesco sauce")).not_to_be_checked()
    expect(sheet.get_by_text("You can choose 2 here.")).to_be_visible()
    expect(sheet.get_by_text("2 of 2 chosen")).to_be_visible()
    expect(add).to_have_accessible_name("Add · €32.00")
    sheet.get_by_role("button", name="One more").tap()
    expect(add).to_have_accessible_name("Add · €64.00")
    sheet.get_by_role("spinbutton").fill("99")
    expect(add).to_have_accessible_name("Add · €3,168.00")
    sheet.get_by_role("spinbutton").fill("2")
    add.tap()
    expect(sheet).to_be_hidden()
    expect(phone.locator("#cart-bar")).to_contain_text("€64.00")
    expect(steak.locator(".adder-number")).to_have_text("2")
    expect(steak).to_be_in_viewport()  # the menu stands where it stood
    assert windows.complaints == []


def test_what_goes_well_with_a_dish_is_added_without_leaving_it(windows, phone, installation):
    steak = menu.dish(phone, STEAK).get_by_role("link", name=STEAK, exact=True)
    steak.tap()
    sheet = phone.get_by_role("dialog", name=STEAK)
    chosen = choose(sheet, "Medium")
    wine = sheet.get_by_role("button", name=WINE)
    expect(wine).to_have_text(f"Add: {WINE}")
    for count in (1, 2):
        wine.tap()
        expect(wine).to_have_text(f"{count} added: {WINE}")
    expect(chosen).to_be_checked()
    # One that is looked at lies over the dish, and the way back leads there.
    sheet.get_by_role("link", name="Harbour Pale Ale").tap()
    expect(phone.get_by_role("dialog", name="Harbour Pale Ale").locator(".dish-add")).to_be_visible()
    phone.go_back()
    expect(sheet.locator(".dish-add")).to_be_visible()
    phone.go_back()
    expect(phone.locator("#sheet")).to_be_hidden()
    expect(phone.locator("#cart-bar")).to_contain_text("2 items")
    # On its own page too, whose first choice and button are in sight.
    phone.goto(installation.base + steak.get_attribute("href"))
    expect(phone.get_by_role("radio").first).to_be_in_viewport()
    wine = phone.get_by_role("button", name=WINE)
    wine.scroll_into_view_if_needed()
    expect(phone.locator(".dish-add")).to_be_in_viewport(ratio=1)
    wine.tap()
    expect(wine).to_have_text(f"1 added: {WINE}")
    phone.get_by_role("link", name="Menu", exact=True).tap()
    expect(phone.locator("#cart-bar")).to_contain_text("3 items")
    assert windows.complaints == []
