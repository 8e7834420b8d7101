"""The menu, the cart and the bill say what a phone's card collects, and a guest may say no to it."""

import gzip
import re
from datetime import UTC, datetime, timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from loyalty.models import Redemption
from loyalty.services import redemptions
from qrservice import proofs
from restaurant.models import MenuItem, Order, Table
from tests.config.collecting import browser_of, close, open_venue, phone_with_card, phone_without_card, place, points_of
from tests.conftest import order_body
from tests.loyalty.making import make_reward
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


def form_of(page: str) -> dict:
    names = ("menuItemId", "priceSeen", "quantity", "sessionId", "idempotencyKey", "collectShown")
    form = {name: re.findall(rf'name="{name}" value="([^"]*)"', page) for name in names}
    return form | ({"collect": "yes"} if re.search(r'name="collect" value="yes" checked', page) else {})


def menu_of(phone) -> str:
    response = browser_of(phone).get("/table/7", headers={"accept-encoding": "gzip"})
    return " ".join(gzip.decompress(response.content).decode().split())


def test_the_menu_leads_to_the_card_of_this_phone_only_and_says_what_is_on_it(ada, session):
    phone, member = ada
    menu = menu_of(phone)
    assert f'<a class="menu-card" href="/member/{member.pk}">' in menu
    assert "<strong>100 points</strong>" in menu
    assert "Ada's card collects what you order" in menu
    stranger = menu_of(phone_without_card())  # this one is cached for all
    assert "Ada" not in stranger
    assert "menu-card" not in stranger
    phone.cookies["collect"] = "no"
    assert "collects what you order" not in menu_of(phone)
    assert "Ada's card" in menu_of(phone)
    back = '<a class="tap" href="/table/7?from=cart">Menu</a>'
    card = f"/member/{member.pk}"
    assert back not in browser_of(phone).get(card).content.decode()
    Table.objects.update(qr_analytics_id="seven")
    phone.cookies["tableScan"] = proofs.proof("seven")
    assert back in browser_of(phone).get(card).content.decode()


def test_the_menu_counts_the_codes_that_can_still_be_used(ada, session):
    phone, member = ada
    reward = make_reward(points=10)
    for _ in range(3):
        redemptions.redeem(member_id=str(member.pk), reward_id=str(reward.pk))
    assert "<strong>70 points · 3 codes to use</strong>" in menu_of(phone)
    Redemption.objects.filter(pk=Redemption.objects.first().pk).update(expires_at=timezone.now() - timedelta(seconds=1))
    assert "<strong>70 points · 2 codes to use</strong>" in menu_of(phone)


def test_the_menu_names_the_code_that_ends_first_once_that_is_soon(clock, ada, session):
    clock(NOON)

    phone, member = ada

    def make_code(name: str) -> str:
        reward = make_reward(name, 10)
        return redemptions.redeem(member_id=str(member.pk), reward_id=str(reward.pk)).code

    def soon(code: str, **left) -> str:
        """What the menu says once the code ends so soon."""
        Redemption.objects.filter(redemption_code=code).update(expires_at=NOON + timedelta(**left))
        found = re.search(r'<span class="menu-card-soon"><span>([^<]*)</span> <span>([^<]*)</span>', menu_of(phone))
        return " · ".join(found.groups())

    coffee, soup, cake = map(make_code, ("Coffee", "Soup", "Cake & Tea"))
    assert "menu-card-soon" not in menu_of(phone)
    assert soon(soup, days=6) == "Soup · 5 days left"
    assert soon(cake, days=1) == "Cake &amp; Tea · Ends today"
    assert soon(cake, seconds=-1).startswith("Soup · ")
    assert soon(coffee, days=2) == "Coffee · 1 day left"


def test_a_card_costs_strangers_no_statement_and_its_own_phone_three(ada, session):
    def statements(phone) -> int:
        menu_of(phone)
        with CaptureQueriesContext(connection) as seen:
            menu_of(phone)
        return sum("web_permits" not in each["sql"] for each in seen)

    assert statements(ada[0]) == statements(phone_without_card()) + 3


def test_the_cart_says_that_an_order_earns_points_where_it_does_and_no_card_is_there(ada, session, soup):
    def cart(phone):
        browser = cart_of(phone, session)
        browser.post("/table/7/cart", {"add": str(soup.pk), "sessionId": str(session.pk)})
        return browser.get("/table/7/cart").content.decode()

    page = cart(phone_without_card())
    assert 'id="total-points" data-total="9.50">It earns 9 points: collect them after ordering.</p>' in page
    assert 'id="total-points-later" hidden>It earns points: collect them after ordering.</p>' in page
    assert "after ordering" not in cart(ada[0])
    MenuItem.objects.update(price="0.90")
    assert '<p class="total-points" id="total-points"' not in cart(phone_without_card())
    venue.remember(venue.Venue(name="Chez Nous"))  # without a location
    assert "It earns" not in cart(phone_without_card())


def test_the_cart_names_the_card_and_takes_no_for_an_answer(ada, session, soup):
    phone, member = ada
    browser = cart_of(phone, session)
    browser.post("/table/7/cart", {"add": str(soup.pk), "sessionId": str(session.pk)})
    page = browser.get("/table/7/cart").content.decode()
    assert "Collect points on Ada's card" in page
    assert "Lovelace" not in page
    assert 'data-total="9.50">It earns 9 points.</p>' in page
    form = form_of(page)
    assert form.pop("collect") == "yes"
    # The box is empty, and the form is sent by the button that takes one more.
    assert browser.post("/table/7/cart", form | {"more": str(soup.pk)}).status_code == 303
    page = browser.get("/table/7/cart").content.decode()
    assert 'data-total="19.00" hidden>It earns 19 points.</p>' in page
    form = form_of(page)
    assert "collect" not in form
    response = browser.post("/table/7/order", form)
    assert response.status_code == 303
    assert Order.objects.get().collector == ""
    page = browser.get(response["Location"]).content.decode()
    assert "Collect on Ada's card" in page  # they may change their mind
    browser.post("/table/7/cart", {"add": str(soup.pk), "sessionId": str(session.pk)})
    form = form_of(browser.get("/table/7/cart").content.decode())
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
    page = floor.get(f"/table/7/bill?sessionId={session.pk}", headers={"accept": "text/html"}).content.decode()
    assert "Points for €9.50 of this bill" in page


def test_the_bill_says_what_the_table_s_orders_earn(ada, session, soup):
    phone, _ = ada
    path = f"/table/7/bill?sessionId={session.pk}"
    order = place(phone, session, (soup, 2))
    Order.objects.filter(pk=order.pk).update(collector="")
    page = browser_of(phone).get(path).content.decode()
    assert "for this visit" not in page
    assert f'<a href="/orders/{order.pk}">19 points wait for you</a>' in page
    assert "wait for you" not in browser_of(phone_without_card()).get(path).content.decode()  # whose order it isn't
    Order.objects.filter(pk=order.pk).update(collector=order.collector)
    page = browser_of(phone).get(path).content.decode()
    assert "19 points for this visit" in page
    assert "wait for you" not in page
    close(session)
    assert "19 points for this visit" in browser_of(phone).get(path).content.decode()
    assert points_of(phone, order)["collectedAt"]
