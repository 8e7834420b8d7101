"""When the HTTP backend comes back to a service that asks for a pause by Retry-After."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest

from qrservice.backends import client
from qrservice.backends.base import Unavailable
from tests.qrservice.fake_service import PATIENT, RECORD, create, failure_of, read, says

NOON = datetime(2026, 3, 7, 12, tzinfo=UTC)


def in_seconds(seconds: float) -> str:
    return format_datetime(NOON + timedelta(seconds=seconds), usegmt=True)


@pytest.mark.parametrize(
    ("header", "waited"), [("1", 1), (in_seconds(3), 3), ("0", 0.01), ("rubbish", 0.01), ("-5", 0.01)]
)
def test_a_pause_that_the_service_asks_for_is_kept(monkeypatch, clock, service, header, waited):
    clock(NOON)
    pauses = []
    monkeypatch.setattr(client, "sleep", pauses.append)
    limits = replace(PATIENT, max_pause=5)
    assert read(service(says("", 429, Retry_After=header), says(RECORD), limits=limits)).total_scans == 1
    assert pauses == [waited]


@pytest.mark.parametrize(
    ("header", "told"),
    [
        ("20", 20), ("3600", 3600), ("99999", 3600), ("9" * 5000, 3600), ("Wed, 21 Oct 2065 07:28:00 GMT", 3600),
        ("Fri, 31 Dec 9999 23:59:59 -2359", 3600), (in_seconds(90), 90),
    ],
)  # fmt: skip
def test_a_pause_too_long_to_wait_for_is_passed_on_in_seconds(service, clock, header, told):
    clock(NOON)
    failure = failure_of(read, service(says("", 503, Retry_After=header)))
    assert isinstance(failure, Unavailable)
    assert failure.retry_after == told
    assert len(service.server.seen) == 1


def test_a_pause_that_is_none_is_not_waited_for(service):
    for header in ("", "soon", "1.5", "٣", "²", "1e9", "Wed, 99 Foo 2026", "Mon, 0", ","):
        failure = failure_of(read, service(says("", 503, Retry_After=header.encode().decode("latin-1"))))
        assert (type(failure), failure.retry_after) == (Unavailable, None), header
        assert len(service.server.seen) == 3


def test_a_creation_passes_on_when_to_come_back(service):
    failure = failure_of(create, service(says("", 429, Retry_After="7")))
    assert isinstance(failure, Unavailable)
    assert failure.retry_after == 7
