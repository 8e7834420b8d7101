"""How long a phone with a sixth of this machine's speed takes to answer a finger: 100 ms at most.

    .venv/bin/python -m tests.benchmarks.interaction

From the touch until the next picture is drawn, as browsers measure it themselves (Event Timing), rounded by them to 8
ms. Of a page's visits the median is printed, of a visit's touches the slowest. An installation with the demonstration
restaurant, Chromium with its processor slowed down six times.
"""

import statistics
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Browser, Locator, Page, sync_playwright

from tests.benchmarks.figures import record
from tests.servers import CHROMIUM, Installation

SLOWER = 6
GOAL = 100  # ms
PHONE = {"viewport": {"width": 360, "height": 740}, "is_mobile": True, "has_touch": True, "device_scale_factor": 2}
MEASURE = """
    window.touches = [];
    new PerformanceObserver((list) => list.getEntries().forEach((each) => {
        const on = `${each.name} ${each.target?.outerHTML.slice(0, 80)}`;
        if (each.interactionId) window.touches.push([each.duration, on]);
    })).observe({type: "event", durationThreshold: 16, buffered: true});
"""
VISITS = 5
SETTLED = 400  # ms until what a touch began is drawn and its time is known


def tap(button: Locator) -> None:
    button.scroll_into_view_if_needed()
    button.tap()
    button.page.wait_for_timeout(SETTLED)


def menu(phone: Page, base: str) -> None:
    phone.goto(f"{base}/table/2")
    for _ in range(2):
        tap(phone.get_by_role("button", name="Add Nocellara Olives").last)
    tap(phone.get_by_role("button", name="One fewer Nocellara Olives").last)
    search = phone.get_by_role("searchbox")
    tap(search)
    search.press_sequentially("fig", delay=SETTLED / 2)
    phone.wait_for_timeout(SETTLED)


def dish(phone: Page, base: str) -> None:
    phone.goto(f"{base}/table/2")
    phone.goto(f"{base}{phone.get_by_role('link', name='Flat Iron Steak').first.get_attribute('href')}")
    tap(phone.get_by_text("Medium rare").first)


def cart(phone: Page, base: str) -> None:
    phone.goto(f"{base}/table/2")
    tap(phone.get_by_role("button", name="Add Anchovy Toast").last)
    phone.goto(f"{base}/table/2/cart")
    tap(phone.get_by_role("button", name="One more").first)
    tap(phone.get_by_role("button", name="One fewer").first)
    tap(phone.get_by_text("Note").first)


def slowest(browser: Browser, used: Callable[[Page, str], None], base: str) -> tuple[float, str]:
    """Of a visit's touches: how long it took, and what it was on."""
    with browser.new_context(**PHONE) as context:
        phone = context.new_page()
        phone.add_init_script(MEASURE)
        context.new_cdp_session(phone).send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
        used(phone, base)
        return max(map(tuple, phone.evaluate("touches")), default=(0, ""))


def main() -> None:
    if CHROMIUM is None:
        sys.exit("This needs Chromium: apt install chromium")
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        installation = Installation(Path(folder) / "d").start()
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
        try:
            for used in (menu, dish, cart):
                visits = sorted(slowest(browser, used, installation.base) for _ in range(VISITS))
                median = statistics.median(each for each, _ in visits)
                record(f"{used.__name__}, slowest touch", median, "ms", reference=GOAL, compared_with="goal")
                print(f"          {visits[VISITS // 2][1]}")
        finally:
            browser.close()
            installation.stop()


if __name__ == "__main__":
    main()
