"""Tables pushed together: they are one party's until that is closed, a table is freed, or guests separate."""

from decimal import Decimal

import pytest
from rest_framework.test import APIClient

from config import verification
from restaurant.models import Order, TableSession
from tests.conftest import PAGE, make_table, order_body, unknown_id
from tests.reading import read
from tests.restaurant.floor.floors import floor_of, table_of, tile_of
from tests.restaurant.ordering.forms import submit

pytestmark = pytest.mark.django_db


def phone_at(number: int) -> APIClient:
    client = APIClient()
    client.get(f"/table/{number}")
    return client


def place(client: APIClient, session: TableSession, soup, number: int, quantity: int = 1) -> str:
    body = order_body(session, (soup, quantity))
    return client.post(f"/table/{number}/order", body, format="json").json()["orderId"]


@pytest.fixture
def party(floor, table, soup) -> tuple[TableSession, str, str]:
    """The party of tables 7 and 9, and what a phone of each of them ordered."""
    other = make_table(9)
    ours, theirs = phone_at(7), phone_at(9)
    session, host = table.sessions.get(), other.sessions.get()
    orders = place(ours, session, soup, 7), place(theirs, host, soup, 9, 2)
    floor.post("/table/7/move", {"sessionId": str(session.pk), "to": 9}, format="json")
    return host, *orders


def joined(floor) -> dict[int, int]:
    tables = floor.get("/floor").json()["tables"]
    return {each["tableNumber"]: each["joined"] for each in tables if "joined" in each}


def test_the_floor_says_so_until_the_party_is_closed(floor, waiter, party):
    assert joined(floor) == {7: 9}
    page = floor_of(waiter)
    assert tile_of(page, 7).name.startswith("Table 7 with 9")
    assert "2 with guests" in page
    make_table(12)
    floor.post("/table/9/move", {"sessionId": str(party[0].pk), "to": 12}, format="json")
    assert joined(floor) == {7: 12}
    floor.post("/table/12/close", {"sessionId": str(party[0].pk)}, format="json")
    assert joined(floor) == {}
    phone_at(7)
    assert TableSession.objects.open().get().table.table_number == 7


def test_its_card_leads_to_the_menu_of_the_party(floor, party, soup):
    guest = APIClient(headers={"accept": PAGE})
    response = guest.get("/table/7")
    assert (response.status_code, response["Location"]) == (302, "/table/9?from=cart")
    assert guest.get(response["Location"]).status_code == 200
    assert APIClient().get("/table/7").json()["session"]["id"] == str(party[0].pk)
    body = {"items": [{"menuItemId": str(soup.pk), "quantity": 1}]}
    assert floor.post("/table/7/order", body, format="json").status_code == 200  # by staff
    assert party[0].orders.count() == 3
    assert TableSession.objects.open().count() == 1


def test_a_waiter_frees_the_table(floor, waiter, party):
    page = table_of(waiter)
    assert page.one("link", "Go to table 9")["href"] == "/floor/tables/9"
    response = submit(waiter, page, "/table/7/free")
    assert (response.status_code, response["Location"]) == (303, "/floor/tables/7")
    assert joined(floor) == {}
    assert floor.post("/table/7/free").json() == {"tableNumber": 7}  # a repeat
    assert APIClient().get("/table/7").json()["session"]["id"] != str(party[0].pk)
    assert floor.post("/table/7/separate", {"orders": [party[1]]}, format="json").status_code == 409


def test_guests_go_back_with_all_that_their_phone_ordered(floor, waiter, party):
    host, ours, _theirs = party
    page = table_of(waiter)
    response = submit(waiter, page, "/table/7/separate", orders=ours)
    assert (response.status_code, response["Location"]) == (303, "/floor/tables/7")
    own = Order.objects.get(pk=ours).session
    host.refresh_from_db()
    assert (own.table.table_number, own.total_orders, own.total_revenue) == (7, 1, Decimal("9.50"))
    assert (host.table.table_number, host.total_orders, host.total_revenue) == (9, 1, Decimal("19.00"))
    assert joined(floor) == {}
    assert floor.get("/table/7/bill").json()["total"] == 9.5
    assert [sentence for sentence in verification.findings() if "session" in sentence.lower()] == []


def test_a_phone_that_was_separated_scans_its_table_again(floor, table, party, soup):
    ours = phone_at(7)
    host = party[0]
    order = place(ours, host, soup, 9)
    floor.post("/table/7/separate", {"orders": [order]}, format="json")
    page = ours.get("/table/7", headers={"accept": PAGE})
    assert page.status_code == 200
    assert "Table 7" in read(page)


def test_what_is_paid_or_divided_stays(floor, party, table):
    host, ours, theirs = party
    assert floor.post("/table/7/separate", {"orders": [unknown_id()]}, format="json").status_code == 404
    paid = floor.post("/table/9/payments", {"method": "cash", "amount": 20}, format="json")
    assert paid.status_code == 201
    refused = floor.post("/table/7/separate", {"orders": [theirs]}, format="json")
    assert refused.status_code == 409
    assert host.orders.count() == 2
    floor.post("/table/9/parts", {"by": "people", "count": 2}, format="json")
    assert floor.post("/table/7/separate", {"orders": [ours]}, format="json").status_code == 409
