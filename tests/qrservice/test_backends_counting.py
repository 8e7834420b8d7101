"""Counting scans for a report: by the built-in service, and from the records of one that has only those."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from django.db import transaction

from qrservice import gateway
from qrservice.backends.counting import count_together
from qrservice.models import Account, Code, Scan

pytestmark = pytest.mark.django_db

NOON = datetime(2026, 3, 7, 12, tzinfo=UTC)
DAY = timedelta(days=1)
VIENNA = ZoneInfo("Europe/Vienna")
TARGET = "https://example.com/menu"


@pytest.fixture
def made(db) -> gateway.NewCode:
    return gateway.create_code(redirect_url=TARGET)


def scan_at(code: gateway.NewCode, *moments: datetime, **values) -> None:
    stored = Code.objects.get(analytics_id=code.analytics_id)
    Scan.objects.bulk_create([Scan(code=stored, scanned_at=moment, **values) for moment in moments])


def by_the_service(*analytics_ids: str, by=("weekday", "hour"), edges, zone=VIENNA) -> gateway.ScanCounts:
    return gateway.count_scans(analytics_ids=analytics_ids, by=by, edges=edges, zone=zone)


def from_records(*analytics_ids: str, by=("weekday", "hour"), edges, zone=VIENNA) -> gateway.ScanCounts:
    """As the HTTP backend does, whose threads read here what was read before."""
    known = Code.objects.filter(analytics_id__in=analytics_ids).values_list("analytics_id", flat=True)
    records = {each: gateway.analytics(analytics_id=each).scans for each in known}

    def scans(analytics_id: str) -> list[gateway.ScanRecord]:
        if analytics_id not in records:
            raise gateway.UnknownCode
        return records[analytics_id]

    return count_together(scans, analytics_ids, by=by, edges=edges, zone=zone)


@pytest.fixture(params=[by_the_service, from_records])
def count(request) -> Callable[..., gateway.ScanCounts]:
    return request.param


def test_scans_of_several_codes_are_counted_together_by_local_time(made, count):
    other = gateway.create_code(redirect_url=TARGET)
    # Saturday 13:00 in Vienna; half past midnight on Sunday there, still Saturday in UTC.
    scan_at(made, NOON, NOON + timedelta(hours=11, minutes=30))
    scan_at(other, NOON + timedelta(minutes=59))
    edges = [NOON - DAY, NOON + DAY]
    found = count(made.analytics_id, other.analytics_id, edges=edges)
    assert found.periods == [{(6, 13): 2, (0, 0): 1}]
    assert count(other.analytics_id, edges=edges).periods == [{(6, 13): 1}]


def test_a_period_begins_after_its_edge_and_ends_with_the_next(made, count):
    moment = timedelta(microseconds=1)
    first, second, third = NOON, NOON + DAY, NOON + 2 * DAY
    scan_at(made, first, first + moment, second, second + moment, third, third + moment, device_type="iOS")
    found = count(made.analytics_id, by=("device_type",), edges=[first, second, third])
    assert found.periods == [{("iOS",): 2}, {("iOS",): 2}]


def test_hours_are_counted_as_the_clocks_show_them_when_they_change(made, count):
    # At 03:00 on 25 October 2026 the clocks of Vienna go back to 02:00; on 29 March 2026, 02:00 becomes 03:00.
    back = datetime(2026, 10, 25, 0, 30, tzinfo=UTC)
    forward = datetime(2026, 3, 29, 0, 30, tzinfo=UTC)
    for start in (back, forward):
        scan_at(made, start, start + timedelta(hours=1))
    edges = [forward - timedelta(days=1), back + DAY]
    assert count(made.analytics_id, edges=edges).periods == [{(0, 2): 2, (0, 1): 1, (0, 3): 1}]


def test_codes_that_the_service_does_not_know_are_named_and_count_nothing(made, count):
    scan_at(made, NOON)
    edges = [NOON - DAY, NOON]
    found = count("unknown-1", made.analytics_id, "unknown-2", edges=edges)
    assert (found.periods, found.unknown) == ([{(6, 13): 1}], {"unknown-1", "unknown-2"})
    assert count(edges=edges) == gateway.ScanCounts([{}], frozenset())


def test_scans_are_counted_in_two_queries(made, django_assert_num_queries):
    scan_at(made, NOON)
    with django_assert_num_queries(2):
        by_the_service(made.analytics_id, edges=[NOON - DAY, NOON])
    with django_assert_num_queries(1):
        gateway.scan_summary(analytics_id=made.analytics_id)


def test_an_id_that_can_be_none_is_unknown(made):
    scan_at(made, NOON)
    for odd in ("\0", "\ud800", "ä", ""):
        found = by_the_service(made.analytics_id, odd, edges=[NOON - DAY, NOON])
        assert found == gateway.ScanCounts([{(6, 13): 1}], frozenset({odd}))


def test_another_account_s_code_is_unknown(made):
    Code.objects.update(account=Account.objects.create(name="Somebody else"))
    found = by_the_service(made.analytics_id, edges=[NOON - DAY, NOON])
    assert (found.periods, found.unknown) == ([{}], {made.analytics_id})


def test_scans_are_never_counted_inside_a_transaction(made):
    with transaction.atomic(), pytest.raises(RuntimeError, match="inside a database transaction"):
        by_the_service(made.analytics_id, edges=[NOON - DAY, NOON])
