"""Cash: change, the smallest coin; and `POST /payments/{id}/refund`."""

import pytest

from restaurant.models import OrderingRules, Refund
from tests.conftest import order_body

pytestmark = pytest.mark.django_db


@pytest.fixture
def order_id(api, session, soup) -> str:
    """Two soups at table 7: 19.00."""
    return api.post("/table/7/order", order_body(session, (soup, 2)), format="json").json()["orderId"]


def pay(client, **body):
    return client.post("/table/7/payments", {"method": "cash", **body}, format="json")


def refund(client, payment: str, key: str = "", **body):
    headers = {"Idempotency-Key": key} if key else {}
    return client.post(f"/payments/{payment}/refund", {"reason": "complaint", **body}, format="json", headers=headers)


def test_cash_that_is_handed_over_gives_change(floor, order_id):
    paid = pay(floor, tip=1, tendered=50).json()
    assert (paid["amount"], paid["tip"], paid["change"]) == (19, 1, 30)


def test_too_little_cash_is_refused_with_what_is_needed(floor, order_id):
    refused = pay(floor, tip=1, tendered=19.5)
    assert (refused.status_code, "20.00" in refused.json()["error"]) == (400, True)
    assert pay(floor, method="card", tendered=50).status_code == 400
    assert pay(floor, tendered=99_999_999_999).status_code == 400  # no column would hold it


def test_cash_is_rounded_to_the_smallest_coin_and_cards_are_not(floor, api, session, bread, order_id):
    OrderingRules.objects.create(cash_rounding="0.05")
    bread.price = "4.27"
    bread.save()
    api.post("/table/7/order", order_body(session, (bread, 1)), format="json")
    paid = pay(floor, tendered=50).json()  # 23.27
    assert (paid["amount"], paid["rounding"], paid["change"], paid["due"]) == (23.27, -0.02, 26.75, 0)


def test_the_rounded_sum_pays_all(floor, api, session, bread):
    OrderingRules.objects.create(cash_rounding="0.05")
    bread.price = "4.27"
    bread.save()
    api.post("/table/7/order", order_body(session, (bread, 1)), format="json")
    assert pay(floor, amount=4.25).json()["due"] == 0


def test_a_refund_is_a_row_of_its_own_and_due_again(manager, floor, order_id):
    payment = pay(floor).json()["id"]
    given = refund(manager, payment, amount=5)
    assert (given.status_code, {**given.json(), "id": ""}) == (
        201, {"id": "", "amount": 5, "refunded": 5, "due": 5})  # fmt: skip
    assert refund(manager, payment).json()["refunded"] == 19
    more = refund(manager, payment, amount=0.01)
    assert more.status_code == 400


def test_cash_is_given_back_as_it_was_rounded_and_in_whole_coins(manager, floor, api, session, bread, order_id):
    OrderingRules.objects.create(cash_rounding="0.05")
    bread.price = "4.27"
    bread.save()
    api.post("/table/7/order", order_body(session, (bread, 1)), format="json")
    payment = pay(floor).json()["id"]  # 23.25 of 23.27
    refused = refund(manager, payment, amount=4.27)
    assert (refused.status_code, "The smallest coin is 0.05" in refused.json()["error"]) == (400, True)
    assert "rounding" not in refund(manager, payment, amount=4.25).json()
    more = refund(manager, payment, amount=19.05)
    assert (more.status_code, "19.00" in more.json()["error"]) == (400, True)
    rest = refund(manager, payment, amount=19).json()
    assert {**rest, "id": ""} == {"id": "", "amount": 19.02, "rounding": -0.02, "refunded": 23.27, "due": 23.27}


def test_a_refund_of_what_was_cancelled_settles_the_bill(manager, floor, order_id):
    payment = pay(floor).json()["id"]
    manager.post(f"/orders/{order_id}/cancel", {"reason": "mistake"}, format="json")
    assert refund(manager, payment, reason="cancelled").json()["due"] == 0
    assert "overpaid" not in floor.get("/table/7/bill").json()


def test_the_same_refund_twice_is_one(manager, floor, order_id):
    payment = pay(floor).json()["id"]
    assert refund(manager, payment, key="one", amount=5).json() == refund(manager, payment, key="one", amount=5).json()
    assert refund(manager, payment, key="one", amount=6).status_code == 409
    assert Refund.objects.count() == 1


def test_what_was_given_back_in_part_is_not_voided_as_well(manager, floor, order_id):
    payment = pay(floor).json()["id"]
    refund(manager, payment, amount=5)
    voided = manager.post(f"/payments/{payment}/void", {}, format="json")
    assert (voided.status_code, "given back" in voided.json()["error"]) == (409, True)
    assert floor.get("/table/7/bill").json()["due"] == 5


def test_managers_alone_refund_and_nothing_of_a_voided_payment(manager, floor, order_id):
    payment = pay(floor).json()["id"]
    assert refund(floor, payment).status_code == 403
    manager.post(f"/payments/{payment}/void", {}, format="json")
    assert refund(manager, payment).status_code == 409
