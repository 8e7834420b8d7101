"""Cancelled orders and parts of them on two kitchen displays, and on the phone of the guest."""

import re

import pytest
import requests
from playwright.sync_api import Page, WebSocketRoute, expect

from tests.browser.kitchen import LIVE, SOON, Orders, open_display, ticket

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def orders(installation) -> Orders:
    return Orders(installation)


@pytest.fixture
def displays(windows, installation, orders) -> tuple[Page, Page]:
    orders.serve_all()
    orders.sit_down()
    orders.place()
    return open_display(windows, installation), open_display(windows, installation)


def cancel(orders: Orders, order: str, **body) -> None:
    made = requests.post(
        f"{orders.base}/orders/{order}/cancel", json={"reason": "mistake", **body}, headers=orders.headers, timeout=10
    )
    assert made.ok, made.text


def test_a_cancelled_ticket_stays_struck_through_until_somebody_has_seen_it(displays, orders, windows):
    here, there = displays
    order = orders.place(items=2, quantity=3)
    orders.move(order, "preparing")
    for page in displays:
        expect(ticket(page, order)).to_have_attribute("data-status", "preparing")
    cancel(orders, order)
    for page in displays:
        shown = page.locator(f'#column-preparing .ticket[data-order="{order}"]')
        expect(shown.get_by_text("CANCELLED", exact=True)).to_be_visible(timeout=SOON)
        expect(shown.locator(".is-cancelled .item-name").first).to_have_css("text-decoration-line", "line-through")
        expect(shown.locator(".ticket-menu")).to_be_hidden()
        expect(page.locator("#column-preparing .count")).to_have_text("0")
        expect(page.locator("#announcer")).to_contain_text(f"Table {orders.table}: order cancelled")
    here.reload()  # nobody has seen it yet: it is still where it was
    expect(here.locator(f'#column-preparing .ticket[data-order="{order}"] .ticket-cancelled')).to_be_visible()
    ticket(here, order).get_by_role("button", name="Acknowledge").click()
    for page in displays:
        expect(ticket(page, order)).to_have_count(0, timeout=SOON)
    there.reload()
    there.wait_for_selector(".ticket")
    expect(ticket(there, order)).to_have_count(0)
    assert windows.complaints == []


def test_a_cancelled_part_is_struck_through_and_counts_no_more(displays, orders):
    here, _ = displays
    order = orders.place(items=2, quantity=3)
    expect(ticket(here, order)).to_be_visible()
    here.locator("#counts-button").click()
    for number, quantity in ((0, 2), (1, 3)):
        cancel(orders, order, items=[{"position": number, "quantity": quantity}])
    first, second = ticket(here, order).locator(".item").all()
    expect(first.locator(".item-quantity")).to_have_text("1×", timeout=SOON)
    expect(first.locator(".item-gone")).to_have_text("2×")
    expect(second).to_have_class(re.compile("is-cancelled"))
    counts = here.locator("#counts-list")
    expect(counts.locator("li", has_text=orders.dishes[0]["name"]).locator("b")).to_have_text("2")  # one of each order
    expect(counts.locator("li", has_text=orders.dishes[1]["name"])).to_have_count(0)
    expect(ticket(here, order).locator(".ticket-next")).to_have_text(re.compile("Start"))


def test_the_way_to_cancel_is_far_from_the_next_step(displays, orders):
    here, _ = displays
    [order] = orders.by_status()["pending"]
    menu = ticket(here, order).get_by_role("button", name="Sold out or cancel…")
    menu.click()
    link = here.get_by_role("link", name="Cancel the order, or a part of it…")
    assert link.get_attribute("href") == f"/orders/{order}/cancel?next=/kitchen"
    here.keyboard.press("Escape")
    box, step = menu.bounding_box(), ticket(here, order).locator(".ticket-next").bounding_box()
    assert min(box["width"], box["height"]) >= 44
    assert step["y"] - (box["y"] + box["height"]) >= 24


def test_messages_that_a_display_does_not_know_are_ignored(windows, displays, orders):
    page = windows.open(storage_state=displays[0].context.storage_state())
    sockets = []

    def route(socket: WebSocketRoute) -> None:
        socket.connect_to_server()
        sockets.append(socket)

    page.route_web_socket(re.compile("^ws://"), route)
    page.goto(f"{orders.base}/kitchen")
    expect(page.locator("#connection-text")).to_have_text(LIVE)
    for text in ('{"type": "weather", "rain": true}', '{"type": "order_update"}', "[]", "7", "null", "{"):
        sockets[-1].send(text)
    order = orders.place()
    expect(ticket(page, order)).to_be_visible(timeout=SOON)
    assert windows.complaints == []


def test_the_guest_sees_at_once_what_was_cancelled(windows, displays, orders):
    order = orders.place(items=2, quantity=2)
    phone = windows.phone()
    phone.goto(f"{orders.base}/orders/{order}")
    phone.wait_for_timeout(500)
    cancel(orders, order, reason="sold_out", items=[{"position": 0, "quantity": 1}])
    expect(phone.locator(".what-gone")).to_have_count(1, timeout=SOON)
    cancel(orders, order, reason="sold_out")
    expect(phone.get_by_role("heading", name="Cancelled")).to_be_visible(timeout=SOON)
    expect(phone.get_by_text("Sorry, what you ordered has sold out.")).to_be_visible(timeout=SOON)
    expect(phone.locator(".what-gone")).to_have_count(2)
    expect(phone).to_have_title(re.compile("^Cancelled"))
