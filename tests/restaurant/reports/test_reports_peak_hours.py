"""`GET /reports/restaurant/peak-hours`. See "Sales reports" in docs/behaviour/restaurant.md."""

from datetime import datetime, timedelta

import pytest

from restaurant.models import Table
from tests.conftest import make_table
from tests.restaurant.reports.making import NOW, of_the_contract, order, scan

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("saturday")]

TICK = timedelta(microseconds=1)


def hours_ago(hours: int) -> datetime:
    return NOW - timedelta(hours=hours)


def pairs(times: list[dict]) -> list[tuple]:
    return [(each["day"], each["hour"]) for each in times]


def test_what_a_program_gets(report, table):
    order(table, NOW, total="12.50")
    order(table, NOW, total="7")
    scan(table, NOW, hours_ago(24 * 6))
    quiet = {"day": "Sun", "hour": 14, "scans": 1, "orders": 0, "revenue": 0}
    busy = {"day": "Sat", "hour": 14, "scans": 1, "orders": 2, "revenue": 19.5}
    assert of_the_contract(report("/peak-hours")) == {"peakTimes": [busy, quiet], "slowestTimes": [quiet, busy]}


def test_every_weekday_has_its_name(report, table):
    for days in range(7):
        order(table, NOW - timedelta(days=days), total=str(100 - days))
    assert pairs(report("/peak-hours")["peakTimes"]) == [
        (day, 14) for day in ("Sat", "Fri", "Thu", "Wed", "Tue", "Mon", "Sun")
    ]


def test_weeks_are_put_together(report, table):
    for weeks in range(4):
        order(table, NOW - timedelta(weeks=weeks), total="1.10")
        scan(table, NOW - timedelta(weeks=weeks))
    assert report("/peak-hours")["peakTimes"] == [{"day": "Sat", "hour": 14, "scans": 4, "orders": 4, "revenue": 4.4}]


def test_an_hour_begins_on_the_hour_and_ends_before_the_next(report, table):
    hour = NOW.replace(hour=12, minute=0)
    for moment in (hour - TICK, hour, hour + timedelta(hours=1) - TICK, hour + timedelta(hours=1)):
        order(table, moment, total="1")
    counted = {each["hour"]: each["orders"] for each in report("/peak-hours")["peakTimes"]}
    assert counted == {11: 1, 12: 2, 13: 1}


def test_scans_of_all_tables_are_put_together_and_codes_of_no_table_left_out(report, table):
    scan(table, NOW)
    other, gone = make_table(8), make_table(9)
    scan(other, NOW)
    scan(gone, NOW)
    gone.delete()
    Table.objects.create(table_number=10)  # has no code
    assert report("/peak-hours")["peakTimes"][0]["scans"] == 2


def test_ties_are_broken_by_revenue_then_scans_then_day_and_hour(report, table):
    friday = NOW - timedelta(days=1)
    for moment, orders, total in (
        (hours_ago(1), 2, "1"), (hours_ago(2), 1, "9"), (hours_ago(3), 1, "5"), (hours_ago(4), 1, "5"),
        (hours_ago(5), 1, "5"), (friday, 1, "5"), (NOW - timedelta(days=6), 1, "5"),
    ):  # fmt: skip
        for _ in range(orders):
            order(table, moment, total=total)
    scan(table, hours_ago(5))
    assert pairs(report("/peak-hours")["peakTimes"]) == [
        ("Sat", 13), ("Sat", 12), ("Sat", 9), ("Sun", 14), ("Fri", 14), ("Sat", 10), ("Sat", 11),
    ]  # fmt: skip


def test_hours_with_scans_alone_are_ordered_by_their_number(report, table):
    scan(table, hours_ago(1), hours_ago(2), hours_ago(2), hours_ago(3))
    assert pairs(report("/peak-hours")["peakTimes"]) == [("Sat", 12), ("Sat", 11), ("Sat", 13)]


def test_ten_peaks_and_the_last_five_reversed(report, table):
    """With fewer than 15 hours some are in both."""
    ranked = []
    for rank in range(16):
        order(table, hours_ago(rank), total=str(1000 - rank))
        ranked.append(("Sat" if hours_ago(rank).date() == NOW.date() else "Fri", hours_ago(rank).hour))
        body = report("/peak-hours")
        assert pairs(body["peakTimes"]) == ranked[:10]
        assert pairs(body["slowestTimes"]) == ranked[::-1][:5]


def test_codes_that_the_service_does_not_know_are_left_out_and_a_warning_counts_them(report, table):
    scan(table, NOW)
    for number, sentence in ((20, "the code of 1 table, so its"), (21, "the codes of 2 tables, so their")):
        Table.objects.create(table_number=number, qr_analytics_id=f"unknown-{number}")
        body = report("/peak-hours")
        assert body["peakTimes"][0]["scans"] == 1
        [warning] = body["warnings"]
        assert sentence in warning
