"""Users of the admin, and a code."""

import pytest
from django.contrib.auth.models import User
from django.test import Client

from qrservice.models import Code
from tests.conftest import make_user
from tests.qrservice.admin.pages import browser_of, make_code


@pytest.fixture
def manager(db) -> Client:
    return browser_of(make_user("Managers"))


@pytest.fixture
def owner(db) -> Client:
    return browser_of(User.objects.create_superuser("owner"))


@pytest.fixture
def code(db) -> Code:
    return make_code(type="restaurant_table", table_number=7, section="Fenêtre")
