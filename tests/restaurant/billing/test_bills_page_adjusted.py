"""What staff take off on the page of a bill, give back and divide by dishes, without JavaScript."""

from decimal import Decimal

import pytest
from django.test import Client

from restaurant.models import Adjustment, OrderingRules, Refund
from tests.reading import read
from tests.restaurant.billing.bill_pages import open_bill, order, pay, phone, staff_browser
from tests.restaurant.ordering.forms import form_of, submit

pytestmark = pytest.mark.django_db

ADJUST = "/table/7/adjustments"


@pytest.fixture
def party(table, soup, bread):
    """A party that has ordered two soups and a bread: 23.25."""
    guest = phone()
    session = table.sessions.get()
    order(guest, session, (soup, 2), (bread, 1))
    return session


@pytest.fixture
def waiter(party) -> Client:
    return staff_browser("Floor", "flora")


@pytest.fixture
def boss(party) -> Client:
    return staff_browser("Managers", "manuela")


def entry(party, position: int) -> str:
    return f"{party.orders.get().pk}:{position}"


def test_what_is_taken_off_is_a_line_of_the_bill_and_can_be_undone(boss, party):
    made = submit(boss, open_bill(boss), ADJUST, kind="discount", percent="10", reason="regular", note="Anna's table")
    assert made["Location"] == f"/table/7/bill?sessionId={party.pk}#bill"
    one = {"item": [entry(party, 0)], f"much-{entry(party, 0)}": "1"}
    submit(boss, open_bill(boss), ADJUST, kind="comp", reason="complaint", **one)
    page = open_bill(boss)
    expected = {
        "Subtotal": "€23.25",
        "Discount, regular guest 10\xa0%": "-€1.38",
        "On the house, complaint": "-€9.50",
        "Total due Not yet paid": "€12.37",
    }
    assert {name.replace("\xa0", " "): value for name, value in expected.items()}.items() <= page.facts().items()
    assert "manuela: Anna's table" in page
    discount = Adjustment.objects.get(kind="discount")
    submit(boss, page, f"/adjustments/{discount.pk}/void")
    assert "Discount" not in "".join(open_bill(boss).facts())


def test_a_refused_change_shows_what_was_entered(subtests, boss, party):
    for fields, sentence in [
        ({"kind": "discount", "percent": "101", "note": "typo"}, "At most 100 percent can be taken off."),
        ({"kind": "discount", "percent": "5", "amount": "5"}, "either a percent or an amount"),
        ({"kind": "comp"}, "Please say which dishes are on the house"),
        ({"kind": "discount", "amount": "2", "item": ["x"]}, "This is not an id."),
    ]:
        with subtests.test(fields=fields):
            response = submit(boss, open_bill(boss), ADJUST, reason="wait", **fields)
            assert (response.status_code, sentence in read(response)) == (400, True), read(response).text
            entered = form_of(response, ADJUST).fields()
            sent = {name: value for name, value in fields.items() if name != "item"} | {"reason": "wait"}
            assert entered | sent == entered
            # What is entered there is not what is paid.
            assert form_of(response, "/table/7/payments").fields()["amount"] == "23.25"
    assert not Adjustment.objects.exists()


def test_a_waiter_reads_who_may_take_something_off(waiter, party):
    page = open_bill(waiter)
    assert "Only managers take something off a bill. Please ask a manager." in page
    assert form_of(page, ADJUST).field("approverName").get("required") is not None
    OrderingRules.objects.create(discount_up_to=10)
    page = open_bill(waiter)
    assert form_of(page, ADJUST).field("approverName").get("required") is None
    assert "You may take off up to 10 %. For more, please ask a manager." in page
    refused = submit(waiter, page, ADJUST, kind="discount", percent="50", reason="wait")
    assert (refused.status_code, "up to 10 %. Please ask a manager for more." in read(refused)) == (403, True)
    assert form_of(refused, ADJUST).fields()["percent"] == "50"
    assert submit(waiter, page, ADJUST, kind="discount", percent="10", reason="wait").status_code == 303


def test_one_guest_after_the_other_says_what_they_had(waiter, party):
    def part(name: str, *entries: str, **much: str):
        page = open_bill(waiter)
        form = page.one("form", "A part of these")
        return waiter.post("/table/7/parts", {**form.fields(), "name": name, "item": list(entries), **much})

    part("Anna", entry(party, 0), **{f"much-{entry(party, 0)}": "1"})
    part("Ben", entry(party, 1), **{f"much-{entry(party, 1)}": "1/2"})
    radios = form_of(open_bill(waiter), "/table/7/payments").all("radio")
    assert [each.name for each in radios if each["name"] == "partId"] == [
        "Anna €9.50",
        "Ben €2.13",
        "Rest €11.62",
        "All €23.25",
    ]
    refused = part("Carl", entry(party, 0), **{f"much-{entry(party, 0)}": "2"})
    assert (refused.status_code, "Ribollita is in Anna's part already." in read(refused)) == (409, True)
    assert read(refused).one("form", "A part of these").field("name")["value"] == "Carl"
    submit(waiter, open_bill(waiter), "/table/7/parts", by="items")
    assert not party.parts.exists()


def test_a_manager_gives_money_back_and_a_waiter_reads_who_does(boss, waiter, party):
    pay(waiter, open_bill(waiter), method="card")
    assert "To void a payment, please ask a manager." in open_bill(waiter)
    payment = party.payments.get()
    refund = f"/payments/{payment.pk}/refund"
    assert "A manager's name and password" in form_of(open_bill(waiter), refund)
    refused = submit(boss, open_bill(boss), refund, amount="30", reason="complaint", note="cold")
    assert "Only 23.25 of this payment can be given back." in read(refused)
    assert form_of(refused, refund).fields().items() >= {"amount": "30", "reason": "complaint", "note": "cold"}.items()
    made = submit(boss, open_bill(boss), refund, amount="3,25", reason="complaint", note="cold")
    page = read(boss.get(made["Location"]))
    assert "€3.25 given back at" in page
    assert "by manuela: cold" in page
    assert Refund.objects.get().amount == Decimal("3.25")
