"""The admin in a browser: forms that know what is not saved, filters, and explanations of what is filled in."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Windows
from tests.reading import read

pytestmark = pytest.mark.browser


def opened(windows: Windows, installation, **options) -> Page:
    return windows.open(storage_state={"cookies": [installation.cookie("owner")]}, **options)


def test_a_phone_reads_rows_and_saves_with_what_is_in_reach(windows, installation):
    page = opened(windows, installation, viewport={"width": 320, "height": 640}, has_touch=True)
    page.goto(f"{installation.base}/admin/restaurant/menuitem/")
    expect(page.get_by_role("button", name="Apply")).to_be_hidden()
    page.locator(".action-select").first.check()
    expect(page.get_by_role("button", name="Apply")).to_be_in_viewport()
    save = page.get_by_role("button", name="Save", exact=True)
    page.locator(".action-select").first.uncheck()
    expect(save).to_be_hidden()
    price = page.locator("#id_form-0-price")
    usual = price.input_value()
    unsaved = page.get_by_text("Not saved yet")
    expect(unsaved).to_be_hidden()
    price.fill("8.75")
    expect(save).to_be_in_viewport()
    expect(unsaved).to_be_visible()
    price.press("Enter")  # saves, and moves no row
    expect(page.locator(".messagelist")).to_contain_text("changed successfully")
    expect(price).to_have_value("8.75")
    price.fill(usual)  # other tests order the dish
    price.press("Enter")
    expect(page.locator(".messagelist")).to_contain_text("changed successfully")
    expect(price).to_have_value(usual)
    page.locator("#result_list tbody th a").first.click()
    expect(save).to_be_disabled()  # until something is changed
    name, discard = page.get_by_label("Name", exact=True), page.get_by_role("link", name="Discard")
    usual = name.input_value()
    name.fill("Another dish")
    expect(save).to_be_in_viewport()
    expect(save).to_be_enabled()
    expect(discard).to_be_in_viewport()
    sent = read(page.request.get(page.url).text())
    assert sent.one("button", "Save").get("disabled") is None  # without a script it can be saved
    assert sent.all("link", "Discard") == []
    page.goto(f"{installation.base}/admin/")
    page.go_back()  # the browser fills in what was written
    expect(name).to_have_value("Another dish")
    expect(save).to_be_enabled()
    page.set_viewport_size({"width": 1280, "height": 800})
    name.fill(usual)
    expect(save).to_be_disabled()
    expect(save).to_be_visible()
    name.fill("Another dish")
    discard.click()
    expect(name).to_have_value(usual)
    expect(discard).to_be_hidden()
    expect(save).to_be_disabled()


def test_filters_open_one_at_a_time_and_close_by_the_keyboard(windows, installation):
    page = opened(windows, installation)
    page.goto(f"{installation.base}/admin/restaurant/order/")
    status, placed = page.locator("details.filter").nth(0), page.locator("details.filter").nth(1)
    status.locator("summary").press("Enter")
    expect(status.get_by_role("link", name="Completed")).to_be_visible()
    placed.locator("summary").click()
    expect(status.get_by_role("link", name="Completed")).to_be_hidden()
    page.keyboard.press("Escape")
    expect(placed.get_by_role("link", name="Today")).to_be_hidden()
    expect(placed.locator("summary")).to_be_focused()
    status.locator("summary").click()
    status.get_by_role("link", name="Completed").click()
    expect(page.locator("details.filter").first.locator("summary")).to_have_text("Status: completed")
    page.get_by_role("link", name="Clear filters").click()
    expect(page.locator(".filter-chosen")).to_have_count(0)
    page.wait_for_load_state()  # its script listens for the key
    page.keyboard.press("/")
    expect(page.locator("#search-admin")).to_be_focused()
    page.keyboard.type("a/b")  # where somebody writes it is a letter
    expect(page.locator("#search-admin")).to_have_value("a/b")
    page.goto(f"{installation.base}/admin/loyalty/member/")
    filters = page.locator("details.filter")
    expect(filters).to_have_count(5)
    expect(filters.last).to_be_hidden()
    page.get_by_text("More filters", exact=True).click()
    expect(filters.last).to_be_visible()
    page.set_viewport_size({"width": 360, "height": 740})
    page.reload()
    expect(filters.first).to_be_hidden()
    page.get_by_text("Filter", exact=True).click()
    for each in filters.all():
        expect(each).to_be_visible()
    assert windows.complaints == []


def test_the_explanation_of_the_programme_follows_what_is_filled_in_and_is_old_without_an_answer(windows, installation):
    page = opened(windows, installation)
    page.goto(f"{installation.base}/admin/loyalty/programme/")
    preview = page.get_by_role("region", name="What this means for a guest")
    explained = preview.locator("[data-part=sentences]")
    per_unit = page.get_by_label("Points per €1")
    expect(preview).to_contain_text("This follows what you fill in. Nothing changes until you save.")
    per_unit.fill("3")
    expect(explained).to_contain_text("A bill of €40.00 gives 120 in bronze")
    expect(preview).to_contain_text("As filled in, and not saved yet.")
    per_unit.fill("")
    expect(preview).to_contain_text("Not all of these numbers can be saved.")
    expect(explained).to_contain_text("A bill of €40.00 gives 120 in bronze")  # the last that could be
    per_unit.fill("7")
    expect(explained).to_contain_text("A bill of €40.00 gives 280 in bronze")
    page.goto(f"{installation.base}/admin/")
    page.go_back()  # the browser fills in what was written
    expect(per_unit).to_have_value("7")
    expect(explained).to_contain_text("A bill of €40.00 gives 280 in bronze")
    expect(explained).not_to_have_class("is-old")
    assert windows.complaints == []
    for number, refuse in ((8, lambda route: route.abort()), (10, lambda route: route.fulfill(status=500))):
        page.route("**/preview/**", refuse)
        per_unit.fill(str(number))
        expect(explained).to_have_class("is-old")
        page.unroute("**/preview/**")
        per_unit.fill(str(number + 1))
        expect(explained).to_contain_text(f"A bill of €40.00 gives {40 * (number + 1)} in bronze")
        expect(explained).not_to_have_class("is-old")


def test_a_dish_says_what_it_leaves_and_asks_until_when_it_is_sold_out_only_while_it_is(
    installation, windows, state_of
):
    page = windows.open(storage_state=state_of("manager"))
    page.goto(f"{installation.base}/admin/restaurant/menuitem/add/")
    until = page.get_by_label("Sold out until")
    expect(page.get_by_label("Available")).to_be_checked()
    expect(until).to_be_hidden()
    page.get_by_label("Available").uncheck()
    expect(until).to_be_visible()
    page.get_by_label("Price", exact=True).fill("7.00")
    page.get_by_label("Food cost").fill("1.20")
    margin = page.locator(".dish-margin")
    expect(margin).to_be_empty()  # without a rate nobody knows
    page.get_by_label("VAT rate").fill("23")
    expect(margin).to_have_text("Leaves €4.49 of €5.69 without VAT: 79%.")
    page.get_by_label("Food cost").fill("")
    expect(margin).to_be_empty()


PLACED = """
from restaurant.models import Order, TableSession
session = TableSession.objects.earliest("started_at")
order = Order.objects.create(table_id=session.table_id, session=session, status="preparing", total=9)
print(order.pk)
"""


def test_an_order_is_cancelled_from_a_menu(installation, windows):
    order = installation.shell(PLACED).split()[-1]
    try:
        page = opened(windows, installation)
        page.goto(f"{installation.base}/admin/restaurant/order/{order}/change/")
        cancel = page.get_by_role("link", name="Cancel order")
        expect(cancel).to_be_hidden()
        page.get_by_text("More", exact=True).click()
        cancel.click()
        expect(page).to_have_url(re.compile("/cancel"))
    finally:
        installation.shell(f"from restaurant.models import Order; Order.objects.filter(pk='{order}').delete()")
