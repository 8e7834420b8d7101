"""The page of components, which a browser has to show without a violation in both schemes."""

import pytest

from tests.browser import accessible
from tests.servers import development_server

pytestmark = pytest.mark.browser


def test_components_are_accessible_on_light_and_on_dark_pages(installation, windows):
    with development_server(installation) as base:
        for scheme, width, accent in (("light", 1280, "f4d35e"), ("dark", 360, "101820")):
            page = windows.open(color_scheme=scheme, viewport={"width": width, "height": 800})
            assert page.goto(f"{base}/design?accent={accent}").ok
            accessible.check(page)
            # Also on a phone, what a component looks like comes before its code.
            for guide in page.locator(".guide").all():
                picture, code = guide.locator(".schemes"), guide.locator("pre").first
                assert picture.bounding_box()["y"] < code.bounding_box()["y"]
    assert windows.complaints == []
