"""Pictures of every page, from the demonstration, into var/screenshots.

    make screenshots
    make screenshots PAGES="menu card"      # only these
    make readme-pictures                    # those of the README, into static/img

<name>-<width>-<light or dark>.png, at most 2,400 pixels high, and <name>.png of what is printed. Pages that don't
answer with 200 are named at the end.
"""

import argparse
import sys
import tempfile
import time
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import pypdfium2
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from tests.screenshots import pages, readme
from tests.servers import CHROMIUM, ROOT, Installation, development_server

WIDTHS = {360: 740, 768: 1024, 1280: 800}
HIGHEST = 2400
WHOLE = dict.fromkeys(pages.DEVELOPER, 32_000)
FOLDER = Path(ROOT) / "var" / "screenshots"
SCHEMES = ("light", "dark")
PROCESSES = 3
AT_ONCE = 8  # pages that one browser takes before it is closed
DOTS = 4  # pixels of a millimetre on paper
ALL_IMAGES = """Promise.all([...document.images].map((image) => {
    image.loading = "eager";
    return image.decode().catch(() => 0);
}))"""
PAINTED = "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
REFUSED = {"nothing-here": 404, "till-code-used": 400}


def take(jobs: list[tuple[str, str]], cookies: list[dict], base: str, folder: str) -> list[str]:
    """Pictures of these pages; what is wrong with some."""
    wrong = []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
        page = new_page(browser, cookies)
        page.goto(f"{base}/sign-in")  # the letters come with the first page, and show on the second
        for name, address in jobs:
            if name == "till":
                page.add_init_script(pages.CAMERA)
            response = page.goto(base + address)
            if name == "menu":
                fill_cart(page)
            if name == "staff-order":
                begin_order(page)
            if name == "floor-plan":
                page.locator(".spot").last.click()
            if name in ("kitchen", "station"):
                page.wait_for_selector(".ticket")
            if response.status != REFUSED.get(name, 200):
                wrong.append(f"{name}: {response.status} {address}")
            if name in pages.ON_PAPER:
                print_first_sheet(page, f"{folder}/{name}.png")
                continue
            for scheme in SCHEMES:
                page.emulate_media(color_scheme=scheme)
                for width in WIDTHS:
                    shoot(page, width, f"{folder}/{name}-{width}-{scheme}.png", WHOLE.get(name, HIGHEST))
        browser.close()
    return wrong


def new_page(browser: Browser, cookies: list[dict]) -> Page:
    context: BrowserContext = browser.new_context(reduced_motion="reduce")
    context.add_cookies(cookies)
    return context.new_page()


def print_first_sheet(page: Page, path: str) -> None:
    page.evaluate(ALL_IMAGES)
    document = pypdfium2.PdfDocument(page.pdf(prefer_css_page_size=True))
    document[0].render(scale=DOTS * 25.4 / 72).to_pil().save(path)
    document.close()


def fill_cart(page: Page) -> None:
    """For this picture, and for that of the cart."""
    for button in page.locator(".category .add").all()[:3]:
        button.click()
    page.wait_for_timeout(300)


def begin_order(page: Page) -> None:
    """Staff take it: five dishes, and one with its choices."""
    chosen = {"Aperitivi": (0, 2, 2), "Bites & Small Plates": (1, 6), "Charcoal Grill": (2, 0)}
    for category, places in chosen.items():
        page.locator("#jumps a").get_by_text(category, exact=True).click()
        for place in places:
            page.locator(".add:visible").nth(place).click()
    page.locator(".variant .choice").first.click()


def shoot(page: Page, width: int, path: str, highest: int) -> None:
    page.set_viewport_size({"width": width, "height": WIDTHS[width]})
    page.evaluate("scrollTo(0, 0)")
    page.evaluate(ALL_IMAGES)
    height = min(page.evaluate("document.documentElement.scrollHeight"), highest)
    # As high as the page: a bar at the window's foot is at the picture's.
    page.set_viewport_size({"width": width, "height": max(height, WIDTHS[width])})
    page.evaluate(PAINTED)  # what a browser leaves out far from the window is there two frames later
    page.screenshot(path=path)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", help="of the pictures; all of them without one")
    parser.add_argument("--readme", action="store_true", help="the pictures of the README instead")
    parser.add_argument("--into", type=Path, default=FOLDER)
    options = parser.parse_args()
    options.into.mkdir(parents=True, exist_ok=True)
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        installation = Installation(Path(folder) / "data").start()
        try:
            if options.readme:
                readme.compose(installation, pages.find(installation))
                sys.exit()
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
    # A till of which the location has been chosen, as on all days but the first.
    cookies["cashier"].append({"name": "till_location", "value": found["location"], "url": installation.base})
    with ProcessPoolExecutor(PROCESSES) as pool, development_server(installation) as development:

        def base(audience: str) -> str:
            return development if audience == "developer" else installation.base

        taken = [
            pool.submit(take, some[start : start + AT_ONCE], cookies.get(audience, []), base(audience), folder)
            for audience, some in jobs.items()
            for start in range(0, len(some), AT_ONCE)
        ]
        return sorted({line for each in taken for line in each.result()})


if __name__ == "__main__":
    main()
