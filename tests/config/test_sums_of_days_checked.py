"""`manage.py check_sums` compares the sums of days with their lines, and `tidy --sums-since` mends them."""

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta

import pytest
from django.core.management import CommandError, call_command
from django.db import connection, transaction
from django.db.models import F
from django.db.models.functions import Now

from loyalty.models import LedgerDay, Member, PointsOfQuarter, PointTransaction
from loyalty.points.services import sums
from restaurant.models import Order, OrderItem, SalesDay, SalesOfItem, SalesOfQuarter
from restaurant.ordering.services import order_changes
from restaurant.reports.services import sales
from tests.conftest import make_user
from tests.loyalty.making import make_member
from tests.loyalty.reports.making import add
from tests.restaurant.reports.making import order

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

NOON = datetime(2026, 3, 4, 12, tzinfo=UTC)
DAYS = 3
RIGHT = "The sums of days are what their orders and the ledger say.\n"


@pytest.fixture(autouse=True)
def _days(table, soup, bread, clock):
    """The 4th, 5th and 6th of March are summed up, each with two orders and as many purchases."""
    member = make_member()
    for day in range(DAYS):
        for hour in (0, 2):
            at = NOON + timedelta(days=day, hours=hour)
            order(table, at, (soup, 2), (bread, 1), status="served")
            add(member, points=15, at=at)
    clock(NOON + timedelta(days=DAYS + 1))
    call_command("tidy")


def check(capsys) -> tuple[list[str], str]:
    """Return the lines for the days that are wrong, and the error."""
    capsys.readouterr()
    with pytest.raises(CommandError) as caught:
        call_command("check_sums")
    assert caught.value.returncode == 1
    return capsys.readouterr().out.splitlines(), str(caught.value)


def is_right(capsys) -> bool:
    capsys.readouterr()
    call_command("check_sums")
    return capsys.readouterr().out == RIGHT


def test_sums_that_are_right_are_said_to_be_and_so_are_none(capsys):
    assert SalesDay.objects.count() == LedgerDay.objects.count() == DAYS
    assert is_right(capsys)
    SalesDay.objects.all().delete()
    LedgerDay.objects.all().delete()
    assert is_right(capsys)


def test_a_day_of_sales_that_is_wrong_is_named_with_what_is_stored_and_what_is_counted(capsys):
    SalesOfQuarter.objects.filter(day="2026-03-05", quarter__hour=12).update(orders=3, revenue=F("revenue") + 1)
    revenue = sum(order.total for order in Order.objects.filter(created_at__day=5))
    lines, error = check(capsys)
    assert lines == [
        f"Sales of 2026-03-05: 1 sum differs: orders 4, counted 2; revenue {revenue + 1}, counted {revenue}; "
        f"lines 4, counted 4; portions 6, counted 6; revenue of the lines {revenue}, counted {revenue}"
    ]
    assert error == (
        "Sums are wrong, and so are reports, of 1 day. "
        "To sum up all days since the first again: manage.py tidy --sums-since 2026-03-05"
    )


def test_a_day_of_points_that_is_wrong_is_named_and_the_first_of_all_is_where_to_begin(capsys):
    PointsOfQuarter.objects.filter(day="2026-03-06", quarter__hour=14).update(redeemed=1)
    SalesOfItem.objects.filter(day="2026-03-06").update(portions=F("portions") + 1)
    PointsOfQuarter.objects.filter(day="2026-03-04").update(earned=F("earned") * 2)
    lines, error = check(capsys)
    assert lines[0].startswith("Sales of 2026-03-06: 2 sums differ: ")
    assert lines[1:] == [
        "Points of 2026-03-04: 2 sums differ: earned 60, counted 30; redeemed 0, counted 0",
        "Points of 2026-03-06: 1 sum differs: earned 30, counted 30; redeemed 1, counted 0",
    ]
    assert "of 2 days." in error
    assert error.endswith("--sums-since 2026-03-04")


def sql(statement: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute(statement)


# fmt: off
SPOILS = [  # what leaves all together as it is, among them
    "UPDATE restaurant_salesofquarter SET quarter = quarter + interval '15 minutes' WHERE day_id = '2026-03-05'",
    "UPDATE restaurant_salesofquarter SET orders = CASE WHEN extract(hour FROM quarter AT TIME ZONE 'UTC') = 12"
    " THEN 2 ELSE 0 END WHERE day_id = '2026-03-05'",
    "DELETE FROM restaurant_salesofquarter WHERE day_id = '2026-03-05'",
    "INSERT INTO restaurant_salesofquarter (day_id, quarter, orders, revenue)"
    " SELECT day_id, quarter + interval '1 second', orders, revenue FROM restaurant_salesofquarter"
    " WHERE day_id = '2026-03-05'",
    "UPDATE restaurant_salesofitem SET lines = 7 WHERE day_id = '2026-03-05'",
    "UPDATE restaurant_salesofitem SET revenue = revenue - 0.01 WHERE day_id = '2026-03-05'",
    "DELETE FROM restaurant_salesofitem WHERE day_id = '2026-03-05'",
    "UPDATE restaurant_order SET total = total + 0.01 WHERE created_at::date = '2026-03-05'",
    "UPDATE restaurant_order SET status = 'cancelled' WHERE created_at::date = '2026-03-05'",
    "UPDATE restaurant_orderitem SET cancelled_quantity = 1 WHERE order_id IN"
    " (SELECT id FROM restaurant_order WHERE created_at::date = '2026-03-05')",
    "DELETE FROM loyalty_pointsofquarter WHERE day_id = '2026-03-05'",
    "UPDATE loyalty_pointtransaction SET points = 16 WHERE created_at::date = '2026-03-05'",
    "DELETE FROM loyalty_pointtransaction WHERE created_at::date = '2026-03-05'",
]
# fmt: on


def test_whatever_is_wrong_is_found_and_mended_by_what_the_error_says(capsys):
    for spoil in SPOILS:
        before = transaction.savepoint()
        sql(spoil)
        lines, error = check(capsys)
        assert [line.split(":")[0].split(" of ")[1] for line in lines] == ["2026-03-05"], spoil
        call_command(*error.partition("manage.py ")[2].split())
        assert is_right(capsys), spoil
        assert SalesDay.objects.count() == LedgerDay.objects.count() == DAYS, spoil
        transaction.savepoint_rollback(before)


def test_days_of_which_nothing_is_left_are_mended_too(capsys):
    OrderItem.objects.filter(order__created_at__day=4).delete()
    Order.objects.filter(created_at__day=4).delete()
    PointTransaction.objects.all().delete()
    assert len(check(capsys)[0]) == 1 + DAYS
    call_command("tidy", "--sums-since", "2026-03-04")
    assert is_right(capsys)
    assert (SalesDay.objects.count(), LedgerDay.objects.count()) == (DAYS - 1, 0)


def test_what_reports_count_anew_is_not_wrong(capsys):
    """An order that was cancelled after its day was summed up."""
    placed = Order.objects.earliest("created_at")
    order_changes.cancel(order_id=str(placed.pk), user=make_user("Managers"), reason="mistake")
    assert is_right(capsys)
    assert SalesOfQuarter.objects.filter(day="2026-03-04").count() == 2  # as it was


def test_days_before_the_given_one_are_not_summed_up_again(capsys):
    SalesOfQuarter.objects.update(orders=9)
    call_command("tidy", "--sums-since", "2026-03-05")
    assert [line.split(":")[0] for line in check(capsys)[0]] == ["Sales of 2026-03-04"]


@pytest.mark.django_db(transaction=True)
def test_meanwhile_no_report_misses_the_sums_of_a_day():
    """It reads which days are summed up, and then their sums."""
    counts = []

    def stored() -> tuple[int, int]:
        try:
            return SalesOfQuarter.objects.count(), PointsOfQuarter.objects.count()
        finally:
            connection.close()

    def look(execute, statement, *rest):
        if statement.startswith("INSERT"):
            with ThreadPoolExecutor() as others:
                counts.append(others.submit(stored).result())
        return execute(statement, *rest)

    with connection.execute_wrapper(look):
        call_command("tidy", "--sums-since", "2026-03-04")
    assert len(counts) >= 2 * 2 * DAYS
    assert set(counts) == {(2 * DAYS, 2 * DAYS)}


def test_a_day_that_was_summed_up_before_it_was_over_is_counted_again(capsys, clock):
    clock(NOON + timedelta(days=DAYS))  # as on a computer whose clock was ahead
    call_command("tidy")
    assert SalesDay.objects.count() == LedgerDay.objects.count() == DAYS - 1
    assert is_right(capsys)


@pytest.mark.parametrize("ahead", [timedelta(hours=14), timedelta(days=1), timedelta(days=3), None])
def test_a_clock_that_was_ahead_loses_nothing_of_a_day_that_was_not_over(capsys, clock, table, soup, ahead):
    at = NOON + timedelta(days=DAYS - 1)

    def sum_up(now: datetime) -> None:
        for services in (sales, sums):
            services.sum_up(now=now)

    sum_up(at + (ahead or timedelta(days=3)))
    order(table, at + timedelta(hours=4), (soup, 1), status="served")
    add(Member.objects.get(), points=15, at=at + timedelta(hours=4))
    if ahead is None:  # by more than PostgreSQL's clock, which nothing stops
        for days in (SalesDay, LedgerDay):
            days.objects.update(summed_at=Now() + timedelta(days=1))
        assert is_right(capsys)
    for hours in (17, 41):  # at night
        sum_up(at + timedelta(hours=hours))
        assert is_right(capsys)
    assert SalesDay.objects.count() == LedgerDay.objects.count() == DAYS


def test_a_day_that_is_none_is_refused():
    for day in ("5", "2026-02-30", "yesterday"):
        with pytest.raises(CommandError, match="a day such as 2026-03-07 is needed"):
            call_command("tidy", f"--sums-since={day}")
    assert SalesDay.objects.count() == DAYS
