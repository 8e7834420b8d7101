"""Compressed pages with a form token reveal nothing by their length (BREACH).

Django masks the token anew for every page, and GZipMiddleware adds a random number of bytes to what it compresses.
"""

import gzip
import re

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone

from loyalty.models import Redemption
from tests.conftest import PAGE, make_user, order_body
from tests.loyalty.making import enrol, make_location, make_reward, redeem

pytestmark = pytest.mark.django_db

TOKEN = re.compile(r'name="csrfmiddlewaretoken" value="([^"]+)"')
FILE_NAME = 8  # the flag in a gzip header


@pytest.fixture
def browser(db) -> Client:
    """A superuser's, who may see every page."""
    client = Client(headers={"Accept": PAGE, "Accept-Encoding": "gzip"})
    client.force_login(User.objects.create_superuser("owner"))
    return client


@pytest.fixture
def paths(session, soup, api) -> list[str]:
    """Every kind of page that staff send forms from."""
    make_location()
    phone, member = enrol()
    code, used = (redeem(phone, member, make_reward(points=10)).json()["redemptionCode"] for _ in range(2))
    Redemption.objects.filter(redemption_code=used).update(status="used", used_at=timezone.now())
    api.post("/table/7/order", order_body(session, (soup, 1)), format="json")
    return [
        "/", "/sign-in", "/kitchen", f"/table/7/close?sessionId={session.pk}", f"/use/{code}", f"/use/{used}",
        f"/member/{member.pk}", "/admin/", f"/admin/restaurant/menuitem/{soup.pk}/change/",
    ]  # fmt: skip


def padding_of(body: bytes) -> int:
    """How many random bytes the gzip header has, as the name of a file."""
    assert body[3] & FILE_NAME
    return body.index(b"\0", 10) - 10


@pytest.mark.slow
def test_every_page_has_another_token_and_another_length(browser, paths):
    for path in paths:
        responses = [browser.get(path) for _ in range(5)]
        assert {response["Content-Encoding"] for response in responses} == {"gzip"}, path
        texts = [gzip.decompress(response.content).decode() for response in responses]
        tokens = [TOKEN.findall(text)[0] for text in texts]
        secret = browser.cookies[settings.CSRF_COOKIE_NAME].value
        assert len(set(tokens)) == len(tokens), path
        assert {len(token) for token in tokens} == {2 * len(secret)}, path
        assert not any(secret in text for text in texts), path
        assert len({padding_of(response.content) for response in responses}) > 1, path


def test_a_guest_s_page_has_no_token_whoever_looks_at_it(browser, session, soup):
    for path in ("/table/7", f"/table/7/cart?sessionId={session.pk}", "/signup"):
        for _ in range(2):
            text = gzip.decompress(browser.get(path).content).decode()
            assert "csrf" not in text.lower(), path
            assert browser.cookies.get(settings.CSRF_COOKIE_NAME) is None


def test_the_page_that_is_compressed_once_for_all_shows_nothing_of_who_opened_it_first(browser, table, soup):
    make_user("Floor", "bruno")
    first = gzip.decompress(browser.get("/table/7").content).decode()
    stranger = Client(headers={"Accept": PAGE, "Accept-Encoding": "gzip"})
    assert gzip.decompress(stranger.get("/table/7").content).decode() == first
    assert "owner" not in first
