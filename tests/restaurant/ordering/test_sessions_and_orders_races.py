"""Scans, taps, orders and the closing of a session that arrive at the same moment."""

from decimal import Decimal

import pytest
from django.db.models import Sum
from rest_framework.test import APIClient

from restaurant.billing.services import closing
from restaurant.models import Order, TableSession
from restaurant.ordering.services import order_steps
from tests.at_once import at_once
from tests.conftest import make_item, make_table, make_user, order_body, signed_in
from tests.restaurant.kitchen.displays import announced

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
            return closing.close_session(table_number=7, session_id=str(session.pk))

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
    for _ in range(12):
        order_steps.set_status(order_id=order_id, status="preparing")
        cooks = [lambda status=status: order_steps.set_status(order_id=order_id, status=status) for status in MOVES]
        heard = announced(lambda cooks=cooks: at_once(cooks))
        assert heard[-1]["status"] == Order.objects.get().status


# --- orders of staff, without a session ---------------------------------------------------------------


@pytest.fixture
def place(transactional_db):
    """Sends an order of one soup to table 7, without a session: its id."""
    soup, user = make_item(), make_user("Floor")
    make_table()
    body = {"items": [{"menuItemId": str(soup.pk)}]}

    def send(key: str) -> str:
        response = signed_in(user).post("/table/7/order", body, format="json", headers={"Idempotency-Key": key})
        assert response.status_code == 200, response.content
        return str(response.json()["orderId"])

    return send


def test_taps_with_one_key_are_one_order_in_one_session(place):
    for number in range(3):
        TableSession.objects.update(ended_at="2026-01-01T00:00Z")
        assert len(set(at_once([lambda number=number: place(f"tap {number}")] * 12))) == 1
        assert Order.objects.count() == TableSession.objects.count() == number + 1


def test_waiters_and_scans_share_one_session(place):
    for number in range(3):
        TableSession.objects.update(ended_at="2026-01-01T00:00Z")
        waiters = [lambda key=f"{number} {each}": place(key) for each in range(6)]
        at_once([*waiters, *[lambda: APIClient().get("/table/7").status_code] * 6])
        session = TableSession.objects.get(ended_at=None)
        assert (session.total_orders, session.total_scans) == (6, 6)
