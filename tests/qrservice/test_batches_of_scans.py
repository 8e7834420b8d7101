"""Scans that arrive while others are being stored: in one batch, and each answered by what became of it alone."""

import asyncio
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

import psycopg
import pytest
from django.db import DataError, IntegrityError, OperationalError, connection

from qrservice import gateway
from qrservice.fastpath import ShortAddresses
from qrservice.models import Code, Scan
from qrservice.services import scans
from tests.servers import database_url

NEIGHBOURS = 7
# Other processes of the test run have databases of their own on this server.
WAITING = """FROM pg_locks WHERE NOT granted
             AND database = (SELECT oid FROM pg_database WHERE datname = current_database())"""

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.race]


@pytest.fixture
def codes(transactional_db, monkeypatch) -> list[Code]:
    """Two codes whose targets are remembered."""
    monkeypatch.setattr(scans, "CACHE_SECONDS", 10**8)
    for name in ("menu", "card"):
        gateway.create_code(redirect_url=f"https://example.com/{name}")
    found = list(Code.objects.order_by("pk"))
    for code in found:
        scans.find(code.slug)
    return found


@pytest.fixture
def addresses(transactional_db) -> Iterator[ShortAddresses]:
    """What a server has. Its threads' connections are closed."""
    threads = ThreadPoolExecutor(1)
    made = ShortAddresses(threads)
    yield made
    for each in (threads, made._batches._thread):
        each.submit(lambda: connection.close()).result()  # noqa: PLW0108 (that of the thread)
        each.shutdown()


@contextmanager
def nothing_can_be_stored() -> Iterator[psycopg.Connection]:
    """While another transaction holds a lock on the table."""
    with psycopg.connect(database_url()) as other:
        other.execute("LOCK TABLE qrservice_scan IN SHARE MODE")
        yield other


def environ_of(code: Code) -> dict[str, str]:
    return {"REQUEST_METHOD": "GET", "PATH_INFO": f"/q/{code.slug}", "REMOTE_ADDR": "192.0.2.1"}


def scan(addresses: ShortAddresses, codes: list[Code], meanwhile: Callable[[psycopg.Connection], object]) -> list[bool]:
    """Which of them are redirected here. While the first is being stored the others come, and `meanwhile` is called."""

    async def all_of_them() -> list[bool]:
        batches = addresses._batches
        with nothing_can_be_stored() as other:
            tasks = [asyncio.create_task(addresses.redirect(environ_of(codes[0])))]
            while not other.execute(f"SELECT 1 {WAITING}").fetchall():
                await asyncio.sleep(0)
            tasks += [asyncio.create_task(addresses.redirect(environ_of(code))) for code in codes[1:]]
            while len(batches._waiting) < len(codes) - 1:
                await asyncio.sleep(0)
            assert not any(task.done() for task in tasks)
            meanwhile(other)
        return [headers is not None for headers in await asyncio.gather(*tasks)]

    return asyncio.run(all_of_them())


def nothing(_other: psycopg.Connection) -> None:
    pass


def transactions() -> list[int]:
    """How many scans each transaction has stored."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM qrservice_scan GROUP BY xmin::text ORDER BY 1")
        return [row[0] for row in cursor.fetchall()]


def test_those_that_wait_are_stored_together_before_anybody_is_answered(addresses, codes):
    assert scan(addresses, [codes[0]] * (1 + NEIGHBOURS), nothing) == [True] * (1 + NEIGHBOURS)
    assert transactions() == [1, NEIGHBOURS]
    assert set(Scan.objects.values_list("code", "city", "country", "device_type")) == {(codes[0].pk, "", "", "other")}


def test_a_scan_of_a_deleted_code_is_left_to_django_and_its_neighbours_are_stored(addresses, codes):
    kept, deleted = codes
    deleted.delete()
    redirected = scan(addresses, [kept, *[kept] * NEIGHBOURS, deleted], nothing)
    assert redirected == [True] * (1 + NEIGHBOURS) + [False]
    assert Scan.objects.filter(code=kept).count() == Scan.objects.count() == 1 + NEIGHBOURS


@pytest.mark.parametrize("end", ["pg_terminate_backend", "pg_cancel_backend"])
def test_a_batch_that_is_not_stored_is_left_to_django_and_the_next_one_is_stored(addresses, codes, end):
    redirected = scan(
        addresses, [codes[0]] * (1 + NEIGHBOURS), lambda other: other.execute(f"SELECT {end}(pid) {WAITING}")
    )
    assert redirected == [False] + [True] * NEIGHBOURS
    assert transactions() == [NEIGHBOURS]


@pytest.mark.parametrize("refused", ["x" * 201, "a\0b"])
def test_a_value_that_the_database_refuses_fails_alone(codes, refused):
    rows = [*[(codes[0].pk, "London", "", "iOS")] * NEIGHBOURS, (codes[0].pk, refused, "", "iOS")]
    outcomes = scans.record_all(rows)
    assert outcomes[:-1] == [None] * NEIGHBOURS
    assert isinstance(outcomes[-1], DataError | ValueError)
    assert Scan.objects.filter(city="London").count() == Scan.objects.count() == NEIGHBOURS


def test_an_outage_is_the_outcome_of_every_scan_of_the_batch(addresses, codes):
    def away(rows: list[scans.Row]) -> list[Exception | None]:
        raise OperationalError

    addresses._batches._store = away
    assert scan_without_lock(addresses, [codes[0]] * NEIGHBOURS) == [False] * NEIGHBOURS
    addresses._batches._store = scans.record_all
    assert scan_without_lock(addresses, [codes[0]]) == [True]


def test_a_scan_too_many_is_left_to_django(one_window, addresses, codes, settings):
    settings.RATE_LIMITS = {**settings.RATE_LIMITS, "code": "2/day"}
    assert [scan_without_lock(addresses, [codes[0]]) for _ in range(3)] == [[True], [True], [False]]
    assert Scan.objects.count() == 2


def scan_without_lock(addresses: ShortAddresses, codes: list[Code]) -> list[bool]:
    async def all_of_them() -> list[bool]:
        found = await asyncio.gather(*[addresses.redirect(environ_of(code)) for code in codes])
        return [headers is not None for headers in found]

    return asyncio.run(all_of_them())


def test_both_ways_of_storing_store_the_same(codes):
    rows = [(codes[number % 2].pk, f"City {number}", "Côte d'Ivoire", "iOS") for number in range(20)]
    assert scans.record_all(rows) == [None] * 20
    for row in rows:
        scans.record(row)
    stored = Scan.objects.values_list("code", "city", "country", "device_type")
    assert sorted(stored) == sorted(rows * 2)
    with pytest.raises(IntegrityError):
        scans.record((codes[1].pk + 1, "", "", "iOS"))
    with connection.cursor() as cursor:  # the time is the database's
        cursor.execute("SELECT bool_and(clock_timestamp() - scanned_at < interval '1 min') FROM qrservice_scan")
        assert cursor.fetchone() == (True,)
