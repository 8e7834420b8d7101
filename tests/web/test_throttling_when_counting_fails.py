"""Requests that cannot be counted are served: a guest at a table matters more than a count."""

import pytest
from django.db import connection

from qrservice import gateway
from qrservice.models import Code, Scan
from tests.conftest import make_item, make_table, order_body
from tests.restaurant.ordering.wsgi_phone import Phone
from web import throttling

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("one_window")]


@pytest.fixture(autouse=True)
def _one_request_a_day(settings, transactional_db):
    settings.RATE_LIMITS = dict.fromkeys(settings.RATE_LIMITS, "1/day")


@pytest.fixture
def broken_count(transactional_db):
    """The table of permits is gone. It is there again after the test."""
    rename("web_permits", "elsewhere")
    yield
    rename("elsewhere", "web_permits")


def rename(old: str, new: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute(f"ALTER TABLE {old} RENAME TO {new}")


def scan(code: Code) -> int:
    return Phone().get(f"/q/{code.slug}").status


@pytest.fixture
def code(transactional_db) -> Code:
    gateway.create_code(redirect_url="https://example.com/menu")
    return Code.objects.get()


def test_scans_are_limited_while_they_are_counted(code):
    assert [scan(code) for _ in range(2)] == [302, 429]


@pytest.mark.usefixtures("broken_count")
def test_no_scan_is_refused(code):
    assert [scan(code) for _ in range(5)] == [302] * 5
    assert Scan.objects.count() == 5


@pytest.mark.usefixtures("broken_count")
def test_no_image_of_a_code_is_refused(code, client):
    assert [client.get(f"/qr/{code.slug}").status_code for _ in range(3)] == [200] * 3


@pytest.mark.usefixtures("broken_count")
def test_no_guest_is_refused(api):
    make_table()
    soup = make_item()
    pages = [Phone().get() for _ in range(3)]
    assert [page.status for page in pages] == [200] * 3
    session = api.get("/table/7").json()["session"]["id"]
    orders = [api.post("/table/7/order", order_body(session, (soup, 1)), format="json") for _ in range(3)]
    assert [order.status_code for order in orders] == [200] * 3
    order = f"/orders/{orders[0].json()['orderId']}"
    assert [api.get(order).status_code for _ in range(3)] == [200] * 3
    enrolled = [api.post("/members", {"email": f"m{n}@example.com", "name": "M"}, format="json") for n in range(3)]
    assert [each.status_code for each in enrolled] == [201] * 3


def test_what_was_refused_before_the_count_failed_is_refused_still(code):
    assert [scan(code) for _ in range(2)] == [302, 429]
    rename("web_permits", "elsewhere")
    try:
        assert scan(code) == 429  # this process knows that nothing is left
        throttling.reset_leases()
        assert scan(code) == 302
    finally:
        rename("elsewhere", "web_permits")
    throttling.reset_leases()
    assert scan(code) == 429
