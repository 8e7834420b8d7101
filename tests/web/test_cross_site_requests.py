"""What a page of another site sends is refused, whoever's browser sends it: guests' forms have no token.

A table of headers tests what a browser says of where a request comes from; a walk, that every view looks at it.
"""

import pytest
from django.test import Client
from rest_framework.test import APIClient

from tests.conftest import PAGE, make_user
from tests.described import CHEAP, ITEM, RICH, make_venue, member_cookies
from tests.reading import read
from tests.web.addresses import UNSAFE, Address, addresses
from web.authentication import StaffSession, is_cross_site

pytestmark = pytest.mark.django_db

FORM, JSON = "application/x-www-form-urlencoded", "application/json"
FOREIGN = [
    {"sec-fetch-site": "cross-site"},
    {"sec-fetch-site": "same-site"},
    {"sec-fetch-site": "cross-site", "origin": "http://testserver"},
    {"sec-fetch-site": "cross-site", "origin": "https://evil.example"},
    {"origin": "https://evil.example"},
    {"origin": "http://testserver.evil.example"},
    {"origin": "https://menu.example.evil.example"},
    {"origin": "http://menu.example"},
    {"origin": "null"},
    {"origin": ""},
    {"origin": "http://["},
]
OWN = [
    {"sec-fetch-site": "same-origin"},
    {"sec-fetch-site": "none"},
    {"sec-fetch-site": "same-origin", "origin": "https://evil.example"},  # no browser sends both
    {"origin": "http://testserver"},
    {"origin": "https://menu.example"},  # that of APP_BASE_URL, whichever name a proxy asks for
    {},
]


def test_its_headers_tell_where_a_request_comes_from(rf, settings):
    settings.APP_BASE_URL = "https://menu.example/venue"
    found = [is_cross_site(rf.post("/table/7/cart", headers=headers)) for headers in FOREIGN + OWN]
    assert found == [True] * len(FOREIGN) + [False] * len(OWN)


# --- every view -------------------------------------------------------------------------------------


def browsers() -> dict[str, Client]:
    """They enforce Django's CSRF checks wherever a view does."""
    staff, guest = Client(enforce_csrf_checks=True), Client(enforce_csrf_checks=True)
    staff.force_login(make_user("Managers"))
    guest.cookies.load(member_cookies())
    return {"staff": staff, "a guest": guest}


def of_browsers() -> list[tuple[Address, str]]:
    """Addresses and methods that people's cookies open."""
    found = [address for address in addresses() if StaffSession in getattr(address.view, "authentication_classes", ())]
    return [(each, method) for each in found for method in each.methods if method in UNSAFE]


def test_every_form_and_endpoint_refuses_what_another_site_sends():
    make_venue()
    wrong, foreign = [], {"origin": "https://evil.example"}
    for name, browser in browsers().items():
        for address, method in of_browsers():
            for kind in (FORM, JSON):
                response = browser.generic(method.upper(), address.path, b"{}", content_type=kind, headers=foreign)
                is_asked_first = name == "a guest" and not address.is_public(method)
                expected = (401, False) if is_asked_first else (403, True)
                is_told = "came from a page of another site" in response.json().get("error", "")
                if (response.status_code, is_told) != expected or response.cookies:
                    wrong.append((name, method, address.path, kind, response.status_code, response.content[:100]))
    assert wrong == []
    assert len(of_browsers()) > 40


def test_guests_forms_need_no_token_and_all_others_do():
    make_venue()
    wrong = []
    for name, browser in browsers().items():
        for address, method in of_browsers():
            if name == "a guest" and not address.is_public(method):
                continue
            headers = {"sec-fetch-site": "same-origin"}
            response = browser.generic(method.upper(), address.path, b"{}", content_type=JSON, headers=headers)
            words = response.content.decode()
            needs_token, is_foreign = "open for too long" in words, "another site" in words
            if needs_token == address.is_public(method) or is_foreign or response.status_code >= 500:
                wrong.append((name, method, address.path, response.status_code, response.content[:100]))
    assert wrong == []


def test_views_that_check_nothing_of_this_take_a_key_or_a_token_of_django_s():
    browser = Client(enforce_csrf_checks=True)
    others = {(address.path, method) for address in addresses() for method in address.methods if method in UNSAFE}
    others -= {(address.path, method) for address, method in of_browsers()}
    answers = {(path, method): getattr(browser, method)(path) for path, method in others}
    assert {
        key: answer.status_code for key, answer in answers.items() if answer.status_code not in {401, 403, 405}
    } == {}


# --- pages ------------------------------------------------------------------------------------------


def test_a_guest_whose_form_another_site_sent_reads_why_nothing_was_done(browser_client):
    fields = {"email": "new@example.com", "name": "New"}
    response = browser_client.post("/members", fields, headers={"sec-fetch-site": "cross-site"})
    assert response.status_code == 403
    assert "page of another site" in read(response)
    assert not response.cookies


def test_a_link_of_another_site_opens_the_menu(browser_client, table):
    assert browser_client.get("/table/7", headers={"sec-fetch-site": "cross-site"}).status_code == 200


@pytest.mark.parametrize("group", ["", "Cashiers"])
def test_guests_pages_have_no_token_whoever_opens_them(group):
    make_venue()
    browser = Client(headers={"accept": PAGE})
    browser.cookies.load(member_cookies())
    if group:
        browser.force_login(make_user(group))
    browser.get("/table/7")
    browser.post("/table/7/cart", {"add": ITEM})
    pages = ["/table/7", "/table/7/cart", "/member-sign-in", f"/member/{RICH}/account"]
    pages.append(f"/rewards/{CHEAP}/redeem?customerId={RICH}")
    for path in pages:
        response = browser.get(path)
        assert response.status_code == 200, path
        assert read(response).all("form"), path
        assert "csrf" not in response.content.decode(), path
    signup = Client(headers={"accept": PAGE}).get("/signup")
    assert "csrf" not in signup.content.decode()
    assert not {"csrftoken"} & {*browser.cookies, *signup.cookies}


def test_a_signed_in_till_sends_guests_forms_without_a_token():
    make_venue()
    till = APIClient(enforce_csrf_checks=True, headers={"accept": PAGE, "sec-fetch-site": "same-origin"})
    till.force_login(make_user("Cashiers"))
    enrolled = till.post("/members", {"email": "new@example.com", "name": "New"}, format="multipart")
    redeemed = till.post(f"/rewards/{CHEAP}/redeem", {"customerId": RICH}, format="multipart")
    assert (enrolled.status_code, redeemed.status_code) == (303, 303)
