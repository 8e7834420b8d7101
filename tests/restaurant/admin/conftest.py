"""People who open the admin."""

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
    """May open the admin, but none of its pages."""
    return browser_of(make_user(request.param))


@pytest.fixture
def owner(db) -> Client:
    return browser_of(User.objects.create_superuser("owner"))


def with_permissions(*codenames: str) -> Client:
    user = User.objects.create_user("somebody")
    user.user_permissions.set(Permission.objects.filter(codename__in=codenames))
    return browser_of(user)
