"""Moving and counting guests, and closing, on a table's own page."""

from decimal import Decimal

import pytest
from django.utils import timezone

from restaurant.models import Order, Payment, TableSession
from tests.conftest import make_table, make_user, order_body
from tests.reading import Part, read
from tests.restaurant.floor.floors import addresses, table_of
from tests.restaurant.ordering.forms import submit

pytestmark = pytest.mark.django_db


@pytest.fixture
def placed(api, session, soup, bread) -> str:
    """Two soups for 9.50 and three breads for 4.25: 31.75."""
    return api.post("/table/7/order", order_body(session, (soup, 2), (bread, 3)), format="json").json()["orderId"]


def test_guests_are_counted_by_one_tap(waiter, floor, placed, session):
    def pressed(page: Part) -> list[str]:
        return [button["value"] for button in page.all("button") if button.get("aria-pressed") == "true"]

    page = table_of(waiter)
    assert (pressed(page), "covers" in floor.get("/floor/tables/7").json()) == ([], False)
    assert submit(waiter, page, "/table/7/covers", covers="3")["Location"] == "/floor/tables/7"
    page = table_of(waiter)
    assert pressed(page) == ["3"]
    assert ("4 guests" in page, "3 guests" in page) == (False, True)
    assert "3 guests" in read(waiter.get("/floor/tables/7/order"))
    assert floor.get("/floor/tables/7").json()["covers"] == 3
    assert "covers" not in floor.get("/floor").content.decode()
    submit(waiter, page, "/table/7/covers", covers="")
    session.refresh_from_db()
    assert session.covers is None


def test_guests_who_sit_down_begin_a_session_that_nobody_scanned(floor, table):
    response = floor.post("/table/7/covers", {"covers": 99}, format="json").json()
    session = TableSession.objects.get()
    assert response == {"sessionId": str(session.pk), "tableNumber": 7, "covers": 99}
    assert (session.total_scans, session.covers) == (0, 99)


def test_a_number_of_guests_that_is_none_is_refused(subtests, floor, session):
    for covers in [0, 100, "3", True, 2.5]:
        with subtests.test(covers=covers):
            assert floor.post("/table/7/covers", {"covers": covers}, format="json").status_code == 400


def test_guests_are_counted_by_the_floor_while_they_are_there(floor, cashier, api, session):
    body = {"covers": 2, "sessionId": str(session.pk)}
    refused = [client.post("/table/7/covers", body, format="json").status_code for client in (api, cashier)]
    assert refused == [401, 403]
    TableSession.objects.update(ended_at=timezone.now())
    assert floor.post("/table/7/covers", body, format="json").status_code == 409
    assert TableSession.objects.get().covers is None


def test_guests_who_join_others_are_added_to_them(floor, table):
    for number, there, sum_of_both in ((8, None, 3), (9, 2, 5), (10, 98, 99)):
        session = TableSession.objects.create(table=table, covers=3)
        host = TableSession.objects.create(table=make_table(number), covers=there)
        floor.post("/table/7/move", {"sessionId": str(session.pk), "to": number}, format="json")
        host.refresh_from_db()
        session.refresh_from_db()
        assert (host.covers, session.covers) == (sum_of_both, None)


# --- moving -------------------------------------------------------------------------------------------


def test_a_party_moves_to_a_free_table_by_one_tap(waiter, placed, session):
    make_table(8)
    page = table_of(waiter)
    response = submit(waiter, page, "/table/7/move", to="8")
    assert (response.status_code, response["Location"]) == (303, "/floor/tables/8")
    session.refresh_from_db()
    assert session.table.table_number == 8
    assert "Nobody sits here." in table_of(waiter)


def test_joining_another_party_is_asked_first(waiter, placed, session):
    host = TableSession.objects.create(table=make_table(8), total_orders=2, total_revenue=Decimal("40"))
    question = f"/floor/tables/7?sessionId={session.pk}&join=8#join"
    assert question in addresses(table_of(waiter))
    asked = read(waiter.get(question))
    assert "Join the guests at table 8?" in asked
    assert "with 2 orders (€40.00)" in asked
    session.refresh_from_db()
    assert session.merged_into is None
    response = submit(waiter, asked, "/table/7/move")
    assert (response.status_code, response["Location"]) == (303, "/floor/tables/8")
    session.refresh_from_db()
    assert session.merged_into == host


def test_a_table_that_was_taken_since_the_page_was_opened_is_asked_about(waiter, session):
    table = make_table(8)
    page = table_of(waiter)
    TableSession.objects.create(table=table)
    response = submit(waiter, page, "/table/7/move", to="8")
    assert response["Location"] == f"/floor/tables/7?sessionId={session.pk}&join=8#join"
    session.refresh_from_db()
    assert session.ended_at is None


def test_a_program_is_not_asked(floor, session):
    host = TableSession.objects.create(table=make_table(8))
    response = floor.post("/table/7/move", {"sessionId": str(session.pk), "to": 8}, format="json")
    assert response.json() == {"sessionId": str(host.pk), "tableNumber": 8}


# --- closing, and a new code --------------------------------------------------------------------------


def test_the_question_before_closing_names_what_is_due_and_held(waiter, placed, session):
    Order.objects.create(table=session.table, session=session, status="held", total=Decimal("5"))
    question = f"/table/7/close?sessionId={session.pk}"
    page = read(waiter.get(question))
    assert "€31.75 is not paid yet." in page
    assert "1 order waits for approval." in page
    Payment.objects.create(session=session, method="card", amount=Decimal("31.75"))
    assert "not paid" not in read(waiter.get(question))


def test_a_manager_replaces_the_code_and_prints_the_new_card(browser_client, table):
    browser_client.force_login(make_user("Managers"))
    page = table_of(browser_client)
    assert "stops working at once" in page
    response = submit(browser_client, page, "/tables/7/code")
    assert (response.status_code, response["Location"]) == (303, "/tables/print?numbers=7")
    before = table.qr_analytics_id
    table.refresh_from_db()
    assert table.qr_analytics_id != before
