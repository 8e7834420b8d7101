"""Short addresses: what counts as a scan, and what is recorded."""

import re
from functools import partial
from unittest.mock import ANY

import pytest
from django.db import connection, transaction

from qrservice import gateway
from qrservice.models import Code, Scan
from tests.at_once import at_once

pytestmark = pytest.mark.django_db

IPHONE = (
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) "
    "Version/18.5 Mobile/15E148 Safari/604.1"
)


@pytest.fixture
def code(db) -> Code:
    gateway.create_code(redirect_url="https://example.com/menu?a=1#x", metadata={"type": "restaurant_table"})
    return Code.objects.get()


def test_a_created_code_has_the_documents_fields(code, settings):
    made = gateway.create_code(redirect_url="https://example.com/")
    assert re.fullmatch(r"[A-Za-z0-9_-]{16,32}", made.analytics_id)
    assert re.fullmatch(rf"{settings.APP_BASE_URL}/q/[0-9A-HJKMNP-TV-Z]{{8}}", made.short_url)
    assert made.qr_code_url == ANY
    assert made.qr_code_url.startswith(settings.APP_BASE_URL)
    assert gateway.image_url(made.qr_code_url, size=2048) == f"{made.qr_code_url}?size=2048"


def test_a_scan_is_recorded_and_led_to_the_target(client, code):
    for path in (f"/q/{code.slug}", f"/Q/{code.slug}", f"/q/{code.slug.lower()}"):
        response = client.get(path, headers={"user-agent": IPHONE})
        assert (response.status_code, response["Location"]) == (302, "https://example.com/menu?a=1#x")
        assert response["Cache-Control"] == "no-store"
    assert list(Scan.objects.values_list("code", "device_type", "city")) == [(code.pk, "iOS", "")] * 3


def test_no_address_of_a_person_is_stored():
    assert not [
        field.name for field in Scan._meta.get_fields() if "ip" in field.name.split("_") or "addr" in field.name
    ]


def test_letters_that_people_misread_are_put_right(client, code):
    Code.objects.update(slug="10AB10AB")
    assert client.get("/q/lOabIoAB").status_code == 302


NO_SCANS = [
    {"purpose": "prefetch"},
    {"sec-purpose": "prefetch;prerender"},
    {"user-agent": "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)"},
    {"user-agent": "Mozilla/5.0 (Linux; Android 6.0.1; Nexus 5X Build/MMB29P) AppleWebKit/537.36 (KHTML) "
     "Chrome/125.0 Mobile Safari/537.36 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)"},
    {"user-agent": "facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)"},
    {"user-agent": "WhatsApp/2.23.20.0"},
    {"user-agent": "Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)"},
    {"user-agent": "TelegramBot (like TwitterBot)"},
]  # fmt: skip


def test_prefetches_bots_and_previews_are_led_on_and_not_counted(client, code):
    for headers in NO_SCANS:
        assert client.get(f"/q/{code.slug}", headers=headers).status_code == 302
        assert not Scan.objects.exists(), headers


def test_head_is_led_on_and_not_counted(client, code):
    assert client.head(f"/q/{code.slug}").status_code == 302
    assert not Scan.objects.exists()


DEVICES = [
    (IPHONE, "iOS"),
    ("Mozilla/5.0 (iPad; CPU OS 16_5 like Mac OS X) AppleWebKit/605.1.15 Version/16.5 Mobile/15E148 Safari/604.1",
     "iOS (iPad)"),
    ("Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 Chrome/125.0 Mobile Safari/537.36", "Android"),
    ("Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/125.0 Safari/537.36", "Windows"),
    ("Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/17.4 Safari/605.1.15", "macOS"),
    ("Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/125.0 Safari/537.36", "Linux"),
    ("Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) AppleWebKit/537.36 Chrome/125.0 Safari/537.36", "ChromeOS"),
    ("Mozilla/5.0 (Mobile; Nokia_8110_4G; rv:48.0) Gecko/48.0 Firefox/48.0 KAIOS/2.5", "other"),
    ("Mozilla/5.0 (Linux; Android 10; CUBOT X30) AppleWebKit/537.36 Chrome/120.0 Mobile Safari/537.36", "Android"),
    ("", "other"),
    ("x" * 20_000, "other"),
]  # fmt: skip


def test_the_device_is_named_as_its_user_knows_it(client, code):
    for agent, _device in DEVICES:
        client.get(f"/q/{code.slug}", headers={"user-agent": agent})
    found = Scan.objects.order_by("pk").values_list("device_type", flat=True)
    assert list(found) == [device for _agent, device in DEVICES]


def test_an_unknown_code_is_a_friendly_404_and_a_disabled_one_410(client, code):
    assert client.get("/q/ZZZZZZZZ").status_code == 404
    Code.objects.update(status="disabled")
    response = client.get(f"/q/{code.slug}")
    assert response.status_code == 410
    assert "no longer in use" in response.content.decode()
    assert not Scan.objects.exists()


def test_the_target_can_be_changed(client, code):
    Code.objects.update(redirect_url="https://example.org/new")
    assert client.get(f"/q/{code.slug}")["Location"] == "https://example.org/new"


def test_a_target_of_ours_follows_when_the_installation_moves(client, settings):
    gateway.create_code(redirect_url=f"{settings.APP_BASE_URL}/table/7")
    settings.APP_BASE_URL = "https://new.example"
    assert client.get(f"/q/{Code.objects.get().slug}")["Location"] == "https://new.example/table/7"


NO_TARGETS = [
    "", "/table/7", "ftp://example.com/", "javascript:alert(1)", "http://", "https://user:pw@example.com/",
    "https://example.com/a b", "https://example.com/" + "x" * 2048, "https://exa\nmple.com/", "http://[::1", "http://a:x/",
    "https://a..b/", "https://-a.example/", "https://a,b/", "https://exa%6dple.com/", "http://192.0.2.256/",
    "http://[::g]/", "https://" + "x" * 64 + ".example/", "https://ü,ö.example/", "https://xn--ü.example/",
]  # fmt: skip


def test_a_target_that_is_none_is_refused(db):
    for target in NO_TARGETS:
        with pytest.raises(gateway.BadRequest):
            gateway.create_code(redirect_url=target)
    assert not Code.objects.exists()


IN_ASCII = {
    "https://müller.de/": "https://xn--mller-kva.de/",
    "https://straße.example:8443/süß?q=ä#ö": "https://xn--strae-oqa.example:8443/s%C3%BC%C3%9F?q=%C3%A4#%C3%B6",
    "https://例え.テスト/": "https://xn--r8jz45g.xn--zckzah/",
    "https://xn--mller-kva.de/ü": "https://xn--mller-kva.de/%C3%BC",
    "http://till_2/": "http://till_2/",
    "http://192.0.2.7/": "http://192.0.2.7/",
    "http://[2001:db8::1]:81/": "http://[2001:db8::1]:81/",
    "http://[2001:db8::1]/ü": "http://[2001:db8::1]/%C3%BC",
}


def test_the_host_of_a_target_is_sent_in_ascii(client, db):
    for target, location in IN_ASCII.items():
        gateway.create_code(redirect_url=target)
        code = Code.objects.latest("pk")
        assert (code.target, client.get(f"/q/{code.slug}")["Location"]) == (target, location)


@pytest.mark.parametrize("host", ["http://127.0.0.1:8000", "HTTP://LOCALHOST:8000", "https://localhost"])
def test_a_target_that_leads_back_to_its_code_is_refused(db, host):
    codes = [gateway.create_code(redirect_url="https://example.com/") for _ in range(3)]
    first, second, third = (code.analytics_id for code in codes)
    slugs = ["".join(f"%{ord(each):x}" for each in code.short_url[-8:]) for code in codes]
    addresses = [f"{host}/Q/{slug}" for slug in slugs]
    gateway.update_code(analytics_id=first, redirect_url=addresses[1])
    gateway.update_code(analytics_id=second, redirect_url=addresses[2])
    for back in addresses:
        with pytest.raises(gateway.BadRequest, match="leads back"):
            gateway.update_code(analytics_id=third, redirect_url=back)
    gateway.update_code(analytics_id=third, redirect_url="http://127.0.0.1:8000/table/7?next=/q/00000000")


@pytest.mark.race
@pytest.mark.django_db(transaction=True)
def test_two_codes_that_are_led_to_each_other_at_once_are_no_circle():
    for _ in range(5):
        one, other = (gateway.create_code(redirect_url="https://example.com/") for _ in range(2))

        def lead(code: gateway.NewCode, to: gateway.NewCode) -> bool:
            try:
                gateway.update_code(analytics_id=code.analytics_id, redirect_url=to.short_url)
            except gateway.BadRequest:
                return False
            return True

        assert sorted(at_once([partial(lead, one, other), partial(lead, other, one)])) == [False, True]


def test_metadata_beyond_its_limit_is_refused(db):
    with pytest.raises(gateway.BadRequest):
        gateway.create_code(redirect_url="https://example.com/", metadata={"note": "x" * 4096})


def test_django_marks_the_transaction_around_a_test(db):
    # Private to Django, and what the gateway relies on: see `gateway._refuse_in_transaction`.
    assert {block._from_testcase for block in connection.atomic_blocks} == {True}
    with transaction.atomic():
        assert not connection.atomic_blocks[-1]._from_testcase


def test_a_call_inside_a_transaction_is_refused(db):
    with pytest.raises(RuntimeError, match="inside a database transaction"), transaction.atomic():
        gateway.create_code(redirect_url="https://example.com/")
