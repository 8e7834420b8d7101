"""The typeface: small, free, and it moves nothing, however late it comes."""

from pathlib import Path

import pytest

from tests.servers import ROOT

pytestmark = pytest.mark.browser

FONTS = Path(ROOT) / "static" / "fonts"
MOST = 45 * 1024  # bytes that a page loads
SHIFT = """() => new Promise((answer) => {
    let sum = 0;
    const add = (list) => { sum += list.getEntries().reduce((all, each) => all + each.value, 0); };
    new PerformanceObserver(add).observe({type: "layout-shift", buffered: true});
    setTimeout(() => answer(sum), 300);
})"""
# Far dishes get their heights when they come near: what is in view tells.
IN_VIEW = """() => [...document.querySelectorAll("h1, h2, .item-name, .item-price, .categories a")]
    .map((each) => each.getBoundingClientRect()).filter((box) => box.top < innerHeight)
    .map((box) => [box.top, box.height])"""
USED = "document.fonts.check('16px Figtree')"


def test_a_page_stays_still_when_its_letters_come_late(installation, windows):
    phone = windows.phone()
    late = []
    phone.route("**/*.woff2", lambda route: late.append(route))  # noqa: PLW0108 (no attribute can be set on a built-in)
    phone.goto(f"{installation.base}/table/1", wait_until="domcontentloaded")
    phone.locator("h1").wait_for()
    phone.evaluate("() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))")
    before = phone.evaluate(IN_VIEW)
    assert len(before) > 5
    phone.wait_for_timeout(400)  # more than the 100 ms in which letters may still be exchanged
    for request in late:
        request.continue_()
    phone.wait_for_load_state()
    assert late
    assert phone.evaluate(SHIFT) == 0
    assert phone.evaluate(IN_VIEW) == before
    phone.unroute("**/*.woff2")
    phone.reload()
    assert phone.evaluate(USED)  # from then on it is there at once


def test_all_of_it_is_small_and_its_licence_lies_beside_it():
    assert sum(each.stat().st_size for each in FONTS.glob("*.woff2")) <= MOST
    assert "SIL OPEN FONT LICENSE" in (FONTS / "OFL.txt").read_text()


# How much of a word space is left between the same two letters, as the titles set them and as the typeface has it.
SPACES = """() => ["h1", "h2", "h3"].map((level) => {
    const title = document.body.appendChild(document.createElement(level));
    title.style.cssText = "position: absolute; white-space: pre; font-size: 17px";
    const width = (text) => { title.textContent = text; return title.getBoundingClientRect().width; };
    const space = () => width("e e".repeat(40)) - width("ee".repeat(40));
    const titles = space();
    title.style.letterSpacing = title.style.wordSpacing = "0";
    return titles / space();
})"""


def test_titles_are_tight_and_their_words_stay_apart(installation, windows):
    phone = windows.phone()
    phone.goto(f"{installation.base}/member-sign-in")
    phone.evaluate("() => document.fonts.load('700 17px Figtree')")
    assert all(1 <= each < 1.25 for each in phone.evaluate(SPACES))
