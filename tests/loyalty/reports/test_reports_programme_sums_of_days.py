"""`services.sums`: the programme's report says the same whether the days that are over are summed up or not."""

import random
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from zoneinfo import ZoneInfo

import pytest
from django.conf import settings
from django.db import connection

from loyalty.models import LedgerDay, PointsOfQuarter, PointTransaction
from loyalty.points.services import enrolment, points, reversals, sums
from loyalty.reports import programme
from tests.conftest import undone
from tests.loyalty.making import make_location
from tests.loyalty.reports.making import NOW, TICK, add
from web.windows import rolling

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("wednesday")]

DAYS = 9
# As the report read it when it looked at every line.
OLD_SQL = """
SELECT coalesce(sum(points) FILTER (WHERE points > 0), 0), coalesce(-sum(points) FILTER (WHERE points < 0), 0)
  FROM loyalty_pointtransaction AS line
 WHERE type <> 'reversal' AND created_at >= %(since)s AND created_at <= %(until)s
       AND NOT EXISTS (SELECT FROM loyalty_pointtransaction AS other WHERE other.reverses_id = line.id)
"""


@pytest.fixture
def lines(clock):
    """Of some days, at any time of theirs and at their ends; some taken back at once."""
    rng, place = random.Random(17), make_location()
    clock(NOW - timedelta(days=DAYS + 1))
    guests = [enrolment.enrol(email=f"{number}@example.com", name=f"Guest {number}") for number in range(4)]
    midnights = [datetime(2026, 3, day, tzinfo=UTC) for day in range(10, 19)]
    edges = [each + late for each in midnights for late in (timedelta(0), -TICK)]
    for at in sorted([*edges, NOW, *(NOW - timedelta(days=DAYS * rng.random()) for _ in range(60))]):
        clock(at)
        guest = rng.choice(guests)
        if rng.random() < 0.3:
            add(guest, points=-rng.randint(1, 50), kind="expire", at=at)
            continue
        bill = Decimal(rng.randint(100, 9_000)) / 100
        made = points.award(member_id=str(guest.pk), location_id=str(place.pk), order_total=bill)
        if rng.random() < 0.2:
            take_back(made.transaction_id)
    clock(NOW)


def take_back(transaction_id: object) -> None:
    reversals.take_back_purchase(transaction_id=str(transaction_id), note="", recorded_by="owner", is_manager=True)


def by_the_old_sql(since: datetime, until: datetime) -> tuple[int, int]:
    with connection.cursor() as cursor:
        cursor.execute(OLD_SQL, {"since": since, "until": until})
        return cursor.fetchone()


def check() -> None:
    zone = ZoneInfo(settings.TIME_ZONE)
    for days in range(1, DAYS + 2):
        period = rolling(days, NOW, zone)
        found = programme.compare(period=period)
        for moved, window in [(found.now.points, period.window), (found.before.points, period.before)]:
            assert (moved.earned, moved.redeemed) == by_the_old_sql(window.start, window.until), (days, window)
        for day in found.days:
            began = datetime.combine(day.date, datetime.min.time(), tzinfo=zone).astimezone(UTC)
            after = datetime.combine(day.date + timedelta(days=1), datetime.min.time(), tzinfo=zone).astimezone(UTC)
            since, until = max(began, period.window.start), min(after - TICK, period.window.until)
            assert (day.points.earned, day.points.redeemed) == by_the_old_sql(since, until), (days, day)


@pytest.mark.slow
def test_before_and_after_they_are_summed_up_it_is_what_the_old_sql_says(lines, settings, subtests):
    for zone in ["UTC", "Europe/Dublin", "Asia/Kathmandu", "America/St_Johns", "Pacific/Chatham"]:
        with subtests.test(zone=zone), undone():
            settings.TIME_ZONE = zone
            check()
            assert sums.sum_up(now=NOW) == DAYS
            check()


def test_json_page_and_csv_are_the_same(loyalty_json, loyalty_page, manager, lines):
    def all_of_it() -> tuple:
        csv = manager.get("/reports/loyalty?days=7&format=csv").content
        return loyalty_json("/reports/loyalty"), loyalty_page("/reports/loyalty").context["tiles"], csv

    before = all_of_it()
    sums.sum_up(now=NOW)
    assert all_of_it() == before
    assert before[0]["monthlyActivity"]["earned"] > 0


def test_the_stored_sums_are_what_is_added(loyalty_json, lines):
    sums.sum_up(now=NOW)
    before = loyalty_json("/reports/loyalty")["monthlyActivity"]
    PointsOfQuarter.objects.update(earned=10_000)
    assert loyalty_json("/reports/loyalty")["monthlyActivity"] != before


def a_purchase() -> PointTransaction:
    old = PointTransaction.objects.standing().purchases().filter(created_at__lt=NOW - timedelta(days=3))
    return old.earliest("created_at")


def test_what_is_taken_back_later_counts_at_once(lines):
    sums.sum_up(now=NOW - timedelta(hours=2))
    old = a_purchase()
    window = (old.created_at, old.created_at)
    before = by_the_old_sql(*window)
    take_back(old.pk)
    assert by_the_old_sql(*window) != before
    check()
    assert sums.sum_up(now=NOW + timedelta(hours=2)) == 1  # that day again
    check()
    assert sums.sum_up(now=NOW + timedelta(hours=4)) == 0


def test_a_reversal_that_is_committed_after_its_day_was_summed_up_counts(lines):
    """It read the clock before, and was not seen by the sums."""
    old = a_purchase()
    sums.sum_up(now=NOW)
    take_back(old.pk)
    old.reversals.update(created_at=NOW - timedelta(seconds=30))
    check()


def test_a_day_is_summed_up_a_day_after_its_end(lines):
    sums.sum_up(now=datetime(2026, 3, 16, 23, 59, tzinfo=UTC))
    assert LedgerDay.objects.latest("day").day.day == 14
    sums.sum_up(now=datetime(2026, 3, 17, tzinfo=UTC))
    assert LedgerDay.objects.latest("day").day.day == 15


def test_without_lines_there_is_nothing_to_sum_up(db):
    assert sums.sum_up(now=NOW) == 0
