"""A scan whose connection the database has ended is tried a second time, and counted once."""

import psycopg
import pytest
from django.db import connection

from qrservice import gateway
from qrservice.models import Code, Scan
from qrservice.services import scans
from tests.restaurant.ordering.wsgi_phone import Phone
from tests.servers import database_url
from web import throttling

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def path(transactional_db) -> str:
    gateway.create_code(redirect_url="https://example.com/menu")
    return f"/q/{Code.objects.get().slug}"


def end_connection() -> None:
    with psycopg.connect(database_url(), autocommit=True) as other:
        other.execute("SELECT pg_terminate_backend(%s, 5000)", [connection.connection.info.backend_pid])


def scan(path: str) -> tuple[int, str | None]:
    response = Phone().get(path)
    return response.status, response.headers.get("Location")


@pytest.mark.parametrize("target_is_cached", [True, False])
@pytest.mark.parametrize("is_leased", [True, False])
def test_the_phone_is_redirected_and_the_scan_is_counted(path, target_is_cached, is_leased, monkeypatch):
    """What fails first is the INSERT, the look-up of the target, or the lease of permits."""
    monkeypatch.setattr(scans, "CACHE_SECONDS", 10**8)
    assert scan(path)[0] == 302
    if not is_leased:
        throttling.reset_leases()
    if not target_is_cached:
        monkeypatch.setattr(scans, "CACHE_SECONDS", 0)
    end_connection()
    assert scan(path) == (302, "https://example.com/menu")
    assert Scan.objects.count() == 2


def test_the_second_try_takes_no_second_permit(one_window, path, settings):
    settings.RATE_LIMITS = {**settings.RATE_LIMITS, "code": "40/day"}  # leased by twos
    assert scan(path)[0] == 302
    end_connection()
    statuses = [scan(path)[0] for _ in range(40)]
    assert statuses == [302] * 39 + [429]
    assert Scan.objects.count() == 40


def test_each_of_several_restarts_costs_nothing(path):
    for _ in range(5):
        assert scan(path)[0] == 302
        end_connection()
    assert scan(path)[0] == 302
    assert Scan.objects.count() == 6
