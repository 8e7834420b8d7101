"""The page of components, which a browser has to show without a violation in both schemes."""

import pytest

from tests.browser import accessible
from tests.servers import development_server

pytestmark = pytest.mark.browser

TOPS = """(all) => all.map((each) => ['.schemes', 'pre']
    .map((part) => each.querySelector(part).getBoundingClientRect().top))"""


def test_components_are_accessible_on_light_and_on_dark_pages(installation, windows):
    with development_server(installation) as base:
        for scheme, width, accent in (("light", 1280, "f4d35e"), ("dark", 360, "101820")):
            page = windows.open(color_scheme=scheme, viewport={"width": width, "height": 800})
            assert page.goto(f"{base}/design?accent={accent}").ok
            accessible.check(page, rules=accessible.STANDARD if scheme == "light" else accessible.CONTRAST)
            # Also on a phone, what a component looks like comes before its code.
            tops = page.locator(".guide").evaluate_all(TOPS)
            assert tops
            assert all(picture < code for picture, code in tops), tops
    assert windows.complaints == []
