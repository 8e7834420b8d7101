"""What sells out or gets dearer while a menu or a cart is open."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser import menu

pytestmark = pytest.mark.browser

PANISSE, OLIVES = "Chickpea Panisse", "Nocellara Olives"


def later(phone: Page) -> None:
    """When it has asked again what has sold out: every eight seconds, after a first wait of at most as long."""
    for _ in range(2):
        phone.clock.fast_forward(8_000)


@pytest.fixture
def change(installation):
    """Change the panisse behind the phones' backs, as a manager would; undone afterwards."""

    def change(**values) -> None:
        installation.shell(
            "from restaurant.models import MenuItem; from restaurant.menu.services import menu\n"
            f"with menu.changing(): MenuItem.objects.filter(name={PANISSE!r}).update(**{values!r})"
        )

    yield change
    change(available=True, price="7.50")


def test_it_is_shown_on_both_and_asked_about_before_it_is_ordered(windows, installation, change):
    phone = windows.phone()
    phone.clock.install()  # goes on as it would, and lets `later` skip the waits
    phone.goto(f"{installation.base}/table/6")
    add, dish = phone.get_by_role("button", name=f"Add {PANISSE}"), menu.dish(phone, PANISSE)
    change(available=False)
    later(phone)
    expect(dish).to_contain_text("Just sold out")
    expect(add).to_be_disabled()
    change(available=True)
    later(phone)
    expect(add).to_be_enabled()

    menu.add(phone, PANISSE, OLIVES)
    expect(phone.locator("#cart-count")).to_have_text("2 items")
    menu.open_cart(phone)
    total, stepper = phone.locator("#total"), phone.get_by_role("group", name=f"How many {PANISSE}")
    expect(total).to_have_text("€12.00")
    change(available=False)
    later(phone)
    expect(phone.get_by_text("Just sold out – not included in your order")).to_be_visible()
    expect(stepper).to_be_hidden()
    expect(total).to_have_text("€4.50")
    phone.get_by_role("link", name="Menu").first.tap()
    expect(menu.dish(phone, OLIVES).get_by_role("button", name=f"1 × {OLIVES} in your order")).to_be_visible()
    menu.add(phone, OLIVES)  # the menu's own sum leaves out as much
    expect(phone.locator("#cart-bar")).to_contain_text("€9.00")
    menu.open_cart(phone)
    change(available=True)
    later(phone)
    expect(total).to_have_text("€16.50")
    expect(stepper).to_be_visible()

    change(price="9.75")
    phone.get_by_role("button", name="Place order").tap()
    expect(phone.get_by_text("New price: €9.75 (was €7.50)")).to_be_visible()
    confirm = phone.get_by_role("button", name="Order for €18.75")
    expect(confirm).to_be_enabled()
    change(available=False)
    confirm.tap()
    expect(phone.get_by_text("Just sold out – not included in your order")).to_be_visible()
    phone.get_by_role("button", name="Order for €9.00").tap()
    phone.wait_for_url(menu.ORDER)
    ordered = phone.get_by_role("region", name="Your order")
    expect(ordered).to_contain_text(OLIVES)
    expect(ordered).to_contain_text("€9.00")
    expect(ordered).not_to_contain_text(PANISSE)
