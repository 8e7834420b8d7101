"""A guest's phone, a member, a location and rewards."""

import pytest

from loyalty.models import Location, Member, Reward
from loyalty.points.services import locations
from tests.loyalty.making import make_location, make_reward
from tests.loyalty.phone import ADA, Phone


@pytest.fixture
def phone(browser_client) -> Phone:
    return Phone(browser_client)


@pytest.fixture
def ada(phone) -> Member:
    """A member, and the phone on which she enrolled shows her card."""
    phone.open("/signup").send("/members", **ADA)
    return Member.objects.get()


@pytest.fixture
def kiosk(db) -> Location:
    location = make_location("Harbour Kiosk")
    locations.create_code(location=location)
    return location


@pytest.fixture
def coffee(db) -> Reward:
    return make_reward("Coffee on Us", 60, reward_value={"item": "Any coffee"}, description="To go.")


@pytest.fixture
def dinner(db) -> Reward:
    return make_reward("Cheap Dinner", 1_500, reward_value={"discount_percent": 20})
