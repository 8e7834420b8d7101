"""A Cookie header longer than any that a browser has of us is not parsed: that may take quadratic time."""

import pytest

from config.wsgi import LONGEST_COOKIES
from restaurant.models import TableSession
from tests.conftest import make_user, signed_in
from tests.restaurant.test_menu_page import Phone

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(("length", "is_read"), [(LONGEST_COOKIES, True), (LONGEST_COOKIES + 1, False)])
def test_a_longer_one_is_no_cookie(table, soup, length, is_read):
    phone = Phone()
    phone.get()
    own = phone.cookies["sessionId"]
    phone.cookies["x"] = ""
    header = "; ".join(f"{name}={value}" for name, value in phone.cookies.items())
    phone.cookies["x"] = "y" * (length - len(header))
    response = phone.get()
    assert response.status == 200
    assert (phone.cookies["sessionId"] == own) is is_read
    assert TableSession.objects.count() == 1


def test_staff_with_a_longer_one_are_nobody(db):
    phone = Phone()
    phone.headers["HTTP_ACCEPT"] = "application/json"
    phone.cookies["staff_session"] = signed_in(make_user("Floor")).cookies["staff_session"].value
    assert phone.get("/kitchen").status == 200
    phone.cookies["x"] = "y" * LONGEST_COOKIES
    assert phone.get("/kitchen").status == 401
