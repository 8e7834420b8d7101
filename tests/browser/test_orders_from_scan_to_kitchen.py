"""From the code on the table to the kitchen and back, in real windows against real servers."""

import itertools
import re
import shutil

import pytest
import requests
from playwright.sync_api import Page, Route, expect

from tests import decoder
from tests.browser import menu
from tests.browser.kitchen import HIGH, Orders, open_display, ticket
from tests.servers import Installation

pytestmark = pytest.mark.browser

numbers = itertools.count(501)
REFRESH = '<meta http-equiv="refresh" content="{};'


@pytest.fixture(scope="session")
def token(installation) -> str:
    return installation.token("floor")


@pytest.fixture
def card(installation, token) -> tuple[int, str]:
    """A new table: its number, and what a reader that did not write it finds in its card's picture."""
    number = next(numbers)
    made = requests.post(
        f"{installation.base}/tables",
        json={"tableNumber": number, "section": "Terrace"},
        headers={"Authorization": f"Token {token}"},
        timeout=10,
    ).json()
    picture = requests.get(f"{made['qrCodeUrl']}?size=600", timeout=10).content
    address = decoder.read(decoder.picture(picture))
    assert address == made["shortUrl"].upper()
    return number, address


def orders_of(installation: Installation, token: str, table: int) -> list[dict]:
    answer = requests.get(f"{installation.base}/kitchen", headers={"Authorization": f"Token {token}"}, timeout=10)
    return [order for order in answer.json()["orders"] if order["tableNumber"] == table]


def order_id_of(phone: Page) -> str:
    return re.search(r"/orders/([0-9a-f-]{36})$", phone.url)[1]


def ask_again_sooner(route: Route) -> None:
    """After one second instead of ten, where the page asks again without JavaScript."""
    response = route.fetch()
    body = response.text()
    every_ten_seconds = REFRESH.format(10)
    assert every_ten_seconds in body
    route.fulfill(response=response, body=body.replace(every_ten_seconds, REFRESH.format(1)))


@pytest.mark.parametrize("javascript", [True, False], ids=["with JavaScript", "without JavaScript"])
def test_scan_order_kitchen_and_back(installation, windows, card, javascript):
    number, address = card
    Orders(installation).make_room()
    kitchen = open_display(windows, installation, **HIGH)
    phone = windows.phone(java_script_enabled=javascript)
    phone.goto(address)
    assert phone.url.partition("?")[0] == f"{installation.base}/table/{number}"
    expect(phone.get_by_role("heading", level=1)).to_have_text(f"Table {number}")
    menu.add(phone, "Nocellara Olives", "Burrata & Charred Figs", "Nocellara Olives")
    bar = phone.locator("#cart-bar")
    expect(bar).to_contain_text("3 items")
    bar.tap()
    expect(phone.locator(".line")).to_have_count(2)
    olives = phone.locator(".line", has_text="Nocellara Olives")
    olives.locator("summary").tap()
    olives.locator("textarea").fill("No lemon peel")
    olives.locator("[name=more]").tap()
    expect(olives.locator("[name=quantity]")).to_have_value("3")
    expect(phone.locator("#total")).to_have_text("€26.00")
    phone.get_by_role("button", name="Place order").tap()
    expect(phone.get_by_role("heading", name="Order received")).to_be_visible()

    if not javascript:
        phone.route("**/orders/*", ask_again_sooner)
        phone.reload()
    shown = ticket(kitchen, order_id_of(phone))
    expect(shown).to_be_visible(timeout=5_000)
    for text in (str(number), "Nocellara Olives", "Burrata & Charred Figs", "No lemon peel"):
        expect(shown).to_contain_text(text)
    for status, word in (("preparing", "Preparing"), ("ready", "Ready"), ("served", "Served")):
        kitchen.wait_for_timeout(300)  # two taps at one place within that time are one: the ticket may stay where it is
        shown.locator(".ticket-next").click()
        if status != "served":
            expect(ticket(kitchen, order_id_of(phone))).to_have_attribute("data-status", status)
        # Without JavaScript the page asks again by itself.
        expect(phone.get_by_role("heading", name=word, exact=True)).to_be_visible()
        expect(phone).to_have_title(re.compile(f"^{word} · Table {number} · "))
    expect(shown).to_have_count(0)
    phone.unroute_all(behavior="ignoreErrors")
    assert windows.complaints == []


def test_an_order_taken_on_one_machine_is_on_the_displays_of_both(installation, windows, card, tmp_path):
    second_environment = {"DATABASE_URL": installation.database_url()}
    second = Installation(tmp_path / "second", options=(), environment=second_environment)
    # Compressing these takes most of a first start.
    shutil.copytree(installation.data_dir / "static", second.data_dir / "static")
    second.start()
    try:
        Orders(installation).make_room()
        here = open_display(windows, installation, **HIGH)
        there = open_display(windows, second, password=installation.passwords["floor"], **HIGH)
        phone = windows.phone()
        phone.goto(card[1])
        menu.add(phone, "Chickpea Panisse")
        phone.locator("#cart-bar").tap()
        phone.get_by_role("button", name="Place order").tap()
        phone.wait_for_url("**/orders/*")
        for kitchen in (here, there):
            expect(ticket(kitchen, order_id_of(phone))).to_be_visible(timeout=5_000)
        ticket(there, order_id_of(phone)).locator(".ticket-next").click()
        expect(ticket(here, order_id_of(phone))).to_have_attribute("data-status", "preparing")
    finally:
        second.stop()


def test_a_double_tap_is_one_order(installation, windows, card, token):
    phone = windows.phone()
    phone.goto(card[1])
    menu.add(phone, "Chickpea Panisse")
    phone.locator("#cart-bar").tap()
    phone.get_by_role("button", name="Place order").dblclick()
    phone.wait_for_url("**/orders/*")
    assert len(orders_of(installation, token, card[0])) == 1


def test_a_lost_answer_is_asked_for_again_and_is_one_order(installation, windows, card, token):
    phone = windows.phone()
    phone.goto(card[1])
    menu.add(phone, "Chickpea Panisse")
    phone.locator("#cart-bar").tap()
    # A browser that is on its way to a page may not yet let its requests be caught there.
    phone.wait_for_url("**/cart", wait_until="load")
    lost = []

    def lose_the_first_answer(route):
        if lost:
            route.continue_()
            return
        lost.append(route.fetch().status)  # the server has it, and its answer never arrives
        route.abort()

    phone.route("**/order", lose_the_first_answer)
    phone.get_by_role("button", name="Place order").tap()
    phone.wait_for_url("**/orders/*")
    assert lost == [200]
    assert len(orders_of(installation, token, card[0])) == 1


def test_an_order_that_is_refused_for_want_of_room_is_sent_again(installation, windows, card, token):
    phone = windows.phone()
    phone.goto(card[1])
    menu.add(phone, "Chickpea Panisse")
    phone.locator("#cart-bar").tap()
    phone.wait_for_url("**/cart", wait_until="load")
    phone.clock.install()
    full = {"status": 503, "headers": {"Retry-After": "12"}, "body": "{}"}
    phone.route("**/order", lambda route: route.fulfill(**full))
    phone.get_by_role("button", name="Place order").tap()
    for _ in range(3):
        expect(phone.get_by_role("button", name="Still trying…")).to_be_visible()
        with phone.expect_request("**/order"):
            phone.clock.run_for(12_000)
    expect(phone.locator("#cart-message")).to_contain_text("Not ordered yet")
    assert orders_of(installation, token, card[0]) == []
    phone.unroute("**/order")
    phone.get_by_role("button", name="Place order").tap()
    phone.wait_for_url("**/orders/*")
    assert len(orders_of(installation, token, card[0])) == 1


def test_two_pages_of_one_cart_make_one_order(installation, windows, card, token):
    phone = windows.phone()
    phone.goto(card[1])
    menu.add(phone, "Chickpea Panisse")
    phone.locator("#cart-bar").tap()
    phone.wait_for_url("**/cart", wait_until="load")
    others = [phone.context.new_page() for _ in range(2)]
    for other in others:
        other.goto(phone.url)
    phone.get_by_role("button", name="Place order").tap()
    phone.wait_for_url("**/orders/*")
    others[0].get_by_role("button", name="Place order").tap()
    expect(others[0].get_by_role("alert").first).to_contain_text("sent from another page of this phone")
    others[1].evaluate("document.dispatchEvent(new Event('visibilitychange'))")  # it is looked at again
    for other in others:
        expect(other.get_by_text("Your order is empty")).to_be_visible()
    assert len(orders_of(installation, token, card[0])) == 1


def test_without_a_connection_nothing_is_lost_and_the_page_says_so(installation, windows, card, token):
    phone = windows.phone()
    phone.goto(card[1])
    phone.context.set_offline(True)
    menu.add(phone, "Chickpea Panisse")
    expect(phone.locator("#toast")).to_contain_text("No connection: Chickpea Panisse was not changed.")
    phone.context.set_offline(False)
    menu.add(phone, "Chickpea Panisse")
    expect(phone.locator("#cart-bar")).to_contain_text("1 item")
    phone.locator("#cart-bar").tap()
    phone.wait_for_url("**/cart*")
    phone.context.set_offline(True)
    phone.get_by_role("button", name="Place order").tap()
    expect(phone.locator("#cart-message")).to_contain_text("won't be placed twice", timeout=10_000)
    phone.context.set_offline(False)
    phone.get_by_role("button", name="Place order").tap()
    phone.wait_for_url("**/orders/*")
    assert len(orders_of(installation, token, card[0])) == 1


def test_an_order_page_that_lost_its_socket_still_follows(installation, windows, card, token):
    phone = windows.phone()
    phone.clock.install()
    phone.add_init_script("window.WebSocket = class { constructor() { this.readyState = 3; } };")
    phone.goto(card[1])
    menu.add(phone, "Chickpea Panisse")
    phone.locator("#cart-bar").tap()
    phone.get_by_role("button", name="Place order").tap()
    phone.wait_for_url("**/orders/*")
    requests.post(
        f"{installation.base}/orders/{order_id_of(phone)}/status",
        json={"status": "ready"},
        headers={"Authorization": f"Token {token}"},
        timeout=10,
    )
    phone.clock.run_for(7_000)
    expect(phone.get_by_role("heading", name="Ready", exact=True)).to_be_visible()


def test_an_order_placed_right_after_a_change_does_not_come_back_into_the_cart(installation, windows, card, token):
    phone = windows.phone()
    phone.goto(card[1])
    menu.add(phone, "Chickpea Panisse")
    phone.locator("#cart-bar").tap()
    phone.wait_for_url("**/cart", wait_until="load")  # its scripts run by then
    phone.evaluate("document.querySelector('[name=more]').click(); document.querySelector('#place').click()")
    phone.wait_for_url("**/orders/*")
    assert [item["quantity"] for item in orders_of(installation, token, card[0])[0]["items"]] == [2]
    phone.wait_for_timeout(1000)
    phone.goto(f"{installation.base}/table/{card[0]}/cart")
    expect(phone.locator(".line")).to_have_count(0)


def test_going_back_after_ordering_shows_what_was_ordered_and_no_old_cart(installation, windows, card, token):
    phone = windows.phone()
    phone.goto(card[1])
    menu.add(phone, "Chickpea Panisse")
    phone.locator("#cart-bar").tap()
    phone.get_by_role("button", name="Place order").tap()
    phone.wait_for_url("**/orders/*")
    phone.go_back()
    expect(phone.get_by_role("heading", name="Your table's orders")).to_be_visible()
    expect(phone.locator(".line")).to_have_count(0)
    phone.go_back()
    expect(phone.locator("#cart-bar")).to_be_hidden()


def test_a_change_made_right_before_going_to_the_menu_is_kept(installation, windows, card):
    phone = windows.phone()
    phone.goto(card[1])
    menu.add(phone, "Chickpea Panisse")
    phone.locator("#cart-bar").tap()
    phone.wait_for_url("**/cart", wait_until="load")  # its scripts run by then
    phone.evaluate("document.querySelector('[name=more]').click(); document.querySelector('.back').click()")
    expect(phone.locator("#cart-bar")).to_contain_text("2 items")
