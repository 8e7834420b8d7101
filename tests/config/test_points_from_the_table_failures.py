"""A failure while points are collected keeps no table open, and is tried again where that helps."""

import pytest
from django.core.management import CommandError, call_command
from django.db import DatabaseError

from config.models import Venue
from loyalty.models import Member
from loyalty.points.services import points
from restaurant.models import BillCounter, Order
from restaurant.ordering.services import order_points as collecting_service
from tests.config.collecting import close, earned, open_venue, phone_with_card, phone_without_card, place, points_of
from tests.conftest import own_queries
from web import venue

pytestmark = pytest.mark.django_db


@pytest.fixture
def location(db):
    return open_venue()


@pytest.fixture
def ada(location):
    """Her phone, and her card, at a venue that earns."""
    return phone_with_card()


def test_a_failure_of_the_programme_does_not_keep_the_table_open(ada, session, soup, floor, monkeypatch):
    phone, member = ada
    order = place(phone, session, (soup, 1))

    def fail(**_values):
        raise DatabaseError("no more disk")

    with monkeypatch.context() as patch:
        patch.setattr(points, "award", fail)
        response = floor.post("/table/7/close", {"sessionId": str(session.pk)}, format="json")
        assert response.status_code == 200
        with pytest.raises(CommandError):
            call_command("collect_points")
    session.refresh_from_db()
    assert session.ended_at
    assert points_of(phone, order) == {"points": 9, "collectedAt": None}
    call_command("collect_points")
    assert earned(member) == [(9, "9.50")]
    assert points_of(phone, order)["collectedAt"]


def test_a_location_that_is_gone_is_waited_for(ada, location, session, soup):
    phone, member = ada
    place(phone, session, (soup, 1))
    location.delete()
    close(session)  # while this process still remembers the location
    venue.clear_cache()
    call_command("collect_points")
    assert earned(member) == []
    Venue.objects.all().delete()
    open_venue()
    call_command("collect_points")
    assert earned(member) == [(9, "9.50")]


def test_cards_that_are_gone_or_full_are_not_tried_again(ada, session, soup):
    phone, member = ada
    place(phone, session, (soup, 1))
    gone = place(phone, session, (soup, 1))
    Order.objects.filter(pk=gone.pk).update(collector="5f0c1a52-3d3e-4b7a-9c55-8e6f0d2b7a11")
    Member.objects.filter(pk=member.pk).update(points_balance=2_147_483_647)
    close(session)
    assert earned(member) == []
    assert points_of(phone, gone) is None
    with own_queries() as queries:
        collecting_service.collect_all()
    assert len(queries) == 2  # what there is to collect and to take back: nothing


def test_a_table_that_collects_nothing_is_closed_without_a_query_for_points(location, session, soup):
    BillCounter.objects.get_or_create(pk=1)  # which a migration made, unless a test has emptied the tables since
    place(phone_without_card(), session, (soup, 1))
    with own_queries() as queries:
        close(session)
    assert not [sql for sql in queries if "loyalty_" in sql]
    without_savepoints = [sql for sql in queries if "SAVEPOINT" not in sql]
    # The session, its end and calls, what was kept and what waits, its bill's number (5), the event, what is returned.
    assert len(without_savepoints) == 12
