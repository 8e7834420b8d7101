"""The page of an order moves on with the kitchen, and says when it can't."""

import re
from collections.abc import Callable

import pytest
import requests
from playwright.sync_api import Page, Route, expect

from tests.browser import menu
from tests.browser.accessible import check
from tests.servers import Installation

pytestmark = pytest.mark.browser

TABLE = 2
SOON = 10_000  # milliseconds
# What would be felt: a desk has no motor.
FEEL = """window.felt = [];
Navigator.prototype.vibrate = (pattern) => { felt.push(pattern); return true; };"""


@pytest.fixture(scope="module")
def kitchen(installation: Installation) -> Callable[..., None]:
    """Sends what a display sends."""
    headers = {"Authorization": f"Token {installation.token('floor')}"}

    def send(page: Page, path: str, **body: object) -> None:
        address = f"{page.url}/{path}"
        requests.post(address, json=body, headers=headers, timeout=10).raise_for_status()

    return send


def order(phone: Page, installation: Installation) -> None:
    phone.goto(f"{installation.base}/table/{TABLE}")
    menu.add(phone, "Nocellara Olives", "Chickpea Panisse")
    phone.locator("#cart-bar").tap()
    phone.get_by_role("button", name="Place order").tap()
    phone.wait_for_url(re.compile(r"/orders/[0-9a-f-]{36}$"))


# What moves for as long as somebody waits, and is not left to the compositor: drawn again for every frame.
PAINTED = """document.getAnimations().filter((each) => {
    const { iterations } = each.effect.getComputedTiming();
    const moved = each.effect.getKeyframes().flatMap((frame) => Object.keys(frame));
    const usual = ["offset", "easing", "composite", "computedOffset", "transform", "opacity"];
    const isPainted = each.effect.target.closest("svg") || moved.some((name) => !usual.includes(name));
    return iterations === Infinity && isPainted;
}).map((each) => each.animationName)"""


def test_who_waits_has_a_page_that_moves_and_leaves_the_phone_its_battery(installation, windows, kitchen):
    phone = windows.phone(reduced_motion="no-preference")
    order(phone, installation)
    endless = "document.getAnimations().map((each) => each.effect.getComputedTiming().iterations)"
    assert float("inf") in phone.evaluate(endless)
    assert phone.evaluate(PAINTED) == []
    kitchen(phone, "status", status="preparing")
    expect(phone.get_by_role("heading", level=1)).to_have_text("Preparing", timeout=SOON)
    assert float("inf") in phone.evaluate(endless)
    assert phone.evaluate(PAINTED) == []


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_dishes_become_ready_one_by_one_and_then_the_phone_vibrates(installation, windows, kitchen, motion):
    phone = windows.phone(reduced_motion=motion)
    phone.add_init_script(FEEL)
    order(phone, installation)
    expect(phone.get_by_role("heading", name="Order received")).to_be_visible()
    phone.get_by_role("heading", level=1).tap()
    kitchen(phone, "items/0/done", done=True)
    expect(phone.get_by_text("1 of 2 ready")).to_be_visible(timeout=SOON)
    lines = phone.locator(".what-line")
    expect(lines.nth(0)).to_contain_text("Ready")
    expect(lines.nth(1)).to_contain_text("In the kitchen")
    check(phone)
    assert phone.evaluate("felt") == []
    kitchen(phone, "items/1/done", done=True)
    expect(phone.get_by_role("heading", level=1)).to_have_text("Ready", timeout=SOON)
    expect(phone).to_have_title(re.compile(rf"^Ready · Table {TABLE} · "))
    expect(phone.locator(".what-sign-done")).to_have_count(2)
    assert phone.evaluate("felt.length") == (1 if motion == "no-preference" else 0)
    check(phone)
    phone.get_by_role("link", name="Order more").tap()
    expect(phone.get_by_role("heading", level=1)).to_have_text(f"Table {TABLE}")
    assert windows.complaints == []


def test_a_lost_connection_is_said_and_what_happened_meanwhile_is_shown(installation, windows, kitchen):
    phone = windows.phone()
    order(phone, installation)
    phone.context.set_offline(True)
    expect(phone.get_by_text("You're offline")).to_be_visible(timeout=SOON)
    check(phone)
    kitchen(phone, "status", status="preparing")
    phone.context.set_offline(False)
    expect(phone.get_by_text("Connected again.")).to_be_visible(timeout=SOON)
    expect(phone.get_by_text("You're offline")).to_be_hidden()
    expect(phone.get_by_role("heading", level=1)).to_have_text("Preparing", timeout=SOON)


def test_after_a_call_the_button_gives_way_to_the_answer(installation, windows):
    phone = windows.phone()
    order(phone, installation)
    phone.get_by_role("button", name="Call the waiter").tap()
    expect(phone.get_by_text("Somebody is on the way.")).to_be_visible()
    expect(phone.get_by_role("button", name="Call the waiter")).to_have_count(0)
    expect(phone.get_by_role("button", name="Ask to pay")).to_be_visible()
    check(phone)


def test_a_call_and_a_cancellation_for_which_there_is_no_room_are_sent_again(installation, windows):
    phone = windows.phone()
    order(phone, installation)
    refused = []

    def refuse_the_first(route: Route) -> None:
        if route.request.url in refused:
            route.continue_()
            return
        refused.append(route.request.url)
        route.fulfill(status=503, headers={"Retry-After": "1"}, body="")

    phone.route(re.compile(r"/(cancel|calls)$"), refuse_the_first)
    phone.get_by_role("button", name="Ask to pay").tap()
    expect(phone.locator(".calls-failed")).to_have_text("Still trying…")
    expect(phone.get_by_text("Somebody is on the way with the bill.")).to_be_visible()
    expect(phone.locator(".calls-failed")).to_be_hidden()
    phone.get_by_text("Cancel this order").tap()
    phone.get_by_role("button", name="Yes, cancel it").tap()
    expect(phone.locator("#cancel .notice")).to_have_text("Still trying…")
    expect(phone.get_by_text("You cancelled this order.")).to_be_visible()
    assert len(refused) == 2
