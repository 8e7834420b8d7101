"""A cook has every ticket in reach without scrolling, and sees how long it has waited."""

import re
from collections import Counter
from datetime import timedelta

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.kitchen import CROSSED, NOTE, SMALLEST, TABLET, UPRIGHT, WALL, open_display, settle, ticket

pytestmark = pytest.mark.browser

PHONE = {"width": 360, "height": 740}

# Buttons of tickets that a finger would not hit: out of the window, or something else is over them.
OUT_OF_REACH = """(ids) => ids.filter((id) => {
    const button = document.querySelector(`[data-order="${id}"] .ticket-next`);
    const box = button.getBoundingClientRect();
    const hit = (y) => document.elementFromPoint(box.left + box.width / 2, y);
    return ![box.top + 3, box.bottom - 3].every((y) => button.contains(hit(y)));
})"""
# How many tickets are on the pages that follow.
FURTHER = """() => {
    const end = document.querySelector('#column-pending .tickets').getBoundingClientRect().right;
    const boxes = [...document.querySelectorAll('#column-pending .ticket')].map((each) => each.getBoundingClientRect());
    return boxes.filter((box) => box.left >= end).length;
}"""
IS_CUT = "(text) => text.scrollHeight > text.clientHeight + 1"
WIDTHS = "[...document.querySelectorAll('.column')].map((each) => Math.round(each.offsetWidth))"


@pytest.fixture
def display(windows, installation, orders) -> Page:
    orders.sit_down()
    first = orders.place()
    orders.serve_all(but=(first,))
    return open_display(windows, installation)


def turn_to_the_end(button: Locator, back: str) -> None:
    """Press it until it offers the way back; each time it counts less."""
    while (text := button.inner_text()) != back:
        button.click()
        expect(button).not_to_have_text(text)


def test_of_more_tickets_than_fit_none_is_cut_and_the_others_are_counted_and_paged_to(display, orders):
    settle(display, orders, WALL)
    assert len(set(display.evaluate(WIDTHS))) == 1
    orders.place_many(25)
    more, of_column = display.locator("#column-pending .more"), display.locator("#column-pending .ticket")
    for screen in (TABLET, WALL):
        settle(display, orders, screen)
        assert display.evaluate(CROSSED) == [], screen
        expect(of_column.first).to_be_in_viewport(ratio=0.9)
        count = int(re.match(r"\d+", more.inner_text())[0])
        assert 0 < count == display.evaluate(FURTHER) < 26
        turn_to_the_end(more, "Back to the oldest")
        expect(of_column.last.locator(".ticket-next")).to_be_in_viewport(ratio=1)
        more.click()
        expect(of_column.first).to_be_in_viewport(ratio=0.9)
    # All the work is in one column: it has most of the width.
    pending, preparing, ready = display.evaluate(WIDTHS)
    assert pending > 0.6 * (pending + preparing + ready)
    # Larger letters rather than more tickets; their size is kept on this device.
    before = display.evaluate(SMALLEST, ".item-name")
    for step in ("2", "3"):
        display.locator("#text-button").click()
        expect(display.locator("body")).to_have_attribute("data-text", step)
    display.reload()
    settle(display, orders, WALL)
    assert display.evaluate(SMALLEST, ".item-name") >= 1.2 * before
    assert display.evaluate(CROSSED) == []


def test_long_notes_and_thirty_dishes_leave_every_button_in_reach(display, orders):
    placed = [orders.place(items=3, note=NOTE), orders.place(items=2, note="No salt")]
    note = ticket(display, placed[0]).locator(".item-note-text").first
    more = ticket(display, placed[0]).get_by_role("button", name="Show the full note")
    for screen, first_page in ((TABLET, placed[:1]), (WALL, placed)):
        settle(display, orders, screen)
        assert display.evaluate(OUT_OF_REACH, first_page) == [], screen
        expect(note).to_be_in_viewport()
        expect(note).to_contain_text(NOTE)
        assert note.evaluate(IS_CUT) == more.is_visible()
    expect(ticket(display, placed[1]).get_by_role("button", name="Show the full note")).to_be_hidden()
    settle(display, orders, TABLET)
    more.click()
    assert not note.evaluate(IS_CUT)
    assert display.evaluate(OUT_OF_REACH, placed[:1]) == []

    orders.serve_all()
    thirty = orders.place(items=30, note=NOTE)
    dishes, rest = ticket(display, thirty).get_by_role("listitem"), ticket(display, thirty).locator(".ticket-rest")
    for screen in (WALL, TABLET):
        settle(display, orders, screen)
        assert display.evaluate(OUT_OF_REACH, [thirty]) == [], screen
    expect(rest).to_have_text(re.compile(r"^\d+ more on this ticket$"))
    turn_to_the_end(rest, "Back to the first item")
    expect(dishes.last).to_be_in_viewport(ratio=1)
    rest.click()
    expect(dishes.first).to_be_in_viewport(ratio=0.9)
    # A display shows the entries of a station together, by the stations' addresses, and those without one last.
    [of_all] = orders.all_open()
    last = sorted(enumerate(of_all["items"]), key=lambda each: each[1].get("station", "~"))[-1][0]
    orders.serve_all()
    noted = orders.place(items=30, note="No nuts", note_on=last)
    settle(display, orders, TABLET)
    expect(ticket(display, noted).locator(".ticket-rest")).to_have_text(re.compile(r"^\d+ more, and a note$"))


def test_on_a_tablet_as_many_tickets_as_fit_are_side_by_side_and_larger_text_has_larger_ones(display, orders):
    orders.serve_all()
    placed = [orders.place() for _ in range(4)] + [orders.place(items=2, quantity=3)]
    orders.move(placed[-1], "preparing")
    settle(display, orders, TABLET)
    boxes = [ticket(display, order).bounding_box() for order in placed]
    assert display.evaluate(OUT_OF_REACH, placed) == []
    assert max(box["width"] for box in boxes) < 320
    assert max(box["width"] for box in boxes) - min(box["width"] for box in boxes) < 1
    # Of one status the oldest is first: down its track, and on beside it.
    assert [(box["x"], box["y"]) for box in boxes[:-1]] == sorted((box["x"], box["y"]) for box in boxes[:-1])
    assert boxes[0]["x"] < boxes[-2]["x"]
    before = display.evaluate(SMALLEST, ".item-name")
    display.locator("#text-button").click()
    settle(display, orders, TABLET)
    assert display.evaluate(SMALLEST, ".item-name") >= 1.2 * before
    assert ticket(display, placed[-1]).bounding_box()["width"] > boxes[-1]["width"]
    # The counts are of all that is still to make.
    orders.move(orders.place(items=4), "ready")
    settle(display, orders, TABLET)
    display.get_by_role("button", name="All day").click()
    expected: Counter = Counter()
    for order in orders.all_open():
        if order["status"] != "ready":
            expected.update({item["name"]: item["quantity"] for item in order["items"]})
    rows = [row.split("\n") for row in display.locator("#counts-list li").all_inner_texts()]
    assert {name: int(count) for count, name in rows} == expected
    assert [int(count) for count, _ in rows] == sorted(expected.values(), reverse=True)


def test_a_ticket_says_how_long_it_has_waited_and_the_oldest_of_the_late_stand_out(windows, installation, orders):
    orders.serve_all()
    orders.sit_down()
    fresh, half, late, ready, *very_late = (orders.place() for _ in range(8))
    orders.move(ready, "ready")
    ages = {order: timedelta(minutes=8, seconds=20 - 5 * number) for number, order in enumerate(very_late)}
    ages |= {half: timedelta(minutes=2, seconds=40), late: timedelta(minutes=5, seconds=5)}
    orders.make_older({ready: timedelta(minutes=20), **ages})
    display = open_display(windows, installation)

    def shares() -> list[float]:
        """Of the time until they are late, in per cent, that have passed."""
        script = "(node) => Number(getComputedStyle(node).getPropertyValue('--share'))"
        return [ticket(display, order).evaluate(script) for order in (fresh, half, late, ready)]

    for order, minutes, words, lateness in (
        (fresh, 0, "ordered", ""),
        (half, 2, "ordered", ""),
        (late, 5, "late ordered", "late"),
        (very_late[3], 8, "3 min late ordered", "very-late"),
        (ready, 0, "ready", ""),  # it waits for somebody else, and from when it was ready
    ):
        expect(ticket(display, order).locator(".ticket-time")).to_have_text(re.compile(rf"^{minutes}:\d\d$"))
        expect(ticket(display, order).locator(".ticket-since")).to_have_text(re.compile(rf"^\s*{words}\s\d\d:\d\d$"))
        expect(ticket(display, order)).to_have_attribute("data-late", lateness)
        expect(ticket(display, order).locator(".ticket-mark")).to_be_visible(visible=lateness != "")
    first, second, third, fourth = shares()
    assert first < 30 <= 50 <= second < 80
    assert (third, fourth < 30) == (100, True)
    # Three of the very late have the strongest head, which is not that of an outage either.
    head = "(node) => getComputedStyle(node).backgroundColor"
    heads = [ticket(display, order).locator(".ticket-head").evaluate(head) for order in (fresh, late, *very_late)]
    assert heads[2:5] == [heads[2]] * 3
    assert len({*heads, "rgb(201, 25, 13)"}) == 5
    orders.move(late, "ready")
    expect(ticket(display, late)).to_have_attribute("data-late", "")
    assert shares()[2] < 30


def test_upright_what_is_ready_is_below_and_a_link_leads_there_as_tabs_do_on_a_phone(display, orders):
    orders.serve_all()
    new, cooking, ready = (orders.place() for _ in range(3))
    orders.move(cooking, "preparing")
    orders.move(ready, "ready")
    settle(display, orders, UPRIGHT)
    left, right, below = (ticket(display, order).bounding_box() for order in (new, cooking, ready))
    assert left["x"] + left["width"] < right["x"]
    assert left["y"] == right["y"]
    assert below["x"] == right["x"]
    assert below["y"] > right["y"] + right["height"]
    # Where that is out of sight a link leads there.
    tabs = display.get_by_role("navigation", name="Columns")
    link = tabs.get_by_role("link", name="Ready")
    expect(link).to_be_hidden()
    orders.move(orders.place(items=12), "preparing")
    orders.place(items=12)
    settle(display, orders, UPRIGHT)
    expect(ticket(display, ready)).not_to_be_in_viewport()
    link.click()
    expect(ticket(display, ready)).to_be_in_viewport()
    expect(link).to_be_hidden()
    # On a phone, the tab of the column that is read is marked.
    orders.move(orders.place(items=9), "ready")
    display.evaluate("scrollTo(0, 0)")
    settle(display, orders, PHONE)
    current = tabs.locator("[aria-current]")
    expect(current).to_contain_text("New")
    for name in ("Ready", "Preparing", "New"):
        tabs.get_by_role("link", name=name).click()
        expect(current).to_have_count(1)
        expect(current).to_contain_text(name)
    display.mouse.wheel(0, 20_000)  # by scrolling, too
    expect(current).to_contain_text("Ready")
