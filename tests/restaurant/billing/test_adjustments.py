"""`POST /table/{n}/adjustments`: discounts, dishes on the house and service; `POST /adjustments/{id}/void`."""

from decimal import Decimal

import pytest
from rest_framework.test import APIClient

from restaurant.models import Adjustment, OrderingRules, TableSession
from tests.conftest import make_item, order_body

pytestmark = pytest.mark.django_db


@pytest.fixture
def order_id(api, session, soup, bread) -> str:
    """Two soups and a bread at table 7: 19.00 and 4.25."""
    return api.post("/table/7/order", order_body(session, (soup, 2), (bread, 1)), format="json").json()["orderId"]


def adjust(client: APIClient, key: str = "", **body):
    headers = {"Idempotency-Key": key} if key else {}
    body = {"reason": "complaint", **body}
    return client.post("/table/7/adjustments", body, format="json", headers=headers)


def bill(client: APIClient, session: TableSession) -> dict:
    return client.get(f"/table/7/bill?sessionId={session.pk}").json()


def allow(percent: int) -> None:
    OrderingRules.objects.update_or_create(pk=1, defaults={"discount_up_to": percent})


def test_a_discount_in_percent_is_on_the_bill_and_off_what_is_due(manager, api, order_id, session):
    response = adjust(manager, kind="discount", percent=10, reason="regular")
    made = response.json()
    assert (response.status_code, made) == (
        201,
        {"id": made["id"], "kind": "discount", "amount": -2.33, "total": 20.92, "due": 20.92},
    )
    found = bill(api, session)
    assert (found["subtotal"], found["total"], found["due"]) == (23.25, 20.92, 20.92)
    assert found["adjustments"] == [
        {"id": made["id"], "kind": "discount", "label": "Discount, regular guest", "percent": 10, "amount": -2.33,
         "reason": "regular"}
    ]  # fmt: skip
    assert manager.post("/table/7/payments", {"method": "card"}, format="json").json()["amount"] == 20.92


def test_a_bill_without_changes_has_neither_subtotal_nor_adjustments(api, order_id, session):
    assert not {"subtotal", "adjustments", "parts"} & bill(api, session).keys()


def test_a_dish_on_the_house_comes_to_nothing(manager, order_id, session):
    items = [{"orderId": order_id, "position": 0, "quantity": 1}]
    made = adjust(manager, kind="comp", items=items).json()
    assert (made["amount"], made["total"]) == (-9.5, 13.75)
    again = adjust(manager, kind="comp", items=[{"orderId": order_id, "position": 0}])
    assert (again.status_code, again.json()["error"]) == (400, "That is on the house already.")


def test_percents_follow_what_is_ordered_and_cancelled_later_and_amounts_stay(manager, api, order_id, session, soup):
    adjust(manager, kind="discount", percent=10)
    adjust(manager, kind="discount", amount=1)
    api.post("/table/7/order", order_body(session, (soup, 1)), format="json")
    assert [each["amount"] for each in bill(api, session)["adjustments"]] == [-3.28, -1]
    more = manager.post("/table/7/payments", {"method": "card", "amount": 28.48}, format="json")  # of 28.47
    assert (more.status_code, "28.47" in more.json()["error"]) == (400, True)
    manager.post(f"/orders/{order_id}/cancel", {"reason": "mistake"}, format="json")
    found = bill(api, session)
    assert [each["amount"] for each in found["adjustments"]] == [-0.95, -1]
    assert found["due"] == 7.55
    session.refresh_from_db()
    assert session.adjusted == Decimal("-1.95")


def test_service_is_taxed_at_a_rate_of_its_own_or_like_the_dishes(manager, api, session):
    OrderingRules.objects.create(service_vat_rate=Decimal(19))
    soup = make_item("Soup", "10.00", vat_rate=Decimal(7))
    api.post("/table/7/order", order_body(session, (soup, 1)), format="json")
    made = adjust(manager, kind="service", percent=10, reason="other").json()
    assert made["total"] == 11
    assert [(tax["rate"], tax["gross"]) for tax in bill(api, session)["taxes"]] == [(7, 10), (19, 1)]
    manager.post(f"/adjustments/{made['id']}/void", {}, format="json")
    OrderingRules.objects.update(service_vat_rate=None)
    adjust(manager, kind="service", percent=10, reason="other")
    assert [(tax["rate"], tax["gross"]) for tax in bill(api, session)["taxes"]] == [(7, 11)]


def test_large_parties_are_charged_service_until_it_is_voided(floor, api, order_id, session):
    OrderingRules.objects.create(service_percent=10, service_from_covers=6)
    floor.post("/table/7/covers", {"covers": 8}, format="json")
    [service] = bill(api, session)["adjustments"]
    assert (service["kind"], service["label"], service["amount"]) == ("service", "Service", 2.33)
    voided = floor.post(f"/adjustments/{service['id']}/void", {}, format="json")
    assert (voided.status_code, voided.json()["total"]) == (200, 23.25)
    floor.post("/table/7/covers", {"covers": 9}, format="json")
    assert "adjustments" not in bill(api, session)  # staff have decided


def test_service_goes_when_the_party_is_large_no_more(floor, api, order_id, session):
    OrderingRules.objects.create(service_percent=10, service_from_covers=6)
    floor.post("/table/7/covers", {"covers": 8}, format="json")
    floor.post("/table/7/covers", {"covers": 4}, format="json")
    assert "adjustments" not in bill(api, session)


def test_staff_may_give_up_to_the_limit_alone_and_together(subtests, floor, order_id, session):
    for limit, body, status in [
        (0, {"kind": "discount", "percent": 1}, 403),
        (10, {"kind": "discount", "percent": 10}, 201),
        (10, {"kind": "discount", "percent": 10}, 403),  # together 19 percent
        (50, {"kind": "comp", "items": [{"orderId": order_id, "position": 1}]}, 403),
        (100, {"kind": "comp", "items": [{"orderId": order_id, "position": 1}]}, 201),
    ]:
        with subtests.test(limit=limit, body=body):
            allow(limit)
            response = adjust(floor, **body)
            assert response.status_code == status, response.content
    allow(10)
    assert "up to 10 %" in adjust(floor, kind="discount", percent=50).json()["error"]


def test_who_may_not_give_a_discount_may_not_take_it_back(floor, cashier, manager, order_id, session):
    made = adjust(manager, kind="discount", percent=50).json()
    assert floor.post(f"/adjustments/{made['id']}/void", {}, format="json").status_code == 403
    for _again in range(2):
        voided = manager.post(f"/adjustments/{made['id']}/void", {"note": "wrong table"}, format="json")
        assert (voided.status_code, voided.json()) == (200, {"id": made["id"], "total": 23.25, "due": 23.25})
    adjustment = Adjustment.objects.get()
    assert (adjustment.voided_by_name, adjustment.void_note, adjustment.made_by_name) == (
        "managers", "wrong table", "managers")  # fmt: skip


def test_the_same_request_twice_is_one_discount(manager, order_id, session):
    first = adjust(manager, key="one", kind="discount", percent=10)
    assert adjust(manager, key="one", kind="discount", percent=10).json() == first.json()
    assert Adjustment.objects.count() == 1
    assert adjust(manager, key="one", kind="discount", percent=20).status_code == 409


def test_what_makes_no_sense_is_refused(subtests, manager, order_id, session):
    entry = {"orderId": order_id, "position": 0}
    for body in [
        {"kind": "discount"},
        {"kind": "discount", "percent": 10, "amount": 1},
        {"kind": "discount", "percent": 101},
        {"kind": "discount", "percent": 0},
        {"kind": "discount", "amount": 100},
        {"kind": "comp"},
        {"kind": "comp", "items": [entry], "percent": 10},
        {"kind": "comp", "items": [{**entry, "quantity": 3}]},
        {"kind": "comp", "items": [{**entry, "position": 9}]},
        {"kind": "comp", "items": [entry, entry]},
        {"kind": "service", "percent": 10, "items": [entry]},
        {"kind": "gift", "percent": 10},
        {"kind": "discount", "percent": 10, "reason": "because"},
    ]:
        with subtests.test(body=body):
            response = adjust(manager, **body)
            assert (response.status_code, bool(response.json()["error"])) == (400, True)
    assert not Adjustment.objects.exists()
