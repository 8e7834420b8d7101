"""Staff take an order and a payment on a phone, over a network that loses the first response."""

import itertools
import json

import pytest
import requests
from playwright.sync_api import Page, Route

from tests.browser.accessible import check

pytestmark = pytest.mark.browser

numbers = itertools.count(901)
DISH = """
from restaurant.models import MenuItem
from restaurant.services import menu
with menu.changing():
    MenuItem.objects.create(name="Crème brûlée", price="6.00", category="Sweets")
"""
STORED = """
import json
from restaurant.models import Order, Payment
[order] = Order.objects.filter(table__table_number={0})
[payment] = Payment.objects.filter(session__table__table_number={0})
items = [(each.name, each.quantity, each.special_instructions) for each in order.items.all()]
same = order.session_id == payment.session_id
print(json.dumps([items, payment.method, str(payment.amount), same]))
"""


@pytest.fixture
def table(installation) -> int:
    """A free table, in a restaurant that has crème brûlée."""
    installation.shell(DISH)
    number = next(numbers)
    headers = {"Authorization": f"Token {installation.token('manager')}"}
    made = requests.post(f"{installation.base}/tables", json={"tableNumber": number}, headers=headers, timeout=10)
    assert made.status_code == 201, made.text
    return number


@pytest.fixture
def phone(windows, installation, state_of) -> Page:
    """A manager's, and narrow."""
    size = {"width": 320, "height": 640}
    return windows.open(storage_state=state_of("manager"), viewport=size, base_url=installation.base)


def send_twice(page: Page, address: str, button: str, message: str) -> None:
    """Press the button; the response is lost on its way; press it again."""

    def lose(route: Route) -> None:
        route.fetch()
        route.abort()

    page.route(address, lose)
    page.click(button)
    page.locator(message).get_by_text("Tap again").wait_for()
    page.unroute(address)
    page.click(button)


def test_an_order_and_its_payment_are_sent_once_whatever_the_network_loses(installation, phone, table):
    phone.goto(f"/floor/tables/{table}/order")
    phone.fill("#search-field", "creme")
    assert phone.locator(".dish:visible").count() == 1
    phone.locator(".dish:visible .dish-text").click()
    phone.locator(".dish:visible .more").click()
    phone.locator(".dish:visible summary").click()
    phone.locator(".dish:visible .note input").fill("Without mint")
    assert phone.inner_text("#total") == "€12.00"
    check(phone)
    send_twice(phone, f"**/table/{table}/order", "#send", "#message")
    phone.wait_for_url(f"**/floor/tables/{table}")

    phone.goto(f"/table/{table}/bill")
    phone.locator("#more").click()
    assert phone.inner_text("#shares span") == "2 people pay €6.00 each"
    phone.locator(".take-share").click()
    phone.get_by_label("Card").check()
    check(phone)
    send_twice(phone, f"**/table/{table}/payments", "#pay-form button", "#unsure")
    phone.get_by_text("€6.00 is still due.").wait_for()
    check(phone)

    stored = json.loads(installation.shell(STORED.format(table)))
    assert stored == [[["Crème brûlée", 2, "Without mint"]], "card", "6.00", True]
