"""The page of components, which a browser has to show without a violation in both schemes."""

import pytest

from tests.browser import accessible
from tests.servers import development_server

pytestmark = pytest.mark.browser

TOPS = """(all) => all.map((each) => ['.schemes', 'pre']
    .map((part) => each.querySelector(part).getBoundingClientRect().top))"""


def test_components_are_accessible_on_light_and_on_dark_pages(installation, windows):
    with development_server(installation) as base:
        page = windows.open(viewport={"width": 1280, "height": 800})
        assert page.goto(f"{base}/design?accent=f4d35e").ok
        accessible.check(page)  # it draws everything on light and on dark ground, whatever the device has
        for width in (1280, 360):
            page.set_viewport_size({"width": width, "height": 800})
            assert accessible.overflow(page) <= 0
            # Also on a phone, what a component looks like comes before its code.
            tops = page.locator(".guide").evaluate_all(TOPS)
            assert tops
            assert all(picture < code for picture, code in tops), tops
    assert windows.complaints == []
