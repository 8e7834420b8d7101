"""Two kitchen displays show the same tickets in the same columns, whoever moves or cancels them.

Their devices are set to another zone than the venue. The second one's clock stands from the start, so that it asks for
nothing by itself: what it shows has come by the socket. A clock that is stopped later jumps. On a busy machine that
ends a poll, the display says that it has no connection, and its tickets move away from where a test is about to tap.
"""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, WebSocketRoute, expect

from tests.browser.kitchen import (
    HIGH,
    open_display,
    open_stopped,
    shown,
    start_clock,
    ticket,
    venue_time,
    wait_until_shown,
)
from tests.servers import wait_for

pytestmark = pytest.mark.browser


@pytest.fixture
def displays(windows, installation, orders) -> tuple[Page, Page]:
    orders.serve_all()
    orders.sit_down()
    orders.place()
    device = {"timezone_id": "Asia/Tokyo", **HIGH}
    here = open_display(windows, installation, prepare=start_clock, **device)
    there = open_display(windows, installation, prepare=open_stopped, **device)
    assert there.evaluate("new Date().getTimezoneOffset()") == -9 * 60
    return here, there


def move_on(page: Page, order: str) -> None:
    ticket(page, order).locator(".ticket-next").click()
    page.clock.fast_forward(500)  # sooner another tap at this place would be a double one


def expect_status(page: Page, order: str, status: str) -> None:
    expect(ticket(page, order)).to_have_attribute("data-status", status)


def test_after_a_burst_of_orders_and_moves_from_both_they_show_the_same(displays, orders):
    here, there = displays
    there.clock.resume()
    placed = orders.place_many(6)
    for page in displays:
        wait_until_shown(page, orders.by_status())
    for number, order in enumerate(placed[:4]):
        move_on((here, there)[number % 2], order)
    for order in placed[:2]:
        for page in displays:
            expect_status(page, order, "preparing")
    for number, order in enumerate(placed[:2]):
        move_on((there, here)[number % 2], order)
    orders.place()
    for page in displays:
        expect_status(page, placed[1], "ready")
        expect(page.locator(".is-sending")).to_have_count(0)
        wait_until_shown(page, orders.by_status())
    assert shown(here) == shown(there)
    assert [len(ids) for ids in shown(here).values()] == [4, 2, 2]


def test_a_second_tap_of_the_same_finger_does_not_move_the_ticket_that_is_there_by_then(displays, orders):
    other, here = displays
    second = orders.place()
    first = orders.by_status()["pending"][0]
    expect(ticket(here, second)).to_be_attached()
    here.clock.fast_forward(500)  # the tickets are fitted to the screen
    box = ticket(here, first).locator(".ticket-next").bounding_box()
    point = (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    here.mouse.click(*point)
    expect_status(other, first, "preparing")
    here.mouse.click(*point)
    expect(ticket(here, second).locator(".ticket-next")).to_have_text(re.compile("^Start"))
    here.clock.fast_forward(500)
    here.mouse.click(*point)
    expect_status(other, second, "preparing")
    assert orders.by_status()["preparing"] == [first, second]


def test_a_step_is_undone_for_some_seconds_and_the_other_display_sees_both(displays, orders):
    other, here = displays
    [order] = orders.by_status()["pending"]
    move_on(here, order)
    expect_status(other, order, "preparing")
    expect(other.locator("#undo-bar")).to_be_hidden()  # it is for whoever tapped
    here.get_by_role("button", name=f"Undo: table {orders.table} back to New").click()
    expect_status(other, order, "pending")
    expect(here.locator("#undo-bar")).to_be_hidden()
    assert orders.by_status()["pending"] == [order]
    move_on(here, order)
    expect_status(here, order, "preparing")
    here.clock.fast_forward(4000)
    expect(here.locator("#connection-text")).to_have_text("Updated 0 s ago")
    expect(here.locator("#undo-bar")).to_be_visible()
    here.clock.fast_forward(4500)
    expect(here.locator("#undo-bar")).to_be_hidden()
    expect(here.locator("#connection-banner")).to_be_hidden()


def test_messages_that_come_late_do_not_take_the_last_step_s_undo_away(windows, installation, orders):
    orders.serve_all()
    orders.sit_down()
    order = orders.place()
    late: list[Callable[[], None]] = []

    def hold(browser: WebSocketRoute) -> None:
        server = browser.connect_to_server()
        server.on_message(lambda message: late.append(lambda: browser.send(message)))

    def prepare(page: Page) -> None:
        open_stopped(page)
        page.route_web_socket(re.compile("^ws:"), hold)

    page = open_display(windows, installation, prepare=prepare, **HIGH)
    for status in ("preparing", "pending", "preparing"):
        with page.expect_response(re.compile("/status$")):
            if status == "pending":
                page.get_by_role("button", name="Undo:").click()
            else:
                move_on(page, order)
        expect_status(page, order, status)
    wait_for(lambda: page.evaluate("true") and len(late) == 3, "a message for each step")
    for send in late:
        send()
    expect_status(page, order, "preparing")
    expect(page.get_by_role("button", name=f"Undo: table {orders.table} back to New")).to_be_visible()


def test_a_served_order_is_recalled_on_any_display(displays, orders):
    here, there = displays
    earlier = orders.place()
    orders.move(earlier, "served")
    first = orders.by_status()["pending"][0]
    orders.move(first, "ready")
    expect_status(here, first, "ready")
    move_on(here, first)
    expect(ticket(there, first)).to_have_count(0)
    for page in displays:
        expect(page.locator("#clock")).to_have_text(venue_time())
        page.get_by_role("button", name="Recall").click()
        expect(page.locator(".recalled").nth(1)).to_have_attribute("data-order", earlier)  # the latest first
        expect(page.locator(".recalled-when").first).to_have_text(venue_time())
    expect(there.locator(".recalled").first).to_have_attribute("data-order", first)
    there.locator(".recalled").first.get_by_role("button", name=f"Back to Ready Table {orders.table}").click()
    expect(there.locator("#recall")).to_be_hidden()
    expect(here.locator(".recalled").first).to_have_attribute("data-order", earlier)  # also while it is open
    for page in displays:
        expect_status(page, first, "ready")


def test_what_is_cancelled_is_struck_through_until_somebody_has_seen_it_and_the_guest_is_told(
    displays, orders, windows
):
    here, there = displays
    order = orders.place(items=2, quantity=3)
    phone = windows.phone()
    phone.goto(f"{orders.base}/orders/{order}")
    here.locator("#counts-button").click()
    orders.move(order, "preparing")
    for page in displays:
        expect_status(page, order, "preparing")
    for number, quantity in ((0, 2), (1, 3)):
        orders.cancel(order, items=[{"position": number, "quantity": quantity}])
    for page in displays:
        first, second = ticket(page, order).get_by_role("listitem").all()
        expect(first.locator(".item-quantity")).to_have_text("1×")
        expect(first.locator(".item-gone")).to_have_text("2×")
        expect(second).to_have_class(re.compile("is-cancelled"))
    counts = here.locator("#counts-list")
    expect(counts.locator("li", has_text=orders.dishes[0]["name"]).locator("b")).to_have_text("2")  # one of each order
    expect(counts.locator("li", has_text=orders.dishes[1]["name"])).to_have_count(0)
    expect(ticket(here, order).locator(".ticket-next")).to_have_text(re.compile("^Mark ready"))
    expect(phone.locator(".what-gone")).to_have_count(2)

    orders.cancel(order, reason="sold_out")
    for page in displays:
        struck = page.locator("#column-preparing").locator(ticket(page, order))
        expect(struck.get_by_text("CANCELLED", exact=True)).to_be_visible()
        expect(struck.locator(".ticket-menu")).to_be_hidden()
        expect(page.locator("#column-preparing .count")).to_have_text("0")
    there.clock.run_for(3000)  # what is read out waits for the sentence before it
    for page in displays:
        expect(page.locator("#announcer")).to_contain_text(f"Table {orders.table}: order cancelled")
    expect(phone.get_by_role("heading", name="Cancelled")).to_be_visible()
    expect(phone.get_by_text("Sorry, what you ordered has sold out.")).to_be_visible()
    expect(phone).to_have_title(re.compile("^Cancelled"))
    here.reload()  # nobody has seen it yet: it is still where it was
    expect(here.locator("#column-preparing").locator(ticket(here, order)).locator(".ticket-cancelled")).to_be_visible()
    ticket(here, order).get_by_role("button", name="Acknowledge").click()
    for page in displays:
        expect(ticket(page, order)).to_have_count(0)
    there.reload()
    expect(there.locator(".ticket").first).to_be_attached()
    expect(ticket(there, order)).to_have_count(0)
    assert windows.complaints == []
