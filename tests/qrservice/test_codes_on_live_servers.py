"""Codes on real server processes: no scan is lost, and changes of codes and keys reach every process."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
import requests
from django.db import connection
from django.utils import timezone

from qrservice import gateway
from qrservice.models import ApiKey, Code, Scan
from qrservice.services import codes, keys
from tests.servers import PATIENCE, http_server, wait_for

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]


@pytest.fixture
def code(transactional_db) -> Code:
    gateway.create_code(redirect_url="https://example.com/old")
    return Code.objects.get()


@pytest.fixture(scope="module")
def both(http_port) -> Iterator[tuple[int, int]]:
    """Two servers for all tests of this file."""
    with http_server(LIMIT_API_CALLS_PER_KEY="100000/min") as other:  # as the first one has
        yield http_port, other


def follow(port: int, code: Code, **options) -> requests.Response:
    address = f"http://127.0.0.1:{port}/q/{code.slug}"
    return requests.get(address, allow_redirects=False, timeout=PATIENCE, **options)


def test_every_redirect_that_was_answered_is_a_row(http_port, code):
    def some(_: int) -> int:
        return sum(follow(http_port, code).status_code == 302 for _ in range(20))

    with ThreadPoolExecutor(16) as pool:
        redirects = sum(pool.map(some, range(16)))
    assert redirects == Scan.objects.count() == 320


def test_the_answer_is_the_one_that_django_gives(http_port, code, client):
    live, plain = follow(http_port, code), client.get(f"/q/{code.slug}")
    assert (live.status_code, live.headers["Location"]) == (plain.status_code, plain["Location"])
    assert live.headers["Cache-Control"] == plain["Cache-Control"] == "no-store"
    assert Scan.objects.count() == 2
    assert follow(http_port, code, headers={"Purpose": "prefetch"}).status_code == 302
    assert requests.head(f"http://127.0.0.1:{http_port}/q/{code.slug}", timeout=PATIENCE).status_code == 302
    assert follow(http_port, code, headers={"User-Agent": "Slackbot 1.0"}).status_code == 302
    assert Scan.objects.count() == 2
    for path in ("/q/ZZZZZZZZ", "/q/short", "/q/%00%00%00%00%00%00%00%00", "/q/ABCDEFGH/x", "/q/"):
        assert requests.get(f"http://127.0.0.1:{http_port}{path}", timeout=PATIENCE).status_code == 404


def test_a_target_with_letters_of_its_own_is_written_as_a_header_can_have_it(http_port, client, transactional_db):
    gateway.create_code(redirect_url="https://example.com/\u00fc/\u65e5\u672c?q=\u00e9#x")
    code = Code.objects.get()
    assert follow(http_port, code).headers["Location"] == "https://example.com/%C3%BC/%E6%97%A5%E6%9C%AC?q=%C3%A9#x"
    assert client.get(f"/q/{code.slug}")["Location"] == follow(http_port, code).headers["Location"]


def test_scans_go_on_after_the_database_dropped_its_connections(http_port, code):
    gateway.create_code(redirect_url="https://example.com/other")
    other = Code.objects.latest("pk")  # which is not remembered, but has to be looked up
    for _ in range(8):
        follow(http_port, code)
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            " WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )
    assert [follow(http_port, other).status_code for _ in range(8)] == [302] * 8
    assert Scan.objects.count() == 16


def test_scans_are_recorded_when_requests_can_not_be_counted(http_port, code):
    with connection.cursor() as cursor:
        cursor.execute("ALTER TABLE web_permits RENAME TO web_permits_away")
    try:
        responses = [follow(http_port, code) for _ in range(3)]
    finally:
        with connection.cursor() as cursor:
            cursor.execute("ALTER TABLE web_permits_away RENAME TO web_permits")
    assert [(response.status_code, response.headers["Location"]) for response in responses] == [
        (302, "https://example.com/old")
    ] * 3
    assert Scan.objects.count() == 3


def test_a_hosted_service_is_called_over_its_wire(http_port, settings, transactional_db):
    settings.QR_SERVICE_API_KEY = keys.create(account=codes.built_in_account())[1]
    settings.QR_SERVICE_URL = f"http://127.0.0.1:{http_port}"
    made = gateway.create_code(redirect_url="https://example.com/menu", metadata={"section": "Terrasse süd 日本 🍜"})
    code = Code.objects.get(analytics_id=made.analytics_id)
    follow(http_port, code, headers={"User-Agent": "Mozilla/5.0 (iPhone; CPU iPhone OS 17_4 like Mac OS X)"})
    gateway.update_code(analytics_id=made.analytics_id, status="disabled")
    wait_for(lambda: follow(http_port, code).status_code == 410, "the end of the code")
    found = gateway.analytics(analytics_id=made.analytics_id)
    assert found.scans[0].device_type == "iOS"
    assert code.metadata == {"section": "Terrasse süd 日本 🍜"}


# --- two processes ----------------------------------------------------------------------------------


def test_a_changed_target_and_a_disabled_code_are_served_by_every_process(both, code):
    for port in both:
        assert follow(port, code).headers["Location"] == "https://example.com/old"
    gateway.update_code(analytics_id=code.analytics_id, redirect_url="https://example.com/new")
    for port in both:
        wait_for(
            lambda port=port: follow(port, code).headers["Location"] == "https://example.com/new", "the new target"
        )
    gateway.update_code(analytics_id=code.analytics_id, status="disabled")
    for port in both:
        wait_for(lambda port=port: follow(port, code).status_code == 410, "the end of the code")


def statuses(servers: tuple[int, int], secret: str) -> list[int]:
    """Of a call of each server."""
    addresses = [f"http://127.0.0.1:{port}/v1/generate/dynamic" for port in servers]
    body, headers = {"redirect_url": "https://example.com/menu"}, {"X-API-Key": secret}
    return [requests.post(address, json=body, headers=headers, timeout=PATIENCE).status_code for address in addresses]


def test_a_key_ends_with_the_rotation_revocation_or_expiry_and_not_later(both, transactional_db):
    account = keys.account_named("Trattoria")
    first, secret_1 = keys.create(account=account)
    second, secret_2 = keys.rotate(key=first)
    for secret in (secret_1, secret_2):  # both are valid, and known to both servers now
        assert statuses(both, secret) * 2 == [201] * 4
    third, secret_3 = keys.rotate(key=second)
    made = Code.objects.count()
    assert statuses(both, secret_1) == [401, 401]
    assert Code.objects.count() == made
    assert statuses(both, secret_2) == statuses(both, secret_3) == [201, 201]
    keys.revoke(key=second)
    assert statuses(both, secret_2) == [401, 401]
    ApiKey.objects.filter(pk=third.pk).update(can_generate=False)
    assert statuses(both, secret_3) == [403, 403]
    ApiKey.objects.filter(pk=third.pk).update(expires_at=timezone.now() - timedelta(seconds=1))
    assert statuses(both, secret_3) == [401, 401]
