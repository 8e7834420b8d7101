"""Pictures of every page, from the demonstration, into var/screenshots.

    make screenshots
    .venv/bin/python -m tests.screenshots menu card      # only these

<name>-<width>-<light or dark>.png, at most 2,400 pixels high. Pages that don't answer with 200 are named at the end.
"""

import argparse
import sys
import tempfile
import time
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from tests.screenshots import pages
from tests.servers import CHROMIUM, ROOT, Installation

WIDTHS = {360: 740, 768: 1024, 1280: 800}
HIGHEST = 2400
FOLDER = Path(ROOT) / "var" / "screenshots"
PROCESSES = 3
ALL_IMAGES = """Promise.all([...document.images].map((image) => {
    image.loading = "eager";
    return image.decode().catch(() => 0);
}))"""
FOUND_MISSING = {"nothing-here": 404}


def take(jobs: list[tuple[str, str]], cookies: list[dict], scheme: str, base: str, folder: str) -> list[str]:
    """Pictures of these pages; what is wrong with some."""
    wrong = []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
        page = new_page(browser, cookies, scheme)
        for name, address in jobs:
            response = page.goto(base + address)
            if name == "menu":
                fill_cart(page)
            if response.status != FOUND_MISSING.get(name, 200):
                wrong.append(f"{name}: {response.status} {address}")
            for width in WIDTHS:
                shoot(page, width, f"{folder}/{name}-{width}-{scheme}.png")
        browser.close()
    return wrong


def new_page(browser: Browser, cookies: list[dict], scheme: str) -> Page:
    context: BrowserContext = browser.new_context(color_scheme=scheme, reduced_motion="reduce")
    context.add_cookies(cookies)
    return context.new_page()


def fill_cart(page: Page) -> None:
    """For this picture, and for that of the cart."""
    for button in page.locator(".add").all()[:3]:
        button.click()
    page.wait_for_timeout(300)


def shoot(page: Page, width: int, path: str) -> None:
    page.set_viewport_size({"width": width, "height": WIDTHS[width]})
    page.evaluate("scrollTo(0, 0)")
    page.evaluate(ALL_IMAGES)
    height = min(page.evaluate("document.documentElement.scrollHeight"), HIGHEST)
    # As high as the page: a bar at the window's foot is at the picture's.
    page.set_viewport_size({"width": width, "height": max(height, WIDTHS[width])})
    page.screenshot(path=path)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", help="of the pictures; all of them without one")
    parser.add_argument("--into", type=Path, default=FOLDER)
    options = parser.parse_args()
    options.into.mkdir(parents=True, exist_ok=True)
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        installation = Installation(Path(folder) / "data").start()
        try:
            wrong = take_all(installation, set(options.names), str(options.into))
        finally:
            installation.stop()
    taken = len(list(options.into.glob("*.png")))
    print(f"{taken} pictures in {options.into.relative_to(ROOT)}, {time.monotonic() - began:.0f} s")
    if wrong:
        sys.exit("\n".join(wrong))


def take_all(installation: Installation, names: set[str], folder: str) -> list[str]:
    found = pages.find(installation)
    jobs: dict[str, list[tuple[str, str]]] = {}
    for audience, name, address in pages.addresses(found):
        if not names or name in names:
            jobs.setdefault(audience, []).append((name, address))
    card = {"name": "member", "value": found["card"], "url": installation.base}
    phone = {"name": "sessionId", "value": "gallery", "url": installation.base}
    cookies: dict[str, list[dict]] = {"guest": [], "stranger": [], "ordered": [phone], "member": [card]}
    cookies |= {name: [installation.cookie(name)] for name in ("floor", "cashier", "manager", "owner")}
    with ProcessPoolExecutor(PROCESSES) as pool:
        taken = [
            pool.submit(take, some, cookies[audience], scheme, installation.base, folder)
            for scheme in ("light", "dark")
            for audience, some in jobs.items()
        ]
        return sorted({line for each in taken for line in each.result()})


if __name__ == "__main__":
    main()
