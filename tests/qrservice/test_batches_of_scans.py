"""Scans that arrive while others are being stored: in one batch, and each answered by what became of it alone."""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

import psycopg
import pytest
from django.db import DataError, IntegrityError, connection

from qrservice import gateway
from qrservice.models import Code, Scan
from qrservice.services import batches, scans
from tests.at_once import at_once
from tests.restaurant.test_menu_page import Phone
from tests.servers import database_url, wait_for

NEIGHBOURS = 7

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.race]


@pytest.fixture
def codes(transactional_db, monkeypatch) -> list[Code]:
    """Two codes whose targets stay cached."""
    monkeypatch.setattr(scans, "CACHE_SECONDS", 10**8)
    for name in ("menu", "card"):
        gateway.create_code(redirect_url=f"https://example.com/{name}")
    return list(Code.objects.order_by("pk"))


def scan(code: Code) -> int:
    return Phone().get(f"/q/{code.slug}").status


def queued() -> int:
    return len(batches._batches._queue)


# Other processes of the test run have databases of their own on this server.
WAITING = """FROM pg_locks WHERE NOT granted
             AND database = (SELECT oid FROM pg_database WHERE datname = current_database())"""


@contextmanager
def nothing_can_be_stored() -> Iterator[psycopg.Connection]:
    """While another transaction holds a lock on the table. Ends with a commit of the one that is given."""
    with psycopg.connect(database_url()) as other:
        other.execute("LOCK TABLE qrservice_scan IN SHARE MODE")
        yield other


class Scanning(threading.Thread):
    """Scans in threads: the first leads, and the others wait behind it."""

    def __init__(self, codes: list[Code]) -> None:
        super().__init__()
        self.codes = codes
        self.statuses: list[int] = []

    def run(self) -> None:
        self.statuses += at_once([lambda code=code: scan(code) for code in self.codes])


def scanning(codes: list[Code]) -> Scanning:
    """When all but the first wait behind it."""
    thread = Scanning(codes)
    thread.start()
    wait_for(lambda: queued() == len(codes) - 1, "the queue")
    return thread


def transactions() -> list[int]:
    """How many scans each transaction has stored."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM qrservice_scan GROUP BY xmin::text ORDER BY 1")
        return [row[0] for row in cursor.fetchall()]


def test_those_that_wait_are_stored_together(codes):
    with nothing_can_be_stored():
        thread = scanning([codes[0]] * (1 + NEIGHBOURS))
    thread.join(30)
    assert thread.statuses == [302] * (1 + NEIGHBOURS)
    assert transactions() == [1, NEIGHBOURS]
    assert set(Scan.objects.values_list("code", "city", "country", "device_type")) == {(codes[0].pk, "", "", "other")}


def test_nobody_is_answered_before_the_commit(codes):
    with nothing_can_be_stored():
        thread = scanning([codes[0]] * (1 + NEIGHBOURS))
        time.sleep(0.5)
        assert thread.is_alive()
        assert queued() == NEIGHBOURS
    thread.join(30)
    assert len(thread.statuses) == Scan.objects.count() == 1 + NEIGHBOURS


def test_a_scan_of_a_deleted_code_is_answered_404_and_its_neighbours_are_stored(codes):
    kept, deleted = codes
    assert [scan(kept), scan(deleted)] == [302, 302]
    deleted.delete()
    with nothing_can_be_stored():
        thread = scanning([kept, *[kept] * NEIGHBOURS, deleted])
    thread.join(30)
    assert sorted(thread.statuses) == [302] * (1 + NEIGHBOURS) + [404]
    assert Scan.objects.filter(code=kept).count() == Scan.objects.count() == 2 + NEIGHBOURS


@pytest.mark.parametrize("refused", ["x" * 201, "a\0b"])
def test_a_value_that_the_database_refuses_fails_alone(codes, refused):
    def store(row: scans.Row) -> bool:
        try:
            batches.record(row)
        except (DataError, ValueError):
            return False
        return True

    rows = [*[(codes[0].pk, "London", "", "iOS")] * NEIGHBOURS, (codes[0].pk, refused, "", "iOS")]
    stored: list[object] = []
    with nothing_can_be_stored():
        first = scanning([codes[0]])
        thread = threading.Thread(target=lambda: stored.extend(at_once([lambda r=r: store(r) for r in rows])))
        thread.start()
        wait_for(lambda: queued() == len(rows), "the queue")
    first.join(30)
    thread.join(30)
    assert stored == [True] * NEIGHBOURS + [False]
    assert Scan.objects.filter(city="London").count() == NEIGHBOURS


def test_when_the_writers_connection_is_ended_every_scan_is_stored_once(codes):
    with nothing_can_be_stored() as other:
        thread = scanning([codes[0]] * (1 + NEIGHBOURS))
        other.execute(f"SELECT pg_terminate_backend(pid) {WAITING}")
        wait_for(lambda: queued() == 0, "the end of the batch")
    thread.join(30)
    assert thread.statuses == [302] * (1 + NEIGHBOURS)
    assert Scan.objects.count() == 1 + NEIGHBOURS


def test_what_is_rolled_back_is_told_to_everybody_at_once(codes):
    """They don't lead one after the other, each waiting for a database that does not answer."""
    errors: list[object] = []

    def store() -> None:
        try:
            batches.record((codes[0].pk, "", "", "iOS"))
        except Exception as error:
            errors.append(type(error).__name__)

    with nothing_can_be_stored() as other:
        thread = threading.Thread(target=at_once, args=([store] * (1 + NEIGHBOURS),))
        thread.start()
        wait_for(lambda: queued() == NEIGHBOURS, "the queue")
        other.execute(f"SELECT pg_cancel_backend(pid) {WAITING}")
        thread.join(10)
        assert not thread.is_alive()
    assert errors == ["OperationalError"] * (1 + NEIGHBOURS)
    assert Scan.objects.count() == 0


@pytest.mark.parametrize("store", [scans.record, batches.record], ids=["alone", "in batches"])
class TestBothWaysOfStoring:
    def test_two_hundred_at_once_are_counted_exactly(self, codes, store):
        rows = [(codes[number % 2].pk, f"City {number}", "Côte d'Ivoire", "iOS") for number in range(20)]
        at_once([lambda row=row: [store(row) for _ in range(10)] for row in rows])
        stored = Scan.objects.values_list("code", "city", "country", "device_type")
        assert sorted(stored) == sorted(rows * 10)

    def test_an_unknown_code_is_refused(self, codes, store):
        with pytest.raises(IntegrityError):
            store((codes[1].pk + 1, "", "", "iOS"))
        store((codes[0].pk, "", "", "iOS"))
        assert Scan.objects.count() == 1

    def test_the_time_is_that_of_the_database(self, codes, store):
        store((codes[0].pk, "", "", "iOS"))
        with connection.cursor() as cursor:
            cursor.execute("SELECT clock_timestamp() - scanned_at < interval '10 s' FROM qrservice_scan")
            assert cursor.fetchone() == (True,)
