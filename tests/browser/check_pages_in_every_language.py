"""Every page of guests in all of their languages, and every page of staff in all of theirs, each visited once.

English is in check_all_pages.py.
"""

import pytest

from tests.browser.languages import wrong
from tests.browser.walk import OF_STAFF, OF_THE_OFFICE
from web.languages import FOR_GUESTS, FOR_STAFF

pytestmark = pytest.mark.browser


@pytest.mark.parametrize("language", FOR_GUESTS[1:])
def test_guests_can_use_every_page(gallery, language):
    assert wrong(gallery, ("guest", "ordered", "member"), language) == ""


@pytest.mark.parametrize("language", FOR_STAFF[1:])
def test_staff_can_use_every_page(gallery, language):
    assert wrong(gallery, ("stranger", *OF_STAFF, *OF_THE_OFFICE), language) == ""
