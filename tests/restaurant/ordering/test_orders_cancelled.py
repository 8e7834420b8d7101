"""Cancelling orders and parts of them, by staff and by the guest who placed them."""

from collections.abc import Callable
from decimal import Decimal

import pytest
from rest_framework.test import APIClient

from restaurant.kitchen.printing import jobs
from restaurant.models import Order, OrderChange, Printer, PrintJob
from tests.conftest import PAGE, make_user, order_body, signed_in

pytestmark = pytest.mark.django_db


@pytest.fixture
def guest(table) -> APIClient:
    """A phone that has scanned the table's code."""
    client = APIClient()
    client.get(f"/table/{table.table_number}")
    return client


@pytest.fixture
def placed(guest, table, soup, bread) -> str:
    """Two soups for 9.50 and three breads for 4.25: 31.75."""
    session = table.sessions.get()
    body = order_body(session, (soup, 2), (bread, 3))
    return guest.post("/table/7/order", body, format="json").json()["orderId"]


@pytest.fixture
def kitchen(db) -> APIClient:
    return signed_in(make_user("Floor", "cook"))


def cancel(client: APIClient, order_id: str, **body):
    return client.post(f"/orders/{order_id}/cancel", body, format="json")


def figures(table) -> tuple[int, Decimal]:
    session = table.sessions.get()
    return session.total_orders, session.total_revenue


def test_staff_cancel_a_whole_order_and_nothing_of_it_is_on_the_bill(kitchen, placed, table):
    response = cancel(kitchen, placed, reason="guest_left", note="They ran")
    assert response.status_code == 200
    order = response.json()
    assert (order["status"], order["total"]) == ("cancelled", 0)
    assert [(each["quantity"], each["cancelledQuantity"]) for each in order["items"]] == [(2, 2), (3, 3)]
    assert order["cancelled"].keys() == {"at", "by", "reason", "note"}
    assert (order["cancelled"]["by"], order["cancelled"]["reason"]) == ("staff", "guest_left")
    assert figures(table) == (0, Decimal("0.00"))
    change = OrderChange.objects.get()
    assert (change.user_name, change.note, change.amount) == ("cook", "They ran", Decimal("31.75"))


def test_a_part_leaves_the_rest(kitchen, placed, table):
    parts = [{"position": 1, "quantity": 2}]
    order = cancel(kitchen, placed, reason="sold_out", items=parts).json()
    assert (order["status"], order["total"]) == ("pending", 23.25)
    assert order["items"][0].get("cancelledQuantity") is None
    assert (order["items"][1]["quantity"], order["items"][1]["cancelledQuantity"]) == (3, 2)
    assert "cancelled" not in order
    assert figures(table) == (1, Decimal("23.25"))


def test_parts_that_leave_nothing_are_the_whole(kitchen, placed, table):
    cancel(kitchen, placed, reason="sold_out", items=[{"position": 0}])
    order = cancel(kitchen, placed, reason="sold_out", items=[{"position": 1}]).json()
    assert (order["status"], order["total"]) == ("cancelled", 0)
    assert figures(table) == (0, Decimal("0.00"))


def test_what_is_not_there_is_refused_and_nothing_is_cancelled(subtests, kitchen, placed, table):
    for items in [
        [{"position": 2}],
        [{"position": 0}, {"position": 0}],
        [{"position": 0, "quantity": 3}],
        [{"position": 0, "quantity": 0}],
        [{"position": -1}],
        [{"quantity": 1}],
        [],
    ]:
        with subtests.test(items=items):
            response = cancel(kitchen, placed, reason="sold_out", items=items)
            assert response.status_code == 400
            assert response.json()["error"]
            assert figures(table) == (1, Decimal("31.75"))
            assert not OrderChange.objects.exists()


def test_staff_have_to_say_why(kitchen, placed):
    response = cancel(kitchen, placed)
    assert (response.status_code, list(response.json()["fields"])) == (400, ["reason"])
    assert cancel(kitchen, placed, reason="boredom").status_code == 400
    assert cancel(kitchen, placed, reason="other", note="x" * 201).status_code == 400


def test_cancelling_the_whole_again_changes_nothing(kitchen, guest, placed, table):
    first = cancel(kitchen, placed, reason="mistake").json()
    assert cancel(kitchen, placed, reason="other").json() == first
    assert cancel(guest, placed).json() == first
    assert OrderChange.objects.count() == 1
    assert cancel(kitchen, placed, reason="mistake", items=[{"position": 0}]).status_code == 400


def test_what_is_completed_stays(kitchen, placed, table):
    kitchen.post(f"/orders/{placed}/status", {"status": "completed"}, format="json")
    assert cancel(kitchen, placed, reason="mistake").status_code == 409
    assert figures(table) == (1, Decimal("31.75"))


def test_the_same_key_cancels_a_part_once(kitchen, placed, table):
    body = {"reason": "sold_out", "items": [{"position": 1, "quantity": 1}]}
    for _ in range(2):
        response = kitchen.post(f"/orders/{placed}/cancel", body, format="json", headers={"Idempotency-Key": "one tap"})
        assert response.status_code == 200
    assert figures(table) == (1, Decimal("27.50"))
    other = {**body, "items": [{"position": 0}]}
    response = kitchen.post(f"/orders/{placed}/cancel", other, format="json", headers={"Idempotency-Key": "one tap"})
    assert response.status_code == 409


def test_the_guest_cancels_what_the_kitchen_has_not_begun(guest, placed, table):
    order = cancel(guest, placed).json()
    assert (order["status"], order["cancelled"]["by"], order["cancelled"]["reason"]) == (
        "cancelled",
        "guest",
        "mistake",
    )
    assert figures(table) == (0, Decimal("0.00"))


def test_the_guest_is_too_late_once_the_kitchen_has_begun(guest, kitchen, placed, table):
    kitchen.post(f"/orders/{placed}/status", {"status": "preparing"}, format="json")
    response = cancel(guest, placed)
    assert response.status_code == 409
    assert "member of staff" in response.json()["error"]
    assert figures(table) == (1, Decimal("31.75"))


def test_only_the_phone_that_placed_it_may(placed, table, cashier):
    other = APIClient()
    other.get("/table/7")
    assert cancel(other, placed).status_code == 403
    assert cancel(APIClient(), placed).status_code == 401
    assert cancel(cashier, placed, reason="mistake").status_code == 403
    assert Order.objects.get().status == "pending"


def test_a_guest_cancels_no_parts(guest, placed):
    assert cancel(guest, placed, items=[{"position": 0}]).status_code == 403


def test_an_unknown_order_is_404(kitchen, guest):
    for client in (kitchen, guest):
        for order_id in ("5f0c1a52-3d3e-4b7a-9c55-8e6f0d2b7a11", "nonsense"):
            assert cancel(client, order_id, reason="mistake").status_code == 404


def test_the_kitchen_sets_its_own_statuses_alone(subtests, kitchen, placed):
    for status in ["cancelled", "held"]:
        with subtests.test(status=status):
            response = kitchen.post(f"/orders/{placed}/status", {"status": status}, format="json")
            assert response.status_code == 400
            assert "pending, preparing, ready, served, completed" in response.json()["error"]


def test_a_cancelled_order_is_not_moved_on(kitchen, placed):
    cancel(kitchen, placed, reason="mistake")
    assert kitchen.post(f"/orders/{placed}/status", {"status": "ready"}, format="json").status_code == 409


def test_what_is_not_cancelled_is_not_acknowledged(kitchen, placed):
    assert kitchen.post(f"/orders/{placed}/acknowledge").status_code == 409


def pay(amount: int | None) -> Callable[[APIClient, str], None]:
    def paid(manager: APIClient, order_id: str) -> None:
        body = {"method": "card", **({"amount": amount} if amount else {})}
        assert manager.post("/table/7/payments", body, format="json").status_code == 201

    return paid


def close(manager: APIClient, order_id: str) -> None:
    session_id = str(Order.objects.get(pk=order_id).session_id)
    assert manager.post("/table/7/close", {"sessionId": session_id}, format="json").status_code == 200


def begin_to_print(manager: APIClient, order_id: str) -> None:
    printer = Printer.objects.create(name="Pass", host="127.0.0.1")
    docket = PrintJob.objects.create(order_id=order_id, printer=printer)
    assert jobs.begin(jobs.Job(docket, []))


@pytest.mark.parametrize("happens", [pay(None), pay(1), close, begin_to_print])
def test_the_guest_is_too_late_once_it_is_paid_closed_or_on_paper(guest, manager, placed, table, happens):
    happens(manager, placed)
    page = guest.get(f"/orders/{placed}", headers={"accept": PAGE}).content.decode()
    assert f'action="/orders/{placed}/cancel"' not in page
    assert guest.post(f"/orders/{placed}/cancel", headers={"accept": PAGE}).status_code == 409
    response = cancel(guest, placed)
    assert (response.status_code, figures(table)) == (409, (1, Decimal("31.75")))
    assert "ask a member of staff" in response.json()["error"]
    assert cancel(manager, placed, reason="mistake").status_code == 200


def test_a_payment_that_leaves_an_order_unpaid_leaves_it_to_its_guest(guest, manager, placed, table, soup):
    manager.post("/table/7/order", order_body(table.sessions.get(), (soup, 1)), format="json")
    pay(9)(manager, placed)
    assert cancel(guest, placed).status_code == 200


def test_a_docket_that_its_guest_has_cancelled_is_not_printed(guest, placed):
    printer = Printer.objects.create(name="Pass", host="127.0.0.1")
    docket = PrintJob.objects.create(order_id=placed, printer=printer)
    read_before = jobs.Job(docket, [])
    assert cancel(guest, placed).status_code == 200
    assert not jobs.begin(read_before)
    assert not jobs.waiting()
