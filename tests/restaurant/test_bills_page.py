"""The page of a bill: for guests, and for staff who take payments, without JavaScript."""

import re
from decimal import Decimal
from uuid import uuid4

import pytest
from django.contrib.auth.models import User
from django.test import Client

from qrservice import gateway
from restaurant.models import MenuItem, Order, OrderingRules, OrderItem, Payment
from restaurant.queries import shares
from restaurant.views.bill_page import paper_signature
from tests.conftest import PAGE, make_user, order_body, own_queries, unknown_id
from tests.restaurant.test_cart_without_javascript import hidden
from web import venue
from web.templatetags.money import clock

pytestmark = pytest.mark.django_db


def phone() -> Client:
    client = Client(headers={"accept": PAGE})
    client.get("/table/7")
    return client


@pytest.fixture
def guest(table) -> Client:
    return phone()


@pytest.fixture
def party(guest, table, soup):
    """A party that has ordered two soups: 19.00."""
    session = table.sessions.get()
    order(guest, session, (soup, 2))
    return session


def order(client, session, *entries) -> None:
    response = client.post(
        "/table/7/order",
        order_body(session, *entries),
        content_type="application/json",
        headers={"accept": "application/json"},
    )
    assert response.status_code == 200, response.content


def text_of(response) -> str:
    """The page as people read it: without tags, and with single spaces."""
    return " ".join(re.sub(r"<[^>]*>", " ", response.content.decode()).split())


def staff_browser(group: str, username: str = "") -> Client:
    client = Client(enforce_csrf_checks=True, headers={"accept": PAGE})
    client.force_login(make_user(group, username))
    return client


@pytest.fixture
def waiter(party) -> Client:
    return staff_browser("Floor", "flora")


@pytest.fixture
def boss(party) -> Client:
    return staff_browser("Managers", "manuela")


def open_bill(client, query: str = "") -> str:
    response = client.get(f"/table/7/bill{query}")
    assert response.status_code == 200
    return response.content.decode()


def pay(client, page: str, **fields):
    names = ("csrfmiddlewaretoken", "sessionId", "idempotencyKey")
    return client.post("/table/7/payments", {name: hidden(page, name) for name in names} | fields)


# --- guests -------------------------------------------------------------------------------------------


def test_a_guest_reads_lines_total_taxes_and_what_is_due(guest, party, soup, bread, floor):
    OrderingRules(default_vat_rate=Decimal("10")).save()
    order(guest, party, (bread, 3))
    floor.post("/table/7/payments", {"method": "cash", "amount": 5}, format="json")
    response = guest.get(f"/table/7/bill?sessionId={party.pk}")
    text = text_of(response)
    for part in ("2 × Ribollita €9.50 each €19.00", "Total €31.75", "Paid €5.00", "Due €26.75"):
        assert part in text
    assert "10% €11.59 €1.16 €12.75" in text
    assert "Take payment" not in text
    assert response["Cache-Control"] == "private, no-store"


def test_each_dish_of_a_bill_has_the_letter_of_its_vat_rate(guest, party, soup, bread):
    order(guest, party, (soup, 1), (bread, 1))
    for item, rate in ((soup, "10"), (bread, "20")):
        OrderItem.objects.filter(menu_item=item).update(vat_rate=Decimal(rate))
    page = open_bill(guest)
    assert re.findall(r'class="bill-rate">(.)<', page) == ["A", "B"]
    taxes = page.split('class="bill-taxes"')[1].split("</table>")[0]
    assert re.findall(r'<th scope="row">(?:(.)&ensp;)?(.*?)</th>', taxes) == [("A", "10%"), ("B", "20%"), ("", "Total")]
    total = re.findall(r"€([\d.]+)", taxes.split("<tfoot>")[1])
    assert Decimal(total[2]) == Decimal(total[0]) + Decimal(total[1])


def test_a_guest_reads_what_the_own_phone_ordered_only_where_others_ordered_too(guest, party, bread):
    assert "What your phone ordered" not in text_of(guest.get("/table/7/bill"))
    other = phone()
    order(other, party, (bread, 1))
    assert "What your phone ordered €19.00" in text_of(guest.get("/table/7/bill"))
    assert "What your phone ordered €4.25" in text_of(other.get("/table/7/bill"))


def test_the_bill_is_divided_to_the_cent(guest, party):
    assert "2 people pay €9.50 each" in text_of(guest.get("/table/7/bill?people=2"))
    text = text_of(guest.get("/table/7/bill?people=3"))
    assert "1 person pays €6.34" in text
    assert "2 people pay €6.33 each" in text
    assert "2 people pay €9.50 each" in text_of(guest.get("/table/7/bill"))
    for nonsense in ("0", "-1", "x", "1", "", "²"):
        assert "people pay" not in text_of(guest.get(f"/table/7/bill?people={nonsense}"))
    assert "10 people pay €0.64 each 20 people pay €0.63 each" in text_of(guest.get("/table/7/bill?people=999"))


def test_shares_always_add_up():
    for cents in (1, 2, 99, 100, 1001, 12345):
        for people in range(1, 31):
            amount = Decimal(cents) / 100
            divided = shares(amount, people)
            assert sum(count for count, _ in divided) == people
            assert sum(count * share for count, share in divided) == amount


def test_orders_that_wait_for_approval_are_said_to_be_missing(guest, party, soup):
    OrderingRules(approval_above=Decimal("5")).save()
    order(guest, party, (soup, 1))
    assert "1 order waits for approval and is not on this bill." in text_of(guest.get("/table/7/bill"))


def test_an_unknown_bill_is_a_page_too(guest, party):
    response = guest.get(f"/table/7/bill?sessionId={unknown_id()}")
    assert response.status_code == 404
    assert "<html" in response.content.decode()


@pytest.mark.parametrize(
    ("query", "of_guest", "of_staff"), [("", "a4", "80mm"), ("&paper=80mm", "80mm", "80mm"), ("&paper=a4", "a4", "a4")]
)
def test_paper_is_chosen_by_the_address(guest, waiter, party, query, of_guest, of_staff):
    for client, stylesheet in ((guest, of_guest), (waiter, of_staff)):
        page = open_bill(client, f"?sessionId={party.pk}{query}")
        assert re.findall(r"css/bill_(80mm|a4)\.", page) == [stylesheet]
        assert (f"/table/7/bill?sessionId={party.pk}&amp;paper=a4" in page) == (client is waiter)


def test_what_is_due_is_said_once_while_nothing_is_paid(guest, party, floor):
    text = text_of(guest.get("/table/7/bill"))
    assert "Total due Not yet paid €19.00" in text
    assert text.count("€19.00") == 3  # the line, what is due, and what is divided
    assert text.count("Not yet paid") == 1
    floor.post("/table/7/payments", {"method": "cash"}, format="json")
    paid = text_of(guest.get("/table/7/bill"))
    assert "Total €19.00 Paid €19.00 Due €0.00" in paid
    assert "Not yet paid" not in paid


def test_guests_tick_what_they_had_until_something_is_paid(guest, waiter, party, floor):
    had = re.search(r'<form class="way-had" id="had".*?</form>', open_bill(guest), re.DOTALL)[0]
    assert re.findall(r'data-price="([^"]*)"', had) == ["9.50"]
    assert re.findall(r"<option( selected)?>(\d+)</option>", had) == [(" selected", "0"), ("", "1"), ("", "2")]
    assert "way-had" not in open_bill(waiter, f"?sessionId={party.pk}")
    floor.post("/table/7/payments", {"method": "cash", "amount": 5}, format="json")
    assert "way-had" not in open_bill(guest)


def ways(page: str) -> list[tuple[str, str, bool]]:
    found = re.findall(r'name="way" value="(\w+)" autocomplete="off"( checked)?><span>(.*?)</span>', page)
    return [(name, label, bool(checked)) for name, checked, label in found]


def test_the_ways_to_divide_are_seen_at_once_and_the_address_chooses(guest, waiter, party, floor):
    labels = (("together", "Together"), ("equally", "Equally"), ("had", "What I had"))
    chosen_by = {"": "together", "way=equally": "equally", "way=had": "had", "people=3": "equally", "way=x": "together"}
    for query, chosen in chosen_by.items():
        page = open_bill(guest, f"?{query}")
        assert ways(page) == [(name, label, name == chosen) for name, label in labels]
    assert ways(open_bill(waiter)) == []
    floor.post("/table/7/payments", {"method": "cash", "amount": 5}, format="json")
    page = open_bill(guest, "?way=had")
    assert ways(page) == [("together", "Together", True), ("equally", "Equally", False)]
    assert "One payment of €14.00" in text_of(guest.get("/table/7/bill"))


def test_what_a_guest_had_is_added_up_without_a_script(guest, party, bread):
    order(guest, party, (bread, 1))
    page = open_bill(guest)
    form = re.search(r'<form class="way-had".*?</form>', page, re.DOTALL)[0]
    names = re.findall(r'name="(line-\d)"', form)
    assert (names, hidden(form, "way"), hidden(form, "sessionId")) == (["line-0", "line-1"], "had", str(party.pk))
    assert "Your part: €0.00" in form
    page = open_bill(guest, "?way=had&line-0=2&line-1=1")
    assert "Your part: €23.25" in page
    assert "<option selected>2</option>" in page
    assert re.search(r'name="line-1" value="1" data-price="4.25" autocomplete="off" checked', page)
    assert "Your part: €13.75" in open_bill(guest, "?line-0=1&line-1=9&line-2=1")  # never more than is on the bill
    assert "Your part: €0.00" in open_bill(guest, "?line-0=-1&line-1=x")


def test_the_printed_bill_has_a_code_that_opens_it_and_a_place_for_the_tip(guest, waiter, party, settings):
    page = open_bill(waiter)
    code = gateway.symbol(
        f"{settings.APP_BASE_URL}/table/7/bill?sessionId={party.pk}&printed={paper_signature(str(party.pk))}"
    )
    assert f'<div class="bill-code">{code}<p>' in page
    assert re.findall(r"<dt>([^<]*)</dt><dd></dd>", page) == ["Tip", "Total with tip"]
    assert "Divide it, or see what is left to pay." in page
    venue.remember(venue.Venue(location_id=str(uuid4())))  # where tables earn
    assert "Ordered with it? Your points wait there." in open_bill(waiter)
    Order.objects.update(placed_by="flora")
    assert "Your points wait there." not in open_bill(waiter)
    assert "bill-code" not in open_bill(guest)


def test_the_table_of_vat_is_folded_for_guests_and_open_for_staff_who_print(guest, waiter, party, soup):
    OrderItem.objects.update(vat_rate=Decimal("10"))
    folded, unfolded = open_bill(guest), open_bill(waiter)
    assert '<details class="folded bill-vat">' in folded
    assert "<summary>VAT included: €1.73</summary>" in folded
    assert '<details class="folded bill-vat" open>' in unfolded


def test_a_guest_asks_for_the_bill_on_it(guest, party):
    page = open_bill(guest)
    form = {name: hidden(page, name) for name in ("sessionId", "next", "kind")}
    response = guest.post("/table/7/calls", form)
    assert response.status_code == 303
    assert response["Location"] == f"/table/7/bill?sessionId={party.pk}#calls"
    assert [call.kind for call in party.calls.all()] == ["bill"]
    text = text_of(guest.get(response["Location"]))
    at = clock(party.calls.get().created_at)
    assert f"Asked to pay at {at}. Somebody is on the way with the bill." in text
    assert "Ask to pay" not in text


def test_only_a_phone_that_ordered_asks_for_the_bill_and_only_while_something_is_due(guest, party, floor):
    assert "Ask to pay" in text_of(guest.get("/table/7/bill"))
    assert "Ask to pay" not in text_of(phone().get(f"/table/7/bill?sessionId={party.pk}"))
    floor.post("/table/7/payments", {"method": "cash"}, format="json")
    assert "Ask to pay" not in text_of(guest.get("/table/7/bill"))


# --- payments -----------------------------------------------------------------------------------------


def test_a_waiter_takes_a_part_and_then_the_rest(waiter, party):
    page = open_bill(waiter)
    assert 'name="amount" inputmode="decimal" autocomplete="off" maxlength="12" value="19.00"' in page
    response = pay(waiter, page, method="card", amount="6,50", tip="1")
    assert response.status_code == 303
    payment = Payment.objects.get()
    assert response["Location"] == f"/table/7/bill?sessionId={party.pk}&payment={payment.pk}"
    assert (payment.amount, payment.tip, payment.taken_by_name) == (Decimal("6.50"), Decimal("1.00"), "flora")
    response = waiter.get(response["Location"])
    text = text_of(response)
    assert "€6.50 paid by card. €12.50 is still due." in text
    assert re.search(r"Card €6\.50 \d\d:\d\d · flora · tip €1\.00", text)
    response = waiter.get(pay(waiter, response.content.decode(), method="cash", amount="", tip="")["Location"])
    text = text_of(response)
    assert "€12.50 paid in cash. Nothing is due any more." in text
    assert "This bill is paid" in text
    assert "Take payment" not in text
    assert f"/table/7/close?sessionId={party.pk}" in response.content.decode()


def test_what_is_due_and_what_is_typed_have_the_decimal_sign_of_the_language(waiter, written_in):
    written_in("de")
    page = open_bill(waiter)
    due = re.search('name="amount"[^>]* value="([^"]*)"', page)[1]
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


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"method": "cash", "amount": "19.01"}, "Only 19.00 is due."),
        ({"method": "cash", "amount": "0"}, "An amount above 0 is needed."),
        ({"method": "cash", "amount": "lots"}, "An amount of at least 0 is needed."),
        ({"amount": "7.00"}, "Please say how it is paid"),
        ({"method": "voucher", "amount": "7.00", "tip": "<b>"}, "An amount of at least 0 is needed."),
    ],
)
def test_a_refused_payment_shows_the_bill_with_what_was_entered(waiter, fields, sentence):
    response = pay(waiter, open_bill(waiter), **fields)
    page = response.content.decode()
    assert response.status_code == 400
    assert sentence in page
    assert f'value="{fields["amount"]}"' in page
    if "method" in fields:
        assert f'value="{fields["method"]}" required checked' in page
    assert "<b>" not in page
    assert not Payment.objects.exists()
    assert pay(waiter, page, method="cash", amount="19").status_code == 303


def test_a_form_whose_payment_was_taken_already_shows_it(waiter):
    page = open_bill(waiter)
    pay(waiter, page, method="cash", amount="5")
    response = pay(waiter, page, method="cash", amount="6")
    assert response.status_code == 409
    assert "This payment was taken already." in text_of(response)
    assert "€14.00 is due" in text_of(response)


def test_a_share_can_be_taken_from_the_divided_bill(waiter, party):
    page = open_bill(waiter, "?people=3")
    address = f"/table/7/bill?sessionId={party.pk}&amp;people=3&amp;amount=6.34"
    assert address in page
    assert 'maxlength="12" value="6.34"' in open_bill(waiter, "?people=3&amount=6.34")
    for nonsense in ("19.01", "0.00", "x"):
        assert 'maxlength="12" value="19.00"' in open_bill(waiter, f"?amount={nonsense}")


def test_only_managers_are_offered_to_void(waiter, boss):
    pay(waiter, open_bill(waiter), method="cash", amount="5")
    assert "/void" not in open_bill(waiter)
    assert f"/payments/{Payment.objects.get().pk}/void" in open_bill(boss)


def test_a_manager_voids_a_payment_and_says_why(boss, party):
    pay(boss, open_bill(boss), method="other", amount="5")
    payment = Payment.objects.get()
    token = {"csrfmiddlewaretoken": hidden(open_bill(boss), "csrfmiddlewaretoken")}
    response = boss.post(f"/payments/{payment.pk}/void", token | {"note": "x" * 201})
    assert response.status_code == 400
    assert "x" * 201 in response.content.decode()
    response = boss.post(f"/payments/{payment.pk}/void", token | {"note": "Wrong table"})
    assert response.status_code == 303
    assert response["Location"] == f"/table/7/bill?sessionId={party.pk}&payment={payment.pk}"
    text = text_of(boss.get(response["Location"]))
    assert "The payment of €5.00 was voided. €19.00 is still due." in text
    assert "by manuela : Wrong table" in text.replace("manuela:", "manuela :")


def test_what_was_paid_too_much_is_shown_to_everybody(waiter, guest, floor, party):
    pay(waiter, open_bill(waiter), method="cash")
    order_id = party.orders.get().pk
    items = [{"position": 0, "quantity": 1}]
    floor.post(f"/orders/{order_id}/cancel", {"reason": "sold_out", "items": items}, format="json")
    for client in (waiter, guest):
        text = text_of(client.get("/table/7/bill"))
        assert "Paid too much €9.50" in text
        assert "€9.50 more was paid than is on the bill now" in text
        assert "Divide the bill" not in text


def test_a_form_after_signing_out_takes_nothing(waiter):
    page = open_bill(waiter)
    waiter.logout()
    assert pay(waiter, page, method="cash").status_code == 401
    assert not Payment.objects.exists()


def test_the_page_takes_at_most_six_queries_and_one_more_for_the_header_of_managers(waiter, guest, boss, party):
    for _ in range(3):
        order(guest, party, *((item, 1) for item in MenuItem.objects.all()))
        pay(waiter, open_bill(waiter), method="cash", amount="1")
    for client in (guest, waiter, boss):
        open_bill(client)  # permits of its limit are leased for several requests
        for query in ("", f"?sessionId={party.pk}&people=3"):
            with own_queries() as own:
                open_bill(client, query)
            assert len(own) <= (7 if client is boss else 6), own


def test_the_bill_says_who_sends_it(guest, party):
    path = f"/table/7/bill?sessionId={party.pk}"
    assert "VAT number" not in text_of(guest.get(path))
    venue.remember(venue.Venue(name="Chez Nous", address="1 rue du <Port>\n13002 Marseille", vat_number="FR 123"))
    page = guest.get(path)
    assert "<address>1 rue du &lt;Port&gt;<br>13002 Marseille</address>" in page.content.decode()
    assert "VAT number FR 123" in text_of(page)
    assert "+353" not in text_of(page)
    venue.remember(venue.Venue(name="Chez Nous", phone="+353 1 555 0142"))
    assert "+353 1 555 0142" in text_of(guest.get(path))


def test_the_bill_says_who_served(waiter, guest, party):
    path = f"/table/7/bill?sessionId={party.pk}"
    assert pay(waiter, open_bill(waiter), method="cash", amount="1").status_code == 303
    # Nobody's user name.
    assert "Served by" not in text_of(guest.get(path))
    User.objects.filter(username="flora").update(first_name="Flora", last_name="Quinn")
    make_user("Floor", "tomas")
    User.objects.filter(username="tomas").update(first_name="Tomas")
    for client in (guest, waiter):
        assert "Served by Flora" in text_of(client.get(path))
    # Whoever took an order rather than whoever took the money; of what was cancelled nobody.
    Order.objects.update(placed_by="tomas")
    assert "Served by Tomas" in text_of(guest.get(path))
    Order.objects.update(status=Order.Status.CANCELLED)
    assert "Tomas" not in text_of(guest.get(path))
