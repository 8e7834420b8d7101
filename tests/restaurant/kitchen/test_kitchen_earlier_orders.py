"""Open orders from more than a day ago: programs get them, displays count them, and one page completes them."""

from datetime import timedelta
from importlib import import_module

import pytest
from django.test import Client
from django.utils import timezone

from restaurant.models import Order
from restaurant.ordering.services import order_steps
from tests.conftest import PAGE, make_user, order_body, own_queries, signed_in
from tests.reading import read

pytestmark = pytest.mark.django_db

EARLIER = "/orders/earlier"


@pytest.fixture
def cook(db) -> Client:
    client = Client(headers={"accept": PAGE})
    client.force_login(make_user("Floor", "anna"))
    return client


@pytest.fixture
def place(api, session, soup):
    """An order that was placed so many hours ago."""

    def at(hours: float, status: str = "pending") -> str:
        made = api.post("/table/7/order", order_body(session, (soup, 2)), format="json").json()["orderId"]
        Order.objects.filter(pk=made).update(created_at=timezone.now() - timedelta(hours=hours), status=status)
        return made

    return at


def text(response) -> str:
    assert response.status_code == 200
    return " ".join(response.content.decode().split())


def ids(response) -> list[str]:
    return [each["orderId"] for each in response.json()["orders"]]


def test_a_program_still_gets_every_open_order(floor, place):
    old, new = place(25), place(1)
    body = floor.get("/kitchen").json()
    assert [each["orderId"] for each in body["orders"]] == [old, new]
    assert set(body) == {"orders"}


def test_a_display_gets_the_recent_ones_and_the_number_of_the_others(floor, place):
    place(25), place(800, "ready")
    new = place(23.9, "preparing")
    response = floor.get("/kitchen?recent=true")
    assert ids(response) == [new]
    assert response.json()["earlier"] == 2
    Order.objects.filter(created_at__lt=timezone.now() - timedelta(hours=24)).update(status="completed")
    assert "earlier" not in floor.get("/kitchen?recent=true").json()


def test_the_page_has_no_tickets_of_earlier_orders_and_leads_to_them(cook, place):
    old, new = place(25), place(1)
    page = text(cook.get("/kitchen"))
    assert old not in page
    assert f"/orders/{new}/status" in page
    assert "1 order from more than a day ago is still open." in page
    place(26)
    page = read(cook.get("/kitchen"))
    assert "2 orders from more than a day ago are still open." in page
    assert EARLIER in dict(map(reversed, page.links()))


def test_without_earlier_orders_their_line_is_hidden(cook, place):
    place(1)
    assert "from more than a day ago" not in read(cook.get("/kitchen"))


def test_the_page_reads_as_much_with_many_earlier_orders_as_with_none(cook, place):
    cook.get("/kitchen")
    with own_queries() as with_none:
        cook.get("/kitchen")
    for hours in range(30, 40):
        place(hours)
    with own_queries() as with_many:
        page = text(cook.get("/kitchen"))
    assert len(with_many) == len(with_none)
    assert "10 orders from more than a day ago" in page


def test_earlier_orders_are_listed_the_oldest_first_and_so_many_that_fit(cook, floor, place, monkeypatch):
    monkeypatch.setattr(import_module("restaurant.ordering.queries.orders"), "EARLIER_SHOWN", 2)
    third, first, second = place(30), place(50), place(40)
    place(1)
    response = floor.get(EARLIER)
    assert response.json()["count"] == 3
    assert ids(response) == [first, second]
    page = text(cook.get(EARLIER))
    assert "3 orders from more than a day ago are still open." in page
    assert page.index(first) < page.index(second)
    assert third not in page


def test_all_of_them_are_completed_at_once_and_no_other(cook, place, monkeypatch):
    monkeypatch.setattr(order_steps, "_BATCH", 2)
    old = [place(hours, status) for hours, status in ((25, "pending"), (30, "preparing"), (90, "ready"))]
    left = {place(1): "pending", place(30, "served"): "served", place(30, "held"): "held"}
    with own_queries() as queries:
        response = cook.post(EARLIER)
    assert (response.status_code, response["Location"]) == (303, EARLIER)
    assert sum("pg_notify" in query for query in queries) == len(old)
    page = text(cook.get(EARLIER))
    assert "3 orders are completed." in page
    assert "No order from more than a day ago is open." in page
    for order in Order.objects.filter(pk__in=old):
        assert order.status == "completed"
        assert order.completed_at == order.served_at is not None
    assert dict(Order.objects.filter(pk__in=left).values_list("pk", "status")) == {
        order.pk: left[str(order.pk)] for order in Order.objects.filter(pk__in=left)
    }


def test_a_program_hears_how_many_were_completed(floor, place):
    place(25)
    assert floor.post(EARLIER).json() == {"completed": 1}
    assert floor.post(EARLIER).json() == {"completed": 0}


def test_one_of_them_is_completed_and_the_list_shows_the_others(cook, place):
    gone, stays = place(25), place(26)
    response = cook.post(f"/orders/{gone}/status", {"status": "completed", "next": EARLIER})
    assert response["Location"] == EARLIER
    page = text(cook.get(EARLIER))
    assert gone not in page
    assert stays in page


def test_only_the_kitchen_sees_and_completes_them(place, cashier, api):
    old = place(25)
    for client in (cashier, signed_in(make_user("Cashiers", "carl"))):
        assert client.get(EARLIER).status_code == 403
        assert client.post(EARLIER).status_code == 403
    assert api.get(EARLIER).status_code == 401
    assert Order.objects.get(pk=old).status == "pending"


def test_the_floors_page_has_what_became_ready_lately_and_a_program_gets_everything(cook, floor, place):
    old, new = place(25, "ready"), place(1, "ready")
    assert [each["orderId"] for each in floor.get("/floor").json()["ready"]] == [old, new]
    page = text(cook.get("/floor"))
    assert new in page
    assert old not in page
