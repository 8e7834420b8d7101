"""What axe finds on a page, and what is wider than the window."""

from typing import Any

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

AXE = Axe().axe_script
# Colours that are still changing have another contrast than those that are read.
RUN = """async ([part, options]) => {
    const ends = (each) => each.playState === "running" && Number.isFinite(each.effect.getComputedTiming().endTime);
    const changes = document.getAnimations().filter(ends);
    await Promise.allSettled(changes.map((each) => each.finished));
    const met = new Map(); // what differs in nothing but what is written there: two of each are looked at
    const again = [...document.querySelectorAll("tbody tr, li, article")].filter((part) => {
        const kindOf = (each) => `${each.tagName} ${each.className} ${each.getAttributeNames()}`;
        const kind = [part, ...part.querySelectorAll("*")].map(kindOf).join();
        met.set(kind, (met.get(kind) ?? 0) + 1);
        return met.get(kind) > 2;
    });
    return (await axe.run({include: [part ?? ":root"], exclude: again}, options)).violations;
}"""
STANDARD = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]
CONTRAST = {"type": "rule", "values": ["color-contrast", "link-in-text-block"]}  # all that a dark scheme changes


def violations(page: Page, *, part: str | None = None, rules: Any = STANDARD) -> list[dict[str, Any]]:
    """Of the page, or of the part that this selector finds. What passes is not listed: that takes most of the time."""
    page.wait_for_load_state()
    if part:
        page.locator(part).first.wait_for(state="attached")
    if not page.evaluate("'axe' in window"):  # half a megabyte of script, once for each page
        page.evaluate(AXE)
    # Only a rule about sound that starts alone needs media, for which axe would load all style sheets again.
    options = {"runOnly": rules, "resultTypes": ["violations"], "preload": False}
    found: list[dict[str, Any]] = page.evaluate(RUN, [part, options])
    return found


def overflow(page: Page) -> int:
    """By how many pixels the page is wider than the window."""
    return page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")


def check(page: Page, *, rules: Any = STANDARD) -> None:
    found = [f"{each['id']}: {each['nodes'][0]['html'][:120]}" for each in violations(page, rules=rules)]
    assert not found, found
    assert overflow(page) <= 0, f"{page.url} is too wide for {page.viewport_size}"


# A word's first and last letter stand on different lines; or what is written is wider than its part, and so is cut.
BROKEN = """(parts) => [...document.querySelectorAll(parts)].flatMap((part) => {
    const texts = document.createTreeWalker(part, NodeFilter.SHOW_TEXT);
    const wrong = part.scrollWidth > part.clientWidth + 1 ? [`cut: ${part.textContent.trim()}`] : [];
    while (texts.nextNode()) {
        for (const word of texts.currentNode.data.matchAll(/[^\\s-]+/g)) {
            const range = document.createRange();
            range.setStart(texts.currentNode, word.index);
            range.setEnd(texts.currentNode, word.index + word[0].length);
            const lines = new Set([...range.getClientRects()].map((box) => Math.round(box.top)));
            if (lines.size > 1) wrong.push(word[0]);
        }
    }
    return wrong;
})"""


def broken_words(page: Page, parts: str) -> list[str]:
    """Those that take two lines in these parts of the page, and parts that are cut."""
    return page.evaluate(BROKEN, parts)
