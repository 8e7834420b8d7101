"""Every page of the gallery and what may be done there (tests/screenshots), each visited once.

Every width, light and dark, is in check_all_pages.py, every language in check_pages_in_every_language.py.
"""

import pytest

from tests.browser.languages import wrong
from tests.browser.walk import OF_GUESTS, OF_STAFF, walk

pytestmark = pytest.mark.browser

WIDTHS = (360, 320, 768, 1280)


@pytest.mark.parametrize("audiences", [OF_GUESTS, OF_STAFF, ("manager",), ("owner",)], ids="-".join)
def test_everybody_can_use_them_at_every_width(gallery, audiences):
    dark = audiences in (OF_GUESTS, OF_STAFF)  # at a table in the evening, and in a kitchen
    found = [line for audience in audiences for line in walk(gallery, audience, widths=WIDTHS, dark=dark)]
    assert not found, "\n".join(found)


def test_guests_can_use_them_from_right_to_left_and_with_long_words(gallery):
    assert [wrong(gallery, ("guest", "ordered"), language, inspected=()) for language in ("ar", "de")] == ["", ""]
