"""A browser, whose windows look at the installation that all tests share."""

from collections.abc import Callable
from functools import cache

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

from tests.browser.kitchen import Orders
from tests.screenshots import demonstration
from tests.servers import CHROMIUM, PATIENCE, Installation

# Nothing moves: to draw a dozen tickets that arrive takes a processor for four seconds.
DESK = {"viewport": {"width": 1280, "height": 800}, "reduced_motion": "reduce"}
PHONE = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True, "device_scale_factor": 2}

expect.set_options(timeout=PATIENCE * 1000)


@pytest.fixture(scope="session")
def state_of(installation) -> Callable[[str], dict]:
    """`state_of("floor")`: of a browser in which this member of staff has signed in."""
    return cache(lambda username: {"cookies": [installation.cookie(username)]})


@pytest.fixture(scope="session")
def orders(installation) -> Orders:
    """The guests' orders, over HTTP."""
    return Orders(installation)


@pytest.fixture(scope="package")
def chromium():
    """One for all files of this folder. While it is open the test database can't be read: it runs an event loop."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
        )
        yield browser
        browser.close()


class Windows:
    """Opens windows, and remembers what their consoles complained of."""

    def __init__(self, browser: Browser, base: str) -> None:
        self.browser, self.base = browser, base
        self.contexts: list[BrowserContext] = []
        self.complaints: list[str] = []

    def open(self, **options) -> Page:
        context = self.browser.new_context(**(DESK | options))
        context.set_default_timeout(PATIENCE * 1000)
        self.contexts.append(context)
        return self.tab(context)

    def tab(self, context: BrowserContext) -> Page:
        """One more page of a browser that is open, whose cookies it has."""
        page = context.new_page()
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("console", lambda line: self.complaints.append(line.text) if line.type == "error" else None)
        return page

    def phone(self, **options) -> Page:
        return self.open(**(PHONE | options))

    def kitchen(self, installation: Installation, password: str, **options) -> Page:
        page = self.open(**options)
        page.goto(f"{installation.base}/kitchen")
        page.fill("[name=username]", "floor")
        page.fill("[name=password]", password)
        page.click("main form .button")
        page.wait_for_selector(".ticket")
        expect(page.locator("#connection-banner")).to_be_hidden()
        return page


@pytest.fixture
def windows(chromium, installation):
    opened = Windows(chromium, installation.base)
    yield opened
    for context in opened.contexts:
        context.close()


class Gallery(Windows):
    """Windows on an installation of its own that has the most to see: every page of tests/screenshots."""

    def __init__(self, browser: Browser, installation: Installation) -> None:
        super().__init__(browser, installation.base)
        self.installation, self.found = installation, demonstration.find(installation)
        self.cookies = demonstration.cookies(installation, self.found)


@pytest.fixture(scope="module")
def gallery(chromium, tmp_path_factory, used):
    made = Installation(tmp_path_factory.mktemp("gallery") / "d").copy_data(used).start()
    try:
        assert made.process.poll() is None, made.output
        yield Gallery(chromium, made)
    finally:
        made.end()
