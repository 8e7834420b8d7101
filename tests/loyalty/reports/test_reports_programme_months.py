"""Which moments belong to this month, to a day of it, and to last month: those of TIME_ZONE."""

from datetime import UTC, datetime

import pytest

from tests.conftest import undone
from tests.loyalty.reports.making import TICK, add, make_member, tile

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("wednesday")]

PATH = "/reports/loyalty"


def utc(*parts: int) -> datetime:
    return datetime(*parts, tzinfo=UTC)


@pytest.fixture
def earned(loyalty_json):
    def this_month() -> int:
        return loyalty_json(PATH)["monthlyActivity"]["earned"]

    return this_month


# When a month begins, by zone: Vienna is one hour ahead of UTC in winter and two in summer, New York five and four
# behind.
BEGINNINGS = [
    ("UTC", utc(2026, 3, 18, 14, 30), utc(2026, 3, 1)),
    ("Europe/Vienna", utc(2026, 3, 18, 14, 30), utc(2026, 2, 28, 23)),
    ("Europe/Vienna", utc(2026, 2, 28, 23), utc(2026, 2, 28, 23)),
    ("Europe/Vienna", utc(2026, 2, 28, 23) - TICK, utc(2026, 1, 31, 23)),
    ("Europe/Vienna", utc(2026, 3, 31, 20), utc(2026, 2, 28, 23)),  # summer time now, and not when the month began
    ("Europe/Vienna", utc(2026, 4, 15), utc(2026, 3, 31, 22)),
    ("America/New_York", utc(2026, 11, 1, 12), utc(2026, 11, 1, 4)),  # clocks go back at two on the first
    ("America/New_York", utc(2026, 12, 1, 4, 59), utc(2026, 11, 1, 4)),
    ("Asia/Kolkata", utc(2026, 1, 5), utc(2025, 12, 31, 18, 30)),
    ("America/Havana", utc(2026, 11, 1, 5, 30), utc(2026, 11, 1, 4)),  # the first hour of that day comes twice
    ("America/Asuncion", utc(2023, 10, 5), utc(2023, 10, 1, 4)),  # its clocks went from midnight to one that day
]


def test_it_begins_at_local_midnight(earned, clock, settings, subtests):
    for zone, now, began in BEGINNINGS:
        with subtests.test(zone=zone, now=now, began=began), undone():
            settings.TIME_ZONE = zone
            clock(now)
            member = make_member()
            add(member, points=1, at=began)
            add(member, points=10, at=began - TICK)
            assert earned() == 1


def by_day(loyalty_page) -> dict[int, tuple[int, int]]:
    return {row[0].day: (row[1], row[2]) for row in loyalty_page(PATH).context["by_day"].rows}


def test_every_day_up_to_today_has_its_row(loyalty_page, clock, settings):
    settings.TIME_ZONE = "Europe/Vienna"
    clock(utc(2026, 3, 4, 23, 30))
    member = make_member()
    add(member, points=5, at=utc(2026, 3, 2, 12))
    add(member, kind="redeem", points=-3, at=utc(2026, 3, 2, 12))
    add(member, kind="bonus", points=2, at=utc(2026, 3, 4, 23))
    assert by_day(loyalty_page) == {1: (0, 0), 2: (5, 3), 3: (0, 0), 4: (0, 0), 5: (2, 0)}


def test_a_day_on_which_clocks_change_is_shorter_or_longer(loyalty_page, clock, settings, subtests):
    for zone, now, day, first, end in [
        # 23 hours, and 25.
        ("Europe/Vienna", utc(2026, 3, 31, 10), 29, utc(2026, 3, 28, 23), utc(2026, 3, 29, 22)),
        ("Europe/Vienna", utc(2026, 10, 31, 10), 25, utc(2026, 10, 24, 22), utc(2026, 10, 25, 23)),
        ("America/New_York", utc(2026, 3, 20, 10), 8, utc(2026, 3, 8, 5), utc(2026, 3, 9, 4)),
        ("America/New_York", utc(2026, 11, 20, 10), 1, utc(2026, 11, 1, 4), utc(2026, 11, 2, 5)),
    ]:
        with subtests.test(zone=zone, now=now, day=day, first=first, end=end), undone():
            settings.TIME_ZONE = zone
            clock(now)
            member = make_member()
            add(member, points=1, at=first)
            add(member, points=10, at=end - TICK)
            add(member, points=100, at=end)
            add(member, points=1000, at=first - TICK)
            days = by_day(loyalty_page)
            assert (days[day], days[day + 1]) == ((11, 0), (100, 0))


def test_last_month_is_compared_up_to_the_same_day_and_time(loyalty_page, clock, settings, subtests):
    for now, first, end in [
        (utc(2026, 3, 18, 14, 30), utc(2026, 1, 31, 23), utc(2026, 2, 18, 14, 30)),
        # 1 April in Vienna, half past midnight: last month's first half hour.
        (utc(2026, 3, 31, 22, 30), utc(2026, 2, 28, 23), utc(2026, 2, 28, 23, 30)),
        # February has no 30th: all of it.
        (utc(2026, 3, 30, 10), utc(2026, 1, 31, 23), utc(2026, 2, 28, 23)),
        # A time of day by the clock on the wall, which is another hour in UTC since the 29th.
        (utc(2026, 4, 20, 10), utc(2026, 2, 28, 23), utc(2026, 3, 20, 11)),
        (utc(2026, 1, 10, 12), utc(2025, 11, 30, 23), utc(2025, 12, 10, 12)),
    ]:
        with subtests.test(now=now, first=first, end=end), undone():
            settings.TIME_ZONE = "Europe/Vienna"
            clock(now)
            member = make_member()
            for points, at in ((1, first), (10, end - TICK), (100, end + TICK), (1000, first - TICK)):
                add(member, points=points, at=at)
                add(member, kind="redeem", points=-2 * points, at=at)
            response = loyalty_page(PATH)
            assert tile(response, "Points earned").before == 11
            assert tile(response, "Points used or removed").before == 22
