"""The demonstration's sessions, scans and orders agree with each other, and look like a restaurant's."""

from collections import Counter
from decimal import Decimal
from itertools import pairwise

import pytest
from django.db.models import Count, F, Q, Sum
from django.db.models.functions import Coalesce, ExtractHour, ExtractIsoWeekDay
from django.utils import timezone

from qrservice.models import Scan
from restaurant.floor.queries.floor import current_floor
from restaurant.models import MenuItem, Order, OrderItem, Table, TableSession
from restaurant.ordering.queries.orders import open_orders
from restaurant.ordering.queries.sessions import due, open_calls

pytestmark = pytest.mark.slow


def test_sessions_count_exactly_what_is_stored(demo):
    counted = ~Q(orders__status__in=Order.UNCOUNTED)
    wrong = TableSession.objects.annotate(
        count=Count("orders", filter=counted), revenue=Coalesce(Sum("orders__total", filter=counted), Decimal(0))
    ).exclude(total_orders=F("count"), total_revenue=F("revenue"))
    assert not wrong.exists()
    assert not Order.objects.exclude(table=F("session__table")).exists()


def test_scans_of_a_table_fall_into_its_sessions_as_often_as_these_say(demo):
    for table in Table.objects.all():
        scans = list(Scan.objects.filter(code__analytics_id=table.qr_analytics_id).values_list("scanned_at", flat=True))
        counted = 0
        for session in table.sessions.all():
            end = session.ended_at or timezone.now()
            inside = [moment for moment in scans if session.started_at <= moment < end]
            assert (min(inside), len(inside)) == (session.started_at, session.total_scans)
            counted += len(inside)
        assert counted == len(scans)


def test_order_totals_are_the_sums_of_their_lines(demo):
    lines = Sum(F("items__price") * (F("items__quantity") - F("items__cancelled_quantity")))
    assert not Order.objects.annotate(lines=lines, count=Count("items")).exclude(total=F("lines")).exists()
    assert Order.objects.annotate(count=Count("items")).filter(count__range=(1, 6)).count() == Order.objects.count()
    assert not OrderItem.objects.exclude(price=F("menu_item__price"), name=F("menu_item__name")).exists()
    assert OrderItem.objects.exclude(special_instructions="").exists()


def test_past_orders_are_completed_and_past_sessions_ended(demo):
    held = Order.objects.get(status="held")  # for a later course
    past = Order.objects.exclude(pk=held.pk).exclude(status__in=(*Order.OPEN, "cancelled"))
    assert not past.exclude(status="completed", completed_at__gt=F("created_at")).exists()
    assert not past.filter(completed_at__gte=F("session__ended_at")).exists()
    assert not Order.objects.exclude(created_at__gt=F("session__started_at")).exists()


def test_no_two_parties_share_a_table(demo):
    for table in Table.objects.all():
        for one, next_one in pairwise(table.sessions.order_by("started_at")):
            assert one.ended_at is not None
            assert one.ended_at < next_one.started_at


def test_one_table_was_left_without_paying_or_being_closed(demo):
    [left] = current_floor().left_open
    assert (left.table.table_number, left.payments.exists()) == (10, False)
    assert due(left) == left.total_revenue > 0


def test_guests_call(demo):
    assert [(call.session.table.table_number, call.kind) for call in open_calls()] == [(7, "waiter")]


def test_three_orders_are_in_the_kitchen_and_table_one_is_free(demo):
    tickets = open_orders()
    assert [(ticket.table.table_number, ticket.status) for ticket in tickets] == [
        (3, "ready"),
        (7, "preparing"),
        (12, "pending"),
    ]
    assert Order.objects.filter(status__in=Order.OPEN, completed_at=None).count() == 3
    open_at = TableSession.objects.filter(ended_at=None).values_list("table__table_number", flat=True)
    assert sorted(open_at) == [3, 7, 10, 12]


def test_weekdays_and_hours_are_those_of_a_restaurant(demo):
    today = timezone.localtime().replace(hour=0, minute=0, second=0, microsecond=0)
    orders = Order.objects.filter(created_at__lt=today, session__ended_at__isnull=False)
    by_time = orders.annotate(day=ExtractIsoWeekDay("created_at"), hour=ExtractHour("created_at"))
    counts = Counter(by_time.values_list("day", "hour"))
    assert {day for day, _ in counts} == {2, 3, 4, 5, 6, 7}, "closed on Mondays"
    assert {hour for _, hour in counts} <= {12, 13, 14, 18, 19, 20, 21, 22}
    assert {day for (day, _), _ in counts.most_common(2)} <= {5, 6}, "Fridays and Saturdays are busiest"


def test_some_dishes_sell_well_and_one_never(demo):
    sold = MenuItem.objects.annotate(sold=Coalesce(Sum("order_items__quantity"), 0)).values_list("sold", flat=True)
    assert 0 in sold
    assert max(sold) > 10 * min(number for number in sold if number)
