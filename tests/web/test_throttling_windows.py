"""Limits are counted exactly, by windows of the clock, in one process and in several."""

import os
import subprocess
import sys
import threading
from concurrent.futures import Future, ThreadPoolExecutor
from datetime import UTC, datetime, timedelta

import pytest
from django.db import DatabaseError, InterfaceError, connection

from tests.at_once import at_once
from tests.servers import PATIENCE, ROOT, database_url
from web import throttling
from web.models import Permits

NOON = datetime(2026, 3, 7, 12, 0, 30, tzinfo=UTC)

# What another process does: ask so many times, and print how often it was allowed.
CLIENT = """
import os, sys
os.environ["DJANGO_SETTINGS_MODULE"] = "tests.settings"
os.environ["TESTED_SERVER"] = "yes"
import django
django.setup()
from concurrent.futures import ThreadPoolExecutor
from django.conf import settings
from django.db import connection
from web import throttling
settings.RATE_LIMITS["public"] = "600/day"
def ask(_):
    try:
        return sum(not throttling.seconds_to_wait("public", "192.0.2.7") for _ in range(60))
    finally:
        connection.close()
with ThreadPoolExecutor(8) as pool:
    print(sum(pool.map(ask, range(16))))
"""


def passed_in_two_processes(client: str) -> int:
    """Of 1,920 requests."""
    environment = os.environ | {"DATABASE_URL": database_url()}

    def run(_: int) -> int:
        command = [sys.executable, "-c", client]
        return int(subprocess.check_output(command, cwd=ROOT, env=environment, text=True).split()[-1])

    connection.close()
    with ThreadPoolExecutor(2) as pool:
        return sum(pool.map(run, range(2)))


@pytest.fixture
def limit(settings, one_window):
    def to(rate: str) -> None:
        settings.RATE_LIMITS = {**settings.RATE_LIMITS, "public": rate}

    return to


def allowed(times: int, identity: str = "192.0.2.7") -> int:
    return sum(not throttling.seconds_to_wait("public", identity) for _ in range(times))


@pytest.mark.django_db
def test_exactly_the_limit_passes(limit):
    for number in (1, 2, 5, 19, 20, 21, 600, 601):
        limit(f"{number}/day")
        assert allowed(number + 50, f"192.0.2.{number % 250}") == number


@pytest.mark.django_db
def test_the_next_window_begins_anew(limit, clock):
    limit("3/min")
    clock(NOON)
    assert allowed(5) == 3
    assert throttling.seconds_to_wait("public", "192.0.2.7") == 30
    clock(NOON + timedelta(seconds=30))
    assert allowed(5) == 3


@pytest.mark.django_db
def test_identities_and_scopes_are_counted_apart(limit, settings):
    limit("2/day")
    settings.RATE_LIMITS["enrolment"] = "2/day"
    assert allowed(3) == allowed(3, "2001:db8::1") == 2
    assert [throttling.seconds_to_wait("enrolment", "192.0.2.7") > 0 for _ in range(3)] == [False, False, True]


@pytest.mark.django_db
def test_most_requests_cost_no_query(limit, django_assert_num_queries):
    limit("600/day")
    allowed(1)
    with django_assert_num_queries(0):
        assert allowed(29) == 29
    with django_assert_num_queries(1):
        assert allowed(1) == 1


@pytest.mark.django_db
def test_leases_that_were_dropped_from_memory_grant_nothing_new(limit, monkeypatch):
    limit("2/day")
    assert allowed(3) == 2
    monkeypatch.setattr(throttling, "MAX_LEASES", 10)
    for number in range(50):
        allowed(1, f"192.0.2.{number + 100}")
    assert len(throttling._leases) <= 10
    assert allowed(3) == 0


@pytest.mark.django_db
def test_past_windows_are_deleted(limit, clock, monkeypatch):
    limit("3/min")
    clock(NOON)
    allowed(1)
    clock(NOON + timedelta(minutes=5))
    monkeypatch.setattr(throttling, "_next_cleaning", 0.0)
    allowed(1, "192.0.2.8")
    assert [row.key.split(":")[1] for row in Permits.objects.all()] == ["192.0.2.8"]


@pytest.mark.django_db
def test_many_others_do_not_push_out_who_is_past_the_limit(limit, monkeypatch, django_assert_num_queries):
    limit("2/day")
    monkeypatch.setattr(throttling, "MAX_LEASES", 50)
    assert allowed(3) == 2
    for number in range(200):
        allowed(1, f"198.51.{number}.1")
        assert len(throttling._leases) <= 50
    with django_assert_num_queries(0):
        assert allowed(10) == 0


@pytest.mark.django_db
def test_memory_is_bounded_when_everybody_is_past_the_limit(limit, monkeypatch):
    limit("1/day")
    monkeypatch.setattr(throttling, "MAX_LEASES", 10)
    for number in range(30):
        assert allowed(2, f"198.51.100.{number}") == 1
    assert len(throttling._leases) == 10
    assert sum(allowed(1, f"198.51.100.{number}") for number in range(30)) == 0


@pytest.mark.django_db
def test_leases_of_past_windows_go_first(limit, clock, monkeypatch, django_assert_num_queries):
    limit("600/min")
    monkeypatch.setattr(throttling, "MAX_LEASES", 20)
    clock(NOON)
    for number in range(10):
        allowed(1, f"198.51.100.{number}")
    clock(NOON + timedelta(minutes=1))
    for number in range(11):
        allowed(1, f"203.0.113.{number}")
    with django_assert_num_queries(0):
        assert sum(allowed(1, f"203.0.113.{number}") for number in range(11)) == 11


@pytest.mark.django_db
def test_a_request_that_is_given_back_is_not_counted(limit):
    limit("2/day")
    for _ in range(10):
        assert allowed(1) == 1
        throttling.give_back("public", "192.0.2.7")
    assert allowed(5) == 2


@pytest.mark.django_db
@pytest.mark.parametrize("error", [DatabaseError, InterfaceError])
def test_a_failing_database_refuses_nobody(limit, monkeypatch, error):
    def fail(*args: object) -> bool:
        raise error("gone")

    limit("1/day")
    monkeypatch.setattr(throttling, "_lease_and_spend", fail)
    assert allowed(5) == 5


@pytest.mark.race
@pytest.mark.django_db(transaction=True)
def test_sixteen_threads_at_once_get_exactly_the_limit(limit):
    limit("100/day")
    assert sum(at_once([lambda: allowed(10)] * 16)) == 100


@pytest.mark.race
@pytest.mark.django_db(transaction=True)
def test_threads_that_find_no_permits_at_once_lease_one_block(limit):
    limit("600/day")
    assert sum(at_once([lambda: allowed(1)] * 16)) == 16
    assert Permits.objects.get().granted == 600 // throttling.BLOCKS


@pytest.mark.race
@pytest.mark.django_db(transaction=True)
def test_threads_that_wait_for_a_lease_in_vain_are_allowed(limit, monkeypatch):
    waiting, tried = threading.Semaphore(0), []

    class Announced(Future):
        def result(self, timeout: float | None = None) -> bool:
            waiting.release()
            return super().result(timeout)

    def fail(*args: object) -> bool:
        tried.append(args)
        assert all(waiting.acquire(timeout=PATIENCE) for _ in range(7))
        raise DatabaseError("gone")

    limit("1/day")
    monkeypatch.setattr(throttling, "Future", Announced)
    monkeypatch.setattr(throttling, "_lease_and_spend", fail)
    assert sum(at_once([lambda: allowed(1)] * 8)) == 8
    assert len(tried) == 1


@pytest.mark.race
@pytest.mark.django_db(transaction=True)
def test_two_processes_at_once_let_no_more_than_the_limit_pass(limit):
    assert 600 * 0.9 <= passed_in_two_processes(CLIENT) <= 600
