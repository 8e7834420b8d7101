"""The page of a bill, which guests divide and staff print."""

import re
from decimal import Decimal
from uuid import uuid4

import pytest
from django.test import Client

from qrservice import gateway
from restaurant.billing.queries import shares
from restaurant.billing.views.bill_page import paper_signature
from restaurant.models import Order, OrderingRules, OrderItem
from tests.conftest import unknown_id
from tests.reading import Part, read
from tests.restaurant.billing.bill_pages import open_bill, order, phone, staff_browser
from tests.restaurant.ordering.forms import submit
from web import venue
from web.templatetags.money import clock

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


def test_a_guest_reads_lines_total_taxes_and_what_is_due(guest, party, soup, bread, floor):
    OrderingRules(default_vat_rate=Decimal("10")).save()
    order(guest, party, (bread, 3))
    floor.post("/table/7/payments", {"method": "cash", "amount": 5}, format="json")
    response = guest.get(f"/table/7/bill?sessionId={party.pk}")
    text = read(response)
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
    assert [row[-1][-2:] for row in page.one("table", "What was ordered").rows()[1:]] == [" A", " B"]
    taxes = page.one("table", "VAT included in the total").rows()
    assert [row[0] for row in taxes] == ["Rate", "A 10%", "B 20%", "Total"]
    net, tax, gross = (Decimal(amount.removeprefix("€")) for amount in taxes[-1][1:])
    assert gross == net + tax


def ticked(page: Part) -> list[str]:
    """The dishes that a guest's form has ticked."""
    return [each.name for each in page.one("form", "By card").all("checkbox") if each.get("checked") is not None]


def test_the_bill_opens_with_what_this_phone_ordered_ticked(guest, party, bread):
    other = phone()
    order(other, party, (bread, 1))
    page = open_bill(guest)
    assert (ticked(page), "I pay this · €19.00" in page) == (["2 × Ribollita €9.50 each"], True)
    page = open_bill(other)
    assert (ticked(page), "I pay this · €4.25" in page) == (["Sourdough & olive oil €4.25"], True)
    sizes = page.one("form", "By card").field(f"much-{party.orders.get(total=19).pk}:0")
    assert [each["value"] for each in sizes.all("option")] == ["", "1", "1/2", "1/3", "1/4"]


def test_the_bill_is_divided_to_the_cent(guest, party):
    assert "2 people pay €9.50 each" in read(guest.get("/table/7/bill?people=2"))
    text = read(guest.get("/table/7/bill?people=3"))
    assert "1 person pays €6.34" in text
    assert "2 people pay €6.33 each" in text
    assert "2 people pay €9.50 each" in read(guest.get("/table/7/bill"))
    for nonsense in ("-1", "x", "", "²"):
        assert "2 people pay €9.50 each" in read(guest.get(f"/table/7/bill?people={nonsense}"))
    for alone in ("0", "1"):
        assert "people pay" not in read(guest.get(f"/table/7/bill?people={alone}"))
    assert "10 people pay €0.64 each 20 people pay €0.63 each" in read(guest.get("/table/7/bill?people=999"))


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
    assert "1 order waits for approval and is not on this bill." in read(guest.get("/table/7/bill"))


def test_an_unknown_bill_is_a_page_too(guest, party):
    response = guest.get(f"/table/7/bill?sessionId={unknown_id()}")
    assert (response.status_code, len(read(response).all("main"))) == (404, 1)


def test_paper_is_chosen_by_the_address(guest, waiter, party):
    cases = (("", "a4", "80mm"), ("&paper=80mm", "80mm", "80mm"), ("&paper=a4", "a4", "a4"))
    for query, *papers in cases:
        for client, paper in zip((guest, waiter), papers, strict=True):
            page = client.get(f"/table/7/bill?sessionId={party.pk}{query}").content.decode()
            assert re.findall(r"css/bill_(80mm|a4)\.", page) == [paper]
            links = [address for _name, address in read(page).links()]
            assert (f"/table/7/bill?sessionId={party.pk}&paper=a4" in links) == (client is waiter)


def test_what_is_due_is_said_once_while_nothing_is_paid(guest, party, floor):
    text = read(guest.get("/table/7/bill"))
    assert "Total due Not yet paid €19.00" in text
    assert text.text.count("€19.00") == 4  # the line, what is due, what is ticked, and one payment of all
    assert text.text.count("Not yet paid") == 1
    floor.post("/table/7/payments", {"method": "cash"}, format="json")
    paid = read(guest.get("/table/7/bill"))
    assert "Total €19.00 Paid €19.00 Due €0.00" in paid
    assert "Not yet paid" not in paid


def ways(page: Part) -> list[tuple[str, str, bool]]:
    found = [each for each in page.all("radio") if each["name"] == "way"]
    return [(each["value"], each.name, each.get("checked") is not None) for each in found]


def test_the_ways_to_pay_are_seen_at_once_and_the_address_chooses(guest, waiter, party, floor):
    labels = (("mine", "My part"), ("equally", "Equally"), ("together", "Together"))
    chosen_by = {
        "": "mine",
        "way=equally": "equally",
        "people=3": "equally",
        "way=together": "together",
        "way=x": "mine",
    }
    for query, chosen in chosen_by.items():
        page = open_bill(guest, f"?{query}")
        assert ways(page) == [(name, label, name == chosen) for name, label in labels]
    assert ways(open_bill(waiter)) == []
    # Of what is paid nobody knows for which dishes.
    floor.post("/table/7/payments", {"method": "cash", "amount": 5}, format="json")
    assert ways(open_bill(guest)) == [("equally", "Equally", True), ("together", "Together", False)]
    assert "One payment of €14.00" in open_bill(guest)


def test_the_printed_bill_has_a_code_that_opens_it_and_a_place_for_the_tip(guest, waiter, party, settings):
    response = waiter.get("/table/7/bill")
    code = gateway.symbol(
        f"{settings.APP_BASE_URL}/table/7/bill?sessionId={party.pk}&printed={paper_signature(str(party.pk))}"
    )
    assert code in response.content.decode()
    page = read(response)
    assert {"Tip": "", "Total with tip": ""}.items() <= page.facts().items()
    assert "Divide it, or see what is left to pay." in page
    venue.remember(venue.Venue(location_id=str(uuid4())))  # where tables earn
    assert "Ordered with it? Your points wait there." in open_bill(waiter)
    Order.objects.update(placed_by="flora")
    assert "Your points wait there." not in open_bill(waiter)
    assert "This bill on your phone" not in open_bill(guest)


def test_the_table_of_vat_is_folded_for_guests_and_open_for_staff_who_print(guest, waiter, party, soup):
    OrderItem.objects.update(vat_rate=Decimal("10"))
    vat = [open_bill(client).one("details", "VAT included: €1.73") for client in (guest, waiter)]
    assert [each.get("open") is not None for each in vat] == [False, True]


def test_a_guest_asks_for_the_bill_on_it(guest, party):
    page = open_bill(guest)
    response = submit(guest, page, "/table/7/calls")
    assert response.status_code == 303
    assert response["Location"] == f"/table/7/bill?sessionId={party.pk}#calls"
    assert [call.kind for call in party.calls.all()] == ["bill"]
    text = read(guest.get(response["Location"]))
    at = clock(party.calls.get().created_at)
    assert f"Asked to pay at {at}. Somebody is on the way with the bill." in text
    assert "Ask to pay" not in text


def test_only_a_phone_that_ordered_asks_for_the_bill_and_only_while_something_is_due(guest, party, floor):
    assert "Ask to pay" in read(guest.get("/table/7/bill"))
    shown = read(phone().get(f"/table/7/bill?sessionId={party.pk}"))
    assert not {"Ask to pay", "By card"} & set(shown.names("button"))
    floor.post("/table/7/payments", {"method": "cash"}, format="json")
    assert "Ask to pay" not in read(guest.get("/table/7/bill"))
