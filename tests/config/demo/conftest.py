"""The demonstration restaurant, loaded once for all tests of this folder."""

import json

import psycopg
import pytest
from django.contrib.auth.models import User
from django.db import connection

from config import demo
from config.demo import regulars, visits
from config.models import Setup, Venue, VenuePicture
from loyalty.models import LedgerDay, Location, Member, Programme, Reward
from qrservice.models import Account
from restaurant import events
from restaurant.models import (
    BillCounter,
    Category,
    MenuItem,
    OptionGroup,
    OrderingRules,
    Picture,
    SalesDay,
    Station,
    Table,
)
from tests.servers import database_url

LAST = "the last event"
_announced: list[dict[str, str]] = []


def empty_the_database() -> None:
    roots = (
        Table, MenuItem, Category, OptionGroup, Picture, Station, OrderingRules, Member, Location, Programme, Reward,
        Account, Setup, Venue, VenuePicture, LedgerDay, SalesDay, BillCounter,
    )  # fmt: skip
    with connection.cursor() as cursor:
        cursor.execute(f"TRUNCATE {', '.join(model._meta.db_table for model in roots)} CASCADE")
    User.objects.all().delete()


@pytest.fixture(scope="package")
def staff(django_db_setup, django_db_blocker):
    """Loaded once for all tests of this folder; each of them works in a transaction that is rolled back."""
    with django_db_blocker.unblock():
        empty_the_database()
        with psycopg.connect(database_url(), autocommit=True) as listener:
            listener.execute(f"LISTEN {events.CHANNEL}")
            loaded = demo.load(progress=False)
            # Its own comes after all that were sent before.
            listener.execute(f"NOTIFY {events.CHANNEL}, '{LAST}'")
            for each in listener.notifies(timeout=60):
                if each.payload == LAST:
                    break
                _announced.append(json.loads(each.payload))
        assert loaded is not None
        try:
            yield loaded
        finally:
            empty_the_database()


@pytest.fixture
def house(staff, db):
    return staff


@pytest.fixture
def announced(staff) -> list[dict[str, str]]:
    """The events that other processes got while it was loaded."""
    return _announced


@pytest.fixture
def empty_house(staff, db, monkeypatch):
    """Nothing is there, and what can be loaded has few members and a short past, for speed."""
    empty_the_database()
    monkeypatch.setattr(visits, "HISTORY_DAYS", 3)
    monkeypatch.setattr(regulars, "HABITS", [regulars.Habit(5, (2, 9), (20, 60), (50, 200), (1, 1, 1, 1, 0))])
