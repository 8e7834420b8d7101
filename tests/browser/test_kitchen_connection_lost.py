"""The kitchen display loses its connection, says so, and misses nothing.

A longer outage only means a longer wait for the next attempt, which stops growing after 12 seconds.
"""

import re
from datetime import timedelta

import pytest
from playwright.sync_api import Page, WebSocketRoute, expect

from tests.browser.kitchen import (
    COUNT_TONES,
    LIVE,
    open_display,
    open_stopped,
    shown,
    start_clock,
    stop_clock,
    venue_time,
    wait_until_shown,
)
from tests.servers import wait_for

pytestmark = pytest.mark.browser

COUNT_LOCKS = """
    window.requested = [];
    navigator.wakeLock.request = async (kind) => { requested.push(kind); return { released: false }; };
"""


@pytest.fixture(autouse=True)
def _a_table_and_a_few_orders(orders):
    orders.serve_all()
    orders.sit_down()
    orders.place_many(3)


def expect_red(page: Page, words: str) -> None:
    banner = page.locator("#connection-banner")
    expect(banner).to_be_visible()
    expect(banner).to_contain_text("NOT CONNECTED since")
    expect(banner).to_contain_text(words)
    expect(page.locator("#connection-text")).to_have_text("Not connected")


def expect_calm(page: Page) -> None:
    expect(page.locator("#connection-banner")).to_be_hidden()
    expect(page.locator("#connection-text")).to_have_text(LIVE)


def test_it_says_how_old_it_is_and_rings_once_for_all_that_came_while_it_was_cut_off(windows, installation, orders):
    """On a device that is set to another zone than the venue, and whose clock goes on by seconds of this test."""

    def prepare(page: Page) -> None:
        page.add_init_script(COUNT_TONES + COUNT_LOCKS)
        open_stopped(page)

    page = open_display(windows, installation, prepare=prepare, timezone_id="Asia/Tokyo")
    assert page.evaluate("requested") == ["screen"]  # it is kept awake
    expect(page.locator("#sound-button")).to_have_text("Tap to turn on sound")
    page.locator(".column-heading").first.click()
    expect(page.locator("#sound-button")).to_have_text("Sound on")
    expect(page.locator("#connection-text")).to_have_text("Updated 0 s ago")
    page.clock.run_for(3000)
    expect(page.locator("#connection-text")).to_have_text("Updated 3 s ago")
    with page.expect_response("**/kitchen?times=true*"):
        page.clock.run_for(1000)
    expect(page.locator("#connection-text")).to_have_text("Updated 0 s ago")

    before = orders.by_status()
    started, served, _ = before["pending"]
    wait_until_shown(page, before)
    page.context.set_offline(True)
    orders.place_many(4)
    orders.move(started, "preparing")
    orders.move(served, "served")
    page.clock.run_for(9000)
    expect_red(page, "Orders may be missing")
    expect(page.locator("#banner-headline")).to_have_text(venue_time(r":\d\d"))
    orders.place_many(4)
    page.clock.run_for(5000)
    assert shown(page) == before  # what it last knew, and the banner over it
    assert page.evaluate("tones") == 0

    page.context.set_offline(False)
    wait_until_shown(page, orders.by_status())
    assert sum(map(len, shown(page).values())) == 10
    assert shown(page)["preparing"] == [started]
    expect_calm(page)
    page.clock.run_for(3000)
    expect(page.locator("#announcer")).to_have_text("8 new orders")
    page.wait_for_function("() => tones >= 2")
    page.clock.run_for(6000)
    assert page.evaluate("tones") in {2, 4}  # one chime of two tones, or two; not eight


class Sockets:
    """Between a display and the socket server: through, cut, or silent, which is open and passes nothing on."""

    def __init__(self) -> None:
        self.mode, self.opened = "through", []

    def __call__(self, route: WebSocketRoute) -> None:
        if self.mode == "cut":
            route.close()
            return
        self.opened.append(route)
        if self.mode == "through":
            route.connect_to_server()
        self.mode = "through"  # whatever comes after a silent one


def test_a_socket_that_is_lost_or_silent_is_replaced_and_meanwhile_the_orders_are_read(windows, installation, orders):
    sockets = Sockets()

    def prepare(page: Page) -> None:
        start_clock(page)
        page.route_web_socket(re.compile("^ws:"), sockets)

    page = open_display(windows, installation, prepare=prepare)
    # What it does not know is ignored.
    for text in ('{"type": "weather", "rain": true}', '{"type": "order_update"}', "[]", "7", "null", "{"):
        sockets.opened[-1].send(text)
    orders.place()
    wait_until_shown(page, orders.by_status())
    assert windows.complaints == []

    sockets.mode = "cut"
    sockets.opened[-1].close()
    orders.place_many(3)
    expect_red(page, "New orders may appear up to 5 s late")
    wait_until_shown(page, orders.by_status())  # the open orders are read anew all the same
    expect(page.locator("#connection-banner")).to_be_visible()

    sockets.mode = "silent"
    expect_calm(page)
    missed = orders.place()
    orders.make_older({missed: timedelta(seconds=-3)})  # long after the socket was opened
    wait_until_shown(page, orders.by_status())
    # It does not wait for the socket to say that it is dead.
    wait_for(lambda: page.evaluate("true") and len(sockets.opened) == 3, "another socket")
    expect_calm(page)
    stop_clock(page)  # from here on it reads nothing
    orders.place()
    wait_until_shown(page, orders.by_status())
    assert len(sockets.opened) == 3


def test_a_display_whose_session_has_ended_says_so(windows, installation, orders):
    page = open_display(windows, installation, prepare=open_stopped)
    page.context.clear_cookies()
    page.clock.fast_forward(5000)
    expect(page.locator("#connection-banner")).to_contain_text("Signed out")
