"""How long orders usually take at this hour, on the page of one that the kitchen has."""

from datetime import UTC, datetime, timedelta

import pytest
from django.core.cache import cache
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from rest_framework.test import APIClient

from restaurant.models import Order, TableSession
from tests.conftest import PAGE
from tests.reading import Part, read

pytestmark = pytest.mark.django_db

SAID = "Ready about"


@pytest.fixture
def session(table, clock) -> TableSession:
    """On an evening of June: no clock is changed within the weeks that count."""
    clock(datetime(2026, 6, 5, 18, 20, tzinfo=UTC))
    return TableSession.objects.create(table=table)


@pytest.fixture
def order(session) -> Order:
    return Order.objects.create(table=session.table, session=session, total=9)


def past(order: Order, minutes: float, *, days: int = 1, off: timedelta = timedelta(0), **fields) -> Order:
    """An order of days ago that was ready after `minutes`."""
    placed = order.created_at - timedelta(days=days) + off
    values = {"status": "completed", "ready_at": placed + timedelta(minutes=minutes)} | fields
    return Order.objects.create(table=order.table, session=order.session, total=9, created_at=placed, **values)


@pytest.fixture
def evenings(order) -> list[Order]:
    """Ten, on different days."""
    times = (5, 10, 10, 10, 15, 15, 20, 20, 20, 60)
    return [past(order, minutes, days=1 + number) for number, minutes in enumerate(times)]


def ready_about(since: datetime) -> str:
    """Ten to twenty minutes later."""
    low, high = (f"{timezone.localtime(since + timedelta(minutes=minutes)):%H:%M}" for minutes in (10, 20))
    return f"Ready about {low} to {high}"


def page(order: Order) -> Part:
    cache.clear()
    return read(APIClient().get(f"/orders/{order.pk}", headers={"accept": PAGE}))


def test_half_of_the_orders_were_ready_when_the_page_says(order, evenings):
    assert ready_about(order.created_at) in page(order)
    Order.objects.filter(pk=order.pk).update(status="preparing")
    shown = page(order)
    assert ready_about(order.created_at) in shown
    assert "Usually" not in shown  # the time says it


def test_of_too_few_orders_nothing_is_said(subtests, order, evenings):
    evenings[0].delete()
    for differs in [
        {"days": 15},
        {"off": timedelta(minutes=80)},
        {"off": timedelta(minutes=-80)},
        {"ready_at": None},
        {"status": "cancelled"},
    ]:
        with subtests.test(differs=differs):
            other = past(order, 5, **differs)
            shown = page(order)
            assert SAID not in shown
            assert "at this hour" not in shown
            other.delete()


def test_an_order_that_waited_for_approval_counts_from_then(order, evenings):
    session = order.session
    for each in evenings:
        each.approved_at, each.created_at = each.created_at, each.created_at - timedelta(minutes=30)
        each.save()
    assert ready_about(order.created_at) in page(order)
    late = timezone.now() - timedelta(minutes=25)
    held = Order.objects.create(
        table=order.table, session=session, total=9, created_at=late, approved_at=timezone.now(), was_held=True
    )
    assert "Taking longer" not in page(held)


def test_what_takes_longer_is_said_to(order, evenings):
    Order.objects.filter(pk=order.pk).update(created_at=order.created_at - timedelta(minutes=21))
    shown = page(order)
    assert "Taking longer than usual" in shown
    assert "Orders at this hour usually take 10 to 20 minutes." in shown


def test_only_what_the_kitchen_has_is_waited_for(subtests, order, evenings):
    for status in ["held", "ready", "served", "completed", "cancelled"]:
        with subtests.test(status=status):
            Order.objects.filter(pk=order.pk).update(status=status)
            shown = page(order)
            assert SAID not in shown
            assert "at this hour" not in shown


def test_the_page_says_since_when_it_is_ready(subtests, order):
    for status, is_said in [("preparing", False), ("ready", True), ("served", True), ("completed", True)]:
        with subtests.test(status=status, is_said=is_said):
            at = order.created_at + timedelta(minutes=9)
            Order.objects.filter(pk=order.pk).update(status=status, ready_at=at if is_said else None)
            shown = page(order)
            assert (f"Ready at {timezone.localtime(at):%H:%M}" in shown) == is_said
            assert ("Ready at" in shown) == is_said


def test_it_is_read_once_for_all_phones_and_is_no_part_of_the_json(order, evenings):
    assert SAID in page(order)
    with CaptureQueriesContext(connection) as made:
        shown = APIClient().get(f"/orders/{order.pk}", headers={"accept": PAGE}).content.decode()
        answer = APIClient().get(f"/orders/{order.pk}").json()
    assert SAID in shown
    assert not [each for each in made.captured_queries if "COALESCE" in each["sql"]]
    assert "wait" not in answer
