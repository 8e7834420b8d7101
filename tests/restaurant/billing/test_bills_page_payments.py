"""Payments on the page of a bill, by staff without JavaScript; and who sends and served it."""

import re
from decimal import Decimal

import pytest
from django.contrib.auth.models import User
from django.test import Client

from restaurant.models import MenuItem, Order, Payment
from tests.conftest import make_user, own_queries, unknown_id
from tests.reading import read
from tests.restaurant.billing.bill_pages import open_bill, order, pay, phone, staff_browser
from tests.restaurant.ordering.forms import form_of, submit
from web import venue

pytestmark = pytest.mark.django_db


@pytest.fixture
def guest(table) -> Client:
    return phone()


@pytest.fixture
def party(guest, table, soup):
    """A party that has ordered two soups: 19.00."""
    session = table.sessions.get()
    order(guest, session, (soup, 2))
    return session


@pytest.fixture
def waiter(party) -> Client:
    """Of table 7, whose guests sit there."""
    return staff_browser("Floor", "flora")


@pytest.fixture
def boss(party) -> Client:
    return staff_browser("Managers", "manuela")


def test_a_waiter_takes_a_part_and_then_the_rest(waiter, party):
    page = open_bill(waiter)
    assert page.field("amount")["value"] == "19.00"
    response = pay(waiter, page, method="card", amount="6,50", tip="1")
    assert response.status_code == 303
    payment = Payment.objects.get()
    assert response["Location"] == f"/table/7/bill?sessionId={party.pk}&payment={payment.pk}#pay"
    assert (payment.amount, payment.tip, payment.taken_by_name) == (Decimal("6.50"), Decimal("1.00"), "flora")
    response = waiter.get(response["Location"])
    text = read(response)
    assert "€6.50 paid by card. €12.50 is still due." in text
    assert re.search(r"Card ?€6\.50 \d\d:\d\d · flora · tip €1\.00", text.text)
    response = waiter.get(pay(waiter, text, method="cash", amount="", tip="")["Location"])
    text = read(response)
    assert "€12.50 paid in cash. Nothing is due any more." in text
    assert "This bill is paid" in text
    assert "Take payment" not in text
    assert text.one("link", "Close table")["href"] == f"/table/7/close?sessionId={party.pk}"


def test_what_is_due_and_what_is_typed_have_the_decimal_sign_of_the_language(waiter, written_in):
    written_in("en-de")
    page = open_bill(waiter)
    due = page.field("amount")["value"]
    assert re.fullmatch(r"\d+,\d\d", due)
    assert pay(waiter, page, method="cash", amount=due, tip="0,5").status_code == 303
    assert [(f"{each.amount:.2f}", each.tip) for each in Payment.objects.all()] == [
        (due.replace(",", "."), Decimal("0.50"))
    ]


def test_a_double_tap_is_one_payment(waiter):
    page = open_bill(waiter)
    first, second = (pay(waiter, page, method="cash", amount="5")["Location"] for _ in range(2))
    assert first == second
    assert Payment.objects.count() == 1


def test_a_refused_payment_shows_the_bill_with_what_was_entered(subtests, waiter):
    for fields, sentence in [
        ({"method": "cash", "amount": "19.01"}, "Only 19.00 is due."),
        ({"method": "cash", "amount": "0"}, "An amount above 0 is needed."),
        ({"method": "cash", "amount": "lots"}, "An amount of at least 0 is needed."),
        ({"amount": "7.00"}, "Please say how it is paid"),
        ({"method": "voucher", "amount": "7.00", "tip": "<b>"}, "An amount of at least 0 is needed."),
    ]:
        with subtests.test(fields=fields, sentence=sentence):
            response = pay(waiter, open_bill(waiter), **fields)
            page = read(response)
            assert (response.status_code, sentence in page) == (400, True)
            entered = form_of(page, "/table/7/payments").fields()
            assert entered | fields == entered
            assert not Payment.objects.exists()
    assert pay(waiter, page, method="cash", amount="19", tip="").status_code == 303


def test_a_form_whose_payment_was_taken_already_shows_it(waiter):
    page = open_bill(waiter)
    pay(waiter, page, method="cash", amount="5")
    response = pay(waiter, page, method="cash", amount="6")
    assert response.status_code == 409
    assert "This payment was taken already." in read(response)
    assert "€14.00 is due" in read(response)


def test_of_a_divided_bill_one_pays_after_the_other(waiter, party):
    submit(waiter, open_bill(waiter), "/table/7/parts", by="people", count="3")
    page = open_bill(waiter)
    parts = {
        each.name: each["value"] for each in form_of(page, "/table/7/payments").all("radio") if each["name"] == "partId"
    }
    assert list(parts) == ["1 of 3 €6.34", "2 of 3 €6.33", "3 of 3 €6.33", "All €19.00"]
    # What is due of a part need not be typed.
    response = pay(waiter, page, partId=parts["2 of 3 €6.33"], method="cash", tendered="10")
    page = read(waiter.get(response["Location"]))
    assert "€6.33 paid in cash. Change €3.67 €12.67 is still due." in page
    shown = [each for each in form_of(page, "/table/7/payments").all("radio") if each["name"] == "partId"]
    assert [(each.name, each.get("disabled") is not None) for each in shown] == [
        ("1 of 3 €6.34", False), ("2 of 3 Paid", True), ("3 of 3 €6.33", False), ("All €12.67", False),
    ]  # fmt: skip
    # The others stay as they are, and nobody divides them in another way.
    assert "By how many people?" not in page
    pay(waiter, page, partId="", method="card")
    assert "This bill is paid" in open_bill(waiter, f"?sessionId={party.pk}")


def test_who_pays_for_a_part_that_is_gone_sees_the_bill_as_it_is(waiter):
    response = pay(waiter, open_bill(waiter), partId=unknown_id(), method="card", tip="2")
    assert response.status_code == 404
    page = read(response)
    assert "This bill has no such part." in page
    assert page.field("tip")["value"] == "2"


def test_a_payment_offers_only_what_can_still_be_done_with_it(boss, party):
    pay(boss, open_bill(boss), method="other", amount="5")
    path = f"/payments/{Payment.objects.get().pk}"
    page = open_bill(boss)
    assert "Void €5.00" in page
    for amount in ("2", ""):
        page = boss.get(submit(boss, page, f"{path}/refund", amount=amount, reason="complaint")["Location"])
        page = read(page)
        assert "What was given back is noted." in page
        offered = [form["action"] for form in page.all("form") if path in form["action"]]
        assert ("Void €5.00" in page, offered) == (False, [f"{path}/refund"] if amount else [])


def test_a_manager_voids_a_payment_and_says_why(waiter, boss, party):
    pay(boss, open_bill(boss), method="other", amount="5")
    payment = Payment.objects.get()
    voids = f"/payments/{payment.pk}/void"
    assert voids not in [form.get("action") for form in open_bill(waiter).all("form")]
    response = submit(boss, open_bill(boss), voids, note="x" * 201)
    assert response.status_code == 400
    assert form_of(response, voids).field("note")["value"] == "x" * 201
    response = submit(boss, open_bill(boss), voids, note="Wrong table")
    assert response.status_code == 303
    assert response["Location"] == f"/table/7/bill?sessionId={party.pk}&payment={payment.pk}#pay"
    page = read(boss.get(response["Location"]))
    assert "The payment of €5.00 was voided. €19.00 is still due." in page
    assert "by manuela: Wrong table" in page


def test_what_was_paid_too_much_is_shown_to_everybody(waiter, guest, floor, party):
    pay(waiter, open_bill(waiter), method="cash")
    order_id = party.orders.get().pk
    items = [{"position": 0, "quantity": 1}]
    floor.post(f"/orders/{order_id}/cancel", {"reason": "sold_out", "items": items}, format="json")
    for client in (waiter, guest):
        text = read(client.get("/table/7/bill"))
        assert "Paid too much €9.50" in text
        assert "€9.50 more was paid than is on the bill now" in text
        assert "Divide the bill" not in text


def test_a_form_after_signing_out_takes_nothing(waiter):
    page = open_bill(waiter)
    waiter.logout()
    assert pay(waiter, page, method="cash").status_code == 401
    assert not Payment.objects.exists()


def test_the_page_takes_at_most_ten_queries(waiter, guest, boss, party):
    for _ in range(3):
        order(guest, party, *((item, 1) for item in MenuItem.objects.all()))
        pay(waiter, open_bill(waiter), method="cash", amount="1")
    for client in (guest, waiter, boss):
        open_bill(client)  # permits of its limit are leased for several requests
        for query in ("", f"?sessionId={party.pk}&people=3"):
            with own_queries() as own:
                open_bill(client, query)
            assert len(own) <= 10, own


def test_the_bill_says_who_sends_it(guest, party):
    path = f"/table/7/bill?sessionId={party.pk}"
    assert "VAT number" not in read(guest.get(path))
    venue.remember(venue.Venue(name="Chez Nous", address="1 rue du <Port>\n13002 Marseille", vat_number="FR 123"))
    page = read(guest.get(path))
    assert "1 rue du <Port> 13002 Marseille" in page
    assert "VAT number FR 123" in page
    assert "+353" not in page
    venue.remember(venue.Venue(name="Chez Nous", phone="+353 1 555 0142"))
    assert "+353 1 555 0142" in read(guest.get(path))


def test_the_bill_says_who_served(waiter, guest, party):
    path = f"/table/7/bill?sessionId={party.pk}"
    assert pay(waiter, open_bill(waiter), method="cash", amount="1").status_code == 303
    # Nobody's user name.
    assert "Served by" not in read(guest.get(path))
    User.objects.filter(username="flora").update(first_name="Flora", last_name="Quinn")
    make_user("Floor", "tomas")
    User.objects.filter(username="tomas").update(first_name="Tomas")
    for client in (guest, waiter):
        assert "Served by Flora" in read(client.get(path))
    # Whoever took an order rather than whoever took the money; of what was cancelled nobody.
    Order.objects.update(placed_by="tomas")
    assert "Served by Tomas" in read(guest.get(path))
    Order.objects.update(status=Order.Status.CANCELLED)
    assert "Tomas" not in read(guest.get(path))
