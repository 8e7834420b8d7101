"""Limits hold among very many others, and counting as Django's cache does would not keep them."""

import pytest
from django.db import connection

from tests.web.test_throttling_windows import CLIENT, passed_in_two_processes
from web import throttling
from web.models import Permits

# Another process that counts with Django's database cache, which reads and then writes.
DJANGOS_CACHE = CLIENT.replace(
    'settings.RATE_LIMITS["public"] = "600/day"',
    """
from django.core.cache.backends.db import DatabaseCache
counters = DatabaseCache("counters", {"TIMEOUT": None})
def seconds_to_wait(scope, identity):
    counters.add("count", 0)
    return counters.incr("count") > 600
throttling.seconds_to_wait = seconds_to_wait
""",
)


@pytest.fixture
def table_of_cache(transactional_db):
    """Of a database cache named `counters`."""
    with connection.cursor() as cursor:
        cursor.execute(
            "CREATE TABLE counters (cache_key varchar(255) PRIMARY KEY, value text NOT NULL,"
            " expires timestamptz NOT NULL)"
        )
    yield
    with connection.cursor() as cursor:
        cursor.execute("DROP TABLE counters")


def allowed(times: int, identity: str = "192.0.2.7") -> int:
    return sum(not throttling.seconds_to_wait("public", identity) for _ in range(times))


@pytest.mark.django_db(transaction=True)
def test_two_processes_that_count_in_djangos_database_cache_let_many_more_pass(table_of_cache):
    assert passed_in_two_processes(DJANGOS_CACHE) > 660


@pytest.mark.django_db
def test_fifty_thousand_others_change_nothing_for_who_is_past_the_limit(settings):
    settings.RATE_LIMITS = {**settings.RATE_LIMITS, "public": "2/day"}
    assert allowed(3) == 2
    others = [f"198.{number >> 8}.{number & 255}.1" for number in range(50_000)]
    assert sum(allowed(1, other) for other in others) == 50_000
    assert len(throttling._leases) <= throttling.MAX_LEASES
    assert Permits.objects.count() == 50_001
    assert allowed(5) == 0
    assert [allowed(2, each) for each in (others[0], others[-1])] == [1, 1]
