"""What a request gets while the database fails: 503 with Retry-After, or a second try."""

import json
import logging
from urllib.parse import urlencode

import pytest
from django.db import OperationalError, connection
from rest_framework.test import APIClient

from restaurant.models import Order, TableSession
from restaurant.ordering.queries.orders import order_by_id
from restaurant.ordering.services import order_changes, orders
from restaurant.ordering.views import orders as order_views
from tests.conftest import PAGE, make_item, order_body
from web import database_errors

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def _as_after_a_start(monkeypatch):
    monkeypatch.setattr(database_errors, "_next_line", 0.0)


@pytest.fixture
def api() -> APIClient:
    return APIClient(raise_request_exception=False)


def end_own_connection() -> None:
    """As when the database is restarted in the middle of a request."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_terminate_backend(pg_backend_pid())")


def losing_the_connection(function, times: int = 1):
    """`function`, whose first calls lose the connection; its attribute `calls` counts them."""

    def called(*args, **kwargs):
        called.calls += 1
        if called.calls <= times:
            end_own_connection()
        return function(*args, **kwargs)

    called.calls = 0
    return called


def test_a_read_that_loses_the_connection_is_tried_once_again(api, table, monkeypatch):
    read = losing_the_connection(order_by_id)
    monkeypatch.setattr(order_views, "order_by_id", read)
    session = TableSession.objects.create(table=table)
    placed = api.post("/table/7/order", order_body(session, (make_item(), 1)), format="json").json()["orderId"]
    response = api.get(f"/orders/{placed}")
    assert (response.status_code, response.json()["orderId"]) == (200, placed)
    assert read.calls == 2


@pytest.mark.parametrize("accept", ["application/json", PAGE])
def test_a_read_that_loses_it_twice_is_503_with_retry_after(api, accept, monkeypatch):
    read = losing_the_connection(order_by_id, times=9)
    monkeypatch.setattr(order_views, "order_by_id", read)
    response = api.get("/orders/5f0c1a52-3d3e-4b7a-9c55-8e6f0d2b7a11", headers={"accept": accept})
    assert (response.status_code, response["Retry-After"], read.calls) == (503, "5", 2)
    text = response.content.decode()
    assert "try again in a few seconds" in text
    assert ("error" in json.loads(text)) if accept != PAGE else ("<h1>" in text)


def test_its_page_asks_again_by_itself_unless_a_form_was_sent(client, monkeypatch):
    for service, name in ((order_views, "order_by_id"), (order_changes, "cancel_by_guest")):
        monkeypatch.setattr(service, name, losing_the_connection(getattr(service, name), times=9))
    client.cookies["sessionId"] = "phone"
    address, again = "/orders/5f0c1a52-3d3e-4b7a-9c55-8e6f0d2b7a11", '<meta http-equiv="refresh" content="5">'
    assert again in client.get(address, headers={"accept": PAGE}).content.decode()
    form = {"content_type": "application/x-www-form-urlencoded", "headers": {"accept": PAGE}}
    response = client.post(f"{address}/cancel", "idempotencyKey=k", **form)
    assert (response.status_code, response["Retry-After"]) == (503, "5")
    page = response.content.decode()
    assert again not in page
    assert "Reload this page to send it again: it counts only once." in page


@pytest.mark.parametrize("key", ["", "k1"])
def test_an_order_is_tried_again_only_with_a_key(api, session, soup, key, monkeypatch):
    place = losing_the_connection(orders.place)
    monkeypatch.setattr(orders, "place", place)
    headers = {"Idempotency-Key": key} if key else {}
    response = api.post("/table/7/order", order_body(session, (soup, 1)), format="json", headers=headers)
    assert (response.status_code, place.calls, Order.objects.count()) == ((200, 2, 1) if key else (503, 1, 0))
    assert response.headers.get("Retry-After") == (None if key else "5")


def test_an_order_that_was_stored_before_the_connection_was_lost_is_not_stored_twice(api, session, soup, monkeypatch):
    place = orders.place

    def place_and_lose(**values):
        placed = place(**values)
        if Order.objects.count() == 1:
            monkeypatch.setattr(orders, "place", place)
            end_own_connection()
        return placed

    monkeypatch.setattr(orders, "place", place_and_lose)
    body = order_body(session, (soup, 1))
    response = api.post("/table/7/order", body, format="json", headers={"Idempotency-Key": "k1"})
    assert (response.status_code, response.json()["orderId"]) == (200, str(Order.objects.get().pk))


def test_a_form_with_a_key_is_tried_again(api, session, soup, monkeypatch):
    place = losing_the_connection(orders.place)
    monkeypatch.setattr(orders, "place", place)
    form = {"sessionId": str(session.pk), "menuItemId": str(soup.pk), "quantity": "1", "idempotencyKey": "k2"}
    headers = {"accept": PAGE, "sec-fetch-site": "same-origin"}
    kind = "application/x-www-form-urlencoded"  # as a browser sends it
    response = api.post("/table/7/order", urlencode(form), content_type=kind, headers=headers)
    assert (response.status_code, place.calls, Order.objects.count()) == (303, 2, 1)


def test_an_error_that_is_no_lost_connection_is_not_tried_again(api, monkeypatch):
    calls = []

    def slow(order_id):
        calls.append(order_id)
        with connection.cursor() as cursor:
            cursor.execute("SET statement_timeout = 50")
            cursor.execute("SELECT pg_sleep(5)")

    monkeypatch.setattr(order_views, "order_by_id", slow)
    response = api.get("/orders/5f0c1a52-3d3e-4b7a-9c55-8e6f0d2b7a11")
    assert (response.status_code, response["Retry-After"], len(calls)) == (503, "5", 1)


def test_a_session_that_cannot_be_stored_is_503_too(client, monkeypatch, settings):
    from django.contrib.sessions.backends.db import SessionStore

    from tests.conftest import make_user

    make_user("Floor")

    def fail(*args, **kwargs):
        raise OperationalError("the connection is closed")

    client.raise_request_exception = False
    monkeypatch.setattr(SessionStore, "save", fail)
    monkeypatch.setattr(SessionStore, "cycle_key", fail)
    response = client.post("/sign-in", {"username": "floor", "password": "a long pass phrase"})
    assert (response.status_code, response["Retry-After"]) == (503, "5")


def test_an_outage_is_one_line_in_the_log(api, caplog, monkeypatch):
    monkeypatch.setattr(order_views, "order_by_id", losing_the_connection(order_by_id, times=99))
    with caplog.at_level(logging.WARNING):
        for _ in range(8):
            assert api.get("/orders/5f0c1a52-3d3e-4b7a-9c55-8e6f0d2b7a11").status_code == 503
    lines = [record for record in caplog.records if record.name != "web.throttling"]
    assert [(line.name, line.exc_info) for line in lines] == [("web.database_errors", None)]


def test_other_errors_stay_errors(api, monkeypatch):
    def wrong(*args):
        raise RuntimeError("a mistake of ours")

    monkeypatch.setattr(order_views, "order_by_id", wrong)
    response = api.get("/orders/5f0c1a52-3d3e-4b7a-9c55-8e6f0d2b7a11")
    assert (response.status_code, "Retry-After" in response) == (500, False)
