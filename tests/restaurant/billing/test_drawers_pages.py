"""The pages of cash drawers, without scripts."""

import pytest

from restaurant.models import CashDrawer, OrderingRules
from tests.conftest import make_user, order_body
from tests.reading import read
from tests.restaurant.ordering.forms import form_of, submit

pytestmark = pytest.mark.django_db


@pytest.fixture
def drawer(db) -> CashDrawer:
    return CashDrawer.objects.create(name="Bar")


@pytest.fixture
def browser(browser_client, db):
    browser_client.force_login(make_user("Cashiers", "carl"))
    return browser_client


def sent(browser, page, action: str, **entered: str):
    """The page after the form."""
    response = submit(browser, page, action, **entered)
    return read(browser.get(response["Location"]) if response.status_code == 303 else response)


def test_a_cashier_opens_a_drawer_moves_cash_counts_and_closes(browser, drawer):
    address = f"/drawers/{drawer.pk}"
    page = sent(browser, browser.get("/drawers"), f"{address}/open", float="100,50")
    assert page.one("heading", "Bar")
    page = sent(browser, page, f"{address}/movements", kind="out", amount="20.50", reason="flowers")
    assert page.facts()["Should be in it"] == "€80.00"
    assert "Paid out: flowers" in page.text
    page = sent(browser, page, f"{address}/close", **{"piece-50": "1", "piece-0.20": "12", "piece-20": "1"})
    assert page.one("heading", "Z 1 · Bar")
    assert (page.facts()["Counted"], page.facts()["Difference"]) == ("€72.40", "-€7.60")
    assert browser.get(f"{address}/z/1").status_code == 200
    assert "Z 1" in read(browser.get(address)).text


def test_a_refused_form_shows_what_was_entered(browser, drawer):
    address = f"/drawers/{drawer.pk}"
    page = sent(browser, browser.get("/drawers"), f"{address}/open", float="much")
    assert page.one("alert").text == "An amount of at least 0 is needed."
    assert page.field("float")["value"] == "much"
    page = sent(browser, page, f"{address}/open", float="0")
    page = sent(browser, page, f"{address}/movements", kind="in", amount="0", reason="change")
    form = form_of(page, f"{address}/movements")
    assert (form.field("amount")["value"], form.field("reason")["value"]) == ("0", "change")
    page = sent(browser, page, f"{address}/close", **{"piece-50": "2", "amount": "3"})
    assert page.one("alert").text == "Please give either the notes and coins that were counted, or the sum."
    assert form_of(page, f"{address}/close").field("piece-50")["value"] == "2"


def test_a_page_of_a_drawer_that_is_counted_blind_has_no_sum_until_it_is_closed(browser, drawer):
    OrderingRules.objects.create(counts_blind=True)
    address = f"/drawers/{drawer.pk}"
    page = sent(browser, browser.get("/drawers"), f"{address}/open", float="100")
    assert "Should be in it" not in page.text
    page = sent(browser, page, f"{address}/close", amount="90")
    assert page.facts()["Should be in it"] == "€100.00"


def test_notes_and_coins_are_those_of_the_currency(browser, drawer, settings):
    address = f"/drawers/{drawer.pk}"
    sent(browser, browser.get("/drawers"), f"{address}/open", float="0")
    for currency, first, last in (("EUR", "500", "0.01"), ("JPY", "10000", "1"), ("KWD", "20", "0.005")):
        settings.CURRENCY = currency
        fields = [name for name in form_of(browser.get(address), f"{address}/close").lists() if "piece" in name]
        assert (fields[0], fields[-1]) == (f"piece-{first}", f"piece-{last}")


def test_a_bill_that_takes_no_cash_says_where_to_open_a_drawer(browser, api, session, soup, drawer):
    OrderingRules.objects.create(needs_open_drawer=True)
    api.post("/table/7/order", order_body(session, (soup, 1)), format="json")
    page = browser.get("/table/7/bill", {"sessionId": str(session.pk)})
    refused = sent(browser, page, "/table/7/payments", method="cash")
    assert refused.one("link", "Cash drawers").get("href") == "/drawers"


def test_drawers_are_in_the_header_and_on_the_till_of_those_who_work_them(browser, client, drawer):
    till = read(browser.get("/till"))
    assert [link.get("href") for link in till.all("link") if "rawers" in link.text] == ["/drawers", "/drawers"]
    client.force_login(make_user("Floor"))
    assert "/drawers" not in client.get("/floor").content.decode()
