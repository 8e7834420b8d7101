"""A password that somebody was given opens nothing but the page on which they choose their own."""

import pytest
from django.contrib.auth.models import User
from django.test import Client

from tests.config.staff import add, change, sign_in
from tests.conftest import PAGE, make_user
from tests.loyalty.making import with_token
from web.credentials import BrowserSession

pytestmark = pytest.mark.django_db

OWN = "harbour lights at dusk"


@pytest.fixture
def given(manager) -> str:
    return add(manager).json()["password"]


def choose(client: Client, new: str, again: str = "", **values):
    return client.post("/password", {"new_password1": new, "new_password2": again or new, **values})


def test_a_browser_is_led_to_the_page_and_back_to_where_it_was_going(given):
    browser = sign_in("ada", given)
    for path in ("/kitchen", "/", "/admin/", "/nowhere"):
        response = browser.get(path)
        assert response.status_code == 302
        assert response["Location"].startswith("/password?next=")
    assert browser.get("/password?next=/kitchen").status_code == 200
    response = choose(browser, OWN, next="/kitchen")
    assert (response.status_code, response["Location"]) == (302, "/kitchen")
    assert browser.get("/kitchen").status_code == 200
    assert sign_in("ada", given).get("/kitchen").status_code == 302
    assert sign_in("ada", OWN).get("/kitchen").status_code == 200


def test_programs_and_forms_with_such_a_session_are_told_why(given, table):
    browser = sign_in("ada", given)
    for response in (
        browser.get("/kitchen", headers={"accept": "application/json"}),
        browser.get("/kitchen", headers={"accept": "application/json", "authorization": "Basic eDp4"}),
        browser.get("/table/7", headers={"accept": "application/json"}),
        browser.post("/tables", {"tableNumber": 8}, content_type="application/json"),
    ):
        assert response.status_code == 403
        assert response["Cache-Control"] == "private, no-store"
    assert "/password" in browser.get("/kitchen", headers={"accept": "*/*"}).json()["error"]
    assert browser.post("/sign-out").status_code == 302
    assert browser.get("/kitchen", headers={"accept": "application/json"}).status_code == 401


def test_no_socket_opens_for_such_a_session(given):
    browser = sign_in("ada", given)
    credential = BrowserSession(browser.cookies["staff_session"].value)
    assert not credential.user().is_authenticated
    choose(browser, OWN)
    assert BrowserSession(browser.cookies["staff_session"].value).user().username == "ada"


def test_a_token_goes_on_after_a_new_password(manager):
    ada = make_user("Floor", "ada")
    program = with_token(ada)
    change(manager, "ada", resetPassword=True)
    assert program.get("/kitchen").status_code == 200


def test_the_given_password_and_weak_ones_are_not_taken(given):
    browser = sign_in("ada", given)
    for new, again in ((given, given), ("12345678901", ""), ("short", ""), (OWN, "something else"), ("ada", "")):
        response = choose(browser, new, again)
        assert response.status_code == 200
        assert 'role="alert"' in response.content.decode()
    assert User.objects.get(username="ada").check_password(given)
    assert browser.get("/kitchen").status_code == 302


def test_of_two_browsers_the_second_has_to_sign_in_again(given):
    first, second = sign_in("ada", given), sign_in("ada", given)
    choose(first, OWN)
    assert choose(second, "another pass phrase")["Location"].startswith("/sign-in")
    assert first.get("/kitchen").status_code == 200


def test_anybody_changes_their_own_with_the_present_one():
    make_user("Floor", "bruno")
    browser = sign_in("bruno", "a long pass phrase")
    assert choose(browser, OWN).status_code == 200
    assert choose(browser, OWN, old_password="wrong").status_code == 200
    assert choose(browser, OWN, old_password="a long pass phrase", next="https://evil.example/")["Location"] == "/"
    assert "Your password is changed." in browser.get("/").content.decode()
    assert sign_in("bruno", OWN).get("/kitchen").status_code == 200


def test_the_present_password_is_not_guessed_at_a_device_that_is_signed_in(settings):
    settings.RATE_LIMITS = {**settings.RATE_LIMITS, "wrong_code": "3/hour"}
    make_user("Floor", "bruno")
    browser = sign_in("bruno", "a long pass phrase")
    statuses = [choose(browser, OWN, old_password="wrong").status_code for _ in range(4)]
    assert statuses == [200, 200, 200, 429]
    assert choose(browser, OWN, old_password="a long pass phrase").status_code == 429


def test_a_stranger_is_led_to_the_sign_in_page(client):
    assert client.get("/password", headers={"accept": PAGE})["Location"] == "/sign-in?next=/password"


def test_guests_responses_do_not_depend_on_a_session(client, table):
    path = table.qr_code_url.partition("8000")[2]
    assert "cookie" not in client.get(path).get("Vary", "").lower()
