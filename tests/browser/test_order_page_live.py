"""The page of an order moves on with the kitchen, and says when it can't."""

import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest
import requests
from playwright.sync_api import Page, expect

from tests.browser import menu
from tests.servers import PATIENCE, Installation, wait_for

pytestmark = pytest.mark.browser

TABLE = 2


@pytest.fixture(scope="module")
def kitchen(installation: Installation) -> Callable[..., None]:
    """Sends what a display sends."""
    headers = {"Authorization": f"Token {installation.token('floor')}"}

    def send(page: Page, path: str, **body: object) -> None:
        address = f"{page.url}/{path}"
        requests.post(address, json=body, headers=headers, timeout=PATIENCE).raise_for_status()

    return send


def order(phone: Page) -> None:
    menu.order(phone, "Nocellara Olives", "Chickpea Panisse")


# What would be felt: a desk has no motor.
FEEL = """window.felt = [];
Navigator.prototype.vibrate = (pattern) => { felt.push(pattern); return true; };"""
# What moves for as long as somebody waits; and of that what is not left to the compositor: drawn again for every frame.
ENDLESS = """document.getAnimations().filter((each) => each.effect.getComputedTiming().iterations === Infinity)"""
PAINTED = f"""{ENDLESS}.filter((each) => {{
    const moved = each.effect.getKeyframes().flatMap((frame) => Object.keys(frame));
    const usual = ["offset", "easing", "composite", "computedOffset", "transform", "opacity"];
    return each.effect.target.closest("svg") || moved.some((name) => !usual.includes(name));
}}).map((each) => each.animationName)"""


def test_dishes_become_ready_one_by_one_and_then_a_phone_whose_page_moves_vibrates(installation, windows, kitchen):
    phone = windows.phone(reduced_motion="no-preference")
    phone.add_init_script(FEEL)
    phone.clock.install()
    phone.goto(f"{installation.base}/table/{TABLE}")
    order(phone)
    title = phone.get_by_role("heading", level=1)
    expect(title).to_have_text("Order received")
    phone.clock.pause_at(datetime.now(UTC) + timedelta(hours=1))  # it polls no more: the socket says it all
    title.tap()
    assert phone.evaluate(f"{ENDLESS}.length") > 0
    assert phone.evaluate(PAINTED) == []
    kitchen(phone, "status", status="preparing")
    expect(title).to_have_text("Preparing")
    assert phone.evaluate(f"{ENDLESS}.length") > 0
    assert phone.evaluate(PAINTED) == []
    kitchen(phone, "items/0/done", done=True)
    expect(phone.get_by_text("1 of 2 ready")).to_be_visible()
    lines = phone.get_by_role("region", name="Your order").get_by_role("listitem")
    expect(lines.nth(0)).to_contain_text("Ready")
    expect(lines.nth(1)).to_contain_text("In the kitchen")
    assert phone.evaluate("felt.length") == 0
    kitchen(phone, "items/1/done", done=True)
    expect(title).to_have_text("Ready")
    expect(phone).to_have_title(re.compile(rf"^Ready · Table {TABLE} · "))
    expect(phone.locator(".what-sign-done")).to_have_count(2)
    assert phone.evaluate("felt.length") == 1
    # Who wants no motion wants none of the phone either.
    phone.clock.resume()
    phone.emulate_media(reduced_motion="reduce")
    phone.get_by_role("link", name="Order more").tap()
    order(phone)
    title.tap()
    kitchen(phone, "status", status="ready")
    expect(title).to_have_text("Ready")
    assert phone.evaluate("felt.length") == 0
    assert windows.complaints == []


def test_without_a_connection_the_page_says_so_and_without_a_socket_it_follows(installation, windows, kitchen):
    phone = windows.phone()
    phone.goto(f"{installation.base}/table/{TABLE}")
    order(phone)
    title = phone.get_by_role("heading", level=1)
    phone.context.set_offline(True)
    expect(phone.get_by_text("You're offline")).to_be_visible()
    kitchen(phone, "status", status="preparing")
    phone.context.set_offline(False)
    expect(phone.get_by_text("Connected again.")).to_be_visible()
    expect(phone.get_by_text("You're offline")).to_be_hidden()
    expect(title).to_have_text("Preparing")
    phone.add_init_script("window.WebSocket = class { constructor() { this.readyState = 3; } };")
    phone.clock.install()
    phone.reload()
    kitchen(phone, "status", status="ready")
    phone.clock.run_for(7_000)
    expect(title).to_have_text("Ready")


def test_calls_and_a_cancellation_are_sent_again_where_there_is_no_room(installation, windows):
    phone = windows.phone()
    phone.goto(f"{installation.base}/table/{TABLE}")
    order(phone)
    waiter, pay = (phone.get_by_role("button", name=name) for name in ("Call the waiter", "Ask to pay"))
    waiter.tap()
    expect(phone.get_by_text("Somebody is on the way.")).to_be_visible()
    expect(waiter).to_have_count(0)
    phone.clock.install()
    full = {"status": 503, "headers": {"Retry-After": "12"}, "body": ""}
    phone.route("**/calls", lambda route: route.fulfill(**full))
    trying, failed = phone.get_by_text("Still trying…"), phone.get_by_text("That didn't reach us.")
    pay.tap()
    expect(trying).to_be_visible()
    wait_for(lambda: phone.clock.fast_forward(15_000) or failed.is_visible(), "its last try")
    pay.tap()
    expect(trying).to_be_visible()
    phone.unroute_all()
    phone.clock.run_for(12_000)
    expect(phone.get_by_text("Somebody is on the way with the bill.")).to_be_visible()
    expect(trying).to_be_hidden()
    phone.route("**/cancel", lambda route: route.fulfill(**full))
    phone.get_by_text("Cancel this order").tap()
    phone.get_by_role("button", name="Yes, cancel it").tap()
    expect(trying).to_be_visible()
    phone.unroute_all()
    phone.clock.run_for(12_000)
    expect(phone.get_by_text("You cancelled this order.")).to_be_visible()
