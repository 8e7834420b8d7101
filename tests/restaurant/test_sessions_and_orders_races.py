"""Scans, taps, orders and the closing of a session that arrive at the same moment."""

import json
from decimal import Decimal

import psycopg
import pytest
from django.db.models import Sum
from rest_framework.test import APIClient

from restaurant import events
from restaurant.models import CartLine, Order, TableSession
from restaurant.services import order_steps, sessions
from tests.at_once import at_once
from tests.conftest import make_item, make_table, order_body
from tests.servers import database_url

MOVES = ("preparing", "ready", "preparing", "completed", "preparing")

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.race]


@pytest.fixture
def table(transactional_db):
    return make_table()


@pytest.fixture
def soup(transactional_db):
    return make_item()


def test_phones_that_scan_at_the_same_moment_share_one_session(table):
    for _ in range(5):
        TableSession.objects.all().delete()
        responses = at_once([lambda: APIClient().get("/table/7").json()["session"]["id"]] * 12)
        assert len(set(responses)) == 1
        assert TableSession.objects.get().total_scans == 12


def test_taps_on_one_item_at_the_same_moment_all_count(table, soup):
    client = APIClient()
    client.get("/table/7")

    def tap() -> int:
        phone = APIClient()
        phone.cookies = client.cookies
        return phone.post("/table/7/cart", {"menuItemId": str(soup.pk)}, format="json").status_code

    assert at_once([tap] * 12) == [200] * 12
    assert CartLine.objects.get().quantity == 12


def test_fifty_posts_of_one_key_are_one_order_with_one_response(table, soup):
    session = TableSession.objects.create(table=table)
    body = order_body(session, (soup, 2))

    def post() -> tuple[int, str]:
        response = APIClient().post("/table/7/order", body, format="json", headers={"Idempotency-Key": "one tap"})
        return response.status_code, response.content.decode()

    responses = at_once([post] * 50)
    assert {status for status, _ in responses} == {200}
    assert len(set(responses)) == 1
    session.refresh_from_db()
    assert (Order.objects.count(), session.total_orders, session.total_revenue) == (1, 1, Decimal("19.00"))


def test_orders_of_several_phones_all_count_in_the_session(table, soup):
    session = TableSession.objects.create(table=table)
    body = order_body(session, (soup, 1))
    responses = at_once([lambda: APIClient().post("/table/7/order", body, format="json").status_code] * 20)
    assert responses == [200] * 20
    session.refresh_from_db()
    stored = Order.objects.aggregate(total=Sum("total"))["total"]
    assert (session.total_orders, session.total_revenue) == (20, stored)


def test_an_order_counts_before_the_closing_or_is_refused_after_it(table, soup):
    for _ in range(5):
        session = TableSession.objects.create(table=table)
        body = order_body(session, (soup, 1))

        def order(body=body) -> int:
            return APIClient().post("/table/7/order", body, format="json").status_code

        def close(session=session) -> TableSession:
            return sessions.close(table_number=7, session_id=str(session.pk))

        *statuses, closed = at_once([*[order] * 8, close])
        assert set(statuses) <= {200, 409}
        placed = Order.objects.filter(session=session)
        assert placed.count() == statuses.count(200)
        session.refresh_from_db()
        assert session.total_orders == placed.count()
        assert closed.total_orders == session.total_orders


def test_the_last_word_that_displays_hear_of_an_order_is_what_is_stored(table, soup):
    session = TableSession.objects.create(table=table)
    order_id = APIClient().post("/table/7/order", order_body(session, (soup, 1)), format="json").json()["orderId"]
    with psycopg.connect(database_url(), autocommit=True) as listener:
        listener.execute(f"LISTEN {events.CHANNEL}")
        for _ in range(40):
            order_steps.set_status(order_id=order_id, status="preparing")
            cooks = [lambda status=status: order_steps.set_status(order_id=order_id, status=status) for status in MOVES]
            at_once(cooks)
            heard = [
                json.loads(each.payload)["status"] for each in listener.notifies(timeout=5, stop_after=1 + len(MOVES))
            ]
            assert heard[-1] == Order.objects.get().status
