"""A guest says what they pay for, and calls somebody who takes the money."""

from decimal import Decimal

import pytest
from django.test import Client

from restaurant.models import BillPart, OrderingRules, TableCall
from tests.conftest import make_table
from tests.reading import Part, read
from tests.restaurant.billing.bill_pages import open_bill, order, phone

pytestmark = pytest.mark.django_db


@pytest.fixture
def anna(table) -> Client:
    return phone()


@pytest.fixture
def party(anna, table, soup):
    session = table.sessions.get()
    order(anna, session, (soup, 2))
    return session


@pytest.fixture
def ben(party, bread) -> Client:
    client = phone()
    order(client, party, (bread, 1))
    return client


def own_form(page: Part) -> dict:
    return page.one("form", "By card").lists()


def pay(client: Client, page: Part, **entered):
    return client.post("/table/7/parts", own_form(page) | {"method": "card"} | entered)


def bread_of(party) -> str:
    return f"{party.orders.get(total='4.25').pk}:0"


def test_a_guest_makes_a_part_and_calls_with_it(anna, ben, party, floor):
    third = {f"much-{bread_of(party)}": "1/3"}
    sent = own_form(open_bill(anna))
    response = pay(anna, open_bill(anna), name="Anna", item=[*sent["item"], bread_of(party)], **third)
    assert response["Location"] == f"/table/7/bill?sessionId={party.pk}#pay"
    page = read(anna.get(response["Location"]))
    assert "You pay €20.42 by card. Somebody is on the way." in page
    assert "I pay this · €20.42" in page
    [call] = floor.get("/floor").json()["calls"]
    assert (call["kind"], call["part"]["name"], call["method"], call["amount"]) == ("bill", "Anna", "card", 20.42)
    for path in ("/floor", "/floor/tables/7"):
        assert "Anna pays €20.42 by card" in read(floor.get(path, headers={"accept": "text/html"}))
    # The other phone is asked for what is left.
    page = open_bill(ben)
    assert "in Anna's part" in page
    sizes = page.one("form", "By card").field(f"much-{bread_of(party)}").all("option")
    assert [each["value"] for each in sizes] == ["2/3", "1/2", "1/3", "1/4"]
    # Whoever takes the money has come.
    floor.post("/table/7/payments", {"method": "card", "partId": call["part"]["id"]}, format="json")
    assert floor.get("/floor").json()["calls"] == []
    page = open_bill(anna)
    assert "You have paid €20.42." in page
    assert "By card" not in page.names("button")


def test_two_guests_who_pay_are_two_calls_and_who_asks_again_is_one(anna, ben, party, floor):
    for client, method in ((anna, "card"), (ben, "cash"), (ben, "card")):
        pay(client, open_bill(client), method=method)
    calls = floor.get("/floor").json()["calls"]
    assert [(each["part"]["name"], each["method"], each["amount"]) for each in calls] == [
        ("Guest 1", "card", 19), ("Guest 2", "card", 4.25)]  # fmt: skip
    floor.post("/table/7/move", {"sessionId": str(party.pk), "to": make_table(8).table_number}, format="json")
    assert {each["tableNumber"] for each in floor.get("/floor").json()["calls"]} == {8}


def test_who_comes_second_reads_who_has_the_dish_and_keeps_what_was_ticked(anna, ben, party):
    page = open_bill(ben)
    pay(anna, open_bill(anna), name="Anna", item=[bread_of(party)])
    response = pay(ben, page, name="Ben")
    assert response.status_code == 409
    page = read(response)
    assert "Sourdough & olive oil is in Anna's part already." in page
    assert page.one("form", "By card").field("name")["value"] == "Ben"
    assert not BillPart.objects.filter(name="Ben").exists()
    assert TableCall.objects.count() == 1


def test_what_is_on_the_house_is_not_asked_to_be_paid(anna, ben, party, manager):
    free = {"orderId": bread_of(party)[:-2], "position": 0}
    manager.post("/table/7/adjustments", {"kind": "comp", "items": [free], "reason": "wait"}, format="json")
    page = open_bill(ben)
    assert "Sourdough & olive oil €4.25 on the house" in page
    assert own_form(page).get("item") is None
    pay(anna, open_bill(anna), name="Anna")
    page = open_bill(ben)  # nothing is left that could be ticked
    assert "By card" not in page.names("button")
    assert "I pay this" not in page


def test_who_ticks_nothing_is_asked_to(anna, party):
    refused = pay(anna, open_bill(anna), item=[])
    assert (refused.status_code, "Please tick what you pay for." in read(refused)) == (400, True)
    assert not TableCall.objects.exists()


def test_a_phone_that_has_not_scanned_takes_no_part(anna, party):
    OrderingRules(gate="scanned").save()
    stranger = {"by": "items", "sessionId": str(party.pk), "item": [f"{party.orders.get().pk}:0"], "method": "card"}
    for query in ("", "?sessionId=x&printed=y"):
        assert anna.post(f"/table/7/parts{query}", stranger).status_code == 403
    assert not BillPart.objects.exists()


def test_after_closing_nobody_is_called(anna, party, floor):
    page = open_bill(anna)
    floor.post("/table/7/close", {"sessionId": str(party.pk)}, format="json")
    assert pay(anna, page).status_code == 409
    assert not BillPart.objects.exists()


def test_an_equally_divided_bill_says_so(anna, party, floor):
    page = open_bill(anna)
    floor.post("/table/7/parts", {"by": "people", "count": 2}, format="json")
    refused = pay(anna, page)
    assert (refused.status_code, "This bill is divided into equal parts." in read(refused)) == (409, True)
    assert "Ask to pay" in open_bill(anna).names("button")


def test_what_is_ticked_comes_to_its_share_of_discounts_and_service(anna, ben, party, manager):
    for kind, percent in (("discount", 50), ("service", 10)):
        body = {"kind": kind, "percent": percent, "reason": "other"}
        manager.post("/table/7/adjustments", body, format="json")
    assert "I pay this · €10.45" in open_bill(anna)
    pay(anna, open_bill(anna))
    assert TableCall.objects.get().amount == Decimal("10.45")
    assert "You pay €10.45 by card." in open_bill(anna)


def test_what_a_bill_divided_by_phones_gives_a_guest_is_theirs_to_pay(anna, ben, party, floor):
    floor.post("/table/7/parts", {"by": "phones"}, format="json")
    page = open_bill(ben)
    assert "in Guest 1's part" in page
    assert "in Guest 2's part" not in page
    assert "I pay this · €4.25" in page
    pay(ben, page, method="cash")
    assert [(call.part.name, call.amount) for call in TableCall.objects.all()] == [("Guest 3", Decimal("4.25"))]


def test_who_waits_to_pay_still_waits_when_the_party_joins_another(anna, party, floor, soup):
    pay(anna, open_bill(anna))
    make_table(8)
    floor.post("/table/8/covers", {"covers": 2}, format="json")
    floor.post("/table/7/move", {"sessionId": str(party.pk), "to": 8}, format="json")
    [call] = floor.get("/floor").json()["calls"]
    assert (call["tableNumber"], call["kind"], "part" in call) == (8, "bill", False)
