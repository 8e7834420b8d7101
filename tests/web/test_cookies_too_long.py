"""A Cookie header longer than any that a browser has of us is not parsed: that may take quadratic time."""

import pytest

from config.wsgi import LONGEST_COOKIES
from tests.conftest import make_user, signed_in
from tests.web.server import call

pytestmark = pytest.mark.django_db


def test_who_sends_a_longer_one_is_nobody():
    session = signed_in(make_user("Floor")).cookies["staff_session"].value
    for length, status in ((LONGEST_COOKIES, "200"), (LONGEST_COOKIES + 1, "401")):
        assert call("/kitchen", HTTP_COOKIE=f"staff_session={session}; x=".ljust(length, "y")).status == status
