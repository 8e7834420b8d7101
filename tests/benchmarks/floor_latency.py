"""How long after the guest's response is a call for a waiter on the floor's page? Half of them: half a second at most.

    .venv/bin/python -m tests.benchmarks.floor_latency

Starts an installation with the demonstration restaurant, opens the floor in Chromium, and calls from one table, one
call after the other, each taken back before the next.
"""

import time

import requests
from playwright.sync_api import Page, sync_playwright

from tests.benchmarks.figures import record_waits
from tests.servers import CHROMIUM, Installation, installed

CALLS = 40
TABLE = 3
APART = 300  # ms; the floor is told of changes four times a second at most


def measure(installation: Installation, page: Page) -> list[float]:
    """Return the wait for each call, in milliseconds."""
    page.goto(f"{installation.base}/floor")
    staff = {"Authorization": f"Token {installation.token('floor')}"}
    table = f"{installation.base}/table/{TABLE}"
    session = requests.get(f"{table}?from=cart", headers={"Accept": "application/json"}, timeout=10).json()["session"]
    waits = []
    for _ in range(CALLS):
        page.wait_for_timeout(APART)
        response = requests.post(f"{table}/calls", json={"sessionId": session["id"], "kind": "waiter"}, timeout=10)
        responded = time.monotonic()
        call = response.json()["id"]
        page.wait_for_selector(f"#call-{call}")
        waits.append((time.monotonic() - responded) * 1000)
        requests.post(f"{installation.base}/calls/{call}/done", json={}, headers=staff, timeout=10).raise_for_status()
        page.wait_for_selector(f"#call-{call}", state="detached")
    return waits


def main() -> None:
    with installed() as installation, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        context = browser.new_context(storage_state={"cookies": [installation.cookie("floor")]})
        waits = measure(installation, context.new_page())
        browser.close()
    record_waits("call to the floor", "calls, from the guest's response to the call on the floor", waits)


if __name__ == "__main__":
    main()
