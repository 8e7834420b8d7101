"""Guests' forms carry no token: a request of a page of another site is refused by its headers."""

import pytest
from django.test import Client

from restaurant.models import CartLine
from tests.conftest import PAGE, make_user

pytestmark = pytest.mark.django_db

ORIGINS = [
    ({"Sec-Fetch-Site": "cross-site"}, False),
    ({"Sec-Fetch-Site": "same-site"}, False),
    ({"Sec-Fetch-Site": "cross-site", "Origin": "http://testserver"}, False),
    ({"Sec-Fetch-Site": "same-origin"}, True),
    ({"Sec-Fetch-Site": "none"}, True),
    ({"Origin": "https://evil.example"}, False),
    ({"Origin": "http://testserver.evil.example"}, False),
    ({"Origin": "null"}, False),
    ({"Origin": ""}, False),
    ({"Origin": "http://["}, False),
    ({"Origin": "http://testserver"}, True),
    ({}, True),
]


@pytest.fixture(params=["a guest", "staff"])
def phone(request, browser_client, table) -> Client:
    """Its browser enforces Django's CSRF checks wherever a view does."""
    if request.param == "staff":
        browser_client.force_login(make_user("Cashiers"))
    browser_client.get("/table/7")
    return browser_client


@pytest.mark.parametrize(("headers", "is_accepted"), ORIGINS)
def test_a_form_is_accepted_from_this_site_alone(phone, soup, headers, is_accepted):
    response = phone.post("/table/7/cart", {"add": str(soup.pk)}, headers={"accept": PAGE, **headers})
    assert response.status_code == (303 if is_accepted else 403)
    assert CartLine.objects.exists() == is_accepted


@pytest.mark.parametrize(("headers", "is_accepted"), ORIGINS)
def test_so_is_what_a_script_sends(phone, soup, headers, is_accepted):
    body = {"items": [{"menuItemId": str(soup.pk)}]}
    response = phone.put(
        "/table/7/cart", body, content_type="application/json", headers={"accept": "application/json", **headers}
    )
    assert response.status_code == (200 if is_accepted else 403)
    assert CartLine.objects.exists() == is_accepted


def test_a_link_of_another_site_opens_the_menu(phone):
    assert phone.get("/table/7", headers={"sec-fetch-site": "cross-site"}).status_code == 200


def test_guests_pages_have_no_token(phone, soup):
    assert "csrf" not in phone.get("/table/7").content.decode()
    phone.post("/table/7/cart", {"add": str(soup.pk)})
    assert "csrf" not in phone.get("/table/7/cart").content.decode()
    assert "csrftoken" not in phone.cookies


def test_staff_s_own_forms_need_their_token(browser_client, session):
    browser_client.force_login(make_user("Cashiers"))
    form = {"sessionId": str(session.pk)}
    response = browser_client.post("/table/7/close", form, headers={"sec-fetch-site": "same-origin"})
    assert response.status_code == 403
    session.refresh_from_db()
    assert session.ended_at is None
