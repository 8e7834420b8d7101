"""Calls for the waiter and the bill by the forms of guests' pages."""

from datetime import timedelta

import pytest
from django.utils import timezone
from rest_framework.test import APIClient

from restaurant.models import TableCall, TableSession
from tests.conftest import PAGE, order_body
from tests.reading import Part, read
from tests.restaurant.ordering.forms import form_of
from web.templatetags.money import clock

pytestmark = pytest.mark.django_db


@pytest.fixture
def phone(table) -> APIClient:
    client = APIClient(headers={"accept": PAGE})
    client.get("/table/7")
    return client


@pytest.fixture
def session(phone, table) -> TableSession:
    return table.sessions.get()


@pytest.fixture
def order(phone, session, soup) -> str:
    """The address of the phone's order."""
    body = order_body(session, (soup, 1))
    made = phone.post("/table/7/order", body, format="json", headers={"accept": "application/json"})
    return f"/orders/{made.json()['orderId']}"


def call(phone: APIClient, session: TableSession, kind: str = "waiter", **fields):
    return phone.post("/table/7/calls", {"sessionId": str(session.pk), "kind": kind, **fields})


def page(phone: APIClient, address: str) -> Part:
    return read(phone.get(address))


def kinds(page: Part) -> list[str]:
    """Of the calls that the page offers."""
    forms = [form for form in page.all("form") if form.get("action") == "/table/7/calls"]
    return [button["value"] for form in forms for button in form.all("button")]


@pytest.mark.parametrize("place", ["cart", "order"])
def test_a_call_leads_back_to_the_page_it_came_from_which_says_that_somebody_comes(phone, session, order, floor, place):
    address = "/table/7/cart" if place == "cart" else order
    before = page(phone, address)
    assert form_of(before, "/table/7/calls").fields()["next"] == address
    assert "Somebody is on the way" not in before
    response = call(phone, session, next=address)
    assert (response.status_code, response["Location"]) == (303, f"{address}#calls")
    shown = page(phone, address)
    at = clock(TableCall.objects.get().created_at)
    assert f"Waiter called at {at}. Somebody is on the way." in shown
    assert kinds(shown) == ["bill"]
    call(phone, session, "bill", next=address)
    at = clock(TableCall.objects.get(kind="bill").created_at)
    assert f"Asked to pay at {at}. Somebody is on the way with the bill." in page(phone, address)
    for made in floor.get("/floor").json()["calls"]:
        floor.post(f"/calls/{made['id']}/done")
    assert "Somebody is on the way" not in page(phone, address)


def test_a_call_leads_to_pages_of_this_site_alone(subtests, phone, session):
    for address in ["https://evil.example/", "//evil.example", "javascript:alert(1)", "", "\\\\evil"]:
        with subtests.test(address=address):
            assert call(phone, session, next=address)["Location"] == "/table/7/cart#calls"


def test_a_page_with_a_line_break_in_its_name_is_one_address(subtests, phone, session):
    for named, location in [("/a\r\nSet-Cookie: b=c", "/a%0D%0ASet-Cookie:%20b=c"), ("/a b\té", "/a%20b%09%C3%A9")]:
        with subtests.test(named=named, location=location):
            response = call(phone, session, next=named)
            assert (response.status_code, response["Location"]) == (303, f"{location}#calls")


def test_a_double_tap_is_one_call(phone, session):
    assert [call(phone, session).status_code for _ in range(2)] == [303, 303]
    assert TableCall.objects.count() == 1


def test_after_closing_nobody_is_called_and_the_page_says_why(phone, session, order):
    TableSession.objects.update(ended_at=timezone.now())
    response = call(phone, session)
    assert response.status_code == 409
    assert "Your table session has ended." in read(response)
    assert not TableCall.objects.exists()
    for address in ("/table/7/cart", order):
        shown = page(phone, address)
        assert kinds(shown) == []
        assert f"/table/7/bill?sessionId={session.pk}" in dict(shown.links()).values()


def test_a_party_that_stays_for_long_still_calls(phone, session, order):
    TableSession.objects.update(started_at=timezone.now() - timedelta(hours=5))
    assert "Ask to pay" in page(phone, order)
    assert call(phone, session, "bill").status_code == 303


def test_a_word_that_is_no_kind_of_call_is_refused(phone, session):
    assert call(phone, session, "police").status_code == 400
    assert not TableCall.objects.exists()


def test_the_menu_calls_by_one_tap_and_the_cart_says_so(phone, session):
    menu = page(phone, "/table/7?from=cart")
    [form] = [each for each in menu.all("form") if each.get("action") == "/table/7/calls"]
    assert form.one("button", "Call the waiter")["value"] == "waiter"
    response = phone.post("/table/7/calls", {"kind": "waiter"})  # the phone's cookie names the session
    assert (response.status_code, response["Location"]) == (303, "/table/7/cart#calls")
    assert "Waiter called at" in page(phone, "/table/7/cart")
    assert TableCall.objects.get().session == session
