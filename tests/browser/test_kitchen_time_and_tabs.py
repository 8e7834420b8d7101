"""How much of the time until it is late a ticket has left, and on a phone which column is being read."""

from datetime import timedelta

import pytest
from playwright.sync_api import Page, expect

from tests.browser.kitchen import Orders, open_display, ticket, wait_until_shown

pytestmark = pytest.mark.browser

PHONE = {"width": 360, "height": 740}
SHARE = "(node) => Number(getComputedStyle(node).getPropertyValue('--share'))"
BAR = "(node) => { const bar = getComputedStyle(node, '::after'); return [bar.display, bar.backgroundImage] }"
# The digits of a quantity, and the check on the corner of its frame, which stands out by its own offset.
# What is free in the box before the digits, between them and the check, and after that.
FREE = """(key) => {
    const digits = document.createRange();
    digits.selectNodeContents(key);
    const [box, text] = [key.getBoundingClientRect(), digits.getBoundingClientRect()];
    const check = parseFloat(getComputedStyle(key, '::after').width);
    const gap = parseFloat(getComputedStyle(key).columnGap);
    return [text.left - box.left, gap, box.right - text.right - gap - check];
}"""


# Signs of a new ticket that cover its time, or since when that counts.
COVERED = """[...document.querySelectorAll('.ticket-new:not([hidden])')].flatMap((sign) => {
    const box = sign.getBoundingClientRect();
    const parts = [...sign.closest('.ticket').querySelectorAll('.ticket-time, .ticket-since, .ticket-number')];
    return parts.filter((part) => {
        const other = part.getBoundingClientRect();
        const beside = other.right <= box.left || other.left >= box.right;
        return !beside && other.bottom > box.top + 2 && other.top < box.bottom - 2;
    }).map((part) => part.outerHTML);
})"""


# Tickets whose number of items runs into since when they wait.
COLLIDING = """[...document.querySelectorAll('.ticket')].filter((ticket) => {
    const [meta, since] = ['.ticket-count', '.ticket-since'].map((part) => ticket.querySelector(part));
    const [left, right] = [meta, since].map((part) => part.getBoundingClientRect());
    const isShown = getComputedStyle(meta.parentElement).clipPath === 'none';
    return isShown && left.right > right.left - 4 && left.bottom > right.top + 2;
}).map((ticket) => ticket.innerText)"""


RENUMBER = """(number) => document.querySelectorAll('.ticket').forEach((ticket) => {
    ticket.querySelector('.ticket-number').textContent = number;
    ticket.dataset.digits = String(number.length);
})"""


@pytest.fixture(scope="module")
def orders(installation) -> Orders:
    return Orders(installation)


@pytest.fixture
def display(windows, installation, orders) -> Page:
    orders.sit_down()
    first = orders.place(items=2)
    orders.serve_all(but=(first,))
    return open_display(windows, installation)


def test_a_bar_fills_until_a_ticket_is_late_and_is_amber_from_then_on(display, orders):
    fresh, half, late = (orders.place() for _ in range(3))
    orders.make_older({half: timedelta(minutes=2, seconds=30), late: timedelta(minutes=5, seconds=5)})
    wait_until_shown(display, orders.by_status())
    expect(ticket(display, late)).to_have_attribute("data-late", "late", timeout=6000)
    shares = [ticket(display, order).evaluate(SHARE) for order in (fresh, half, late)]
    assert 0 <= shares[0] < 30
    assert 50 <= shares[1] < 80
    assert shares[2] == 100
    bars = [ticket(display, order).locator(".ticket-head").evaluate(BAR) for order in (fresh, half, late)]
    assert {shown for shown, _ in bars} == {"block"}
    assert bars[0] == bars[1] != bars[2]
    assert "255, 180, 46" in bars[2][1]
    # Ready, it waits for somebody else, and from the start.
    orders.move(late, "ready")
    expect(ticket(display, late)).to_have_attribute("data-late", "")
    assert ticket(display, late).evaluate(SHARE) < 30


def test_the_check_of_what_is_done_shares_the_box_with_the_digits(display, orders):
    order = orders.place(items=2, quantity=2)
    wait_until_shown(display, orders.by_status())
    ticket(display, order).locator(".item-tick").first.click()
    done = ticket(display, order).locator(".is-done .item-quantity")
    expect(done).to_have_text("2×")
    expect(done).to_have_css("position", "static")  # the check is in the box, too
    for width in (360, 768, 1280):
        display.set_viewport_size({"width": width, "height": 800})
        before, gap, after = done.evaluate(FREE)
        assert min(before, gap, after) > 1, width
        assert abs(before - after) < 1, width


def test_the_sign_of_a_new_ticket_covers_nothing_where_tickets_are_narrow(display, orders):
    orders.place_many(8)  # at a table of three digits
    display.set_viewport_size({"width": 1280, "height": 800})
    wait_until_shown(display, orders.by_status())
    expect(display.locator("#column-pending")).to_have_attribute("data-density", "dense")
    expect(display.locator(".ticket-new:visible").last).to_be_visible()
    assert display.evaluate(COVERED) == []


def test_in_the_head_of_a_narrow_ticket_nothing_runs_into_the_next(display, orders):
    placed = orders.place_many(4)
    orders.make_older(dict(zip(placed, [timedelta(minutes=minutes) for minutes in (1, 6, 9, 9)], strict=True)))
    wait_until_shown(display, orders.by_status())
    display.locator("#counts-button").click()
    for number in ("12", "7"):  # tables of other tests have three digits
        display.evaluate(RENUMBER, number)
        display.wait_for_selector(".ticket[data-head='']")
        for width in (1280, 1366, 1440, 1560):
            display.set_viewport_size({"width": width, "height": 900})
            display.wait_for_timeout(200)
            assert display.evaluate(COLLIDING) == [], (number, width)


def test_the_tab_of_the_column_that_is_read_is_marked(display, orders):
    display.set_viewport_size(PHONE)
    cooking, ready = orders.place(items=9), orders.place(items=9)
    orders.move(cooking, "preparing")
    orders.move(ready, "ready")
    wait_until_shown(display, orders.by_status())
    current = display.locator(".jump [aria-current]")
    expect(current).to_contain_text("New")
    for name in ("Ready", "Preparing", "New"):
        display.locator(".jump").get_by_role("link", name=name).click()
        expect(current).to_have_count(1)
        expect(current).to_contain_text(name)
    # By scrolling, too.
    display.mouse.wheel(0, 20_000)
    expect(current).to_contain_text("Ready")
