"""Pictures of every page, from the demonstration, into var/screenshots.

    make screenshots
    make screenshots PAGES="menu card"      # only these
    make screenshots PAGES=--components     # those of docs/components.md, into docs/components
    make readme-pictures                    # those of the README, into static/img
    python -m tests.screenshots --accept    # those that are there are how pages should be: var/screenshots/accepted
    python -m tests.screenshots --compare   # which differ from the accepted ones: var/screenshots/different

So: take and accept them, change something, take them again, compare. The accepted ones are large, and not in git.
<name>-<width>-<light or dark>.png, at most 2,400 pixels high, and <name>.png of what is printed. Pages that don't
answer with 200 are named at the end. The demonstration is always the same: a Friday evening at which the clock stands.
"""

import argparse
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from datetime import UTC, datetime
from email.utils import format_datetime
from pathlib import Path

import pypdfium2
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from tests.screenshots import compare, components, demonstration, pages, readme
from tests.screenshots.steps import open_page
from tests.servers import CHROMIUM, ROOT, Installation, installed

WIDTHS = {360: 740, 768: 1024, 1280: 800}
HIGHEST = 2400
FOLDER = ROOT / "var" / "screenshots"
SCHEMES = ("light", "dark")
PROCESSES = 3
AT_ONCE = 8  # pages that one browser takes before it is closed
EVENING = datetime(2025, 11, 7, 19, 40, tzinfo=UTC)
PORTS = 8901, 8902  # always the same: codes say where they lead
STANDING = {
    "PYTHONPATH": str(Path(__file__).parent / "still"),
    "PYTHONHASHSEED": "0",
    "STANDS_AT": str(int(EVENING.timestamp())),
}
DOTS = 4  # pixels of a millimetre on paper
ALL_IMAGES = """Promise.all([...document.images].map((image) => {
    image.loading = "eager";
    return image.decode().catch(() => 0);
}))"""
# Displays go by the server's clock, and what serves HTTP has a clock of its own.
SERVERS_CLOCK = f"""{{
    const get = Headers.prototype.get;
    const evening = "{format_datetime(EVENING, usegmt=True)}";
    Headers.prototype.get = function (name) {{ return name === "Date" ? evening : get.call(this, name); }};
}}"""
# Once it stays the same for some frames: displays fit their tickets to the window.
HEIGHT = """async () => {
    for (let before = -1, frames = 0; frames < 6; frames += 1) {
        await new Promise(requestAnimationFrame);
        const height = document.documentElement.scrollHeight;
        if (height !== before) frames = 0;
        before = height;
    }
    return document.documentElement.scrollHeight;
}"""
PAINTED = "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"


def take(jobs: list[tuple[str, str]], cookies: list[dict], base: str, folder: str) -> list[str]:
    """Take pictures of these pages, and return what is wrong with them."""
    wrong = []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
        page = new_page(browser, cookies)
        page.goto(f"{base}/sign-in")  # the letters come with the first page, and show on the second
        for name, address in jobs:
            try:
                open_page(page, name, base + address)
            except AssertionError as refused:
                wrong.append(str(refused))
            if name in pages.ON_PAPER:
                print_first_sheet(page, f"{folder}/{name}.png")
                continue
            for scheme in SCHEMES:
                page.emulate_media(color_scheme=scheme)
                for width in WIDTHS:
                    shoot(page, width, f"{folder}/{name}-{width}-{scheme}.png", HIGHEST)
        browser.close()
    return wrong


def new_page(browser: Browser, cookies: list[dict]) -> Page:
    context: BrowserContext = browser.new_context(reduced_motion="reduce")
    context.add_cookies(cookies)
    context.clock.set_fixed_time(EVENING)
    context.add_init_script(SERVERS_CLOCK)
    return context.new_page()


def print_first_sheet(page: Page, path: str) -> None:
    page.evaluate(ALL_IMAGES)
    document = pypdfium2.PdfDocument(page.pdf(prefer_css_page_size=True))
    document[0].render(scale=DOTS * 25.4 / 72).to_pil().save(path)
    document.close()


def shoot(page: Page, width: int, path: str, highest: int) -> None:
    page.set_viewport_size({"width": width, "height": WIDTHS[width]})
    page.evaluate("scrollTo(0, 0)")
    page.evaluate(ALL_IMAGES)
    height = min(page.evaluate(HEIGHT), highest)
    # As high as the page: a bar at the window's foot is at the picture's.
    page.set_viewport_size({"width": width, "height": max(height, WIDTHS[width])})
    page.evaluate(PAINTED)  # what a browser leaves out far from the window is there two frames later
    page.screenshot(path=path)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", help="of the pictures; all of them without one")
    parser.add_argument("--readme", action="store_true", help="the pictures of the README instead")
    parser.add_argument("--components", action="store_true", help="the pictures of docs/components.md instead")
    parser.add_argument("--accept", action="store_true", help="take no pictures: accept those that are there")
    parser.add_argument("--compare", action="store_true", help="take no pictures: compare those that are there")
    options = parser.parse_args()
    FOLDER.mkdir(parents=True, exist_ok=True)
    if options.accept:
        print(f"{compare.accept(FOLDER)} pictures are accepted")
    elif options.compare:
        sys.exit(differences() or None)
    else:
        with installed(port=PORTS[0], kitchen_port=PORTS[1], environment=STANDING) as installation:
            if options.readme:
                readme.compose(installation, demonstration.find(installation))
            elif options.components:
                ids = demonstration.find(installation)
                components.take(installation.base, ids, demonstration.cookies(installation, ids))
            else:
                sys.exit(take_all(installation, set(options.names)) or None)


def differences() -> str:
    """What is wrong; nothing where no picture differs."""
    if not (FOLDER / "accepted").exists():
        return "No pictures were accepted yet. Take them before a change, and accept them: --accept"
    return "\n".join(compare.compare(FOLDER))


def take_all(installation: Installation, names: set[str]) -> str:
    """Take the pictures with these names, or all, and return what is wrong with them."""
    began = time.monotonic()
    ids = demonstration.find(installation)
    jobs: dict[str, list[tuple[str, str]]] = {}
    for audience, name, address in pages.addresses(ids):
        if not names or name in names:
            jobs.setdefault(audience, []).append((name, address))
    cookies = demonstration.cookies(installation, ids)
    with ProcessPoolExecutor(PROCESSES) as pool:
        taken = [
            pool.submit(
                take, addresses[start : start + AT_ONCE], cookies.get(audience, []), installation.base, str(FOLDER)
            )
            for audience, addresses in jobs.items()
            for start in range(0, len(addresses), AT_ONCE)
        ]
        wrong = sorted({line for task in taken for line in task.result()})
    number = len(list(FOLDER.glob("*.png")))
    print(f"{number} pictures in {FOLDER.relative_to(ROOT)}, {time.monotonic() - began:.0f} s")
    return "\n".join(wrong)


if __name__ == "__main__":
    main()
