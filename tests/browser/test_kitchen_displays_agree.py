"""Two kitchen displays show the same tickets in the same columns, whoever moves them."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.kitchen import SOON, Orders, open_display, shown, wait_until_shown

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def orders(installation) -> Orders:
    return Orders(installation)


@pytest.fixture
def displays(windows, installation, orders) -> tuple[Page, Page]:
    orders.serve_all()
    orders.sit_down()
    orders.place()
    here, there = open_display(windows, installation), open_display(windows, installation)
    there.set_viewport_size({"width": 1920, "height": 1080})
    return here, there


def move_on(page: Page, order: str) -> None:
    page.locator(f'[data-order="{order}"] .ticket-next').click()


def test_after_a_burst_of_orders_and_moves_from_both_they_show_the_same(displays, orders):
    here, there = displays
    placed = orders.place_many(12)
    for page in displays:
        wait_until_shown(page, orders.by_status())
    for number, order in enumerate(placed[:8]):
        move_on((here, there)[number % 2], order)
    for order in placed[:4]:
        for page in displays:
            expect(page.locator(f'[data-order="{order}"]')).to_have_attribute("data-status", "preparing")
    for number, order in enumerate(placed[:4]):
        move_on((there, here)[number % 2], order)
    placed += orders.place_many(3)
    for page in displays:
        expect(page.locator(f'[data-order="{placed[3]}"]')).to_have_attribute("data-status", "ready")
        expect(page.locator(".is-sending")).to_have_count(0)
        wait_until_shown(page, orders.by_status())
    assert shown(here) == shown(there)
    assert [len(ids) for ids in shown(here).values()] == [8, 4, 4]


def test_undo_on_one_is_seen_on_the_other(displays, orders):
    here, there = displays
    [order] = orders.by_status()["pending"]
    move_on(here, order)
    expect(there.locator(f'[data-order="{order}"]')).to_have_attribute("data-status", "preparing", timeout=SOON)
    expect(there.locator("#undo-bar")).to_be_hidden()  # it is for whoever tapped
    here.get_by_role("button", name=f"Undo: table {orders.table} back to New").click()
    expect(there.locator(f'[data-order="{order}"]')).to_have_attribute("data-status", "pending", timeout=SOON)
    expect(here.locator("#undo-bar")).to_be_hidden()
    assert orders.by_status()["pending"] == [order]


def test_undo_is_offered_for_some_seconds(displays, orders):
    here, _ = displays
    [order] = orders.by_status()["pending"]
    move_on(here, order)
    expect(here.locator("#undo-bar")).to_be_visible()
    here.wait_for_timeout(5000)
    expect(here.locator("#undo-bar")).to_be_visible()
    expect(here.locator("#undo-bar")).to_be_hidden(timeout=5000)


def test_a_served_order_is_recalled_on_any_display(displays, orders):
    here, there = displays
    earlier = orders.place()
    orders.move(earlier, "served")
    first = orders.by_status()["pending"][0]
    orders.move(first, "ready")
    expect(here.locator(f'[data-order="{first}"]')).to_have_attribute("data-status", "ready")
    move_on(here, first)
    expect(there.locator(f'[data-order="{first}"]')).to_have_count(0)
    for page in displays:
        page.get_by_role("button", name="Recall").click()
        expect(page.locator(".recalled").nth(1)).to_have_attribute("data-order", earlier)  # the latest first
    expect(there.locator(".recalled").first).to_have_attribute("data-order", first)
    there.locator(".recalled").first.get_by_role("button", name=f"Back to Ready Table {orders.table}").click()
    expect(there.locator("#recall")).to_be_hidden()
    expect(here.locator(".recalled").first).to_have_attribute("data-order", earlier)  # also while it is open
    for page in displays:
        ticket = page.locator(f'.ticket[data-order="{first}"]')
        expect(ticket).to_have_attribute("data-status", "ready", timeout=SOON)


def test_two_taps_of_one_finger_move_an_order_one_step(displays, orders):
    [order] = orders.by_status()["pending"]
    displays[0].locator(f'[data-order="{order}"] .ticket-next').dblclick()
    for page in displays:
        wait_until_shown(page, {"pending": [], "preparing": [order], "ready": []})
    assert orders.by_status()["preparing"] == [order]
