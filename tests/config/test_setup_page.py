"""`/setup` in a browser: what is next, and how."""

import re
from html import unescape
from ipaddress import ip_network
from urllib.parse import parse_qs, urlsplit

import pytest
from django.contrib.auth.models import User
from rest_framework.test import APIClient

from config.models import Setup, Venue
from tests.config.setting_up import NOON, page_of, set_up_everything, steps
from tests.conftest import make_table, signed_in

pytestmark = pytest.mark.django_db

ESSENTIAL = ["name", "menu", "tables", "cards", "staff", "rewards"]
OTHERS = ["gate", "address", "mail", "backup"]


@pytest.fixture(autouse=True)
def _noon_without_a_backup(clock, settings, tmp_path):
    clock(NOON)
    settings.DATA_DIR = tmp_path


@pytest.fixture
def owner(db) -> APIClient:
    """Of an empty installation."""
    return signed_in(User.objects.create_superuser("owner", password="a long pass phrase"))


def test_the_page_says_what_is_next_and_its_forms_work(owner, settings):
    client = page_of(User.objects.get(username="owner"))
    page = client.get("/setup").content.decode()
    assert "0 of 8 done." in page  # with the address: it is one that no phone can open
    assert page.count('class="button"') == 1  # one thing to do next
    make_table(8)
    assert "They are printed" in client.get("/setup").content.decode()
    response = client.post("/setup", {"cardsPrinted": "true"})
    assert (response.status_code, response["Location"]) == (303, "/setup")
    assert "1 of 8 done." in client.get("/setup").content.decode()  # the cards are to be printed again
    Setup.objects.all().delete()
    set_up_everything()
    page = client.get("/setup").content.decode()
    assert "No phone can open this address yet." in page
    assert '<a class="button" href="#step-address">Settle the address</a>' in page
    assert "5 of 8 done" in page  # who may order can wait
    assert "Mail and backup can wait." in page
    cards = of_step(page, "cards")
    assert "To be printed again once the address is settled." in cards
    assert '<a class="step-way" href="#step-address">Settle the address first</a>' in cards
    assert "Print again<" not in cards
    assert page.index('id="step-address"') < page.index('id="step-cards"')
    settings.APP_BASE_URL = "https://fig.example"
    page = client.get("/setup").content.decode()
    assert "All set: the first guests can order." in page
    assert "6 of 7 done" in page
    assert "once the address is settled" not in page
    assert page.index('id="step-address"') > page.index('id="step-cards"')


def test_what_is_left_for_whoever_runs_the_server_is_sent_to_them(owner):
    client = page_of(User.objects.get(username="owner"))
    [link] = re.findall(r'href="(mailto:[^"]+)"', client.get("/setup").content.decode())
    written = parse_qs(urlsplit(unescape(link)).query)
    assert written["subject"] == ["To set up: Regulars"]
    facts = steps(owner)
    for name in ("address", "mail", "backup"):
        assert f"{facts[name]['title']}\r\n{facts[name]['fact']}" in written["body"][0]
    assert facts["menu"]["fact"] not in written["body"][0]


def of_step(page: str, name: str) -> str:
    return page.partition(f'id="step-{name}"')[2].partition("</li>")[0]


def test_cards_wait_for_the_address_that_their_codes_carry(owner, settings):
    set_up_everything()
    Setup.objects.all().delete()
    client = page_of(User.objects.get(username="owner"))
    page = client.get("/setup").content.decode()
    assert client.get("/setup", headers={"accept": "application/json"}).json()["next"] == "cards"
    assert 'Next: Table cards, which wait for <a href="#step-address">the address</a>.' in page
    assert "Next</span>" not in of_step(page, "address")
    assert "Cards wait</span>" in of_step(page, "address")
    assert '<code class="code-block" tabindex="0">APP_BASE_URL=https://...</code></p></details>' in of_step(
        page, "address"
    )
    assert "Next</span>" in (cards := of_step(page, "cards"))
    assert '<a class="button" href="#step-address">Check the address</a>' in cards
    assert '<a class="step-way" href="/tables/print">Print the cards</a>' in cards
    assert "Next: Table cards. Their codes carry the address" in client.get("/").content.decode()
    for address in ("http://127.0.0.1:8000", "http://[::1]:8000", "http://localhost:8000"):
        settings.APP_BASE_URL = address
        cards = of_step(client.get("/setup").content.decode(), "cards")
        assert f"<code>{address}</code>, which no phone can open." in cards
    settings.APP_BASE_URL = "http://192.168.1.4:8000"
    cards = of_step(client.get("/setup").content.decode(), "cards")
    assert "The codes lead to <code>http://192.168.1.4:8000</code>. Settle it first" in cards
    assert "no phone" not in cards
    settings.APP_BASE_URL, settings.ALLOWED_HOSTS = "https://menu.example.com", ["testserver", "menu.example.com"]
    settings.TRUSTED_PROXY_NETWORKS = [ip_network("127.0.0.1")]
    page = client.get("/setup").content.decode()
    assert "Next: Table cards." in page
    assert "Next</span>" in (cards := of_step(page, "cards"))
    assert '<a class="button" href="/tables/print">Print the cards</a>' in cards
    assert "#step-address" not in cards
    assert "wait for" not in page
    assert "The codes lead to" not in cards


def test_steps_of_the_server_are_counted_apart_and_name_settings_as_code(owner):
    Venue.objects.create(name="Salt & <b>")
    page = page_of(User.objects.get(username="owner")).get("/setup").content.decode()
    house, server = page.partition("For whoever runs the server")[::2]
    assert "1 of 8 done." in house
    assert 'id="step-gate"' in house
    assert "0 of 2 done" in server
    assert [name for name in OTHERS if f'id="step-{name}"' in server] == ["mail", "backup"]
    address = '<code class="code-block" tabindex="0">smtp+tls://user:password@mail.example.com:587</code>'
    assert f"<code>EMAIL_URL</code> to your mail server, such as {address}</p></details>" in of_step(page, "mail")
    assert '<p class="soft">Salt &amp; &lt;b&gt;</p>' in of_step(page, "name")
    assert "<code>manage.py backup</code> every day" in of_step(page, "backup")
