"""`GET` and `POST /table/{n}/receipt`: the receipt of a bill, or of a part of it, made out and mailed."""

from datetime import timedelta
from decimal import Decimal

import pytest
from django.core import mail

from restaurant.models import OrderingRules, Payer, TableSession
from tests.conftest import PAGE, order_body, unknown_id
from tests.reading import read
from tests.restaurant.billing.bill_pages import staff_browser
from tests.restaurant.ordering.forms import form_of, submit

pytestmark = pytest.mark.django_db

PAYER = {"name": "Chez Nous SARL", "address": "1 rue du Port\n13002 Marseille", "vatNumber": "FR 123"}


@pytest.fixture
def party(api, session, soup, bread) -> TableSession:
    OrderingRules(default_vat_rate=Decimal(10)).save()
    api.post("/table/7/order", order_body(session, (soup, 2), (bread, 1)), format="json")
    return session


def receipt(client, party, **query) -> dict:
    response = client.get("/table/7/receipt", {"sessionId": str(party.pk), **query})
    assert response.status_code == 200, response.content
    return response.json()


def pay(floor, party, **body):
    response = floor.post("/table/7/payments", {"sessionId": str(party.pk), **body}, format="json")
    assert response.status_code == 201, response.content


def test_a_receipt_has_number_taxes_payments_tip_and_change(api, floor, party):
    pay(floor, party, method="card", amount=20, tip=2)
    pay(floor, party, method="cash", tendered=5)
    found = receipt(api, party)
    party.refresh_from_db()
    assert (found["number"], found["total"], found["paid"], found["due"]) == ("1", 23.25, 23.25, 0)
    assert [(tax["rate"], tax["gross"], tax["tax"]) for tax in found["taxes"]] == [(10, 23.25, 2.11)]
    card, cash = found["payments"]
    assert (card["method"], card["amount"], card["tip"]) == ("card", 20, 2)
    assert "change" not in card
    assert (cash["amount"], cash["tendered"], cash["change"]) == (3.25, 5, 1.75)
    page = read(api.get("/table/7/receipt", {"sessionId": str(party.pk)}, headers={"accept": PAGE}))
    assert page.one("heading", "Receipt 1 · Table 7")
    assert page.facts().items() >= {"Card": "€20.00", "Tip": "€2.00", "Handed over": "€5.00", "Change": "€1.75"}.items()
    assert "Make it out, or send it" not in page


def test_number_and_date_are_of_the_first_payment_and_before_it_is_a_preview(api, floor, party, clock):
    address = f"?sessionId={party.pk}"
    preview = "Preview: the bill gets its number when it is printed or paid."
    for page in ("bill", "receipt"):
        assert preview in read(api.get(f"/table/7/{page}{address}", headers={"accept": PAGE}))
    assert (receipt(api, party)["number"], receipt(api, party)["at"]) == ("", None)
    pay(floor, party, method="card", amount=1)
    party.refresh_from_db()
    clock(party.billed_at + timedelta(days=9))
    for page in ("bill", "receipt"):
        shown = api.get(f"/table/7/{page}{address}", headers={"accept": PAGE})
        assert preview not in read(shown)
        assert party.billed_at.date().isoformat() in shown.content.decode()


def test_a_part_has_a_receipt_of_its_own(api, floor, party):
    parts = floor.post("/table/7/parts", {"by": "people", "count": 2}, format="json").json()["parts"]
    first, second = (part["id"] for part in parts)
    pay(floor, party, method="card", partId=second, tip=1)
    found = receipt(api, party, partId=second)
    assert (found["number"], found["part"], found["total"], found["due"]) == ("1-2", "2 of 2", 11.62, 0)
    assert [(each["amount"], each["tip"]) for each in found["payments"]] == [(11.62, 1)]
    assert [(item["quantity"], item["total"]) for item in found["items"]] == [("1", 9.5), ("1/2", 2.12)]
    other = receipt(api, party, partId=first)
    assert (other["number"], other["due"], other["payments"]) == ("1-1", 11.63, [])
    page = read(api.get("/table/7/receipt", {"sessionId": str(party.pk), "partId": second}, headers={"accept": PAGE}))
    assert page.one("heading", "Receipt 1-2 · Table 7 · 2 of 2")
    unknown = api.get("/table/7/receipt", {"sessionId": str(party.pk), "partId": unknown_id()})
    assert unknown.status_code == 404


def test_numbers_of_parts_are_each_of_one_part(api, floor, party, table):
    order = str(party.orders.get().pk)
    for name, position in (("Anna", 0), ("Ben", 1)):
        part = {"name": name, "items": [{"orderId": order, "position": position, "share": "1/2"}]}
        body = {"sessionId": str(party.pk), "by": "items", "parts": [part], "add": True}
        bill = floor.post("/table/7/parts", body, format="json").json()
    floor.post("/table/7/bill/print", {"sessionId": str(party.pk)}, format="json")
    numbers = {part["name"]: receipt(api, party, partId=part["id"])["number"] for part in bill["parts"]}
    assert numbers == {"Anna": "1-2", "Ben": "1-3", "Rest": "1-1"}


def test_a_receipt_is_made_out_and_mailed(floor, api, party, settings):
    body = {"sessionId": str(party.pk), "billTo": PAYER, "email": "office@example.com"}
    made = floor.post("/table/7/receipt", body, format="json")
    assert (made.status_code, made.json()["number"], made.json()["billTo"]) == (200, "1", PAYER)
    assert receipt(api, party)["billTo"] == PAYER
    assert Payer.objects.get().by_name == "floor"
    [message] = mail.outbox
    assert (message.to, message.subject) == (["office@example.com"], "Receipt 1")
    assert "2 × Ribollita: €19.00" in message.body
    [link] = [line for line in message.body.splitlines() if line.startswith(settings.APP_BASE_URL)]
    OrderingRules.objects.update(gate="scanned")  # who reads it at home has scanned nothing
    page = read(api.get(link.removeprefix(settings.APP_BASE_URL), headers={"accept": PAGE}))
    assert "Chez Nous SARL 1 rue du Port 13002 Marseille VAT number FR 123" in page


def test_staff_make_it_out_by_a_form_that_shows_what_was_refused(party):
    waiter = staff_browser("Floor", "flora")
    address = f"/table/7/receipt?sessionId={party.pk}"
    form = "/table/7/receipt"
    refused = submit(waiter, waiter.get(address), form, name="Chez Nous", address="", email="nobody")
    assert refused.status_code == 400
    assert form_of(refused, form).fields().items() >= {"name": "Chez Nous", "email": "nobody"}.items()
    assert submit(waiter, refused, form, address="Marseille", email="").status_code == 303
    page = read(waiter.get(address))
    assert "Chez Nous Marseille" in page
    assert form_of(page, form).fields()["name"] == "Chez Nous"
    assert mail.outbox == []


def test_guests_make_out_no_receipt(api, party):
    body = {"sessionId": str(party.pk), "email": "office@example.com"}
    assert api.post("/table/7/receipt", body, format="json").status_code == 401
    assert mail.outbox == []


@pytest.mark.parametrize(("asks_for", "subject"), [("de", "Rechnung 1"), ("fi", "Receipt 1")])
def test_a_receipt_is_mailed_in_the_language_in_which_its_guest_has_ordered(
    floor, api, session, soup, german, asks_for, subject
):
    german({"Receipt %(number)s": "Rechnung %(number)s", "Total: %(amount)s": "Summe: %(amount)s"})
    api.post("/table/7/order", order_body(session, (soup, 1)), format="json", headers={"accept-language": asks_for})
    body = {"sessionId": str(session.pk), "email": "guest@example.com"}
    assert floor.post("/table/7/receipt", body, format="json").status_code == 200
    assert mail.outbox[0].subject == subject
    assert ("Summe: 9,50" in mail.outbox[0].body) == (asks_for == "de")
