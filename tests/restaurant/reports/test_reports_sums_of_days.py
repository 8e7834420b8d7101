"""`services.sales`: reports say the same whether the days that are over are summed up or not."""

import random
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from django.conf import settings
from django.db import connection

from restaurant.models import Order, SalesDay, SalesOfItem, SalesOfQuarter
from restaurant.ordering.services import order_changes
from restaurant.ordering.services.order_changes import Part
from restaurant.reports import peak_hours
from restaurant.reports.services import sales
from tests.conftest import make_item, make_user, undone
from tests.restaurant.reports.making import NOW, order
from web.windows import rolling

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("saturday")]

DAYS = 9
# As the report read it when it joined all orders with their lines.
OLD_SQL = """
SELECT line.menu_item_id::text, count(*), sum(line.quantity - line.cancelled_quantity),
       sum((line.quantity - line.cancelled_quantity) * line.price)
  FROM restaurant_orderitem AS line JOIN restaurant_order AS placed ON placed.id = line.order_id
 WHERE line.quantity > line.cancelled_quantity AND placed.status NOT IN ('held', 'cancelled')
       AND placed.created_at > %(now)s - make_interval(hours => 24 * %(days)s) AND placed.created_at <= %(now)s
 GROUP BY line.menu_item_id
"""
# As peak hours were read when each order was looked at.
OLD_SQL_OF_HOURS = """
SELECT extract(dow FROM local)::int AS weekday, extract(hour FROM local)::int AS hour, count(*), sum(total)
  FROM (SELECT created_at AT TIME ZONE %(zone)s AS local, total FROM restaurant_order
         WHERE status NOT IN ('held', 'cancelled') AND created_at > %(now)s - make_interval(hours => 24 * %(days)s)
               AND created_at <= %(now)s) AS placed
 GROUP BY weekday, hour
"""
WEEKDAYS = ("Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat")


@pytest.fixture
def orders(table):
    """Of some days, at any time of theirs and at their ends, some of them cancelled in part or held."""
    rng = random.Random(17)
    items = [make_item(f"Dish {number}", price=f"{number}.35") for number in range(1, 7)]
    midnights = [datetime(2026, 3, day, tzinfo=UTC) for day in range(1, 8)]
    edges = [each + late for each in midnights for late in (timedelta(0), timedelta(microseconds=-1))]
    times = [*edges, NOW, *(NOW - timedelta(days=DAYS * rng.random()) for _ in range(60))]
    made = []
    for at in times:
        entries = [(item, rng.randint(1, 3)) for item in rng.sample(items, rng.randint(1, 4))]
        made.append(
            order(table, at, *entries, status=rng.choice(["completed", "served", "served", "held", "cancelled"]))
        )
    for each in rng.sample(made, 20):
        line = each.items.first()
        line.cancelled_quantity = rng.randint(0, line.quantity)
        line.save()
    return made


def by_the_old_sql(days: int) -> dict[str, tuple]:
    with connection.cursor() as cursor:
        cursor.execute(OLD_SQL, {"now": NOW, "days": days})
        return {item: (lines, portions, float(revenue)) for item, lines, portions, revenue in cursor.fetchall()}


def by_the_report(report, days: int) -> dict[str, tuple]:
    found = report(f"/menu?days={days}")["items"]
    rows = {each["id"]: (each["times_ordered"], each["total_quantity"], each["total_revenue"]) for each in found}
    return {item: row for item, row in rows.items() if row[0]}


def hours_by_the_old_sql(days: int) -> dict[tuple[str, int], tuple[int, float]]:
    with connection.cursor() as cursor:
        cursor.execute(OLD_SQL_OF_HOURS, {"now": NOW, "days": days, "zone": settings.TIME_ZONE})
        return {(WEEKDAYS[day], hour): (count, float(total)) for day, hour, count, total in cursor.fetchall()}


def hours_by_the_report(days: int) -> dict[tuple[str, int], tuple[int, float]]:
    """All of them: the report's JSON has the busiest and the slowest alone."""
    zone = ZoneInfo(settings.TIME_ZONE)
    found = peak_hours.read(period=rolling(days, NOW, zone)).hours
    return {(each.day, each.hour): (each.orders, float(each.revenue)) for each in found}


def check(report) -> None:
    for days in range(1, DAYS + 2):
        assert by_the_report(report, days) == by_the_old_sql(days), days
        assert hours_by_the_report(days) == hours_by_the_old_sql(days), days


def test_before_and_after_they_are_summed_up_it_is_what_the_old_sql_says(report, orders):
    check(report)
    assert sales.sum_up(now=NOW) == DAYS - 1
    check(report)


def test_the_stored_sums_are_what_is_added(report, orders):
    sales.sum_up(now=NOW)
    before, hours_before = by_the_report(report, 5), hours_by_the_report(5)
    SalesOfItem.objects.update(lines=1000)
    SalesOfQuarter.objects.update(orders=1000)
    assert by_the_report(report, 5) != before
    assert hours_by_the_report(5) != hours_before


def test_peak_hours_are_those_of_the_zones_clocks(orders, settings):
    for zone in ("UTC", "Europe/Dublin", "Asia/Kathmandu", "America/St_Johns", "Pacific/Chatham"):
        settings.TIME_ZONE = zone
        with undone():
            before = [hours_by_the_report(days) for days in range(1, DAYS + 2)]
            sales.sum_up(now=NOW)
            assert [hours_by_the_report(days) for days in range(1, DAYS + 2)] == before, zone
            assert before == [hours_by_the_old_sql(days) for days in range(1, DAYS + 2)], zone


def test_the_dashboards_items_and_the_comparison_are_the_same(report, manager, orders):
    paths = [
        "/reports/restaurant?days=5&format=csv",
        "/reports/restaurant/menu?days=4&format=csv",
        "/reports/restaurant/peak-hours?days=4&format=csv",
    ]
    before = [manager.get(path).content for path in paths]
    sales.sum_up(now=NOW)
    assert [manager.get(path).content for path in paths] == before
    assert b"Dish 1" in before[0]


def test_a_day_is_summed_up_a_day_after_its_end(orders):
    sales.sum_up(now=datetime(2026, 3, 6, 23, 59, tzinfo=UTC))
    assert SalesDay.objects.latest("day").day.day == 4
    sales.sum_up(now=datetime(2026, 3, 7, tzinfo=UTC))
    assert SalesDay.objects.latest("day").day.day == 5


def cancellable(orders) -> Order:
    """Of which the first entry can be cancelled."""
    old = (each for each in orders if each.created_at < NOW - timedelta(days=3) and each.status == "served")
    return next(each for each in old if each.items.first().remaining)


def test_what_is_cancelled_later_counts_at_once(report, orders):
    sales.sum_up(now=NOW - timedelta(hours=2))
    old = cancellable(orders)
    before = by_the_old_sql(DAYS)
    for parts in ([Part(position=0)], None):  # a part of it, then the whole
        with undone():
            values = {"order_id": str(old.pk), "user": make_user("Managers", "m2"), "reason": "mistake", "parts": parts}
            order_changes.cancel(**values)
            assert by_the_old_sql(DAYS) != before
            check(report)
            assert sales.sum_up(now=NOW + timedelta(hours=2)) == 1  # that day again
            check(report)
            assert sales.sum_up(now=NOW + timedelta(hours=4)) == 0


def test_what_is_approved_later_counts_at_once(report, orders):
    sales.sum_up(now=NOW - timedelta(hours=2))
    held = next(each for each in orders if each.status == "held" and each.created_at < NOW - timedelta(days=2))
    order_changes.approve(order_id=str(held.pk), user=make_user("Managers", "m2"))
    check(report)


def test_a_change_that_is_committed_after_its_day_was_summed_up_counts(report, orders):
    """It read the clock before, and was not seen by the sums."""
    old = cancellable(orders)
    sales.sum_up(now=NOW)
    order_changes.cancel(order_id=str(old.pk), user=make_user("Managers", "m2"), reason="mistake")
    change = old.changes.get()
    change.at = NOW - timedelta(seconds=30)
    change.save()
    check(report)


def test_without_orders_there_is_nothing_to_sum_up():
    assert sales.sum_up(now=NOW) == 0
    assert not Order.objects.exists()
