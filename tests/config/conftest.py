"""A venue that earns, and a guest with a card."""

import pytest

from tests.config.collecting import open_venue, phone_with_card


@pytest.fixture
def location(db):
    return open_venue()


@pytest.fixture
def ada(location):
    """Her phone, and her card."""
    return phone_with_card()
