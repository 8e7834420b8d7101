"""The demonstration's bills: what was cancelled, how it was taxed, and who paid what."""

from datetime import timedelta
from decimal import Decimal

import pytest
from django.db.models import Count, F, Q, Sum
from django.db.models.functions import Coalesce
from django.utils import timezone

from config.models import Venue
from loyalty.models import PointTransaction
from loyalty.rewards.queries.ledger import unbalanced_members
from restaurant.models import Order, OrderChange, OrderingRules, OrderItem, Payment, TableSession
from restaurant.ordering.queries.orders import cancelled_orders
from restaurant.reports import day
from web.reporting import local_zone

pytestmark = pytest.mark.slow

NOTHING = Decimal(0)


def test_every_closed_session_is_paid_to_the_cent(demo):
    paid = Coalesce(Sum("payments__amount"), NOTHING)
    closed = TableSession.objects.filter(ended_at__isnull=False).annotate(paid=paid)
    assert not closed.exclude(paid=F("total_revenue")).exists()
    assert not TableSession.objects.filter(ended_at=None, payments__isnull=False).exists()
    assert not Payment.objects.exclude(created_at__lt=F("session__ended_at")).exists()
    assert not Payment.objects.filter(session__orders__completed_at__gt=F("created_at")).exists()


def test_payments_are_of_several_kinds_and_some_have_a_tip(demo):
    methods = dict(Payment.objects.values_list("method").annotate(count=Count("*")))
    assert set(methods) == {"card", "cash", "voucher"}
    assert methods["card"] > methods["cash"] > methods["voucher"]
    number = Payment.objects.count()
    assert 0.2 * number < Payment.objects.filter(tip__gt=0).count() < 0.6 * number
    assert not Payment.objects.filter(taken_by=None).exists()
    assert set(Payment.objects.values_list("taken_by__username", flat=True)) == {"cashier", "floor"}
    assert not Payment.objects.exclude(taken_by_name=F("taken_by__username")).exists()
    assert set(Payment.objects.values_list("session").annotate(n=Count("*")).values_list("n", flat=True)) == {1, 2}


def test_some_orders_are_cancelled_altogether_and_of_some_a_part(demo):
    cancelled = Order.objects.filter(status="cancelled")
    assert 10 < cancelled.count() < 100
    assert not cancelled.exclude(total=0, completed_at=None, cancelled_at=F("changes__at")).exists()
    assert not OrderItem.objects.filter(order__status="cancelled").exclude(cancelled_quantity=F("quantity")).exists()
    in_part = OrderItem.objects.filter(cancelled_quantity__gt=0).exclude(order__status="cancelled")
    assert 10 < in_part.count() < 150
    assert not list(cancelled_orders(now=timezone.now()))


def test_changes_say_who_cancelled_what_and_why(demo):
    changes = list(OrderChange.objects.prefetch_related("order__items"))
    assert {change.user_name for change in changes} == {"", "floor"}
    assert not OrderChange.objects.filter(Q(reason="") | Q(user=None, user_name__gt="")).exists()
    for change in changes:
        items = {item.position: item for item in change.order.items.all()}
        assert change.amount == sum(items[item["position"]].price * item["quantity"] for item in change.items) > 0
        assert all(items[item["position"]].cancelled_quantity == item["quantity"] for item in change.items)


def test_waiters_take_some_orders(demo):
    taken = Order.objects.filter(placed_by="floor").count()
    assert 0.02 * Order.objects.count() < taken < 0.2 * Order.objects.count()
    assert not Order.objects.exclude(placed_by__in=("", "floor")).exists()


def test_food_and_drinks_have_their_rates(demo):
    rules = OrderingRules.current()
    assert rules.default_vat_rate == Decimal("13.5")
    assert set(OrderItem.objects.values_list("vat_rate", flat=True)) == {Decimal("13.5"), Decimal(23)}
    for item in OrderItem.objects.select_related("menu_item")[:200]:
        assert item.vat_rate == rules.rate_of(item.menu_item.vat_rate)


def test_the_day_s_report_of_a_saturday_agrees_with_itself(demo):
    latest = timezone.localdate() - timedelta(days=2)  # yesterday may have guests who are still here
    saturday = latest - timedelta(days=(latest.weekday() + 2) % 7)
    report = day.read(day=saturday, zone=local_zone())
    assert report.orders > 20
    assert report.open_bills == []
    assert report.paid == report.gross == sum(tax.gross for tax in report.taxes)
    assert report.tips > 0
    assert [taker.name for taker in report.placed_by] == ["floor"]


def test_some_orders_collected_points_at_the_venue_s_location_and_one_waits(demo):
    location_id = Venue.objects.get().location_id
    collected = list(Order.objects.filter(collected_at__isnull=False).select_related("session"))
    assert 20 < len(collected) < 300
    for order in collected:
        assert order.collected_at == order.session.ended_at
        row = PointTransaction.objects.get(customer=order.collector, created_at=order.collected_at)
        assert (row.points, row.order_total, row.location_id) == (order.points_collected, order.total, location_id)
    assert not unbalanced_members().exists()
    assert Order.objects.to_be_collected().filter(session__ended_at=None).count() == 1
    assert Order.objects.to_be_collected().count() == 1
