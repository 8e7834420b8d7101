"""Pages are in the language of their reader, of those that are complete."""

import pytest
from django.test import Client

from tests.conftest import PAGE, make_user

pytestmark = pytest.mark.django_db


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


def chosen(client: Client, language: str, **headers: str):
    return client.post("/language", {"language": language}, headers={"accept": PAGE, **headers})


def test_a_guest_chooses_a_language_which_the_phone_keeps(client, table):
    page = client.get("/table/7", headers={"accept": PAGE})
    assert b'value="de" lang="de"' in page.content
    response = chosen(client, "de", referer="http://testserver/table/7?from=cart")
    assert (response.status_code, response["Location"]) == (303, "/table/7?from=cart")
    assert language_of(client, "/table/7", **{"accept-language": "en"}) == "de"
    assert chosen(client, "en", referer="https://elsewhere.example/table/7")["Location"] == "/"
    assert language_of(client, "/table/7", **{"accept-language": "de"}) == "en-gb"
    assert chosen(client, "sv").status_code == 400


def test_a_language_of_guests_alone_is_none_of_staff():
    phone = Client()
    phone.force_login(make_user("Floor"))
    assert chosen(phone, "pl", origin="http://testserver").status_code == 400


def test_arabic_runs_from_right_to_left(client, table):
    page = client.get("/table/7", headers={"accept": PAGE, "accept-language": "ar"}).content.decode()
    assert '<html lang="ar" dir="rtl"' in page


def test_staff_choose_theirs_once_for_all_devices():
    ada, phone = make_user("Floor", "ada"), Client()
    phone.force_login(ada)
    assert chosen(phone, "de", origin="http://testserver").status_code == 303
    assert language_of(phone, "/floor") == "de"
    other = Client()
    other.post("/sign-in", {"username": "ada", "password": "a long pass phrase"})
    assert language_of(other, "/account") == "de"


def test_programs_read_sentences_in_the_language_they_ask_for(api, table):
    german = {"accept-language": "de"}
    assert (
        api.get("/table/7/bill", headers=german)
        .json()["error"]
        .endswith("Bitte scannen Sie noch einmal den Code auf dem Tisch.")
    )
    assert api.get("/table/7/bill").json()["error"].endswith("Please scan the code on the table again.")
