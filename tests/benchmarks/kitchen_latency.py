"""How long after the guest's response is an order on the kitchen's screen?

    .venv/bin/python -m tests.benchmarks.kitchen_latency

Starts an installation with the demonstration restaurant, opens the display in Chromium, places orders one after
the other, and measures from the moment the response is read to the moment the ticket is in the page.
"""

import itertools
import time

import requests
from playwright.sync_api import Page, sync_playwright

from tests.benchmarks.figures import record_waits
from tests.servers import CHROMIUM, Installation, installed

ORDERS = 60

WATCH = """
window.seen = {};
const note = () => {
  for (const ticket of document.querySelectorAll('.ticket')) window.seen[ticket.dataset.order] ??= Date.now();
};
new MutationObserver(note).observe(document.body, { childList: true, subtree: true });
note();
"""


def open_display(page: Page, installation: Installation) -> None:
    page.goto(f"{installation.base}/kitchen")
    page.fill("[name=username]", "floor")
    page.fill("[name=password]", installation.passwords["floor"])
    page.click("main form .button")
    page.wait_for_selector(".ticket")
    page.evaluate(WATCH)


def order(installation: Installation, guest: requests.Session) -> tuple[str, float]:
    """The order's id, and when its response arrived (Unix time in milliseconds)."""
    menu = guest.get(f"{installation.base}/table/3?from=cart", timeout=10).json()
    items = itertools.islice(itertools.chain.from_iterable(menu["menu"].values()), 3)
    body = {"sessionId": menu["session"]["id"], "items": [{"menuItemId": item["id"]} for item in items]}
    response = guest.post(f"{installation.base}/table/3/order", json=body, timeout=10)
    responded = time.time() * 1000
    return response.json()["orderId"], responded


def measure(installation: Installation, page: Page) -> list[float]:
    open_display(page, installation)
    guest = requests.Session()
    responded = {}
    for _ in range(ORDERS):
        order_id, moment = order(installation, guest)
        responded[order_id] = moment
        page.wait_for_selector(f'.ticket[data-order="{order_id}"]', state="attached", timeout=10_000)
        time.sleep(0.05)
    seen = page.evaluate("window.seen")
    return [seen[order_id] - moment for order_id, moment in responded.items()]


def main() -> None:
    with installed() as installation, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        delays = measure(installation, browser.new_page(viewport={"width": 1280, "height": 800}))
        browser.close()
    description = "orders, from the guest's response to the ticket on the display"
    record_waits("order to the kitchen's screen", description, delays)


if __name__ == "__main__":
    main()
