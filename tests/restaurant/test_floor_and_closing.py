"""The floor page: tables with their open sessions, and closing one."""

from datetime import timedelta
from decimal import Decimal

import pytest
from django.utils import timezone

from restaurant.models import Order, TableSession
from tests.conftest import make_table, make_user, order_body
from tests.restaurant.test_cart_without_javascript import hidden

pytestmark = pytest.mark.django_db


def test_every_table_is_listed_with_its_open_session(floor, api, table, session, soup):
    make_table(2, "")
    api.post("/table/7/order", order_body(session, (soup, 2)), format="json")
    tables = floor.get("/floor").json()["tables"]
    assert [each["tableNumber"] for each in tables] == [2, 7]
    assert tables[0] == {"tableNumber": 2, "section": "", "capacity": None, "session": None}
    assert tables[1]["session"] == {
        "id": str(session.pk),
        "startedAt": session.started_at.isoformat().replace("+00:00", "Z"),
        "totalScans": 1,
        "totalOrders": 1,
        "totalRevenue": 19,
        "openOrders": 1,
        "pendingOrders": 1,
        "preparingOrders": 0,
        "readyOrders": 0,
        "waitingSince": Order.objects.get().created_at.isoformat().replace("+00:00", "Z"),
        "choosing": False,
    }


def test_an_ended_or_forgotten_session_leaves_the_table_free(floor, table):
    TableSession.objects.create(table=table, ended_at=timezone.now())
    TableSession.objects.create(table=table, started_at=timezone.now() - timedelta(hours=4, minutes=1))
    assert floor.get("/floor").json()["tables"][0]["session"] is None


def test_what_the_kitchen_has_served_is_not_open(floor, table, session):
    for status in ("served", "completed", "ready", "pending"):
        Order.objects.create(table=table, session=session, status=status, total=Decimal("5"))
    assert floor.get("/floor").json()["tables"][0]["session"]["openOrders"] == 2


def test_the_number_of_tables_does_not_change_the_number_of_queries(floor, django_assert_num_queries):
    for number in range(1, 31):
        TableSession.objects.create(table=make_table(number))
    floor.get("/floor")
    # The session, its user and their permissions; the tables, their sessions, the calls, and what waits or is ready.
    with django_assert_num_queries(8):
        floor.get("/floor")


@pytest.fixture
def waiter(browser_client, table, session):
    browser_client.force_login(make_user("Floor"))
    return browser_client


def test_a_waiter_closes_a_table_and_sees_its_metrics(waiter, api, session, soup):
    api.post("/table/7/order", order_body(session, (soup, 2)), format="json")
    question = f"/table/7/close?sessionId={session.pk}"
    page = waiter.get("/floor").content.decode()
    assert question not in page  # not beside the taps of a busy evening
    assert '/floor/tables/7"' in page
    page = waiter.get("/floor/tables/7").content.decode()
    assert question in page
    assert "€19.00" in page
    page = waiter.get(question).content.decode()
    assert "Close table 7?" in page
    assert "€19.00 is not paid yet" in page
    assert "1 order for this table is still open" in page
    form = {"csrfmiddlewaretoken": hidden(page, "csrfmiddlewaretoken"), "sessionId": str(session.pk)}
    response = waiter.post("/table/7/close", form)
    assert (response.status_code, response["Location"]) == (303, question)
    page = waiter.get(response["Location"]).content.decode()
    assert "Table 7 is closed" in page
    assert "0 minutes" in page
    assert question not in waiter.get("/floor/tables/7").content.decode()


def test_looking_at_the_question_closes_nothing(waiter, session):
    waiter.get(f"/table/7/close?sessionId={session.pk}")
    session.refresh_from_db()
    assert session.ended_at is None


@pytest.mark.parametrize("path", ["/table/7/close", "/table/7/close?sessionId=x", "/table/8/close?sessionId=x"])
def test_a_session_that_is_none_is_404(floor, table, path):
    assert floor.get(path).status_code == 404


def test_the_floor_is_for_the_staff(api, cashier, table):
    assert api.get("/floor").status_code == 401
    assert cashier.get("/floor").status_code == 403
