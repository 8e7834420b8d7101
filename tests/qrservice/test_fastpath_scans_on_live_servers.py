"""The fast path on real Granian processes: no scan is lost, and changes reach every process."""

import time
from concurrent.futures import ThreadPoolExecutor

import pytest
import requests
from django.db import connection

from qrservice import gateway
from qrservice.models import Code, Scan
from tests.servers import http_server

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]


@pytest.fixture
def code(transactional_db) -> Code:
    gateway.create_code(redirect_url="https://example.com/old")
    return Code.objects.get()


@pytest.fixture
def port(transactional_db, http_port):
    return http_port


def follow(port: int, code: Code, **options) -> requests.Response:
    return requests.get(f"http://127.0.0.1:{port}/q/{code.slug}", allow_redirects=False, timeout=10, **options)


def test_every_redirect_that_was_answered_is_a_row(port, code):
    def some(_: int) -> int:
        return sum(follow(port, code).status_code == 302 for _ in range(20))

    with ThreadPoolExecutor(16) as pool:
        redirects = sum(pool.map(some, range(16)))
    assert redirects == Scan.objects.count() == 320


def test_the_answer_is_the_one_that_django_gives(port, code, client):
    live, plain = follow(port, code), client.get(f"/q/{code.slug}")
    assert (live.status_code, live.headers["Location"]) == (plain.status_code, plain["Location"])
    assert live.headers["Cache-Control"] == plain["Cache-Control"] == "no-store"
    assert Scan.objects.count() == 2
    assert follow(port, code, headers={"Purpose": "prefetch"}).status_code == 302
    assert requests.head(f"http://127.0.0.1:{port}/q/{code.slug}", timeout=10).status_code == 302
    assert follow(port, code, headers={"User-Agent": "Slackbot 1.0"}).status_code == 302
    assert Scan.objects.count() == 2


def test_a_changed_target_and_a_disabled_code_are_served_everywhere_within_a_second(port, code):
    with http_server() as other:
        for each in (port, other):
            assert follow(each, code).headers["Location"] == "https://example.com/old"
        gateway.update_code(analytics_id=code.analytics_id, redirect_url="https://example.com/new")
        time.sleep(1)
        assert [follow(each, code).headers["Location"] for each in (port, other)] == ["https://example.com/new"] * 2
        gateway.update_code(analytics_id=code.analytics_id, status="disabled")
        time.sleep(1)
        assert [follow(each, code).status_code for each in (port, other)] == [410, 410]


def test_scans_go_on_after_the_database_dropped_its_connections(port, code):
    def drop() -> None:
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                " WHERE datname = current_database() AND pid <> pg_backend_pid()"
            )

    for _ in range(8):
        follow(port, code)
    drop()
    time.sleep(0.8)  # longer than a target is remembered: it has to be looked up, on a connection that is gone
    assert [follow(port, code).status_code for _ in range(8)] == [302] * 8
    assert Scan.objects.count() == 16


def test_unknown_and_odd_addresses_are_answered_by_django(port, code):
    for path in ("/q/ZZZZZZZZ", "/q/short", "/q/%00%00%00%00%00%00%00%00", "/q/ABCDEFGH/x", "/q/"):
        assert requests.get(f"http://127.0.0.1:{port}{path}", timeout=10).status_code == 404


def test_a_target_with_letters_of_its_own_is_written_as_a_header_can_have_it(port, code, client):
    gateway.update_code(
        analytics_id=code.analytics_id, redirect_url="https://example.com/\u00fc/\u65e5\u672c?q=\u00e9#x"
    )
    assert follow(port, code).headers["Location"] == "https://example.com/%C3%BC/%E6%97%A5%E6%9C%AC?q=%C3%A9#x"
    assert client.get(f"/q/{code.slug}")["Location"] == follow(port, code).headers["Location"]
