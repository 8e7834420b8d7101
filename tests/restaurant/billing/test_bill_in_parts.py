"""`POST /table/{n}/parts`: a bill in parts, by people, phones or dishes; payments of parts."""

import pytest
from rest_framework.test import APIClient

from restaurant.models import BillPart, MenuItem, TableSession
from tests.conftest import make_item, order_body
from web import venue
from web.venue import Venue

pytestmark = pytest.mark.django_db


@pytest.fixture
def phones(table) -> list[APIClient]:
    """Two phones that have scanned the table's code."""
    clients = [APIClient(), APIClient()]
    for client in clients:
        client.get("/table/7")
    return clients


@pytest.fixture
def party(phones, table) -> TableSession:
    return table.sessions.get()


@pytest.fixture
def orders(phones, party, soup, bread) -> list[str]:
    """Of the first phone two soups (19.00), of the second a bread (4.25)."""
    bodies = [order_body(party, (soup, 2)), order_body(party, (bread, 1))]
    return [
        phone.post("/table/7/order", body, format="json").json()["orderId"]
        for phone, body in zip(phones, bodies, strict=True)
    ]


def divide(client: APIClient, **body):
    return client.post("/table/7/parts", body, format="json")


def parts_of(response) -> list[tuple[str, float, float]]:
    assert response.status_code == 201, response.content
    return [(part["name"], part["total"], part["due"]) for part in response.json()["parts"]]


def entry(order: str, position: int = 0, **values) -> dict:
    return {"orderId": order, "position": position, **values}


def test_by_people_every_part_is_an_equal_share(floor, orders):
    assert parts_of(divide(floor, by="people", count=3)) == [
        ("1 of 3", 7.75, 7.75), ("2 of 3", 7.75, 7.75), ("3 of 3", 7.75, 7.75)]  # fmt: skip


def test_by_phones_everybody_pays_what_their_phone_ordered_also_later(floor, phones, orders, party, bread):
    assert parts_of(divide(floor, by="phones")) == [("Guest 1", 19, 19), ("Guest 2", 4.25, 4.25)]
    phones[1].post("/table/7/order", order_body(party, (bread, 1)), format="json")
    bill = floor.get("/table/7/bill").json()
    assert [part["total"] for part in bill["parts"]] == [19, 8.5]


def test_by_items_a_bottle_is_shared_and_what_nobody_has_is_the_rest(floor, orders):
    third = entry(orders[1], share="1/3")
    anna = {"name": "Anna", "items": [entry(orders[0], quantity=1), third]}
    found = divide(floor, by="items", parts=[anna, {"items": [third]}])
    assert parts_of(found) == [("Anna", 10.92, 10.92), ("Guest 2", 1.42, 1.42), ("Rest", 10.91, 10.91)]
    assert [item["quantity"] for item in found.json()["parts"][0]["items"]] == ["1", "1/3"]


def test_discounts_and_taxes_of_parts_add_up_to_the_bill(manager, party, phones):
    soup, wine = make_item("Soup", "9.99", vat_rate=7), make_item("Wine", "7.77", vat_rate=19)
    phones[0].post("/table/7/order", order_body(party, (soup, 3), (wine, 1)), format="json")
    manager.post("/table/7/adjustments", {"kind": "discount", "percent": 15, "reason": "other"}, format="json")
    bill = divide(manager, by="people", count=7).json()
    assert round(sum(part["total"] for part in bill["parts"]), 2) == bill["total"]
    for number, tax in enumerate(bill["taxes"]):
        for name in ("net", "tax", "gross"):
            assert round(sum(part["taxes"][number][name] for part in bill["parts"]), 2) == tax[name]


def test_a_part_is_paid_and_then_the_bill_is_divided_for_good(floor, orders, party):
    bill = divide(floor, by="phones").json()
    first, second = (part["id"] for part in bill["parts"])
    paid = floor.post("/table/7/payments", {"method": "card", "partId": first}, format="json").json()
    assert (paid["amount"], paid["due"]) == (19, 0)
    assert divide(floor, by="people", count=2).status_code == 409
    again = floor.post("/table/7/payments", {"method": "card", "partId": first}, format="json")
    assert again.status_code == 400
    found = floor.get("/table/7/bill").json()
    assert [(part["paid"], part["due"]) for part in found["parts"]] == [(19, 0), (0, 4.25)]
    floor.post("/table/7/payments", {"method": "cash", "partId": second, "tendered": 5}, format="json")
    assert floor.get("/table/7/bill").json()["due"] == 0


def test_what_is_paid_without_a_part_is_taken_off_those_that_are_open(floor, orders):
    divide(floor, by="people", count=2)
    floor.post("/table/7/payments", {"method": "card", "amount": 10}, format="json")
    found = floor.get("/table/7/bill").json()
    assert round(sum(part["due"] for part in found["parts"]), 2) == found["due"] == 13.25


def test_a_guest_makes_their_own_part_and_the_rest_stays(phones, party, orders):
    mine = {"name": "Anna", "items": [entry(orders[0], quantity=1)]}
    found = divide(phones[0], sessionId=str(party.pk), by="items", parts=[mine])
    assert parts_of(found) == [("Anna", 9.5, 9.5), ("Rest", 13.75, 13.75)]
    changed = {"name": "Anna", "items": [entry(orders[0])]}
    assert parts_of(divide(phones[0], sessionId=str(party.pk), by="items", parts=[changed])) == [
        ("Anna", 19, 19), ("Rest", 4.25, 4.25)]  # fmt: skip
    nothing = {"items": []}
    assert "parts" not in divide(phones[0], sessionId=str(party.pk), by="items", parts=[nothing]).json()
    assert not BillPart.objects.exists()


def test_a_guest_does_not_get_what_another_has(phones, party, orders):
    divide(phones[0], sessionId=str(party.pk), by="items", parts=[{"name": "Anna", "items": [entry(orders[0])]}])
    refused = divide(phones[1], sessionId=str(party.pk), by="items", parts=[{"items": [entry(orders[0], quantity=1)]}])
    assert (refused.status_code, refused.json()["error"]) == (409, "Ribollita is in Anna's part already.")
    venue.remember(Venue(menu_languages=("de",)))
    MenuItem.objects.filter(name="Ribollita").update(words={"de": {"name": "Eintopf"}})
    phones[1].credentials(HTTP_ACCEPT_LANGUAGE="de")
    refused = divide(phones[1], sessionId=str(party.pk), by="items", parts=[{"items": [entry(orders[0], quantity=1)]}])
    assert "Eintopf" in refused.json()["error"]


def test_a_guest_divides_the_bill_for_nobody_else(phones, party, orders):
    assert divide(phones[0], sessionId=str(party.pk), by="people", count=2).status_code == 403
    assert divide(phones[0], sessionId=str(party.pk), by="phones").status_code == 403


def test_parts_that_make_no_sense_are_refused(subtests, floor, orders):
    for body in [
        {"by": "people"},
        {"by": "people", "count": 1},
        {"by": "people", "count": 31},
        {"by": "items"},
        {"by": "items", "parts": [{"items": [entry(orders[0], share="2/1")]}]},
        {"by": "items", "parts": [{"items": [entry(orders[0], share="1/2", quantity=1)]}]},
        {"by": "items", "parts": [{"items": [entry(orders[0], quantity=3)]}]},
        {"by": "items", "parts": [{"items": [entry(orders[0])]}, {"items": [entry(orders[0], share="1/2")]}]},
        {"by": "age"},
    ]:
        with subtests.test(body=body):
            assert divide(floor, **body).status_code == 400
    assert not BillPart.objects.exists()
