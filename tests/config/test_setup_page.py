"""`/setup` in a browser: what is next, and how."""

from ipaddress import ip_network
from urllib.parse import parse_qs, urlsplit

import pytest
from django.contrib.auth.models import User
from rest_framework.test import APIClient

from config.models import Setup, Venue
from tests.config.setting_up import NOON, page_of, set_up_everything, steps
from tests.conftest import make_table, signed_in
from tests.reading import Part, read

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _noon_without_a_backup(clock, settings, tmp_path):
    clock(NOON)
    settings.DATA_DIR = tmp_path


@pytest.fixture
def owner(db) -> APIClient:
    """Sign in the owner of an empty installation."""
    return signed_in(User.objects.create_superuser("owner", password="a long pass phrase"))


def shown(page: Part) -> dict[str, Part]:
    """Its steps by name."""
    items = {item.get("id") or "": item for item in page.all("item")}
    return {name.removeprefix("step-"): item for name, item in items.items() if name.startswith("step-")}


def codes(part: Part) -> dict[str, bool]:
    """Return the texts shown as code, and whether the keyboard reaches them to scroll."""
    return {code.text: code.get("tabindex") == "0" for code in part.element.iter("code")}


def test_the_page_says_what_is_next_and_its_forms_work(owner, settings):
    client = page_of(User.objects.get(username="owner"))
    page = read(client.get("/setup"))
    assert "0 of 9 done." in page  # with the address: it is one that no phone can open
    assert [heading for heading in page.names("heading") if heading.startswith("Next")] == ["Next Name and look"]
    make_table(8)
    assert "They are printed" in read(client.get("/setup")).names("button")
    response = client.post("/setup", {"cardsPrinted": "true"})
    assert (response.status_code, response["Location"]) == (303, "/setup")
    assert "1 of 9 done." in read(client.get("/setup"))  # the cards are to be printed again
    Setup.objects.all().delete()
    set_up_everything()
    page = read(client.get("/setup"))
    assert "No phone can open this address yet." in page
    assert page.one("link", "Settle the address")["href"] == "#step-address"
    assert "5 of 9 done" in page  # who may order can wait
    assert "Mail and backup can wait." in page
    cards = shown(page)["cards"]
    assert "To be printed again once the address is settled." in cards
    assert cards.links() == [("Settle the address first", "#step-address")]  # and not: Print again
    order = list(shown(page))
    assert order.index("address") < order.index("cards")
    settings.APP_BASE_URL = "https://fig.example"
    page = read(client.get("/setup"))
    assert "All set: the first guests can order." in page
    assert "6 of 8 done" in page
    assert "once the address is settled" not in page
    order = list(shown(page))
    assert order.index("address") > order.index("cards")


def test_what_is_left_for_whoever_runs_the_server_is_sent_to_them(owner):
    client = page_of(User.objects.get(username="owner"))
    [link] = [address for _name, address in read(client.get("/setup")).links() if address.startswith("mailto:")]
    written = parse_qs(urlsplit(link).query)
    assert written["subject"] == ["To set up: Regulars"]
    facts = steps(owner)
    for name in ("address", "mail", "backup"):
        assert f"{facts[name]['title']}\r\n{facts[name]['fact']}" in written["body"][0]
    assert facts["menu"]["fact"] not in written["body"][0]


def test_cards_wait_for_the_address_that_their_codes_carry(owner, settings):
    set_up_everything()
    Setup.objects.all().delete()
    client = page_of(User.objects.get(username="owner"))
    page = read(client.get("/setup"))
    address, cards = shown(page)["address"], shown(page)["cards"]
    assert client.get("/setup", headers={"accept": "application/json"}).json()["next"] == "cards"
    assert "Next: Table cards, which wait for the address ." in page
    assert page.one("link", "the address")["href"] == "#step-address"
    assert address.one("heading").text == "To do: Address and HTTPS Cards wait"
    assert codes(address.one("details"))["APP_BASE_URL=https://..."] is True
    assert cards.one("heading").text == "Next Table cards"
    assert cards.links() == [("Check the address", "#step-address"), ("Print the cards", "/tables/print")]
    assert "Next: Table cards. Their codes carry the address" in read(client.get("/"))
    for url in ("http://127.0.0.1:8000", "http://[::1]:8000", "http://localhost:8000", "http://regulars:8000"):
        settings.APP_BASE_URL = url
        cards = shown(read(client.get("/setup")))["cards"]
        assert f"{url} , which no phone can open." in cards
        assert url in codes(cards)
    settings.APP_BASE_URL = "http://192.168.1.4:8000"
    cards = shown(read(client.get("/setup")))["cards"]
    assert "The codes lead to http://192.168.1.4:8000 . Settle it first" in cards
    assert "http://192.168.1.4:8000" in codes(cards)
    assert "no phone" not in cards
    settings.APP_BASE_URL, settings.ALLOWED_HOSTS = "https://menu.example.com", ["testserver", "menu.example.com"]
    settings.TRUSTED_PROXY_NETWORKS = [ip_network("127.0.0.1")]
    page = read(client.get("/setup"))
    cards = shown(page)["cards"]
    assert "Next: Table cards." in page
    assert cards.one("heading").text == "Next Table cards"
    assert cards.links() == [("Print the cards", "/tables/print")]
    assert "wait for" not in page
    assert "The codes lead to" not in cards


def test_steps_of_the_server_are_counted_apart_and_name_settings_as_code(owner):
    Venue.objects.create(name="Salt & <b>")
    page = read(page_of(User.objects.get(username="owner")).get("/setup"))
    server = page.one("section", "For whoever runs the server")
    assert "0 of 2 done" in server
    assert "1 of 9 done." in page.text.partition(server.text)[0]
    assert "gate" in shown(page.one("section", "Before the doors open"))
    assert list(shown(server)) == ["mail", "backup"]
    mail, backup = shown(server).values()
    address = "smtp+tls://user:password@mail.example.com:587"
    assert codes(mail.one("details")) == {"EMAIL_URL": False, address: True}
    assert f"EMAIL_URL to your mail server, such as {address}" in mail
    assert "Salt & <b>" in shown(page)["name"]
    assert "manage.py backup every day" in backup
    assert "manage.py backup" in codes(backup)
