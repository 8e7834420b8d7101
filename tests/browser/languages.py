"""What is true of every page in every language.

Other words are longer, or stand from right to left: none is cut or broken on the smallest phone, and none is English.
"""

import re
from collections.abc import Callable, Iterator
from functools import cache, partial

from babel.messages import pofile
from playwright.sync_api import Page

from tests.browser.accessible import STANDARD
from tests.browser.walk import OF_STAFF, OF_THE_OFFICE, walk
from tests.screenshots import pages
from tests.screenshots.steps import fill_cart
from tests.servers import ROOT, wait_for

WIDTHS = (1280, 320)
PLACEHOLDER = r"%\(\w+\)s|%%|{\w+}"
# Messages to the owner of a card, which are stored in the language in which they were written.
STORED = ("Welcome ", "You have reached ")
# Without what is marked as another language's.
TEXTS = """() => {
    const found = [...document.querySelectorAll("[aria-label], [title], [placeholder], [alt]")].flatMap((part) =>
        ["aria-label", "title", "placeholder", "alt"].map((name) => part.getAttribute(name) ?? ""));
    const texts = document.createTreeWalker(document.documentElement, NodeFilter.SHOW_TEXT);
    const others = "script, style, svg, [lang]:not(html)";
    while (texts.nextNode()) if (!texts.currentNode.parentNode.closest(others)) found.push(texts.currentNode.data);
    return found;
}"""
# Not read, or short on purpose.
SHORT = "svg, script, style, code, .visually-hidden, .skip-link, .tier-short, .ticket-label"
# What has a text of its own: words on two lines, except where browsers know where to hyphenate, and text that is cut.
BROKEN = """(short) => [...document.querySelectorAll("body *")]
    .filter((part) => part.checkVisibility({visibilityProperty: true, contentVisibilityAuto: true}))
    .filter((part) => !part.closest(short))
    .flatMap((part) => {
        const texts = [...part.childNodes].filter((node) => node.nodeType === Node.TEXT_NODE && node.data.trim());
        if (!texts.length) return [];
        const {display, hyphens, overflowX} = getComputedStyle(part);
        const overflows = part.clientWidth > 0 && part.scrollWidth > part.clientWidth + 1;
        const cut = display !== "inline" && overflows && !["auto", "scroll"].includes(overflowX);
        const wrong = cut ? [`cut: ${part.textContent.trim().slice(0, 60)}`] : [];
        for (const text of hyphens === "auto" ? [] : texts) {
            for (const word of text.data.matchAll(/[^\\s\\u200b/·–—-]+/g)) {
                const range = document.createRange();
                range.setStart(text, word.index);
                range.setEnd(text, word.index + word[0].length);
                const lines = new Set([...range.getClientRects()].map((box) => Math.round(box.top)));
                if (lines.size > 1) wrong.push(`broken: ${word[0]}`);
            }
        }
        return wrong;
    })"""
WITHOUT_SPACES = ("zh-hans", "ja")  # where a line may end after any sign
KITCHEN = "from config.models import Venue; Venue.objects.update_or_create(pk=1, defaults={{'kitchen_language': {!r}}})"


def in_english(language: str) -> Callable[[str], bool]:
    """Says of a text whether it is one of our messages, for which this language has other words."""
    with (ROOT / "locale" / language.replace("zh-hans", "zh_Hans") / "LC_MESSAGES" / "django.po").open("rb") as file:
        catalogue = pofile.read_po(file)
    patterns = []
    for message in catalogue:
        texts, translated = (each if isinstance(each, tuple) else (each,) for each in (message.id, message.string))
        for text in texts:
            parts = [re.escape(" ".join(part.split())) for part in re.split(PLACEHOLDER, text)]
            if len(re.findall(r"[a-z]{2,}", " ".join(parts))) >= 2 and text not in translated:
                patterns.append(re.compile(r" ?.+ ?".join(parts)))
    return cache(lambda text: any(pattern.fullmatch(text) for pattern in patterns))


def faults(page: Page, language: str, is_english: Callable[[str], bool]) -> Iterator[str]:
    if "/kitchen" in page.url:
        page.wait_for_selector(".ticket")
    found = page.evaluate("[document.documentElement.lang, getComputedStyle(document.body).direction]")
    expected = ["pt-pt" if language == "pt" else language, "rtl" if language == "ar" else "ltr"]
    if found != expected:
        yield f"is in {found}"
    texts = {" ".join(text.split()) for text in page.evaluate(TEXTS)}
    yield from (f"English: {text}" for text in sorted(filter(is_english, texts)) if not text.startswith(STORED))
    for each in page.evaluate(BROKEN, SHORT):
        if "@" not in each and (language not in WITHOUT_SPACES or each.startswith("cut")):
            yield each


def cookies_of(gallery, audience: str, language: str) -> list[dict]:
    """Of a browser in which this language was chosen, and on a guest's phone dishes."""
    page = gallery.open(storage_state={"cookies": gallery.cookies[audience]})
    if audience in (*OF_STAFF, *OF_THE_OFFICE):
        page.goto(f"{gallery.base}/account")
        page.locator(f"button[name=language][value={language}]").click()
        page.locator(f"html[lang={language}]").wait_for()
    if audience == "floor":
        kitchen = f"{gallery.base}/kitchen"
        gallery.installation.shell(KITCHEN.format(language))
        wait_for(lambda: page.request.get(kitchen).headers["content-language"] == language, "the kitchen's language")
    if audience == "guest":
        page.goto(gallery.base + pages.GUEST["menu"].format(**gallery.found))
        fill_cart(page)
    page.context.add_cookies([{"name": "language", "value": language, "url": gallery.base}])
    found = page.context.cookies()
    page.context.close()
    return found


def wrong(gallery, audiences: tuple[str, ...], language: str, **options) -> str:
    """What is wrong on the pages of these audiences in this language, a line each; for the options see `look`."""
    also = partial(faults, language=language, is_english=in_english(language))
    options = {"widths": WIDTHS, "rules": STANDARD, "unfolded": True, "done": False, "also": also} | options
    found = []
    for audience in audiences:
        found += walk(gallery, audience, cookies=cookies_of(gallery, audience, language), **options)
    return "\n".join(found)
