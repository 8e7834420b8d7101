"""Orders that staff take for guests, as JSON: `POST /table/{n}/order` with their credential."""

from datetime import timedelta
from decimal import Decimal

import pytest
from django.contrib.auth import get_user_model
from django.utils import timezone

from config.models import StaffToken
from restaurant.models import MenuItem, Order, OrderingRules, TableSession
from tests.conftest import PAGE, make_table, make_user, order_body, unknown_id
from tests.restaurant.ordering.orders_taken_by_staff.taking import entries, place

pytestmark = pytest.mark.django_db


def test_an_order_without_a_session_opens_one_that_nobody_scanned(floor, table, soup):
    response = place(floor, **entries((soup, 2)))
    assert response.status_code == 200
    assert list(response.json()) == ["orderId", "status", "items", "total", "message"]
    session = TableSession.objects.get()
    assert (session.table, session.total_scans, session.total_orders, session.total_revenue) == (table, 0, 1, 19)
    assert session.is_open
    order = Order.objects.get()
    assert (order.placed_by, order.status, order.phone_key) == ("floor", "pending", None)


def test_it_joins_the_open_session_and_guests_scan_into_its_own(floor, api, session, soup):
    place(floor, **entries((soup, 1)))
    assert Order.objects.get().session == session
    make_table(8, "")
    place(floor, 8, **entries((soup, 1)))
    opened = TableSession.objects.get(table__table_number=8)
    assert api.get("/table/8").json()["session"]["id"] == str(opened.pk)
    assert TableSession.objects.get(pk=opened.pk).total_scans == 1


def test_a_session_that_is_too_old_is_not_continued(floor, session, soup):
    TableSession.objects.update(started_at=timezone.now() - timedelta(hours=4))
    place(floor, **entries((soup, 1)))
    assert Order.objects.get().session != session
    assert place(floor, **order_body(session, (soup, 1))).status_code == 409


def test_a_token_does_as_well_and_the_kitchen_reads_who_it_was(api, floor, table, soup):
    user = make_user("Floor", "flora")
    key = StaffToken.objects.create(user)[1]
    response = api.post("/table/7/order", entries((soup, 1)), format="json", headers={"Authorization": f"Token {key}"})
    assert response.status_code == 200
    (ticket,) = floor.get("/kitchen").json()["orders"]
    assert ticket["placedBy"] == "flora"


def test_the_kitchen_says_the_first_name_of_who_ordered(floor):
    user = make_user("Floor", "flora")
    assert "staff-flora" not in floor.get("/kitchen", headers={"accept": PAGE}).content.decode()
    get_user_model().objects.filter(pk=user.pk).update(first_name="Flora <3")
    page = floor.get("/kitchen", headers={"accept": PAGE}).content.decode()
    assert '<p data-key="staff-flora">Flora &lt;3</p>' in page


def test_staff_pass_every_gate(floor, table, soup):
    for number, gate in enumerate(("scanned", "approved"), start=1):
        OrderingRules(gate=gate, approval_above=Decimal("1")).save()
        assert place(floor, **entries((soup, 9))).json()["status"] == "pending", gate
        assert len(floor.get("/kitchen").json()["orders"]) == number


def test_only_the_floor_may_leave_the_session_out(api, cashier, table, soup):
    for client in (api, cashier):
        response = place(client, **entries((soup, 1)))
        assert (response.status_code, "sessionId" in response.json()["fields"]) == (400, True)
    assert not TableSession.objects.exists()


def test_what_is_refused_opens_no_session(floor, table, soup):
    MenuItem.objects.update(available=False)
    assert place(floor, **entries((soup, 1))).status_code == 400
    assert place(floor, items=[]).status_code == 400
    assert place(floor, 9, **entries((soup, 1))).status_code == 404
    assert place(floor, sessionId=unknown_id(), **entries((soup, 1))).status_code == 404
    assert not TableSession.objects.exists()


def test_a_repeat_gets_the_first_response(floor, table, soup):
    first = place(floor, key="tap", **entries((soup, 1)))
    again = place(floor, key="tap", **entries((soup, 1)))
    assert (again.status_code, again.json()) == (200, first.json())
    assert place(floor, key="tap", **entries((soup, 2))).status_code == 409
    assert (Order.objects.count(), TableSession.objects.count()) == (1, 1)


def test_a_repeat_after_the_table_was_closed_or_moved_orders_nothing(floor, table, soup):
    make_table(8, "")
    first = place(floor, key="tap", **entries((soup, 1))).json()
    session = {"sessionId": str(TableSession.objects.get().pk)}
    floor.post("/table/7/move", {**session, "to": 8}, format="json")
    assert place(floor, key="tap", **entries((soup, 1))).json() == first
    floor.post("/table/8/close", session, format="json")
    assert place(floor, key="tap", **entries((soup, 1))).json() == first
    assert (Order.objects.count(), TableSession.objects.count()) == (1, 1)
