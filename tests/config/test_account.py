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
