"""The README's pictures: several windows of the demonstration side by side, in static/img."""

import io
from dataclasses import dataclass

from PIL import Image
from playwright.sync_api import Browser, sync_playwright

from tests.servers import CHROMIUM, ROOT, Installation

GAP = 24
GROUND = (217, 207, 195)
COLOURS = 160  # of a picture: a third of the bytes, and no difference to see
# Those below the window are not loaded.
IMAGES = """Promise.all([...document.images].filter((image) => image.loading !== "lazy" || image.complete)
    .map((image) => image.decode().catch(() => 0)))"""


@dataclass(frozen=True)
class Window:
    audience: str
    address: str
    width: int = 360
    scheme: str = "light"
    before: str = ""  # another address, which has to be opened first
    shows: str = "main"  # what a script may have to add


# By file: what stands side by side, and how high it is.
PICTURES: dict[str, tuple[int, list[Window]]] = {
    "pages.png": (
        742,
        [
            Window("guest", "/table/{table}"),
            Window("guest", "/table/{table}/dishes/{dish}", before="/table/{table}"),
            Window("floor", "/kitchen", 1180, shows='[data-state="live"]'),
        ],
    ),
    "loyalty.png": (
        742,
        [
            Window("member", "/member/{member}"),
            Window("member", "/rewards"),
            Window("cashier", "/member/{member}"),
            Window("cashier", "/use/{active}"),
        ],
    ),
    "reports.png": (
        700,
        [
            Window("manager", "/reports/restaurant/peak-hours", 860),
            Window("manager", "/reports/loyalty", 300),
            Window("manager", "/reports/restaurant/menu", 300, "dark"),
        ],
    ),
}


def compose(installation: Installation, ids: dict[str, str]) -> None:
    card = {"name": "member", "value": ids["card"], "url": installation.base}
    cookies = {"guest": [], "member": [card]}
    cookies |= {name: [installation.cookie(name)] for name in ("floor", "cashier", "manager")}
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
        for name, (height, windows) in PICTURES.items():
            taken = []
            for window in windows:
                ways = [installation.base + way.format(**ids) for way in (window.before, window.address) if way]
                taken.append(shot(browser, window, height, cookies[window.audience], ways))
            beside(taken).save(ROOT / "static" / "img" / name, optimize=True)
        browser.close()


def shot(browser: Browser, window: Window, height: int, cookies: list[dict], addresses: list[str]) -> Image.Image:
    viewport = {"width": window.width, "height": height}
    context = browser.new_context(viewport=viewport, color_scheme=window.scheme, reduced_motion="reduce")
    context.add_cookies(cookies)
    page = context.new_page()
    for address in addresses:
        page.goto(address)
    page.locator(window.shows).first.wait_for()
    page.evaluate(IMAGES)
    picture = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
    context.close()
    return picture


def beside(pictures: list[Image.Image]) -> Image.Image:
    width = sum(picture.width for picture in pictures) + GAP * (len(pictures) + 1)
    whole = Image.new("RGB", (width, pictures[0].height + 2 * GAP), GROUND)
    left = GAP
    for picture in pictures:
        whole.paste(picture, (left, GAP))
        left += picture.width + GAP
    return whole.quantize(COLOURS, dither=Image.Dither.NONE)
