"""Who opens the admin. What there is to look at is made by the whole tests' own makers."""

import pytest
from django.contrib.auth.models import Permission, User
from django.test import Client

from tests.conftest import make_user
from tests.qrservice.admin.pages import browser_of


@pytest.fixture
def manager(db) -> Client:
    return browser_of(make_user("Managers", "mia"))


@pytest.fixture(params=["Cashiers", "Floor"])
def colleague(request, db) -> Client:
    """One who may open the admin, and has nothing to do there."""
    return browser_of(make_user(request.param))


@pytest.fixture
def owner(db) -> Client:
    return browser_of(User.objects.create_superuser("owner"))


def with_permissions(*codenames: str) -> Client:
    user = User.objects.create_user("somebody")
    user.user_permissions.set(Permission.objects.filter(codename__in=codenames))
    return browser_of(user)
