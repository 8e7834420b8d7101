"""The floor page: tables with their open sessions, and closing one."""

from datetime import timedelta
from decimal import Decimal

import pytest
from django.utils import timezone

from restaurant.models import Order, TableSession
from tests.conftest import make_table, order_body
from tests.reading import read
from tests.restaurant.ordering.forms import submit

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


def test_a_waiter_closes_a_table_and_sees_its_metrics(clock, waiter, api, table, soup):
    clock(timezone.now())
    session = TableSession.objects.create(table=table)
    api.post("/table/7/order", order_body(session, (soup, 2)), format="json")
    question = f"/table/7/close?sessionId={session.pk}"
    floor = waiter.get("/floor").content.decode()
    assert question not in floor  # not beside the taps of a busy evening
    assert '/floor/tables/7"' in floor
    page = read(waiter.get("/floor/tables/7"))
    assert question in dict(map(reversed, page.links()))
    assert "€19.00" in page
    page = read(waiter.get(question))
    assert "Close table 7?" in page
    assert "€19.00 is not paid yet" in page
    assert "1 order for this table is still open" in page
    response = submit(waiter, page, "/table/7/close")
    assert (response.status_code, response["Location"]) == (303, question)
    page = read(waiter.get(response["Location"]))
    assert "Table 7 is closed" in page
    assert "0 minutes" in page
    assert question not in waiter.get("/floor/tables/7").content.decode()


def test_looking_at_the_question_closes_nothing(waiter, session):
    waiter.get(f"/table/7/close?sessionId={session.pk}")
    session.refresh_from_db()
    assert session.ended_at is None


def test_a_session_that_is_none_is_404(subtests, floor, table):
    for path in ["/table/7/close", "/table/7/close?sessionId=x", "/table/8/close?sessionId=x"]:
        with subtests.test(path=path):
            assert floor.get(path).status_code == 404


@pytest.fixture
def opened(clock, table) -> TableSession:
    """A session that began half an hour ago, by a clock that stands still."""
    now = timezone.now().replace(microsecond=0)
    clock(now)
    return TableSession.objects.create(table=table, started_at=now - timedelta(minutes=30))


def test_closing_again_an_hour_later_answers_the_first_metrics(floor, opened, clock, api, soup):
    api.post("/table/7/order", order_body(opened, (soup, 2)), format="json")
    body = {"sessionId": str(opened.pk)}
    first = floor.post("/table/7/close", body, format="json")
    assert (first.status_code, first.json()["duration"], first.json()["totalOrders"]) == (200, "30 minutes", 1)
    ended_at = TableSession.objects.get().ended_at
    assert ended_at == timezone.now()
    clock(ended_at + timedelta(hours=1))
    again = floor.post("/table/7/close", body, format="json")
    assert (again.status_code, again.json()) == (200, first.json())
    assert TableSession.objects.get().ended_at == ended_at


def test_a_page_that_closes_what_a_colleague_has_closed_shows_the_first_end(waiter, floor, opened, clock):
    question = f"/table/7/close?sessionId={opened.pk}"
    page = read(waiter.get(question))
    floor.post("/table/7/close", {"sessionId": str(opened.pk)}, format="json")
    clock(timezone.now() + timedelta(hours=2))
    submit(waiter, page, "/table/7/close")
    assert "30 minutes" in read(waiter.get(question))
    assert floor.get(question).json()["duration"] == "30 minutes"
