"""What happens to a menu and a cart while they are open: search, what sells out, what gets dearer."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.accessible import check

pytestmark = pytest.mark.browser


@pytest.fixture
def phone(windows, installation) -> Page:
    phone = windows.phone(viewport={"width": 320, "height": 640})
    phone.clock.install()  # goes on as it would, and lets `later` skip the waits
    phone.goto(f"{installation.base}/table/6")
    return phone


def later(phone: Page) -> None:
    """When it has asked again what has sold out: every eight seconds, after a first wait of at most as long."""
    for _ in range(2):
        phone.clock.fast_forward(8_000)


@pytest.fixture
def change(installation):
    """Change a dish behind the phones' backs, as a manager would; undone afterwards."""

    def change(name: str, **values) -> None:
        code = (
            "from restaurant.models import MenuItem; from restaurant.services import menu\n"
            f"with menu.changing(): MenuItem.objects.filter(name={name!r}).update(**{values!r})"
        )
        installation.shell(code)

    yield change
    change("Chickpea Panisse", available=True, price="7.50")


def test_search_finds_dishes_by_their_words_says_how_many_and_has_ways_out(phone):
    field, status = phone.get_by_role("searchbox", name="Search the menu"), phone.locator("#found [role=status]")
    items, links = phone.locator(".item:visible"), phone.locator(".categories a:visible")
    every = (items.count(), links.count())
    assert every[0] > 40
    field.fill("tiramis")
    expect(items).to_have_count(1)
    expect(links).to_have_text(["Sweets"])
    expect(status).to_have_text("1 dish")
    phone.get_by_role("button", name="Clear the search").tap()
    expect(field).to_be_focused()
    assert (items.count(), links.count(), field.input_value()) == (*every, "")
    field.fill("no such dish")
    expect(items).to_have_count(0)
    expect(status).to_have_text("No dish matches “no such dish”.")
    check(phone)
    phone.get_by_role("button", name="Show all dishes").tap()
    assert (items.count(), field.input_value()) == (every[0], "")
    field.fill("creme")
    field.press("Escape")
    assert (items.count(), field.input_value(), status.inner_text()) == (every[0], "", "")
    field.fill("burnt fig")
    phone.locator("#filter summary").tap()
    phone.locator(".tick", has_text=re.compile("^nuts$")).tap()
    phone.get_by_role("button", name="Show the menu").tap()
    expect(phone.locator(".filter-on")).to_contain_text("Without nuts")
    expect(items).to_have_count(1)
    expect(phone.locator(".apart:visible .item:visible")).to_contain_text("Burnt Fig Tart")


def test_without_javascript_there_is_no_search_field(windows, installation):
    phone = windows.phone(java_script_enabled=False)
    phone.goto(f"{installation.base}/table/6")
    expect(phone.locator("#search")).to_be_hidden()


def test_a_dish_that_sells_out_is_shown_as_such_and_comes_back(phone, change):
    dish = phone.locator(".item", has_text="Chickpea Panisse")
    change("Chickpea Panisse", available=False)
    later(phone)
    expect(dish.get_by_text("Just sold out")).to_be_visible()
    expect(dish.locator(".add")).to_be_disabled()
    change("Chickpea Panisse", available=True)
    later(phone)
    expect(dish.locator(".add")).to_be_enabled()


def test_a_dish_that_got_dearer_is_asked_about_before_it_is_ordered(phone, change):
    dish = phone.locator(".item", has_text="Chickpea Panisse")
    before = dish.locator(".item-price").text_content()  # also of a dish below the window, which is not drawn
    dish.locator(".add").tap()
    expect(phone.locator("#cart-count")).to_have_text("1 item")
    phone.locator("#cart-bar").tap()
    phone.wait_for_url("**/cart*")
    change("Chickpea Panisse", price="9.75")
    phone.get_by_role("button", name="Place order").tap()
    expect(phone.locator(".line-changed")).to_have_text(f"New price: €9.75 (was {before})")
    phone.get_by_role("button", name="Order for €9.75").tap()
    phone.wait_for_url("**/orders/*")
    expect(phone.locator(".what-total")).to_contain_text("€9.75")


def test_a_dish_that_sold_out_in_the_cart_leaves_the_rest_to_order(phone, change):
    phone.locator(".item", has_text="Chickpea Panisse").locator(".add").tap()
    phone.locator(".item", has_text="Nocellara Olives").locator(".add").tap()
    expect(phone.locator("#cart-count")).to_have_text("2 items")
    phone.locator("#cart-bar").tap()
    phone.wait_for_url("**/cart*")
    change("Chickpea Panisse", available=False)
    phone.get_by_role("button", name="Place order").tap()
    gone = phone.locator(".line-gone")
    expect(gone).to_contain_text("Just sold out – not included in your order")
    phone.get_by_role("button", name="Order for").tap()
    phone.wait_for_url("**/orders/*")
    expect(phone.locator(".what-line")).to_have_count(1)
    expect(phone.locator(".what-line")).to_contain_text("Nocellara Olives")


def test_a_dish_that_sells_out_while_the_cart_is_open_is_shown_as_such_and_comes_back(phone, change):
    phone.locator(".item", has_text="Chickpea Panisse").locator(".add").tap()
    phone.locator(".item", has_text="Nocellara Olives").locator(".add").tap()
    expect(phone.locator("#cart-count")).to_have_text("2 items")
    phone.locator("#cart-bar").tap()
    phone.wait_for_url("**/cart*")
    before = phone.locator("#total").inner_text()
    line = phone.locator(".line", has_text="Chickpea Panisse")
    change("Chickpea Panisse", available=False)
    later(phone)
    expect(line).to_contain_text("Just sold out")
    expect(line.locator(".stepper")).to_be_hidden()
    expect(phone.locator("#total")).not_to_have_text(before)
    change("Chickpea Panisse", available=True)
    later(phone)
    expect(phone.locator("#total")).to_have_text(before)
    expect(line.locator(".stepper")).to_be_visible()
