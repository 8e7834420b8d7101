"""Today, weekdays and hours are those of TIME_ZONE, also on the days when clocks change."""

from datetime import UTC, datetime, timedelta

import pytest
from rest_framework.test import APIClient

from config.models import StaffToken
from tests.conftest import make_user, undone
from tests.restaurant.reports.making import order, scan, start_session

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("saturday")]

SECOND, TICK = timedelta(seconds=1), timedelta(microseconds=1)


@pytest.fixture
def manager(db):
    """With a token, which ends at no time."""
    _, token = StaffToken.objects.create(user=make_user("Managers"))
    return APIClient(headers={"authorization": f"Token {token}"})


def utc(*parts: int) -> datetime:
    return datetime(*parts, tzinfo=UTC)


# now, the midnight at which its day began in that zone, and the hours that are over or running
DAYS = [
    ("UTC", utc(2026, 3, 7, 14, 30), utc(2026, 3, 7)),
    ("Europe/Vienna", utc(2026, 3, 7, 23, 30), utc(2026, 3, 7, 23)),  # half past midnight of the 8th
    ("Pacific/Kiritimati", utc(2026, 3, 7, 9, 59), utc(2026, 3, 6, 10)),
    ("America/Los_Angeles", utc(2026, 3, 7, 7, 59), utc(2026, 3, 6, 8)),
    ("Asia/Kathmandu", utc(2026, 3, 7, 18, 14), utc(2026, 3, 6, 18, 15)),
    ("Etc/GMT+5", utc(2026, 3, 7, 14), utc(2026, 3, 7, 5)),
    ("Europe/Vienna", utc(2026, 3, 29, 21, 59), utc(2026, 3, 28, 23)),  # a day of 23 hours
    ("Europe/Vienna", utc(2026, 10, 25, 22, 59), utc(2026, 10, 24, 22)),  # and one of 25
    ("America/Havana", utc(2026, 3, 8, 12), utc(2026, 3, 8, 5)),  # a day that begins at one o'clock
    ("America/Havana", utc(2026, 11, 1, 12), utc(2026, 11, 1, 4)),  # and one with two midnights
]


def test_today_begins_at_local_midnight(report, clock, settings, table, soup):
    for zone, now, midnight in DAYS:
        settings.TIME_ZONE = zone
        clock(now)
        with undone():
            for moment in (midnight - TICK, midnight, now, now + TICK):
                start_session(table, moment)
                order(table, moment, (soup, 1))
            body = report("")
        assert (body["today"]["sessions"], body["today"]["orders"]) == (2, 2), (zone, now)
        assert body["topItems"][0]["quantity"] == 2, (zone, now)
        assert body["tableUtilization"][0]["revenue_today"] == 19, (zone, now)


def test_the_same_weekday_is_compared_until_the_same_time_of_day(report_page, clock, settings, table):
    settings.TIME_ZONE = "Europe/Vienna"
    for now, until in (
        (utc(2026, 3, 7, 12), utc(2026, 2, 28, 12)),
        (utc(2026, 3, 29, 12), utc(2026, 3, 22, 13)),  # summer time since this morning
        (utc(2026, 10, 25, 12), utc(2026, 10, 18, 11)),
        (utc(2026, 4, 5, 0, 30), utc(2026, 3, 29, 1, 30)),  # 02:30: a week ago went without it
    ):
        clock(now)
        with undone():
            for moment, total in ((until, "3"), (until + SECOND, "50"), (until - timedelta(days=1), "50")):
                order(table, moment, total=total)
                start_session(table, moment)
            tiles = report_page("").context["tiles"]
        assert [(each.before, each.value) for each in tiles] == [(3, 0), (1, 0), (1, 0), (3, 0)], now


# zone, moment, and the weekday and the hour that its clocks show
HOURS = [
    ("UTC", utc(2026, 3, 7, 23, 59), "Sat", 23),
    ("Europe/Vienna", utc(2026, 3, 7, 23, 0), "Sun", 0),
    ("Europe/Vienna", utc(2026, 3, 7, 22, 59), "Sat", 23),
    ("Asia/Kathmandu", utc(2026, 3, 7, 18, 14), "Sat", 23),  # 5:45 ahead
    ("Asia/Kathmandu", utc(2026, 3, 7, 18, 15), "Sun", 0),
    ("Asia/Kolkata", utc(2026, 3, 7, 18, 29), "Sat", 23),  # 5:30 ahead
    ("Asia/Kolkata", utc(2026, 3, 7, 18, 30), "Sun", 0),
    ("Australia/Eucla", utc(2026, 3, 7, 15, 14), "Sat", 23),  # 8:45 ahead
    ("Australia/Eucla", utc(2026, 3, 7, 15, 15), "Sun", 0),
    ("America/Los_Angeles", utc(2026, 3, 8, 9, 59), "Sun", 1),
    ("America/Los_Angeles", utc(2026, 3, 8, 10, 0), "Sun", 3),  # two o'clock is left out
]


def test_weekday_and_hour(report, clock, settings, table):
    for zone, moment, day, hour in HOURS:
        settings.TIME_ZONE = zone
        clock(moment)
        with undone():
            order(table, moment, total="5")
            scan(table, moment)
            peaks, hours = report("/peak-hours")["peakTimes"], report("/tables/7")["peakHours"]
        assert peaks == [{"day": day, "hour": hour, "scans": 1, "orders": 1, "revenue": 5}], (zone, moment)
        assert hours == [{"hour": hour, "count": 1}], (zone, moment)


def test_the_hour_that_comes_twice_counts_for_both(report, report_page, clock, settings, table):
    settings.TIME_ZONE = "Europe/Vienna"
    first, second = utc(2026, 10, 25, 0, 30), utc(2026, 10, 25, 1, 30)  # both are 02:30
    clock(utc(2026, 10, 25, 12))
    for moment in (first, second):
        order(table, moment, total="5")
        scan(table, moment)
    expected = {"day": "Sun", "hour": 2, "scans": 2, "orders": 2, "revenue": 10}
    assert report("/peak-hours")["peakTimes"] == [expected]
    assert report("/tables/7")["peakHours"] == [{"hour": 2, "count": 2}]
    assert report_page("").context["hours"].rows[2] == ["02:00", 10, 0, 2, 0]


def test_days_are_24_hours_each_whatever_the_clocks_do(report, clock, settings, table, soup):
    settings.TIME_ZONE = "Europe/Vienna"
    now = utc(2026, 3, 29, 12)  # the day before it, at the same time of day, is 23 hours ago
    clock(now)
    cutoff = now - timedelta(hours=24)
    for moment in (cutoff, cutoff + SECOND):
        order(table, moment, (soup, 1))
        scan(table, moment)
    assert report("/menu?days=1")["items"][0]["total_quantity"] == 1
    assert report("/peak-hours?days=1")["peakTimes"][0]["orders"] == 1
    assert report("/tables/7?days=1")["totalScans"] == 1
