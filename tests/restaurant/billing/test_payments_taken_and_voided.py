"""Taking payments: `POST /table/{n}/payments`, and voiding them: `POST /payments/{id}/void`."""

from datetime import timedelta
from decimal import Decimal

import pytest
from django.utils import timezone
from rest_framework.test import APIClient

from restaurant.models import OrderingRules, Payment, TableSession
from tests.conftest import make_table, make_user, order_body, own_queries, signed_in, unknown_id

pytestmark = pytest.mark.django_db


@pytest.fixture
def order_id(api, session, soup) -> str:
    """Two soups at table 7: 19.00."""
    return api.post("/table/7/order", order_body(session, (soup, 2)), format="json").json()["orderId"]


def pay(client: APIClient, number: int = 7, key: str = "", **body):
    headers = {"Idempotency-Key": key} if key else {}
    return client.post(f"/table/{number}/payments", {"method": "cash", **body}, format="json", headers=headers)


def bill(client: APIClient, session: TableSession) -> dict:
    return client.get(f"/table/7/bill?sessionId={session.pk}").json()


def test_a_payment_is_what_is_due_unless_it_says_how_much(floor, order_id, session):
    response = pay(floor, sessionId=str(session.pk), method="card", amount=12.5, tip=2)
    assert response.status_code == 201
    first = response.json()
    assert first == {"id": first["id"], "method": "card", "amount": 12.5, "tip": 2, "due": 6.5}
    second = pay(floor, sessionId=str(session.pk)).json()
    assert second == {"id": second["id"], "method": "cash", "amount": 6.5, "tip": 0, "due": 0}
    payment = Payment.objects.get(pk=second["id"])
    assert (payment.taken_by_name, payment.taken_by.username) == ("floor", "floor")


def test_one_after_the_first_asks_for_the_session_its_key_and_what_is_due_and_writes(floor, order_id, session):
    where = {"sessionId": str(session.pk), "method": "card", "amount": 1}
    pay(floor, **where)  # and gives the bill its number
    with own_queries() as asked:
        assert pay(floor, key="second", **where).status_code == 201
    # Payment, journal and the floor's event.
    assert len([sql for sql in asked if "SAVEPOINT" not in sql]) == 6, asked


def test_there_are_four_methods(subtests, floor, order_id):
    for method in ["cash", "card", "voucher", "other"]:
        with subtests.test(method=method):
            assert pay(floor, method=method, amount=1).json()["method"] == method


def test_what_is_no_payment_is_refused_by_its_field(subtests, floor, order_id):
    for body, field in [
        ({"method": "cheque"}, "method"),
        ({"method": None}, "method"),
        ({"amount": 0}, "amount"),
        ({"amount": 0.001}, "amount"),
        ({"amount": -1}, "amount"),
        ({"amount": "5"}, "amount"),
        ({"amount": True}, "amount"),
        ({"tip": -0.01}, "tip"),
        ({"tip": 100_000_000}, "tip"),
        ({"sessionId": "nonsense"}, "sessionId"),
    ]:
        with subtests.test(body=body, field=field):
            response = pay(floor, **body)
            assert response.status_code == 400
            assert field in response.json()["fields"]
            assert not Payment.objects.exists()


def test_more_than_is_due_is_refused_with_what_is(floor, order_id):
    response = pay(floor, amount=19.01)
    assert (response.status_code, "19.00" in response.json()["error"]) == (400, True)
    assert pay(floor, amount=19).status_code == 201


def test_nothing_is_taken_where_nothing_is_due(floor, session, order_id):
    pay(floor)
    for body in ({}, {"amount": 1}):
        response = pay(floor, **body)
        assert (response.status_code, response.json()["error"]) == (400, "Nothing is due: this bill is paid.")
    assert Payment.objects.count() == 1


def test_a_held_order_is_not_due(floor, api, session, soup):
    OrderingRules(approval_above=Decimal("5")).save()
    held = api.post("/table/7/order", order_body(session, (soup, 1)), format="json").json()["orderId"]
    assert pay(floor).status_code == 400
    floor.post(f"/orders/{held}/approve")
    assert pay(floor).json()["amount"] == 9.5


def test_a_closed_table_can_still_be_paid(floor, order_id, session):
    floor.post("/table/7/close", {"sessionId": str(session.pk)}, format="json")
    assert pay(floor).status_code == 404
    assert pay(floor, sessionId=str(session.pk)).json()["due"] == 0


def test_a_bill_left_open_can_still_be_paid_beside_a_new_party(floor, api, order_id, session):
    TableSession.objects.update(started_at=timezone.now() - timedelta(hours=5))
    api.get("/table/7")
    assert pay(floor).status_code == 400
    assert pay(floor, sessionId=str(session.pk)).status_code == 201


def test_a_session_that_is_none_is_404(floor, order_id):
    elsewhere = TableSession.objects.create(table=make_table(8))
    for session_id in (unknown_id(), str(elsewhere.pk)):
        assert pay(floor, sessionId=session_id).status_code == 404
    assert pay(floor, number=9).status_code == 404
    assert pay(floor, number=8).status_code == 400


def test_who_may_take_and_who_may_void(api, cashier, manager, floor, order_id):
    assert pay(api).status_code == 401
    assert pay(signed_in(make_user("Floor", "cook"))).status_code == 201
    payment = Payment.objects.get()
    assert api.post(f"/payments/{payment.pk}/void").status_code == 401
    for client in (cashier, floor):
        assert client.post(f"/payments/{payment.pk}/void").status_code == 403
    assert manager.post(f"/payments/{payment.pk}/void").status_code == 200
    assert pay(cashier).status_code == 201
    assert pay(manager).status_code == 400


# --- repeats ------------------------------------------------------------------------------------------


def test_a_repeat_gets_the_first_response_and_takes_nothing(floor, order_id, session):
    for named in ({"sessionId": str(session.pk)}, {}):
        first = pay(floor, key=f"tap {named}", amount=5, **named)
        pay(floor, amount=1)
        again = pay(floor, key=f"tap {named}", amount=5, **named)
        assert (again.status_code, again.json()) == (201, first.json())
    assert Payment.objects.count() == 4


def test_the_same_key_for_another_payment_is_409(floor, order_id):
    pay(floor, key="tap", amount=5)
    for body in ({"amount": 6}, {"amount": 5, "tip": 1}, {"amount": 5, "method": "card"}, {}):
        response = pay(floor, key="tap", **body)
        assert response.status_code == 409
        assert "taken already" in response.json()["error"]
    assert pay(floor, key="x" * 101, amount=5).status_code == 400
    assert Payment.objects.count() == 1


def test_a_repeat_after_the_table_was_closed_is_the_first_payment(floor, api, order_id, session, soup):
    first = pay(floor, key="tap").json()
    floor.post("/table/7/close", {"sessionId": str(session.pk)}, format="json")
    assert pay(floor, key="tap").json() == first
    api.get("/table/7")
    following = TableSession.objects.get(ended_at=None)
    api.post("/table/7/order", order_body(following, (soup, 1)), format="json")
    assert pay(floor, key="tap").json() == first
    assert Payment.objects.count() == 1


def test_a_repeat_after_a_move_is_the_first_payment(floor, api, order_id, session, soup):
    host = TableSession.objects.create(table=make_table(8, ""))
    api.post("/table/8/order", order_body(host, (soup, 1)), format="json")
    named = {"sessionId": str(session.pk)}
    first = pay(floor, key="tap", amount=5, **named).json()
    floor.post("/table/7/move", {**named, "to": 8}, format="json")
    for body in (named, {}):
        assert pay(floor, key="tap", amount=5, **body).json() == first
    assert Payment.objects.get().session_id == host.pk


def test_a_party_that_has_joined_another_pays_the_bill_of_both(floor, api, order_id, session, soup):
    host = TableSession.objects.create(table=make_table(8, ""))
    api.post("/table/8/order", order_body(host, (soup, 1)), format="json")
    floor.post("/table/7/move", {"sessionId": str(session.pk), "to": 8}, format="json")
    assert pay(floor, sessionId=str(session.pk)).json()["amount"] == 28.5
    assert Payment.objects.get().session_id == host.pk


# --- voiding ------------------------------------------------------------------------------------------


def test_what_is_voided_is_due_again(manager, order_id, session):
    pay(manager, amount=4)
    taken = pay(manager, amount=15).json()["id"]
    for note in ("Wrong card", "Once more"):
        response = manager.post(f"/payments/{taken}/void", {"note": note}, format="json")
        assert (response.status_code, response.json()) == (200, {"id": taken, "due": 15})
    payment = Payment.objects.get(pk=taken)
    assert (payment.voided_by_name, payment.void_note) == ("managers", "Wrong card")
    assert bill(manager, session)["paid"] == 4
    assert pay(manager).json()["amount"] == 15


def test_a_void_needs_no_note(manager, order_id):
    for body in ({}, {"note": None}, {"note": ""}):
        taken = pay(manager).json()["id"]
        assert manager.post(f"/payments/{taken}/void", body, format="json").json()["due"] == 19
    taken = pay(manager).json()["id"]
    assert manager.post(f"/payments/{taken}/void", {"note": "x" * 201}, format="json").status_code == 400


def test_an_unknown_payment_is_404(manager):
    for payment_id in (unknown_id(), "nonsense"):
        assert manager.post(f"/payments/{payment_id}/void").status_code == 404


def test_a_repeat_of_a_voided_payment_does_not_take_it_again(manager, order_id, session):
    first = pay(manager, key="tap").json()
    manager.post(f"/payments/{first['id']}/void")
    assert pay(manager, key="tap").json() == first
    assert bill(manager, session)["due"] == 19


# --- paid, then cancelled -----------------------------------------------------------------------------


def test_what_is_paid_and_then_cancelled_is_overpaid(floor, manager, order_id, session, soup):
    taken = pay(manager).json()["id"]
    items = [{"position": 0, "quantity": 1}]
    floor.post(f"/orders/{order_id}/cancel", {"reason": "sold_out", "items": items}, format="json")
    found = bill(floor, session)
    assert (found["total"], found["paid"], found["due"], found["overpaid"]) == (9.5, 19, 0, 9.5)
    assert pay(floor).status_code == 400
    floor.post("/table/7/order", order_body(session, (soup, 2)), format="json")
    found = bill(floor, session)
    assert (found["due"], "overpaid" in found) == (9.5, False)
    assert manager.post(f"/payments/{taken}/void").json()["due"] == 28.5
