"""Users of the admin, and rows to show there."""

from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone

from loyalty.models import Redemption
from tests.conftest import make_user
from tests.qrservice.admin.pages import browser_of


@pytest.fixture
def manager(db) -> Client:
    return browser_of(make_user("Managers", "mia"))


@pytest.fixture
def cashier(db) -> Client:
    """One who may open the admin, and has nothing to do there."""
    return browser_of(make_user("Cashiers", "carla"))


@pytest.fixture
def owner(db) -> Client:
    return browser_of(User.objects.create_superuser("owner"))


def make_redemption(member, reward, code: str, **values) -> Redemption:
    expires_at = timezone.now() + timedelta(days=30)
    return Redemption.objects.create(
        customer=member,
        reward=reward,
        points_spent=reward.points_required,
        redemption_code=code,
        **{"expires_at": expires_at, **values},
    )


@pytest.fixture
def redemption(member, reward) -> Redemption:
    return make_redemption(member, reward, "RWD-AAAAAA")
