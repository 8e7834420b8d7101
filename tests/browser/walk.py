"""What is true of every page: axe finds nothing, no window is too narrow, and a finger hits what it means."""

from collections.abc import Callable, Collection, Iterator
from typing import Any

from playwright.sync_api import Error, Page

from tests.browser.accessible import CONTRAST, STANDARD, overflow, violations
from tests.screenshots import pages
from tests.screenshots.steps import REFUSED, open_page

PHONE = 360  # pixels
OF_GUESTS = ("guest", "ordered", "member", "stranger")
OF_STAFF = ("floor", "cashier")
OF_THE_OFFICE = ("manager", "owner")
EXPECTED = ("status of 400", "status of 409", "ERR_INTERNET_DISCONNECTED")  # a form is refused, a phone is offline
RULES = [*STANDARD, "best-practice"]
# Folded parts open, of those that close each other the first.
UNFOLD = """async () => {
    await new Promise((done) => setTimeout(done));
    for (const part of document.querySelectorAll("main details"))
        part.open ||= !part.name || !document.querySelector(`details[name="${part.name}"][open]`);
    const box = document.querySelector(".action-select");
    if (box && !box.checked) box.click();
}"""
# Bars, which cover what is below them until one scrolls, stand in the text; first the page has its turn, which gives a
# form that was changed its bar.
UNCOVER = """async () => {
    await new Promise((done) => setTimeout(done));
    const isBar = (part) => part.matches(".filter > ul") || getComputedStyle(part).position === "sticky";
    for (const part of document.querySelectorAll("body *")) if (isBar(part)) part.style.position = "static";
}"""
# What is less high than a finger needs. Of boxes it is their labels. Thinner are the walls of a plan.
TOO_LOW = """(least) => [...document.querySelectorAll(
        "button, summary, select, textarea, input:not([type=checkbox], [type=radio]), label:has(input), .shell a")]
    .filter((each) => each.checkVisibility({visibilityProperty: true, contentVisibilityAuto: true}))
    .filter((each) => !each.matches("label *, .visually-hidden, .feature-line"))
    .map((each) => [each.getBoundingClientRect().height, each.outerHTML.slice(0, 120)])
    .filter(([height]) => height < least - 0.1).map(([height, html]) => `${height} pixels high: ${html}`)"""
# Where axe finds something in the markup of Django's admin, which is not ours: rules and selectors.
OF_DJANGO = {
    "aria-prohibited-attr": ".help-tooltip",
    "empty-table-header": ".inline-group th",
    "label-title-only": "#searchbar",
    "scrollable-region-focusable": ".inline-group",
}
FINGER = {"floor": 42, "owner": 24}  # pixels; 44 for everybody else


def walk(gallery, audience: str, *, done: bool = True, cookies: Collection[Any] = (), **options) -> Iterator[str]:
    """What is wrong on the pages of this audience; for the options see `visit` and `look`.

    Unless `done`, nothing is done on the pages: the steps are in English. `cookies`: instead of the audience's.
    """
    page = gallery.open(storage_state={"cookies": cookies or gallery.cookies[audience]})
    usual = {"rules": STANDARD if audience in OF_GUESTS else RULES, "finger": FINGER.get(audience, 44)}
    options = usual | {"unfolded": audience in OF_THE_OFFICE, "done": done} | options
    addresses = pages.AUDIENCES[audience] | (pages.STATES.get(audience, {}) if done else {})
    for name, address in addresses.items():
        if name not in pages.ON_PAPER:
            try:
                yield from (f"{name}: {line}" for line in visit(gallery, page, name, gallery.base + address, **options))
            except (AssertionError, Error) as error:
                yield f"{name}: {error}"
    page.context.close()


def visit(
    gallery,
    page: Page,
    name: str,
    address: str,
    *,
    unfolded: bool,
    done: bool,
    also: Callable[[Page], Iterator[str]] = lambda page: iter(()),
    **options,
) -> Iterator[str]:
    """What is wrong with one page, which is `also` looked at in another way, at the last of the widths."""
    gallery.complaints.clear()  # what inspected the page before has styles that its policy blocks
    _resize(page, PHONE)
    open_page(page, name, address.format(**gallery.found), done=done)
    if unfolded:
        page.evaluate(UNFOLD)
    expected = (*EXPECTED, f"status of {REFUSED.get(name)}")
    yield from (line for line in gallery.complaints if not any(each in line for each in expected))
    yield from look(page, **options)
    yield from also(page)


def look(
    page: Page,
    *,
    widths: Collection[int],
    inspected: Collection[int] = (PHONE,),
    dark: bool = False,
    rules: Collection[str] = RULES,
    finger: int = 24,
) -> Iterator[str]:
    """What is wrong with this page: whether it fits these widths, and what axe finds at those that are inspected."""
    _resize(page, PHONE)
    yield from page.evaluate(TOO_LOW, finger)
    for width in inspected:
        _resize(page, width)
        page.evaluate(UNCOVER)  # what is a bar depends on the width
        for scheme in ("light", "dark") if dark else ("light",):
            page.emulate_media(color_scheme=scheme)
            page.evaluate("scrollTo(0, 0)")  # what stands above is over nothing there
            for each in violations(page, rules=rules if scheme == "light" else CONTRAST):
                if ours := [node for node in each["nodes"] if not _is_of_django(page, each["id"], node)]:
                    yield f"{each['id']} at {width}, {scheme}: {ours[0]['html'][:120]}"
        page.emulate_media(color_scheme="light")
    for width in widths:
        _resize(page, width)
        if (wider := overflow(page)) > 0:
            yield f"{wider} pixels too wide for {width}"


def _resize(page: Page, width: int) -> None:
    if page.viewport_size["width"] != width:  # to lay a page out takes as long as to inspect a small one
        page.set_viewport_size({"width": width, "height": 800})


def _is_of_django(page: Page, rule: str, node: dict[str, Any]) -> bool:
    selector = OF_DJANGO.get(rule)
    return bool(selector) and page.locator(node["target"][0]).evaluate("(part, its) => part.matches(its)", selector)
