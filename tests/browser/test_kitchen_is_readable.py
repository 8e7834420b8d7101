"""What a cook can read from two metres, and touch with a wet finger."""

import re
from collections import Counter
from datetime import timedelta

import pytest
from playwright.sync_api import Page, expect

from tests.browser.accessible import broken_words, overflow, violations
from tests.browser.kitchen import NOTE, Orders, open_display, ticket, wait_until_shown

pytestmark = pytest.mark.browser

WALL = {"width": 1920, "height": 1080}
TABLET = {"width": 1280, "height": 800}
UPRIGHT = {"width": 768, "height": 1024}
PHONE = {"width": 360, "height": 740}
SCREENS = pytest.mark.parametrize("screen", [TABLET, WALL], ids=["1280x800", "1920x1080"])

# Buttons of tickets that a finger would not hit: out of the window, or something else is over them.
OUT_OF_REACH = """(ids) => ids.filter((id) => {
    const button = document.querySelector(`[data-order="${id}"] .ticket-next`);
    const box = button.getBoundingClientRect();
    const hit = (y) => document.elementFromPoint(box.left + box.width / 2, y);
    return ![box.top + 3, box.bottom - 3].every((y) => button.contains(hit(y)));
})"""
# Buttons that are shown and are not whole: cut off, or something else is over an edge of them.
CROSSED = """[...document.querySelectorAll('.ticket-next, .ticket-menu, .more')].filter((button) => {
    const box = button.getBoundingClientRect();
    const list = button.closest('.tickets');
    if (getComputedStyle(button).visibility === 'hidden' || !box.height) return false;
    if (list && box.top >= list.getBoundingClientRect().bottom - 4) return false; // on a page further down
    const isHit = (x, y) => button.contains(document.elementFromPoint(x, y));
    const [middle, half] = [box.left + box.width / 2, box.top + box.height / 2];
    const bottom = button.matches('.ticket-menu') ? half : box.bottom - 4;
    const edges = [[middle, box.top + 4], [middle, bottom], [box.left + 6, half], [box.right - 6, half]];
    return !edges.every((edge) => isHit(...edge));
}).map((button) => button.outerHTML + JSON.stringify(button.getBoundingClientRect()))"""
TARGETS = """[...document.querySelectorAll('button, a, summary')]
    .filter((each) => each.offsetParent && !each.classList.contains('skip-link'))
    .map((each) => [each.getBoundingClientRect(), each])
    .filter(([box, each]) => box.height < (each.matches('.item-tick') ? 44 : 55.5) || box.width < 55.5)
    .map(([box, each]) => `${Math.round(box.width)}x${Math.round(box.height)} ${each.outerHTML}`)"""

SMALLEST = """(parts) => Math.min(
    ...[...document.querySelectorAll(parts)].map((part) => parseFloat(getComputedStyle(part).fontSize)))"""


@pytest.fixture(scope="module")
def orders(installation) -> Orders:
    return Orders(installation)


@pytest.fixture
def display(windows, installation, orders) -> Page:
    orders.sit_down()
    first = orders.place()
    orders.serve_all(but=(first,))
    return open_display(windows, installation)


def settle(page: Page, orders: Orders, screen: dict[str, int]) -> None:
    page.set_viewport_size(screen)
    wait_until_shown(page, orders.by_status())
    page.wait_for_timeout(400)


def turn(button) -> None:
    """Press it, and wait until it counts less, or offers the way back."""
    text = button.inner_text()
    button.click()
    expect(button).not_to_have_text(text)


@SCREENS
def test_a_note_of_500_characters_leaves_every_button_in_reach(display, orders, screen):
    noted = orders.place(items=3, note=NOTE)
    placed = [noted, orders.place(items=2)]
    settle(display, orders, screen)
    assert display.evaluate(OUT_OF_REACH, placed) == []
    note = ticket(display, noted).locator(".item-note-text").first
    expect(note).to_be_in_viewport()
    expect(note).to_contain_text(NOTE)
    more = ticket(display, noted).get_by_role("button", name="Show the full note")
    is_cut = note.evaluate("(text) => text.scrollHeight > text.clientHeight + 1")
    assert more.is_visible() == is_cut
    if is_cut:
        more.click()
        assert not note.evaluate("(text) => text.scrollHeight > text.clientHeight + 1")
        assert display.evaluate(OUT_OF_REACH, [noted]) == []


@SCREENS
def test_several_long_notes_and_thirty_dishes_on_one_ticket(display, orders, screen):
    long = [orders.place(items=30, note=NOTE)]
    orders.serve_all(but=(long[0],))
    settle(display, orders, screen)
    assert display.evaluate(OUT_OF_REACH, long) == []
    rest = ticket(display, long[0]).locator(".ticket-rest")
    if not rest.is_visible():  # all of it is in sight
        expect(ticket(display, long[0]).locator(".item").last).to_be_in_viewport(ratio=1)
        return
    expect(rest).to_have_text(re.compile(r"^\d+ more"))
    for _ in range(9):
        if rest.inner_text() == "Back to the first item":
            break
        turn(rest)
    expect(ticket(display, long[0]).locator(".item").last).to_be_in_viewport(ratio=1)
    rest.click()
    expect(ticket(display, long[0]).locator(".item").first).to_be_in_viewport(ratio=0.9)


def test_a_note_out_of_view_is_mentioned_on_the_ticket(display, orders):
    order = orders.place(items=30)
    orders.serve_all(but=(order,))
    settle(display, orders, TABLET)
    rest = ticket(display, order).locator(".ticket-rest")
    expect(rest).to_have_text(re.compile(r"^\d+ more on this ticket$"))
    # A display shows the entries of a station together, by the stations' addresses, and those without one last.
    [ticket_of_all] = orders.all_open()
    shown = sorted(enumerate(ticket_of_all["items"]), key=lambda each: each[1].get("station", "~"))
    noted = orders.place(items=30, note="No nuts", note_on=shown[-1][0])
    orders.serve_all(but=(noted,))
    settle(display, orders, TABLET)
    expect(ticket(display, noted).locator(".ticket-rest")).to_have_text(re.compile(r"^\d+ more, and a note$"))


@SCREENS
def test_the_hint_counts_the_tickets_that_are_out_of_sight(display, orders, screen):
    orders.place_many(25)
    settle(display, orders, screen)
    more = display.locator("#column-pending .more")
    expect(more).to_be_visible()
    count = int(re.match(r"\d+", more.inner_text())[0])
    shares = display.evaluate("""() => {
        const end = document.querySelector('#column-pending .more').getBoundingClientRect().top;
        return [...document.querySelectorAll('#column-pending .ticket')].map((each) => {
            const box = each.getBoundingClientRect();
            return Math.min(1, Math.max(0, (end - box.top) / box.height));
        });
    }""")
    assert count == sum(share < 0.5 for share in shares)
    assert 0 < count < 26
    for _ in range(30):
        if more.inner_text() == "Back to the oldest":
            break
        turn(more)
    expect(display.locator("#column-pending .ticket").last.locator(".ticket-next")).to_be_in_viewport(ratio=1)
    more.click()
    expect(display.locator("#column-pending .ticket").first).to_be_in_viewport(ratio=0.9)


def test_a_wide_screen_is_used_when_all_the_work_is_in_one_column(display, orders):
    settle(display, orders, WALL)
    widths = "[...document.querySelectorAll('.column')].map((each) => Math.round(each.offsetWidth))"
    assert len(set(display.evaluate(widths))) == 1
    orders.place_many(25)
    settle(display, orders, WALL)
    pending, preparing, ready = display.evaluate(widths)
    assert pending > 0.6 * (pending + preparing + ready)
    in_sight = display.locator("#column-pending .ticket").evaluate_all(
        "(all) => all.filter((each) => each.getBoundingClientRect().bottom < innerHeight - 60).length"
    )
    assert in_sight >= 10  # larger letters rather than more tickets
    assert display.evaluate("document.documentElement.scrollWidth") == 1920


def test_lateness_is_shown_by_digits_colour_and_shape_and_the_oldest_stand_out(display, orders):
    fresh, late, *very_late = (orders.place() for _ in range(6))
    ages = {order: timedelta(minutes=8, seconds=55 - 10 * place) for place, order in enumerate(very_late)}
    orders.make_older({late: timedelta(minutes=5, seconds=5), **ages})
    wait_until_shown(display, orders.by_status())
    styles = []
    expected = ((fresh, "0", "ordered"), (late, "5", "late ordered"), (very_late[3], "8", "3 min late ordered"))
    for order, age, words in expected:
        one = ticket(display, order)
        expect(one.locator(".ticket-time")).to_have_text(re.compile(rf"^{age}:\d\d$"), timeout=6000)
        expect(one.locator(".ticket-since")).to_have_text(re.compile(rf"^\s*{words}\s\d\d:\d\d$"))
        expect(one.locator(".ticket-since")).to_be_visible()
        colours = one.locator(".ticket-age").evaluate(
            "(node) => [getComputedStyle(node).backgroundColor, getComputedStyle(node).borderColor].join()"
        )
        mark = one.locator(".ticket-mark")
        styles.append((colours, mark.is_visible(), mark.evaluate("(node) => getComputedStyle(node).clipPath")))
    colours, marks, shapes = zip(*styles, strict=True)
    assert len(set(colours)) == len(set(shapes)) == 3
    assert marks == (False, True, True)
    # The whole head says it, and the oldest of the very late have one in the strongest colour: not that of an outage.
    head = "(node) => getComputedStyle(node).backgroundColor"
    heads = [ticket(display, order).locator(".ticket-head").evaluate(head) for order in (fresh, late, *very_late)]
    assert heads[2:5] == [heads[2]] * 3
    assert len({*heads, "rgb(201, 25, 13)"}) == 5
    assert violations(display) == []


def test_on_a_tablet_the_smallest_text_has_as_many_tickets_side_by_side_as_fit(display, orders):
    orders.serve_all()
    placed = [orders.place() for _ in range(4)]
    orders.move(placed[3], "preparing")
    settle(display, orders, TABLET)
    boxes = [ticket(display, order).bounding_box() for order in placed]
    assert max(box["width"] for box in boxes) < 320
    assert max(box["width"] for box in boxes) - min(box["width"] for box in boxes) < 1
    assert len({box["y"] for box in boxes[:2]}) == 1  # of one status, beside each other
    # Larger text has larger tickets, and is never smaller than it was.
    before = display.evaluate(SMALLEST, ".item-name")
    assert before >= 24
    display.locator("#text-button").click()
    display.wait_for_timeout(300)
    assert display.evaluate(SMALLEST, ".item-name") >= 1.2 * before
    assert ticket(display, placed[3]).bounding_box()["width"] > boxes[3]["width"]


def test_a_ready_ticket_ages_from_when_it_was_ready(display, orders):
    order = orders.place()
    orders.move(order, "ready")
    orders.make_older({order: timedelta(minutes=20)})
    expect(ticket(display, order)).to_have_attribute("data-status", "ready")
    expect(ticket(display, order).locator(".ticket-time")).to_have_text(re.compile(r"^0:\d\d$"))
    expect(ticket(display, order).locator(".ticket-since")).to_have_text(re.compile(r"^\s*ready\s\d\d:\d\d$"))
    expect(ticket(display, order)).to_have_attribute("data-late", "")
    cooking = orders.place()
    expect(ticket(display, cooking).locator(".ticket-since")).to_have_text(
        re.compile(r"^\s*ordered\s\d\d:\d\d$"), timeout=6000
    )
    expect(ticket(display, cooking)).not_to_contain_text("€")


@SCREENS
def test_thirty_tickets_are_large_and_no_bar_crosses_a_button(display, orders, screen):
    placed = orders.place_many(29)
    for order in placed[:8]:
        orders.move(order, "preparing")
    settle(display, orders, screen)
    for part, least in (("item-name", 24), ("ticket-number", 44), ("ticket-time", 24)):
        assert display.evaluate(SMALLEST, f".{part}") >= least, part
    assert display.evaluate(CROSSED) == []
    # The size of text is kept on this device.
    for step in ("2", "3"):
        display.locator("#text-button").click()
        expect(display.locator("body")).to_have_attribute("data-text", step)
    display.reload()
    wait_until_shown(display, orders.by_status())
    display.wait_for_timeout(400)
    assert display.evaluate(SMALLEST, ".item-name") >= 34
    assert display.evaluate(CROSSED) == []
    assert display.evaluate("document.documentElement.scrollWidth") <= screen["width"]


def test_the_counts_are_of_all_that_is_still_to_make(display, orders):
    orders.place_many(6)
    orders.move(orders.place(items=2, quantity=3), "preparing")
    orders.move(orders.place(items=4), "ready")
    settle(display, orders, WALL)
    if display.locator("#counts").is_hidden():
        display.get_by_role("button", name="All day").click()
    expected: Counter = Counter()
    for order in orders.all_open():
        if order["status"] != "ready":
            for item in order["items"]:
                expected[item["name"]] += item["quantity"]
    rows = display.locator("#counts-list li").evaluate_all(
        "(all) => all.map((row) => [...row.children].map((e) => e.textContent))"
    )
    assert {name: int(count) for count, name in rows} == expected
    assert [int(count) for count, _ in rows] == sorted(expected.values(), reverse=True)


def test_blocked_sound_is_shown_until_somebody_taps(display):
    display.reload()
    button = display.locator("#sound-button")
    expect(button).to_have_text("Tap to turn on sound")
    expect(button).to_have_css("background-color", "rgb(255, 180, 46)")
    display.locator(".column-heading").first.click()
    expect(button).to_have_text("Sound on")
    expect(button).not_to_have_css("background-color", "rgb(255, 180, 46)")


def test_the_screen_is_kept_awake(display):
    display.add_init_script("""
        window.requested = [];
        navigator.wakeLock.request = async (kind) => { requested.push(kind); return { released: false }; };
    """)
    display.reload()
    display.wait_for_selector(".ticket")
    assert display.evaluate("requested") == ["screen"]


def test_a_tablet_held_upright_has_two_columns_side_by_side_and_ready_below(display, orders):
    orders.serve_all()
    new, cooking, ready = (orders.place() for _ in range(3))
    orders.move(cooking, "preparing")
    orders.move(ready, "ready")
    settle(display, orders, UPRIGHT)
    left, right, below = (ticket(display, order).bounding_box() for order in (new, cooking, ready))
    assert left["x"] + left["width"] < right["x"]
    assert left["y"] == right["y"] < 300
    assert (below["x"], below["width"]) == (left["x"], left["width"])
    assert below["y"] > left["y"] + left["height"]
    assert display.evaluate("document.documentElement.scrollWidth") == 768
    # Below the shorter of them, and where that is out of sight a link leads there.
    link = display.get_by_role("navigation", name="Columns").get_by_role("link", name="Ready")
    expect(link).to_be_hidden()
    orders.place(items=2)
    settle(display, orders, UPRIGHT)
    assert ticket(display, ready).bounding_box()["x"] == right["x"]
    orders.move(orders.place(items=12), "preparing")
    orders.place(items=12)
    settle(display, orders, UPRIGHT)
    expect(ticket(display, ready)).not_to_be_in_viewport()
    link.click()
    expect(ticket(display, ready)).to_be_in_viewport()
    expect(link).to_be_hidden()


@pytest.mark.parametrize("screen", [PHONE, UPRIGHT, TABLET, WALL], ids=["360", "768", "1280", "1920"])
def test_what_can_be_touched_is_large_and_what_is_read_too(display, orders, screen):
    orders.place(items=30, note=NOTE)
    orders.place_many(8)
    orders.move(orders.place(), "ready")
    settle(display, orders, screen)
    display.locator(".ticket-next").last.click()
    expect(display.locator("#undo-bar")).to_be_visible()
    assert display.evaluate(TARGETS) == []
    if screen == PHONE:  # tickets begin high, and the tools are in one fold
        assert display.locator(".ticket").first.bounding_box()["y"] < 250
        display.get_by_role("button", name="Tools").click()
        assert display.evaluate(TARGETS) == []
    display.get_by_role("button", name="Recall").click()
    assert display.evaluate(TARGETS) == []
    for part, least in (("ticket-number", 44), ("ticket-time", 24), ("item-name", 24), ("item-note-text", 20)):
        assert display.evaluate(SMALLEST, f".{part}") >= least, part
    assert display.evaluate("document.documentElement.scrollWidth") <= screen["width"]


STATIONS = """
from restaurant.models import Station
for name in {names}:
    Station.objects.get_or_create(name=name, slug=name.lower())
"""


def test_the_header_wraps_instead_of_breaking_words_or_cutting_a_station(windows, installation, orders, display):
    names = ["Pizzeria", "Patisserie", "Plancha"]
    installation.shell(STATIONS.format(names=names))
    try:
        page = open_display(windows, installation)
        page.goto(f"{installation.base}/kitchen/plancha")
        sound = page.locator("#sound-button")
        for state in ("blocked", "off"):
            while sound.get_attribute("data-sound") != state:
                turn(sound)
            for width in (600, 768, 960, 1000, 1024, 1180, 1280, 1600):
                page.set_viewport_size({"width": width, "height": 768})
                wrong = broken_words(page, ".bar .tool, .bar .stations, .bar .stations a, .bar .connection")
                height = page.locator(".bar").bounding_box()["height"]
                assert (wrong, overflow(page), height < 230) == ([], 0, True), (state, width, height)
    finally:
        installation.shell(f"{STATIONS.format(names=[])}\nStation.objects.filter(name__in={names}).delete()")
