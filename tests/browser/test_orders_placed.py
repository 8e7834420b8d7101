"""An order is placed once, over a bad network too, and without JavaScript; tables are made for these tests."""

import itertools
import re
from dataclasses import dataclass

import pytest
import requests
from playwright.sync_api import Route, expect

from tests import decoder
from tests.browser import menu
from tests.browser.kitchen import start_clock, stop_clock
from tests.servers import PATIENCE, wait_for

pytestmark = pytest.mark.browser

PANISSE, OLIVES = "Chickpea Panisse", "Nocellara Olives"
numbers = itertools.count(501)


@dataclass
class Table:
    base: str
    headers: dict[str, str]
    number: int
    code: str  # what a reader that did not write it finds in its card's picture

    def orders(self) -> list[dict]:
        """Those that are in the kitchen."""
        answer = requests.get(f"{self.base}/kitchen", headers=self.headers, timeout=PATIENCE).json()
        return [order for order in answer["orders"] if order["tableNumber"] == self.number]

    def move(self, order: str, status: str) -> None:
        address = f"{self.base}/orders/{order}/status"
        requests.post(address, json={"status": status}, headers=self.headers, timeout=PATIENCE).raise_for_status()


@pytest.fixture
def table(installation) -> Table:
    headers = {"Authorization": f"Token {installation.token('floor')}"}
    body = {"tableNumber": next(numbers), "section": "Terrace"}
    made = requests.post(f"{installation.base}/tables", json=body, headers=headers, timeout=PATIENCE).json()
    picture = requests.get(f"{made['qrCodeUrl']}?size=600", timeout=PATIENCE).content
    address = decoder.read(decoder.picture(picture))
    assert address == made["shortUrl"].upper()
    return Table(installation.base, headers, body["tableNumber"], address)


def ask_again_sooner(route: Route) -> None:
    """After one second instead of ten, where the page asks again without JavaScript."""
    response = route.fetch()
    refresh = '<meta http-equiv="refresh" content="{};'
    assert refresh.format(10) in response.text()
    route.fulfill(response=response, body=response.text().replace(refresh.format(10), refresh.format(1)))


def test_without_javascript_a_guest_scans_orders_and_sees_the_order_move(windows, table):
    phone = windows.phone(java_script_enabled=False)
    phone.goto(table.code)
    expect(phone.get_by_role("heading", level=1)).to_have_text(f"Table {table.number}")
    expect(phone.get_by_role("searchbox")).to_be_hidden()  # a script searches
    menu.add(phone, OLIVES, "Burrata & Charred Figs", OLIVES)
    expect(phone.locator("#cart-bar")).to_contain_text("3 items")
    phone.locator("#cart-bar").tap()
    olives = phone.get_by_role("listitem").filter(has=phone.get_by_role("heading", name=OLIVES))
    olives.get_by_text("Note").tap()
    olives.get_by_role("textbox").fill("No lemon peel")
    olives.get_by_role("button", name="One more").tap()
    expect(olives.get_by_role("spinbutton")).to_have_value("3")
    expect(phone.locator("#total")).to_have_text("€26.00")
    order = menu.place_order(phone)
    expect(phone.get_by_role("heading", name="Order received")).to_be_visible()
    (placed,) = table.orders()
    assert [(item["name"], item["quantity"], item["specialInstructions"]) for item in placed["items"]] == [
        (OLIVES, 3, "No lemon peel"), ("Burrata & Charred Figs", 1, ""),
    ]  # fmt: skip
    phone.route("**/orders/*", ask_again_sooner)
    phone.reload()
    table.move(order, "preparing")
    expect(phone.get_by_role("heading", name="Preparing", exact=True)).to_be_visible()
    expect(phone).to_have_title(re.compile(f"^Preparing · Table {table.number} · "))
    phone.unroute_all(behavior="ignoreErrors")


def test_a_double_tap_and_a_lost_answer_are_one_order_each(windows, table):
    phone = windows.phone()
    phone.goto(table.code)
    menu.add(phone, PANISSE)
    menu.open_cart(phone)
    phone.get_by_role("button", name="Place order").dblclick()
    phone.wait_for_url(menu.ORDER)
    assert len(table.orders()) == 1
    # Going back shows what was ordered and no old cart.
    phone.go_back()
    expect(phone.get_by_role("heading", name="Your table's orders")).to_be_visible()
    expect(phone.get_by_text("Your order is empty")).to_be_visible()
    phone.go_back()
    expect(phone.locator("#cart-bar")).to_be_hidden()

    menu.add(phone, PANISSE)
    menu.open_cart(phone)
    lost = []

    def lose_the_first_answer(route):
        if lost:
            route.continue_()
            return
        lost.append(route.fetch().status)  # the server has it, and its answer never arrives
        route.abort()

    phone.route("**/order", lose_the_first_answer)
    menu.place_order(phone)
    assert lost == [200]
    assert len(table.orders()) == 2


def test_without_room_or_connection_nothing_is_lost_and_the_page_says_so(windows, table):
    phone = windows.phone()
    start_clock(phone)
    phone.goto(table.code)
    phone.context.set_offline(True)
    menu.add(phone, PANISSE)
    expect(phone.locator("#toast")).to_contain_text(f"No connection: {PANISSE} was not changed.")
    phone.context.set_offline(False)
    menu.add(phone, PANISSE)
    expect(phone.locator("#cart-bar")).to_contain_text("1 item")
    menu.open_cart(phone)
    place, message = phone.get_by_role("button", name="Place order"), phone.locator("#cart-message")

    keys: list[str] = []  # of every request that would place the order
    phone.on("request", lambda sent: sent.url.endswith("/order") and keys.append(sent.headers["idempotency-key"]))

    def try_in_vain() -> None:
        keys.clear()
        place.tap()
        expect(phone.get_by_role("button", name="Still trying…")).to_be_visible()
        wait_for(lambda: phone.clock.fast_forward(15_000) or message.is_visible(), "its last try")
        expect(message).to_contain_text("Not ordered yet")
        expect(message).to_contain_text("won't be placed twice")
        assert len(keys) == 4
        assert len(set(keys)) == 1
        assert table.orders() == []

    stop_clock(phone)
    phone.route("**/order", lambda route: route.fulfill(status=503, headers={"Retry-After": "12"}, body="{}"))
    try_in_vain()
    phone.unroute("**/order")
    phone.context.set_offline(True)
    try_in_vain()
    phone.context.set_offline(False)
    phone.clock.resume()
    menu.place_order(phone)
    assert len(table.orders()) == 1


def test_two_pages_of_one_cart_make_one_order(windows, table):
    phone = windows.phone()
    phone.goto(table.code)
    menu.add(phone, PANISSE)
    menu.open_cart(phone)
    others = [phone.context.new_page() for _ in range(2)]
    for other in others:
        other.goto(phone.url)
    menu.place_order(phone)
    others[0].get_by_role("button", name="Place order").tap()
    expect(others[0].get_by_role("alert").first).to_contain_text("sent from another page of this phone")
    others[1].evaluate("document.dispatchEvent(new Event('visibilitychange'))")  # it is looked at again
    for other in others:
        expect(other.get_by_text("Your order is empty")).to_be_visible()
    assert len(table.orders()) == 1


def test_a_change_made_right_before_the_cart_is_left_or_ordered_counts_once(windows, table):
    phone = windows.phone()
    phone.goto(table.code)
    menu.add(phone, PANISSE)
    menu.open_cart(phone)
    more = "document.querySelector('[name=more]').click();"
    phone.evaluate(f"{more} document.querySelector('.back').click()")
    expect(phone.locator("#cart-bar")).to_contain_text("2 items")
    menu.open_cart(phone)
    phone.get_by_label("Note for the kitchen", exact=True).tap()
    phone.get_by_role("textbox").fill("No lemon")
    phone.evaluate(f"{more} document.querySelector('#place').click()")
    phone.wait_for_url(menu.ORDER)
    (item,) = table.orders()[0]["items"]
    assert (item["quantity"], item["specialInstructions"]) == (3, "No lemon")
    # It does not come back into the cart.
    phone.goto(f"{table.base}/table/{table.number}/cart")
    expect(phone.get_by_text("Your order is empty")).to_be_visible()
