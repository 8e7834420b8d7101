"""docs/components.md: what the sheets in static/css/components say at their beginning, and a picture of each."""

import io
import re
from dataclasses import dataclass

from PIL import Image
from playwright.sync_api import sync_playwright

from tests.screenshots import pages
from tests.screenshots.steps import open_page
from tests.servers import CHROMIUM, ROOT

FOLDER = ROOT / "docs" / "components"
MARGIN = 12  # pixels of the page around the part
HIGHEST = 420
COLOURS = 96


@dataclass(frozen=True)
class Part:
    audience: str
    page: str  # its name in tests/screenshots/pages.py
    selector: str
    width: int = 720


PARTS = {
    "back": Part("guest", "dish", ".back", 360),
    "button": Part("member", "erase", "main form", 360),
    "chip": Part("guest", "menu", ".item:has(.chip-diet)", 360),
    "empty_state": Part("guest", "cart-emptied", ".empty-state", 360),
    "folded": Part("manager", "set-up", ".folded"),
    "form": Part("guest", "sign-up-refused", "main form", 360),
    "heat_map": Part("manager", "report-peak-hours", ".heat", 1000),
    "listed": Part("floor", "attention", ".listed"),
    "notice": Part("manager", "staff-refused", ".notice"),
    "ordered": Part("ordered", "order", ".ordered", 360),
    "plots": Part("manager", "report-dashboard", ".plot"),
    "progress": Part("member", "card", "progress", 360),
    "search": Part("cashier", "till", ".search-field", 360),
    "sheet": Part("guest", "sheet", "#sheet .sheet-body", 360),
    "shell": Part("floor", "floor", ".masthead", 1000),
    "sign_in": Part("stranger", "sign-in", "main form", 360),
    "stepper": Part("floor", "cancel-order", ".stepper", 360),
    "strip": Part("manager", "report-dashboard", ".strip"),
    "table": Part("manager", "report-menu", ".table-frame"),
    "tier": Part("cashier", "till-found", "a:has(.tier)", 360),
    "tile": Part("manager", "report-dashboard", ".tiles"),
    "toast": Part("guest", "menu-removed", ".toast", 360),
}

NAMED = re.compile(r"/\* # (.+?)\n\n\s*(.*?) \*/", re.DOTALL)  # "# Button", and when to use it
BEGINNING = """# Components

What pages are made of. Take one before you write a rule; a new look is a variant in the component's sheet, with a
name. How parts lie on a page is in `static/css/layout.css`: `.stack` below each other, `.cluster` and `.row` beside
each other (the first wraps), `.split` to both ends, `.grid` in as many columns as fit, `.pair` in two, `.card` on a
card, `.narrow` in a narrow column, with `.gap-1` to `.gap-5` for the space between. `static/css/utilities.css` has one
thing each: `.small`, `.large`, `.strong`, `.soft`, `.tabular`, `.push`, `.plain-link`, `.title-3`, `.visually-hidden`.

This file is made of the comments in `static/css/components` by `make screenshots PAGES=--components`, which also takes
the pictures.
"""


def document() -> str:
    """Return the text of docs/components.md: of every comment in the sheets that begins with a name."""
    sheets = sorted((ROOT / "static/css/components").glob("*.css"))
    found = [each for sheet in sheets for each in NAMED.findall(sheet.read_text(encoding="utf-8"))]
    return "\n".join([BEGINNING, *(section(name, text) for name, text in found)])


def section(name: str, text: str) -> str:
    paragraphs = re.split(r"\n\s*\n", text)
    texts = [_code(part) if part.lstrip().startswith("<") else _text(part) for part in paragraphs]
    picture = [f"![{name}](components/{slug}.png)"] if (slug := name.lower().replace(" ", "_")) in PARTS else []
    return "\n\n".join([f"## {name}", *texts, *picture]) + "\n"


def _text(part: str) -> str:
    return re.sub(r"(?<!`)<[^>]+>(?:[^<]*<[^>]+>)*", r"`\g<0>`", " ".join(part.split()))


def _code(part: str) -> str:
    return "\n".join(["```html", *(line.strip() for line in part.splitlines()), "```"])


def take(base: str, ids: dict[str, str], cookies: dict[str, list[dict]]) -> None:
    """Write the document and take its pictures."""
    FOLDER.mkdir(exist_ok=True)
    FOLDER.with_suffix(".md").write_text(document(), encoding="utf-8")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
        for name, part in PARTS.items():
            context = browser.new_context(reduced_motion="reduce", viewport={"width": part.width, "height": 900})
            context.add_cookies(cookies.get(part.audience, []))
            page = context.new_page()
            address = (pages.AUDIENCES[part.audience] | pages.STATES[part.audience])[part.page]
            open_page(page, part.page, base + address.format(**ids))
            shown = page.locator(part.selector).locator("visible=true").first
            shown.scroll_into_view_if_needed()
            box = shown.bounding_box()
            left, top = max(box["x"] - MARGIN, 0), max(box["y"] - MARGIN, 0)
            clip = {
                "x": left,
                "y": top,
                "width": min(box["width"] + 2 * MARGIN, part.width - left),
                "height": min(box["height"] + 2 * MARGIN, HIGHEST),
            }
            picture = Image.open(io.BytesIO(page.screenshot(clip=clip))).convert("RGB")
            picture.quantize(COLOURS, dither=Image.Dither.NONE).save(FOLDER / f"{name}.png", optimize=True)
            context.close()
        browser.close()
