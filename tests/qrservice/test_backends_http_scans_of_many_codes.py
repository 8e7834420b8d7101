"""Counting the scans of many codes reads several at a time from a hosted service, and stops when one fails."""

import threading
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from qrservice.backends.base import Unavailable
from qrservice.backends.counting import CONCURRENCY
from tests.qrservice.fake_service import PATIENT, RECORD, says
from tests.servers import PATIENCE

EDGES = [datetime(2026, 3, 7, tzinfo=UTC), datetime(2026, 3, 8, tzinfo=UTC)]
MANY = [f"code-{number}" for number in range(40)]


def count(backend, analytics_ids=MANY):
    zone = ZoneInfo("Europe/Rome")
    return backend.count_scans(analytics_ids=analytics_ids, by=("hour",), edges=EDGES, zone=zone)


class Together:
    """Responds once CONCURRENCY requests wait for it, and records the highest number of concurrent ones."""

    def __init__(self) -> None:
        self.now, self.most, self.lock, self.enough = 0, 0, threading.Lock(), threading.Event()

    def __call__(self, client, closing) -> None:
        with self.lock:
            self.now += 1
            self.most = max(self.most, self.now)
            if self.now == CONCURRENCY:
                self.enough.set()
        self.enough.wait(PATIENCE)
        with self.lock:
            self.now -= 1
        says(RECORD)(client, closing)


def test_many_are_asked_at_once_and_no_more_than_some(service):
    act = Together()
    found = count(service(act))
    assert found.periods == [{(13,): len(MANY)}]
    assert act.most == CONCURRENCY
    assert len(service.server.seen) == len(MANY)


def test_each_is_asked_only_for_what_is_newer(service):
    count(service(says(RECORD)), MANY[:3])
    assert {request.target.partition("?")[2] for request in service.server.seen} == {
        "since=2026-03-07T00%3A00%3A00%2B00%3A00"
    }


def test_a_code_named_twice_counts_once(service):
    assert count(service(says(RECORD)), ["a", "b", "a"]).periods == [{(13,): 2}]


def test_after_a_failure_the_others_are_not_asked_for(service):
    """No thread begins another code after its own failure, whenever the caller learns of it."""
    backend = service(says("", 503), limits=replace(PATIENT, attempts=1))
    with pytest.raises(Unavailable):
        count(backend)
    assert 1 <= len(service.server.seen) <= CONCURRENCY


def test_after_a_code_that_is_unknown_the_others_are_asked_for(service):
    found = count(service(says("", 404), says(RECORD)))
    assert len(service.server.seen) == len(MANY)
    assert (len(found.unknown), found.periods) == (1, [{(13,): len(MANY) - 1}])


def test_all_of_them_take_no_longer_than_one_may(service, stopped):
    def takes_a_second(client, closing) -> None:
        stopped.goes_on()
        says(RECORD)(client, closing)

    backend = service(takes_a_second, limits=replace(PATIENT, analytics_deadline=len(MANY) / 2))
    with pytest.raises(Unavailable, match="in time"):
        count(backend)
    assert len(service.server.seen) < len(MANY)


def test_what_was_scanned_after_the_last_edge_does_not_count(service):
    late = {**RECORD["scans"][0], "scanned_at": (EDGES[1] + timedelta(microseconds=1)).isoformat()}
    on_it = {**late, "scanned_at": EDGES[1].isoformat()}
    assert count(service(says({"total_scans": 2, "scans": [on_it, late]})), ["a"]).periods == [{(1,): 1}]
