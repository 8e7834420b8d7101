"""Guests' forms have no token: a request that a page of another site sends is refused by where it comes from."""

import pytest
from django.core import mail
from django.test import Client

from loyalty.models import Member, Redemption
from tests.conftest import PAGE, make_user
from tests.loyalty.making import enrol, make_member, make_reward

pytestmark = pytest.mark.django_db

FORMS = ["enrol", "link", "redeem", "account", "email", "sign out"]
FOREIGN = [
    {"sec-fetch-site": "cross-site"},
    {"sec-fetch-site": "same-site"},
    {"sec-fetch-site": "cross-site", "origin": "http://testserver"},
    {"origin": "https://evil.example"},
    {"origin": "http://testserver.evil.example"},
    {"origin": "null"},
]
OWN = [
    {"sec-fetch-site": "same-origin"},
    {"sec-fetch-site": "none"},
    {"sec-fetch-site": "same-origin", "origin": "https://evil.example"},  # no browser sends both
    {"origin": "http://testserver"},
    {},
]
from_elsewhere = pytest.mark.parametrize("headers", FOREIGN, ids=str)
from_here = pytest.mark.parametrize("headers", OWN, ids=str)


@pytest.fixture
def card() -> tuple[Client, Member]:
    """A browser that checks what a browser would send, signed in to a card."""
    phone, member = enrol()
    browser = Client(enforce_csrf_checks=True, headers={"accept": PAGE})
    browser.cookies = phone.cookies
    return browser, member


@pytest.fixture(params=FORMS)
def form(request, card) -> tuple[Client, str, dict]:
    browser, member = card
    path, fields = {
        "enrol": ("/members", {"email": "new@example.com", "name": "New"}),
        "link": ("/member-sign-in", {"email": member.email}),
        "redeem": (f"/rewards/{make_reward().pk}/redeem", {"customerId": str(member.pk)}),
        "account": (f"/member/{member.pk}/account", {"name": "Another", "nameShown": member.name}),
        "email": (f"/member/{member.pk}/email", {"email": "new@example.com"}),
        "sign out": ("/member-sign-out", {}),
    }[request.param]
    return browser, path, fields


@from_elsewhere
def test_a_form_of_another_site_is_refused_and_does_nothing(form, headers):
    browser, path, fields = form
    response = browser.post(path, fields, headers=headers)
    assert response.status_code == 403
    assert b"page of another site" in response.content
    assert not response.cookies
    assert [each.name for each in Member.objects.all()] == ["Ada Lovelace"]
    assert not Redemption.objects.exists()
    assert not mail.outbox


@from_elsewhere
@pytest.mark.parametrize("content_type", ["application/json", "text/plain", ""])
def test_so_is_any_other_content(form, headers, content_type):
    browser, path, _fields = form
    response = browser.generic("POST", path, b"{}", content_type=content_type, headers=headers)
    assert response.status_code == 403


@from_here
def test_a_form_of_this_site_needs_no_token(form, headers):
    browser, path, fields = form
    assert browser.post(path, fields, headers=headers).status_code == 303


@from_here
def test_a_signed_in_till_sends_guests_forms_without_a_token(headers):
    till = Client(enforce_csrf_checks=True, headers={"accept": PAGE})
    till.force_login(make_user("Cashiers"))
    enrolled = till.post("/members", {"email": "new@example.com", "name": "New"}, headers=headers)
    assert (enrolled.status_code, Member.objects.count()) == (303, 1)
    redeemed = till.post(f"/rewards/{make_reward().pk}/redeem", {"customerId": str(make_member().pk)}, headers=headers)
    assert (redeemed.status_code, Redemption.objects.count()) == (303, 1)


@from_elsewhere
def test_another_site_can_t_send_them_with_the_till_s_session(headers):
    till = Client(enforce_csrf_checks=True, headers={"accept": PAGE})
    till.force_login(make_user("Cashiers"))
    assert till.post("/members", {"email": "new@example.com", "name": "New"}, headers=headers).status_code == 403
    path = f"/rewards/{make_reward().pk}/redeem"
    assert till.post(path, {"customerId": str(make_member().pk)}, headers=headers).status_code == 403
    assert not Redemption.objects.exists()


def test_guests_pages_have_no_token(card):
    browser, member = card
    reward = make_reward()
    pages = ["/member-sign-in", f"/member/{member.pk}/account", f"/rewards/{reward.pk}/redeem?customerId={member.pk}"]
    for page in [browser.get(path) for path in pages] + [Client(headers={"accept": PAGE}).get("/signup")]:
        assert page.status_code == 200
        assert b"<form" in page.content
        assert b"csrfmiddlewaretoken" not in page.content
        assert "csrftoken" not in page.cookies
