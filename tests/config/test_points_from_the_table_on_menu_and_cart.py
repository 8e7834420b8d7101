"""The menu, the cart and the bill say what a phone's card collects, and a guest may say no to it."""

import gzip
import re
from datetime import UTC, datetime, timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from loyalty.models import Redemption
from loyalty.rewards.services import redemptions
from qrservice import gateway
from restaurant.models import MenuItem, Order, Table
from tests.config.collecting import browser_of, close, open_venue, phone_with_card, phone_without_card, place, points_of
from tests.conftest import order_body
from tests.loyalty.making import make_reward
from tests.reading import Part, read
from web import venue

pytestmark = pytest.mark.django_db

NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)


@pytest.fixture
def ada(db):
    """Her phone, and her card, at a venue that earns."""
    open_venue()
    return phone_with_card()


def cart_of(phone, session):
    browser = browser_of(phone)
    browser.cookies["tableSession"] = str(session.pk)
    return browser


def form_of(page: Part) -> dict[str, list[str]]:
    return next(form.lists() for form in page.all("form") if "priceSeen" in form.lists())


def earnings(page: Part) -> list[tuple[str, str | None, bool]]:
    """Return the cart's sentence on what the order earns, its total, and whether it is visible."""
    hints = page.element.xpath("//p[starts-with(@id, 'total-points')]")
    return [(hint.text.strip(), hint.get("data-total"), "hidden" not in hint.attrib) for hint in hints]


def menu_of(phone) -> str:
    response = browser_of(phone).get("/table/7", headers={"accept-encoding": "gzip"})
    return gzip.decompress(response.content).decode()


def card_on_menu(phone) -> str:
    return read(menu_of(phone)).one("link", re.compile("'s card")).text


def test_the_menu_leads_to_the_card_of_this_phone_only_and_says_what_is_on_it(ada, session):
    phone, member = ada
    card = f"/member/{member.pk}"
    assert ("100 points Ada's card collects what you order", card) in read(menu_of(phone)).links()
    stranger = menu_of(phone_without_card())  # this one is cached for all
    assert "Ada" not in stranger
    assert "/member/" not in stranger
    phone.cookies["collect"] = "no"
    assert card_on_menu(phone) == "100 points Ada's card"
    back = ("Menu", "/table/7?from=cart")
    assert back not in read(browser_of(phone).get(card)).links()
    Table.objects.update(qr_analytics_id="seven")
    phone.cookies["tableScan"] = gateway.signed_scan("seven")
    assert back in read(browser_of(phone).get(card)).links()


def test_the_menu_counts_the_codes_that_can_still_be_used(ada, session):
    phone, member = ada
    reward = make_reward(points=10)
    for _ in range(3):
        redemptions.redeem(member_id=str(member.pk), reward_id=str(reward.pk))
    assert card_on_menu(phone).startswith("70 points · 3 codes to use Ada's card")
    Redemption.objects.filter(pk=Redemption.objects.first().pk).update(expires_at=timezone.now() - timedelta(seconds=1))
    assert card_on_menu(phone).startswith("70 points · 2 codes to use Ada's card")


def test_the_menu_names_the_code_that_ends_first_once_that_is_soon(clock, ada, session):
    clock(NOON)

    phone, member = ada

    def make_code(name: str) -> str:
        reward = make_reward(name, 10)
        return redemptions.redeem(member_id=str(member.pk), reward_id=str(reward.pk)).code

    def soon(code: str, **left) -> str:
        """Return the menu's sentence about a code that ends soon."""
        Redemption.objects.filter(redemption_code=code).update(expires_at=NOON + timedelta(**left))
        return card_on_menu(phone).partition(" collects what you order ")[2]

    coffee, soup, cake = map(make_code, ("Coffee", "Soup", "Cake & Tea"))
    assert card_on_menu(phone).endswith(" collects what you order")
    assert soon(soup, days=6) == "Soup 5 days left"
    assert soon(cake, days=1) == "Cake & Tea Ends today"
    assert soon(cake, seconds=-1).startswith("Soup ")
    assert soon(coffee, days=2) == "Coffee 1 day left"


def test_a_card_costs_strangers_no_statement_and_its_own_phone_three(ada, session):
    def statements(phone) -> int:
        menu_of(phone)
        with CaptureQueriesContext(connection) as seen:
            menu_of(phone)
        return sum("web_permits" not in query["sql"] for query in seen)

    assert statements(ada[0]) == statements(phone_without_card()) + 3


def test_the_cart_says_that_an_order_earns_points_where_it_does_and_no_card_is_there(ada, session, soup):
    def cart(phone):
        browser = cart_of(phone, session)
        browser.post("/table/7/cart", {"add": str(soup.pk), "sessionId": str(session.pk)})
        return earnings(read(browser.get("/table/7/cart")))

    later = ("It earns points: collect them after ordering.", None, False)
    now = ("It earns 9 points: collect them after ordering.", "9.50", True)
    assert cart(phone_without_card()) == [now, later]
    assert cart(ada[0]) == [("It earns 9 points.", "9.50", True)]
    MenuItem.objects.update(price="0.90")
    assert cart(phone_without_card()) == [later]
    venue.remember(venue.Venue(name="Chez Nous"))  # without a location
    assert cart(phone_without_card()) == []


def test_the_cart_names_the_card_and_takes_no_for_an_answer(ada, session, soup):
    phone, member = ada
    browser = cart_of(phone, session)
    browser.post("/table/7/cart", {"add": str(soup.pk), "sessionId": str(session.pk)})
    response = browser.get("/table/7/cart")
    assert "Collect points on Ada's card" in read(response).field("collect").name
    assert "Lovelace" not in response.text
    assert earnings(read(response)) == [("It earns 9 points.", "9.50", True)]
    form = form_of(read(response))
    assert form.pop("collect") == ["yes"]
    # The box is empty, and the form is sent by the button that takes one more.
    assert browser.post("/table/7/cart", form | {"more": str(soup.pk)}).status_code == 303
    page = read(browser.get("/table/7/cart"))
    assert earnings(page) == [("It earns 19 points.", "19.00", False)]
    form = form_of(page)
    assert "collect" not in form
    response = browser.post("/table/7/order", form)
    assert response.status_code == 303
    assert Order.objects.get().collector == ""
    assert "Collect on Ada's card" in read(browser.get(response["Location"])).names(
        "button"
    )  # they may change their mind
    browser.post("/table/7/cart", {"add": str(soup.pk), "sessionId": str(session.pk)})
    form = form_of(read(browser.get("/table/7/cart")))
    assert "collect" not in form
    browser.post("/table/7/order", form | {"collect": "yes"})
    assert Order.objects.latest("created_at").collector == str(member.pk)
    assert browser.cookies["collect"].value == ""


def test_a_program_says_no_by_a_field_or_as_its_cart_has_said(ada, session, soup):
    phone, member = ada
    assert place(phone, session, (soup, 1), collect=False).collector == ""
    assert place(phone, session, (soup, 1)).collector == ""
    assert place(phone, session, (soup, 1), collect=True).collector == str(member.pk)
    assert place(phone, session, (soup, 1)).collector == str(member.pk)
    put = phone.put("/table/7/cart", {"items": [], "sessionId": str(session.pk), "collect": False}, format="json")
    assert put.status_code == 200
    assert place(phone, session, (soup, 1)).collector == ""
    body = order_body(session, (soup, 1)) | {"collect": "no"}
    assert phone.post("/table/7/order", body, format="json").status_code == 400


# --- the bill ---------------------------------------------------------------------------------------


def test_the_bill_of_staff_says_what_collects_so_that_the_till_does_not(ada, session, soup, bread, floor):
    place(ada[0], session, (soup, 1))
    place(phone_without_card(), session, (bread, 1))
    page = read(floor.get(f"/table/7/bill?sessionId={session.pk}", headers={"accept": "text/html"}))
    assert "Points for €9.50 of this bill" in page


def test_the_bill_says_what_the_table_s_orders_earn(ada, session, soup):
    phone, _ = ada
    path = f"/table/7/bill?sessionId={session.pk}"
    order = place(phone, session, (soup, 2))
    Order.objects.filter(pk=order.pk).update(collector="")
    page = read(browser_of(phone).get(path))
    assert "for this visit" not in page
    assert ("19 points wait for you", f"/orders/{order.pk}") in page.links()
    assert "wait for you" not in read(browser_of(phone_without_card()).get(path))  # whose order it isn't
    Order.objects.filter(pk=order.pk).update(collector=order.collector)
    page = read(browser_of(phone).get(path))
    assert "19 points for this visit" in page
    assert "wait for you" not in page
    close(session)
    assert "19 points for this visit" in read(browser_of(phone).get(path))
    assert points_of(phone, order)["collectedAt"]
