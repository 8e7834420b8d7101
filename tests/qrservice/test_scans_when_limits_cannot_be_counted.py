"""A scan is answered and recorded even when requests can't be counted."""

import pytest
import requests
from django.db import connection

from qrservice import gateway
from qrservice.models import Code, Scan
from web import throttling

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def code(db) -> Code:
    gateway.create_code(redirect_url="https://example.com/menu", metadata={})
    return Code.objects.get()


@pytest.fixture
def no_permits(db):
    """A database in which permits can't be leased."""
    with connection.cursor() as cursor:
        cursor.execute("ALTER TABLE web_permits RENAME TO web_permits_away")
    yield
    with connection.cursor() as cursor:
        cursor.execute("ALTER TABLE web_permits_away RENAME TO web_permits")


def test_the_fast_path_answers_and_records(code, no_permits, http_port):
    for _ in range(3):
        response = requests.get(f"http://127.0.0.1:{http_port}/q/{code.slug}", allow_redirects=False, timeout=10)
        assert (response.status_code, response.headers["Location"]) == (302, "https://example.com/menu")
    assert Scan.objects.count() == 3


def test_django_answers_and_records_too(client, code, no_permits):
    throttling.reset_leases()
    assert client.get(f"/q/{code.slug}", headers={"user-agent": "Mozilla/5.0 (iPhone)"}).status_code == 302
    assert Scan.objects.count() == 1
