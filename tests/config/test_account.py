"""The page of what members of staff set for themselves."""

import pytest

from tests.conftest import PAGE, browser_of, make_user
from tests.reading import read

pytestmark = pytest.mark.django_db


def test_staff_see_who_they_are_and_others_are_led_to_the_sign_in(client):
    browser = browser_of(make_user("Floor"))
    page = read(browser.get("/account", headers={"accept": PAGE}))
    assert "Floor" in page.text
    assert page.one("link", "Change password")["href"] == "/password"
    assert client.get("/account", headers={"accept": PAGE})["Location"] == "/sign-in?next=/account"


def test_only_floor_and_kitchen_are_offered_messages_and_iphones_a_web_app():
    page = read(browser_of(make_user("Floor")).get("/account", headers={"accept": PAGE}))
    assert page.one("heading", "On a locked phone")
    manifest = browser_of(make_user("Managers")).get("/staff.webmanifest")
    assert manifest["Content-Type"] == "application/manifest+json"
    assert (manifest.json()["display"], manifest.json()["start_url"]) == ("standalone", "/")
    assert "On a locked phone" not in read(browser_of(make_user("Cashiers")).get("/account", headers={"accept": PAGE}))
