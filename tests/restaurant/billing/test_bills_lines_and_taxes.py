"""`GET /table/{n}/bill`: what a table has ordered, its taxes, and what of it is paid."""

from datetime import timedelta
from decimal import Decimal

import pytest
from django.utils import timezone
from rest_framework.test import APIClient

from restaurant.models import MenuItem, OrderingRules, TableSession
from tests.conftest import make_item, make_table, order_body, unknown_id

pytestmark = pytest.mark.django_db


@pytest.fixture
def guest(table) -> APIClient:
    """A phone that has scanned the table's code."""
    client = APIClient()
    client.get("/table/7")
    return client


@pytest.fixture
def party(guest, table) -> TableSession:
    return table.sessions.get()


def order(client: APIClient, session: TableSession, *entries, number: int = 7) -> str:
    response = client.post(f"/table/{number}/order", order_body(session, *entries), format="json")
    assert response.status_code == 200, response.content
    return response.json()["orderId"]


def bill(client: APIClient, session: TableSession | str, number: int = 7) -> dict:
    response = client.get(f"/table/{number}/bill?sessionId={getattr(session, 'pk', session)}")
    assert response.status_code == 200, response.content
    return response.json()


def pay(client: APIClient, **body) -> dict:
    response = client.post("/table/7/payments", {"method": "card", **body}, format="json")
    assert response.status_code == 201, response.content
    return response.json()


def test_a_bill_has_the_documented_fields_alone(guest, party, soup, bread):
    order(guest, party, (soup, 2), (bread, 1))
    order(guest, party, (soup, 1))
    found = bill(guest, party)
    assert list(found) == ["table", "session", "items", "total", "taxes", "paid", "due"]
    assert found["table"] == {"number": 7, "section": "Window"}
    assert found["session"]["id"] == str(party.pk)
    assert found["items"] == [
        {"menuItemId": str(soup.pk), "name": "Ribollita", "quantity": 3, "price": 9.5, "total": 28.5},
        {"menuItemId": str(bread.pk), "name": "Sourdough & olive oil", "quantity": 1, "price": 4.25, "total": 4.25},
    ]
    assert (found["total"], found["taxes"], found["paid"], found["due"]) == (32.75, [], 0, 32.75)


def test_one_item_at_two_prices_is_two_lines(guest, party, soup):
    order(guest, party, (soup, 1))
    MenuItem.objects.update(price=Decimal("10.00"))
    order(guest, party, (soup, 2))
    lines = [(line["quantity"], line["price"], line["total"]) for line in bill(guest, party)["items"]]
    assert lines == [(1, 9.5, 9.5), (2, 10, 20)]


def test_a_party_that_has_not_ordered_owes_nothing(guest, party):
    found = bill(guest, party)
    assert (found["items"], found["total"], found["due"]) == ([], 0, 0)


def test_what_is_cancelled_or_held_is_not_on_the_bill(guest, floor, party, soup, bread):
    whole = order(guest, party, (soup, 1))
    part = order(guest, party, (soup, 2), (bread, 3))
    OrderingRules(approval_above=Decimal("50")).save()
    order(guest, party, (soup, 9))
    floor.post(f"/orders/{whole}/cancel", {"reason": "mistake"}, format="json")
    items = [{"position": 0, "quantity": 1}, {"position": 1}]
    floor.post(f"/orders/{part}/cancel", {"reason": "sold_out", "items": items}, format="json")
    found = bill(guest, party)
    assert [(line["name"], line["quantity"]) for line in found["items"]] == [("Ribollita", 1)]
    assert (found["total"], found["due"]) == (9.5, 9.5)


# --- VAT ----------------------------------------------------------------------------------------------


def test_every_rate_has_its_row_and_dishes_without_one_are_in_none(guest, party, soup, bread):
    MenuItem.objects.filter(pk=soup.pk).update(vat_rate=Decimal("22"))
    MenuItem.objects.filter(pk=bread.pk).update(vat_rate=Decimal("5.5"))
    untaxed = make_item("Gift card", "20")
    order(guest, party, (soup, 2), (bread, 1), (untaxed, 1))
    assert bill(guest, party)["taxes"] == [
        {"rate": 5.5, "net": 4.03, "tax": 0.22, "gross": 4.25},
        {"rate": 22, "net": 15.57, "tax": 3.43, "gross": 19},
    ]


def test_the_usual_rate_is_for_dishes_without_one_of_their_own(guest, party, soup, bread):
    OrderingRules(default_vat_rate=Decimal("10")).save()
    MenuItem.objects.filter(pk=bread.pk).update(vat_rate=Decimal("0"))
    order(guest, party, (soup, 1), (bread, 1))
    assert bill(guest, party)["taxes"] == [
        {"rate": 0, "net": 4.25, "tax": 0, "gross": 4.25},
        {"rate": 10, "net": 8.64, "tax": 0.86, "gross": 9.5},
    ]


def test_an_order_keeps_the_rate_of_its_moment(guest, party, soup):
    MenuItem.objects.update(vat_rate=Decimal("10"))
    order(guest, party, (soup, 1))
    MenuItem.objects.update(vat_rate=Decimal("20"))
    order(guest, party, (soup, 1))
    found = bill(guest, party)
    assert [(tax["rate"], tax["gross"]) for tax in found["taxes"]] == [(10, 9.5), (20, 9.5)]
    assert [line["quantity"] for line in found["items"]] == [2]


def test_net_and_tax_add_up_to_gross(guest, party):
    for number, price in enumerate(["0.01", "0.05", "3.33", "7.77", "99.99", "1234.56"]):
        item = make_item(f"Dish {number}", price, vat_rate=Decimal(f"{number * 3}.33"))
        order(guest, party, (item, 7))
    for tax in bill(guest, party)["taxes"]:
        assert Decimal(str(tax["net"])) + Decimal(str(tax["tax"])) == Decimal(str(tax["gross"]))


# --- who may see it -----------------------------------------------------------------------------------


def test_a_guest_sees_no_payments_and_staff_see_who_took_them(guest, floor, manager, party, soup):
    order(guest, party, (soup, 1))
    taken = pay(floor, amount=5, tip=1)
    assert "payments" not in bill(guest, party)
    assert (bill(guest, party)["paid"], bill(guest, party)["due"]) == (5, 4.5)
    (payment,) = bill(floor, party)["payments"]
    assert payment["id"] == taken["id"]
    assert (payment["method"], payment["amount"], payment["tip"], payment["takenBy"]) == ("card", 5, 1, "floor")
    manager.post(f"/payments/{taken['id']}/void", {"note": "Wrong table"}, format="json")
    (payment,) = bill(floor, party)["payments"]
    assert (payment["voidedBy"], payment["voidNote"]) == ("managers", "Wrong table")
    assert payment["voidedAt"]
    assert bill(guest, party)["due"] == 9.5


def test_staff_may_leave_the_session_out_and_guests_have_it_in_their_cookie(guest, floor, cashier, party, soup):
    order(guest, party, (soup, 1))
    for client in (guest, floor, cashier):
        assert client.get("/table/7/bill").json()["due"] == 9.5
    assert APIClient().get("/table/7/bill").status_code == 404


def test_a_session_that_is_none_is_404(guest, floor, party):
    elsewhere = TableSession.objects.create(table=make_table(8))
    for session_id in (unknown_id(), "nonsense", elsewhere.pk):
        for client in (guest, floor):
            response = client.get(f"/table/7/bill?sessionId={session_id}")
            assert response.status_code == 404
            assert response.json()["error"]
    for number in ("9", "0", "x", "100000"):
        assert guest.get(f"/table/{number}/bill?sessionId={party.pk}").status_code == 404
        assert floor.get(f"/table/{number}/bill").status_code == 404


def test_a_free_table_has_no_bill_for_staff(floor, table):
    response = floor.get("/table/7/bill")
    assert response.status_code == 404
    assert "Nobody sits" in response.json()["error"]


def test_a_bill_can_be_read_after_closing_and_when_it_was_left_open(guest, floor, party, soup):
    order(guest, party, (soup, 1))
    TableSession.objects.update(started_at=timezone.now() - timedelta(hours=5))
    assert bill(guest, party)["due"] == bill(floor, party)["due"] == 9.5
    floor.post("/table/7/close", {"sessionId": str(party.pk)}, format="json")
    assert bill(guest, party)["due"] == bill(floor, party)["due"] == 9.5


# --- moves --------------------------------------------------------------------------------------------


def move(client: APIClient, session: TableSession, to: int) -> None:
    body = {"sessionId": str(session.pk), "to": to}
    assert client.post("/table/7/move", body, format="json").status_code == 200


def test_a_moved_party_finds_its_bill_by_its_old_table(guest, floor, party, soup):
    make_table(8, "")
    order(guest, party, (soup, 1))
    pay(floor, amount=2)
    move(floor, party, 8)
    for number in (7, 8):
        for client in (guest, floor):
            found = bill(client, party, number)
            assert (found["table"]["number"], found["paid"], found["due"]) == (8, 2, 7.5)


def test_two_parties_that_join_have_one_bill(guest, floor, party, soup, bread):
    host = TableSession.objects.create(table=make_table(8, ""))
    order(guest, party, (soup, 1))
    order(guest, host, (bread, 2), number=8)
    pay(floor, amount=2)
    move(floor, party, 8)
    for found in (bill(guest, party, 7), bill(floor, party, 7), bill(floor, host, 8)):
        assert (found["session"]["id"], found["total"], found["paid"]) == (str(host.pk), 18, 2)
