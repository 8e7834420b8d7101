"""`serve` collects points of closed tables that could not be collected at once."""

from decimal import Decimal

import pytest
from django.db import connection
from django.utils import timezone

from config.serving import background
from restaurant.models import Order, TableSession
from restaurant.ordering.services import order_points as service
from tests.config.collecting import close, earned, open_venue, phone_with_card, place
from tests.conftest import make_item, make_table
from tests.servers import wait_for


@pytest.mark.django_db(transaction=True)
def test_it_tries_again_every_few_minutes(monkeypatch):
    open_venue()
    phone, member = phone_with_card()
    session, soup = TableSession.objects.create(table=make_table()), make_item()
    place(phone, session, (soup, 1))
    with monkeypatch.context() as patch:
        patch.setattr(service, "collect", lambda _session: None)  # the process was killed
        close(session)
    assert Order.objects.to_be_collected().count() == 1
    with background.every(0.05, background.collect_points):
        wait_for(lambda: earned(member), "the points")
    assert earned(member) == [(9, "9.50")]


def test_one_failure_is_a_line_in_the_log_and_does_not_end_what_is_done_again_and_again(caplog):
    times = []

    def fail_at_first() -> None:
        times.append(len(times))
        if len(times) == 1:
            raise OSError("no more processes")

    with background.every(0.01, fail_at_first):
        wait_for(lambda: len(times) > 2, "the third time")
    assert [(line.levelname, str(line.exc_info[1])) for line in caplog.records] == [("ERROR", "no more processes")]


@pytest.mark.django_db
def test_looking_for_what_is_missing_reads_no_more_than_that():
    """However many orders there are: both are found by an index of nothing else."""
    gone = {"collector": "a card", "points_collected": 5, "collected_at": timezone.now(), "total": Decimal(5)}
    session = TableSession.objects.create(table=make_table(7))
    Order.objects.bulk_create(Order(table=session.table, session=session, **gone) for _ in range(1_000))
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE restaurant_order; SET LOCAL enable_seqscan = off")
        for orders, index in (
            (Order.objects.to_be_collected(), "order_to_be_collected"),
            (Order.objects.to_be_taken_back(), "order_to_be_taken_back"),
        ):
            assert index in orders.explain()
