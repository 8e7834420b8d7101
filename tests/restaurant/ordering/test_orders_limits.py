"""Orders and sessions are counted by themselves; made-up ids by the address that sends them, without a trace."""

import uuid

import pytest
from django.utils import timezone
from rest_framework.test import APIClient

from restaurant.models import TableSession
from tests.conftest import order_body
from web.models import Permits

pytestmark = pytest.mark.django_db


@pytest.fixture
def limits(settings, clock):
    clock(timezone.now())  # no minute begins meanwhile
    settings.RATE_LIMITS = {**settings.RATE_LIMITS, "public": "5/min", "order": "4/min", "sold_out": "6/min"}


@pytest.fixture
def order_id(api, session, soup) -> str:
    return api.post("/table/7/order", order_body(session, (soup, 1)), format="json").json()["orderId"]


def read(api: APIClient, order_id: object) -> int:
    return api.get(f"/orders/{order_id}").status_code


def test_made_up_orders_are_counted_by_address(api, limits):
    assert [read(api, uuid.uuid4()) for _ in range(8)] == [404] * 5 + [429] * 3
    assert read(APIClient(REMOTE_ADDR="203.0.113.1"), uuid.uuid4()) == 404
    assert {key.rpartition(":")[0] for key in Permits.objects.values_list("key", flat=True)} == {
        "public:127.0.0.1",
        "public:203.0.113.1",
    }


def test_an_order_is_still_counted_by_itself(api, order_id, limits):
    for _ in range(6):
        read(api, uuid.uuid4())
    other = APIClient(REMOTE_ADDR="203.0.113.1")
    assert [read(api, order_id) for _ in range(3)] + [read(other, order_id) for _ in range(3)] == [200] * 5 + [429]
    assert read(api, order_id.upper()) == 429


def test_orders_for_made_up_sessions_are_counted_by_address(api, session, soup, limits):
    statuses = [
        api.post("/table/7/order", order_body(str(uuid.uuid4()), (soup, 1)), format="json").status_code
        for _ in range(7)
    ]
    assert statuses == [404] * 4 + [429] * 3
    assert Permits.objects.count() == 1
    assert api.post("/table/7/order", order_body(session, (soup, 1)), format="json").status_code == 200


def test_sessions_are_still_counted_by_themselves(api, session, soup, limits):
    body = order_body(session, (soup, 1))
    assert [api.post("/table/7/order", body, format="json").status_code for _ in range(5)] == [200] * 4 + [429]
    other = TableSession.objects.create(table=session.table)
    assert api.post("/table/7/order", order_body(other, (soup, 1)), format="json").status_code == 200


def test_an_order_that_is_polled_costs_no_more_queries(api, order_id, clock, django_assert_num_queries):
    clock(timezone.now())  # no minute begins meanwhile, for which permits would be leased
    read(api, order_id)
    with django_assert_num_queries(2):  # the order with its table and session, and its items with theirs on the menu
        assert read(api, order_id) == 200


def test_sold_out_checks_are_counted_by_address_whatever_the_phone_calls_itself(table, limits):
    statuses = []
    for number in range(8):
        phone = APIClient(HTTP_COOKIE=f"sessionId=phone{number}")
        statuses.append(phone.get("/table/7/sold-out").status_code)
    assert statuses == [200] * 6 + [429] * 2


def test_the_phones_of_a_full_house_have_room(table, settings):
    count, _slash, period = settings.RATE_LIMITS["sold_out"].partition("/")
    assert (int(count), period) == (6000, "min")  # 800 phones, each of which asks every 8 seconds
