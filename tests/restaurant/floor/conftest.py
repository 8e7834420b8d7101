"""What tests of the floor and its plan share."""

import pytest
from django.test import Client

from restaurant.models import Table
from tests.conftest import make_table, make_user


@pytest.fixture
def owner(browser_client) -> Client:
    browser_client.force_login(make_user("Managers"))
    return browser_client


@pytest.fixture
def tables() -> list[Table]:
    return [make_table(number) for number in (1, 2, 3)]
