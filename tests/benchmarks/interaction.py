"""How long a phone with a sixth of this machine's speed takes to answer a finger: 100 ms at most.

    .venv/bin/python -m tests.benchmarks.interaction

From the touch until the next picture is drawn, as browsers measure it themselves (Event Timing), rounded by them to 8
ms. For each page two figures: the touch with the highest median of all visits, and the median of each visit's slowest,
in which the machine's own disturbances count as well. An installation with the demonstration restaurant, Chromium with
its processor slowed down six times.
"""

import statistics
import sys
from collections.abc import Callable

from playwright.sync_api import Browser, Page, sync_playwright

from tests.benchmarks.figures import record
from tests.servers import CHROMIUM, installed

SLOWER = 6
GOAL = 100  # ms
PHONE = {"viewport": {"width": 360, "height": 740}, "is_mobile": True, "has_touch": True, "device_scale_factor": 2}
MEASURE = """
    window.touches = [];
    new PerformanceObserver((list) => list.getEntries().forEach((each) => {
        const on = `${each.name} ${each.target?.outerHTML.slice(0, 80)}`;
        if (each.interactionId) window.touches.push([each.interactionId, each.duration, on]);
    })).observe({type: "event", durationThreshold: 16, buffered: true});
"""
VISITS = 7
SETTLED = 400  # ms until what a touch began is drawn and its time is known


BUTTON = """<!doctype html><meta name="viewport" content="width=device-width">
    <button onclick="this.textContent = 1 + Number(this.textContent)">0</button>"""
# The address of a dish's own page.
DISH = """(name) => [...document.querySelectorAll(".item-name a")]
    .find((each) => each.textContent === name).getAttribute("href")"""
# Where on the screen an element is, once it has been scrolled there. Of those that fit, one that is seen.
POINT = """(selector) => {
    const element = [...document.querySelectorAll(selector)].findLast((each) => each.checkVisibility());
    element.scrollIntoView({block: "center", behavior: "instant"});
    const box = element.getBoundingClientRect();
    return [box.x + box.width / 2, box.y + box.height / 2];
}"""


def tap(phone: Page, selector: str) -> None:
    """Like a finger. Playwright's locators add listeners to the page, whose time would count as the page's."""
    point = phone.evaluate(POINT, selector)
    phone.wait_for_timeout(SETTLED)
    phone.touchscreen.tap(*point)
    phone.wait_for_timeout(SETTLED)


def nothing_but_a_button(phone: Page, base: str) -> None:
    """What the machine and the browser take themselves."""
    phone.route("**/button", lambda route: route.fulfill(body=BUTTON, content_type="text/html"))
    phone.goto(f"{base}/button")
    for _ in range(2):
        tap(phone, "button")


def menu(phone: Page, base: str) -> None:
    phone.goto(f"{base}/table/2")
    for _ in range(2):
        tap(phone, "[aria-label='Add Nocellara Olives']")
    for _ in range(2):
        tap(phone, "[aria-label='One fewer Nocellara Olives'], [aria-label='Remove Nocellara Olives']")
    tap(phone, "[type=search]")
    for letter in "fig":
        phone.keyboard.press(letter)
        phone.wait_for_timeout(SETTLED)


def dish(phone: Page, base: str) -> None:
    phone.goto(f"{base}/table/2")
    phone.goto(base + phone.evaluate(DISH, "Flat Iron Steak"))
    tap(phone, ".group label")
    tap(phone, "[aria-label='One more']")


def cart(phone: Page, base: str) -> None:
    phone.goto(f"{base}/table/2")
    tap(phone, "[aria-label='Add Anchovy Toast']")
    phone.goto(f"{base}/table/2/cart")
    tap(phone, "[aria-label='One more']")
    tap(phone, "[aria-label='One fewer']")
    tap(phone, ".line summary")


def visit(browser: Browser, used: Callable[[Page, str], None], base: str) -> list[tuple[float, str]]:
    """How long each touch took, and the element that was touched, in order."""
    with browser.new_context(**PHONE) as context:
        phone = context.new_page()
        phone.add_init_script(MEASURE)
        context.new_cdp_session(phone).send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
        used(phone, base)
        touches: dict[int, tuple[float, str]] = {}
        for number, duration, on in phone.evaluate("touches"):
            touches[number] = max(touches.get(number, (0, "")), (duration, on))
        return list(touches.values())


def show(name: str, visits: list[list[tuple[float, str]]]) -> None:
    touches = [(statistics.median(took for took, _on in touch), touch[0][1]) for touch in zip(*visits, strict=False)]
    slowest, on = max(touches)
    record(f"{name}, slowest touch", slowest, "ms", reference=GOAL, compared_with="goal")
    print(f"          {on}")
    worst = statistics.median(max(took for took, _on in visit) for visit in visits)
    record(f"{name}, slowest of a visit", worst, "ms", reference=GOAL, compared_with="goal")


def main() -> None:
    if CHROMIUM is None:
        sys.exit("This needs Chromium: apt install chromium")
    with installed() as installation, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
        for used in (nothing_but_a_button, menu, dish, cart):
            show(used.__name__.replace("_", " "), [visit(browser, used, installation.base) for _ in range(VISITS)])
        browser.close()


if __name__ == "__main__":
    main()
