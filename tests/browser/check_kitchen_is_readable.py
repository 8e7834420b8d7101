"""What a cook can read from two metres and touch with a wet finger, on every screen; for `make sweep`."""

from datetime import timedelta

import pytest
from playwright.sync_api import Page, expect

from tests.browser import kitchen
from tests.browser.accessible import broken_words, overflow
from tests.browser.kitchen import (
    CROSSED,
    SMALLEST,
    TABLET,
    open_display,
    settle,
    start_clock,
    stop_clock,
    ticket,
    wait_until_shown,
)

pytestmark = pytest.mark.browser

PHONE = {"width": 360, "height": 740}
TARGETS = """[...document.querySelectorAll('button, a, summary')]
    .filter((each) => each.offsetParent && !each.classList.contains('skip-link'))
    .map((each) => [each.getBoundingClientRect(), each])
    .filter(([box, each]) => box.height < (each.matches('.item-tick') ? 44 : 55.5) || box.width < 55.5)
    .map(([box, each]) => `${Math.round(box.width)}x${Math.round(box.height)} ${each.outerHTML}`)"""
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
    const [box, line] = [sign, sign.parentElement].map((each) => each.getBoundingClientRect());
    if (box.top >= line.bottom - 4) return []; // wrapped out of sight
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
    const isShown = left.top < meta.parentElement.getBoundingClientRect().bottom - 4; // else it is wrapped out of sight
    return isShown && left.right > right.left - 4 && left.bottom > right.top + 2;
}).map((ticket) => ticket.innerText)"""
RENUMBER = """(number) => document.querySelectorAll('.ticket').forEach((ticket) => {
    ticket.querySelector('.ticket-number').textContent = number;
    ticket.dataset.digits = String(number.length);
})"""
MEASURES = """(node) => ['.ticket-number', '.ticket-time', '.item-name', '.ticket-next'].map((part) => {
    const style = getComputedStyle(node.querySelector(part));
    return [style.fontSize, style.minHeight].map((size) => Math.round(parseFloat(size)) || size);
}).concat([[node.offsetWidth, node.querySelector('.ticket-head').offsetHeight]])"""
READ = (("ticket-number", 44), ("ticket-time", 24), ("item-name", 24))  # pixels


@pytest.fixture
def display(windows, installation, orders) -> Page:
    orders.sit_down()
    first = orders.place()
    orders.serve_all(but=(first,))
    return open_display(windows, installation, prepare=start_clock)


@pytest.mark.parametrize("screen", [PHONE, kitchen.UPRIGHT, TABLET, kitchen.WALL], ids=["360", "768", "1280", "1920"])
def test_what_can_be_touched_is_large_and_what_is_read_too(display, orders, screen):
    orders.place(items=30, note=kitchen.NOTE)
    orders.place_many(8)
    orders.move(orders.place(), "ready")
    settle(display, orders, screen)
    stop_clock(display)  # the bar stays
    display.locator(".ticket-next").last.click()
    expect(display.locator("#undo-bar")).to_be_visible()
    assert display.evaluate(TARGETS) == []
    if screen == PHONE:  # tickets begin high, and the tools are in one fold
        assert display.locator(".ticket").first.bounding_box()["y"] < 250
        display.get_by_role("button", name="Tools").click()
        assert display.evaluate(TARGETS) == []
    display.get_by_role("button", name="Recall").click()
    assert display.evaluate(TARGETS) == []
    for part, least in (*READ, ("item-note-text", 20)):
        assert display.evaluate(SMALLEST, f".{part}") >= least, part
    assert overflow(display) <= 0


@pytest.mark.parametrize("screen", [TABLET, kitchen.WALL], ids=["1280x800", "1920x1080"])
def test_thirty_tickets_are_large_and_no_bar_crosses_a_button(display, orders, screen):
    placed = orders.place_many(29)
    for order in placed[:8]:
        orders.move(order, "preparing")
    settle(display, orders, screen)
    for step in ("1", "2", "3"):
        expect(display.locator("body")).to_have_attribute("data-text", step)
        settle(display, orders, screen)
        for part, least in READ:
            assert display.evaluate(SMALLEST, f".{part}") >= least, (part, step)
        assert display.evaluate(CROSSED) == [], step
        assert overflow(display) <= 0
        display.locator("#text-button").click()


def test_in_the_head_of_a_narrow_ticket_nothing_covers_or_runs_into_anything(display, orders):
    placed = orders.place_many(8)
    settle(display, orders, TABLET)
    expect(display.locator(".ticket-new:visible").last).to_be_visible()
    assert display.evaluate(COVERED) == []
    orders.serve_all(but=tuple(placed[:5]))
    orders.make_older({order: timedelta(minutes=age) for order, age in zip(placed[1:5], (1, 6, 9, 9), strict=True)})
    wait_until_shown(display, orders.by_status())
    display.locator("#counts-button").click()
    for number in ("12", "7"):  # tables of other tests have three digits
        display.evaluate(RENUMBER, number)
        for width in (1280, 1366, 1440, 1560):
            settle(display, orders, {"width": width, "height": 900})
            assert display.evaluate(COLLIDING) == [], (number, width)


def test_the_check_of_what_is_done_shares_the_box_with_the_digits(display, orders):
    order = orders.place(items=2, quantity=2)
    wait_until_shown(display, orders.by_status())
    ticket(display, order).locator(".item-tick").first.click()
    done = ticket(display, order).locator(".is-done .item-quantity")
    expect(done).to_have_text("2×")
    expect(done).to_have_css("position", "static")  # the check is in the box, too
    for width in (360, 768, 1280):
        settle(display, orders, {"width": width, "height": 800})
        before, gap, after = done.evaluate(FREE)
        assert min(before, gap, after) > 1, width
        assert abs(before - after) < 1, width


STATIONS = """
from restaurant.models import Station
for name in {names}:
    Station.objects.get_or_create(name=name, slug=name.lower())
"""
REMOVE = "from restaurant.models import Station; Station.objects.filter(name__in={names}).delete()"
NAMES = ["Pizzeria", "Patisserie", "Plancha"]


def test_the_header_wraps_instead_of_breaking_words_or_cutting_a_station(windows, installation, orders, display):
    installation.shell(STATIONS.format(names=NAMES))
    try:
        display.goto(f"{installation.base}/kitchen/plancha")
        sound = display.locator("#sound-button")
        for state in ("blocked", "off"):
            while (now := sound.get_attribute("data-sound")) != state:
                sound.click()
                expect(sound).not_to_have_attribute("data-sound", now)
            for width in (600, 768, 960, 1000, 1024, 1180, 1280, 1600):
                display.set_viewport_size({"width": width, "height": 768})
                wrong = broken_words(display, ".bar .tool, .bar .stations, .bar .stations a, .bar .connection")
                height = display.locator(".bar").bounding_box()["height"]
                assert (wrong, overflow(display), height < 230) == ([], 0, True), (state, width, height)
    finally:
        installation.shell(REMOVE.format(names=NAMES))


def test_a_ticket_has_the_same_measures_at_its_station_as_among_all(windows, installation, orders, display):
    """Of the demonstration's bar, whose entry on this ticket is its only one."""
    drink = next(number for number, dish in enumerate(orders.dishes) if dish["name"] == "Fennel Spritz")
    orders.serve_all()
    orders.dishes.insert(0, orders.dishes.pop(drink))
    order = orders.place()
    settle(display, orders, TABLET)
    bar = windows.tab(display.context)
    bar.set_viewport_size(TABLET)
    bar.goto(f"{installation.base}/kitchen/bar")
    expect(ticket(bar, order)).to_be_attached()
    # Of one ticket no column is wider than the others.
    widths = display.locator(".column").evaluate_all("(all) => all.map((each) => each.offsetWidth)")
    assert max(widths) - min(widths) <= 1
    before = ticket(bar, order).evaluate(MEASURES)
    assert ticket(display, order).evaluate(MEASURES) == before
    # Also once it is done there, where it is as readable as before.
    ticket(bar, order).locator(".item-tick").click()
    expect(bar.locator(f'#column-ready [data-order="{order}"]')).to_be_visible()
    changed = ticket(bar, order).evaluate(MEASURES)
    assert changed[:3] + changed[4:] == before[:3] + before[4:]  # but for the button, which now takes it back
    expect(ticket(bar, order).locator(".ticket-head")).to_have_css("opacity", "1")
