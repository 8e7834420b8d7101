"""A party that moves to another table, or joins the one there, and the phones that still name the old table."""

from decimal import Decimal

import pytest
from django.utils import timezone
from rest_framework.test import APIClient

from restaurant.kitchen.printing import jobs
from restaurant.kitchen.printing.layout import docket
from restaurant.models import CartLine, Order, OrderingRules, Payment, Printer, PrintJob, TableCall, TableSession
from tests.conftest import PAGE, make_table, order_body, unknown_id

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def other(db):
    return make_table(9)


@pytest.fixture
def phone(table) -> APIClient:
    """Sits at table 7."""
    client = APIClient()
    client.get("/table/7")
    return client


@pytest.fixture
def session(table, phone) -> TableSession:
    return table.sessions.get()


@pytest.fixture
def host(other) -> tuple[APIClient, TableSession]:
    """Another party, at table 9."""
    client = APIClient()
    client.get("/table/9")
    return client, other.sessions.get()


@pytest.fixture
def printer(db) -> Printer:
    return Printer.objects.create(name="Pass", host="127.0.0.1", port=9)


def move(floor: APIClient, session: TableSession | str, to: int = 9, table: int = 7):
    body = {"sessionId": str(getattr(session, "pk", session)), "to": to}
    return floor.post(f"/table/{table}/move", body, format="json")


def place(client: APIClient, session: TableSession, soup, quantity: int = 1, table: int = 7, key: str = ""):
    headers = {"Idempotency-Key": key} if key else {}
    body = order_body(session, (soup, quantity))
    return client.post(f"/table/{table}/order", body, format="json", headers=headers)


def figures(session: TableSession) -> tuple[int, int, Decimal]:
    session.refresh_from_db()
    return session.total_scans, session.total_orders, session.total_revenue


def test_the_session_changes_its_table_with_its_orders(floor, phone, session, other, soup):
    place(phone, session, soup)
    response = move(floor, session)
    assert response.status_code == 200
    assert response.json() == {"sessionId": str(session.pk), "tableNumber": 9}
    assert Order.objects.get().table == other
    assert [ticket["tableNumber"] for ticket in floor.get("/kitchen").json()["orders"]] == [9]
    assert move(floor, session).json() == response.json()  # a repeat
    assert figures(session) == (1, 1, Decimal("9.50"))


def test_at_a_taken_table_it_joins_the_party_there(floor, phone, session, host, soup):
    guest, there = host
    place(phone, session, soup, 2)
    place(guest, there, soup, table=9)
    phone.post("/table/7/calls", {"sessionId": str(session.pk), "kind": "waiter"}, format="json")
    paid = floor.post("/table/7/payments", {"method": "cash", "amount": 5}, format="json")
    assert paid.status_code == 201
    response = move(floor, session)
    assert response.json() == {"sessionId": str(there.pk), "tableNumber": 9}
    assert move(floor, session).json() == response.json()
    assert figures(there) == (2, 2, Decimal("28.50"))
    assert figures(session) == (0, 0, Decimal("0.00"))
    assert session.ended_at is not None
    assert {order.session_id for order in Order.objects.all()} == {there.pk}
    assert TableCall.objects.get().session_id == Payment.objects.get().session_id == there.pk
    bill = floor.get("/table/9/bill").json()
    assert (bill["total"], bill["paid"], bill["due"]) == (28.5, 5, 23.5)


def test_calls_of_one_kind_become_one(floor, phone, session, host):
    guest, there = host
    for client, own, number in ((phone, session, 7), (guest, there, 9)):
        client.post(f"/table/{number}/calls", {"sessionId": str(own.pk), "kind": "bill"}, format="json")
    move(floor, session)
    assert [(call["tableNumber"], call["kind"]) for call in floor.get("/floor").json()["calls"]] == [(9, "bill")]


def test_the_old_table_s_page_leads_its_phone_to_the_new_one_without_another_scan(floor, phone, session):
    move(floor, session)
    response = phone.get("/table/7", headers={"accept": PAGE})
    assert (response.status_code, response["Location"]) == (302, "/table/9?from=cart")
    page = phone.get(response["Location"], headers={"accept": PAGE})
    assert "Table 9" in page.content.decode()
    assert figures(session) == (1, 0, Decimal("0.00"))
    assert TableSession.objects.count() == 1


def test_the_old_table_s_page_opens_a_new_session_for_other_phones(floor, session, table):
    move(floor, session)
    found = APIClient().get("/table/7").json()["session"]["id"]
    assert found != str(session.pk)
    assert table.sessions.get().pk != session.pk


def test_after_the_party_has_left_the_old_table_is_free_for_the_same_phone(floor, phone, session):
    move(floor, session)
    floor.post("/table/9/close", {"sessionId": str(session.pk)}, format="json")
    response = phone.get("/table/7", headers={"accept": PAGE})
    assert response.status_code == 200
    assert TableSession.objects.count() == 2


def test_a_cart_goes_with_its_phone(floor, phone, session, host, soup):
    _, there = host
    phone.post("/table/7/cart", {"menuItemId": str(soup.pk)}, format="json")
    move(floor, session)
    of_old_table = phone.cookies["tableSession"].value
    response = phone.get("/table/7/cart", headers={"accept": PAGE})
    assert (response.status_code, response["Location"]) == (302, "/table/9/cart")
    cart = phone.get("/table/9/cart").json()
    assert (cart["table"]["number"], cart["session"]["id"], cart["count"]) == (9, str(there.pk), 1)
    # From a page of the old table that is still open. A browser has a cookie for each table, this client one.
    phone.cookies["tableSession"] = of_old_table
    again = phone.post("/table/7/cart", {"menuItemId": str(soup.pk)}, format="json").json()
    assert (again["table"]["number"], again["count"]) == (9, 2)
    assert CartLine.objects.get().session_id == there.pk


def test_a_form_of_the_old_table_s_cart_leads_to_the_new_one(floor, phone, session, soup):
    phone.post("/table/7/cart", {"menuItemId": str(soup.pk)}, format="json")
    move(floor, session)
    form = {"menuItemId": str(soup.pk), "quantity": "1", "more": str(soup.pk)}
    response = phone.post("/table/7/cart", form, headers={"accept": PAGE})
    assert (response.status_code, response["Location"]) == (303, "/table/9/cart")
    assert CartLine.objects.get().quantity == 2


def test_orders_that_name_the_old_table_are_those_of_the_new_one(floor, phone, session, host, soup):
    _, there = host
    move(floor, session)
    placed = place(phone, session, soup)
    assert placed.status_code == 200
    order = Order.objects.get()
    assert (order.session_id, order.table.table_number) == (there.pk, 9)
    assert figures(there) == (2, 1, Decimal("9.50"))


def test_keys_of_both_tables_are_honoured_after_the_move(floor, phone, session, host, soup):
    guest, there = host
    first = place(phone, session, soup, key="mine").json()
    theirs = place(guest, there, soup, 2, table=9, key="mine").json()
    move(floor, session)
    assert place(phone, session, soup, key="mine").json() == first
    assert place(guest, there, soup, 2, table=9, key="mine").json() == theirs
    assert place(phone, session, soup, 3, key="mine").status_code == 409
    assert Order.objects.count() == 2


def test_a_party_that_moves_twice_is_found_from_every_table(floor, phone, session, host, soup):
    _, there = host
    make_table(12)
    key = place(phone, session, soup, key="first").json()
    assert move(floor, session).status_code == 200
    assert move(floor, there, to=12, table=9).json() == {"sessionId": str(there.pk), "tableNumber": 12}
    assert place(phone, session, soup, key="first").json() == key
    assert place(phone, session, soup).status_code == 200
    assert place(phone, there, soup, table=9).status_code == 200
    response = phone.get("/table/7", headers={"accept": PAGE})
    assert response["Location"] == "/table/12?from=cart"
    assert {order.table.table_number for order in Order.objects.all()} == {12}


def test_a_party_that_joins_and_joins_again_is_one_with_the_last(floor, phone, session, host, soup):
    _, there = host
    twelve = make_table(12)
    APIClient().get("/table/12")
    last = twelve.sessions.get()
    place(phone, session, soup)
    move(floor, session)
    move(floor, there, to=12, table=9)
    assert figures(last) == (3, 1, Decimal("9.50"))
    assert place(phone, session, soup).status_code == 200
    assert phone.get("/table/7", headers={"accept": PAGE})["Location"] == "/table/12?from=cart"
    response = move(floor, session, to=12)  # a late repeat finds the party where it is
    assert response.json()["sessionId"] == str(last.pk)


def test_back_at_the_first_table_everything_is_as_before(floor, phone, session, soup):
    move(floor, session)
    assert move(floor, session, to=7, table=9).json() == {"sessionId": str(session.pk), "tableNumber": 7}
    assert phone.get("/table/7", headers={"accept": PAGE}).status_code == 200
    assert place(phone, session, soup).status_code == 200
    assert Order.objects.get().table.table_number == 7


def test_a_move_to_the_same_table_changes_nothing(floor, session):
    assert move(floor, session, to=7).json() == {"sessionId": str(session.pk), "tableNumber": 7}
    assert not session.moves.exists()


def test_what_can_not_be_moved(floor, session, other):
    assert move(floor, unknown_id()).status_code == 404
    assert move(floor, session, to=99).status_code == 404
    assert move(floor, session, table=99).status_code == 404
    assert move(floor, session, to=7, table=9).status_code == 404
    assert move(floor, session, to=0).status_code == 400
    TableSession.objects.update(ended_at=timezone.now())
    assert move(floor, session).status_code == 409


def test_only_the_floor_moves_a_party(phone, session, other, cashier):
    assert move(phone, session).status_code == 401
    assert move(cashier, session).status_code == 403


def test_the_approval_of_the_first_order_moves_with_the_party(floor, phone, session, other, soup):
    OrderingRules(gate="approved").save()
    order_id = place(phone, session, soup).json()["orderId"]
    move(floor, session)
    assert floor.post(f"/orders/{order_id}/approve").json()["tableNumber"] == 9
    assert place(phone, session, soup).json()["status"] == "pending"


def next_docket(printer: Printer) -> tuple[jobs.Job, list[str]]:
    job = jobs.following(printer.pk)
    assert job is not None
    return job, [line.text.strip() for line in docket(job.row, is_copy=False)]


def print_next(printer: Printer) -> list[str]:
    job, lines = next_docket(printer)
    assert jobs.begin(job)
    jobs.set_printed(job.row.pk, job.covered_slips, timezone.now())
    return lines


def test_a_slip_says_the_new_table_where_a_docket_was_printed_and_what_waits_has_it(
    floor, phone, session, printer, soup
):
    make_table(12)
    served = place(phone, session, soup).json()["orderId"]
    print_next(printer)
    Order.objects.filter(pk=served).update(status="served")
    move(floor, session)
    assert jobs.following(printer.pk) is None  # nothing of it is still to be made
    place(phone, session, soup, table=9)
    print_next(printer)
    place(phone, session, soup, 2, table=9)
    move(floor, session, to=12, table=9)
    move(floor, session, to=12, table=9)  # a repeat
    waited, slip = print_next(printer), print_next(printer)
    assert ("Table 12" in waited, "2 x Ribollita" in waited) == (True, True)
    assert slip[:2] == ["MOVED", "Table 9 is now 12"]
    assert jobs.following(printer.pk) is None


def test_a_docket_makes_the_slip_of_a_move_needless_unless_it_was_read_before(floor, phone, session, printer, soup):
    place(phone, session, soup)
    on_its_way, before = next_docket(printer)
    move(floor, session)
    read_later, after = next_docket(printer)
    slip = PrintJob.objects.get(kind="moved")
    assert ("Table 7" in before, on_its_way.covered_slips) == (True, [])
    assert ("Table 9" in after, read_later.covered_slips) == (True, [slip.pk])
