"""Pages are in the language of their reader, of those that are complete."""

import pytest
from django.test import Client

from tests.conftest import PAGE, make_user
from web import languages

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _german_is_complete(monkeypatch):
    """As if it were: what has no translation is shown as it is."""
    for complete in (languages.FOR_GUESTS, languages.FOR_STAFF):
        monkeypatch.setattr(languages, "FOR_GUESTS" if complete is languages.FOR_GUESTS else "FOR_STAFF", ["en", "de"])


def language_of(client: Client, path: str, **headers: str) -> str:
    return client.get(path, headers={"accept": PAGE, **headers})["Content-Language"]


def test_guests_read_in_the_first_language_of_their_phone_that_pages_have(client, table, settings):
    for accepted, expected in (
        ("de-AT,de;q=0.9,en;q=0.8", "de"),
        ("fi, de;q=0.5", "de"),
        ("en-US,en;q=0.9,de;q=0.8", "en-gb"),
        ("fi", "en-gb"),
        ("", "en-gb"),
        ("de;q=x, \x00", "en-gb"),
    ):
        assert language_of(client, "/table/7", **{"accept-language": accepted}) == expected, accepted
    settings.LANGUAGE_CODE = "de-ch"
    assert language_of(client, "/table/7") == "de-ch"
    assert language_of(client, "/table/7", **{"accept-language": "de"}) == "de-ch"  # with the formats of the country
    assert language_of(client, "/table/7", **{"accept-language": "en-us"}) == "en-gb"


def test_staff_read_in_the_language_of_the_venue_whatever_the_phone_says(settings):
    client = Client()
    german = {"accept-language": "de"}
    assert language_of(client, "/sign-in", **german) == "de"  # nobody knows yet who it is
    assert language_of(client, "/floor", **german) == "de"
    client.force_login(make_user("Floor"))
    assert language_of(client, "/floor", **german) == "en-gb"


def test_a_cache_between_keeps_languages_apart(client, table):
    assert "Accept-Language" in client.get("/table/7", headers={"accept": PAGE})["Vary"]
