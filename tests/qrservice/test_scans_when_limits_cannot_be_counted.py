"""A scan is answered and recorded even when requests can't be counted."""

import pytest
from django.db import connection

from config.wsgi import application
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


def scan(code: Code) -> tuple[str, str]:
    answered = []
    environ = {
        "REQUEST_METHOD": "GET", "PATH_INFO": f"/q/{code.slug}", "REMOTE_ADDR": "192.0.2.1",
        "HTTP_USER_AGENT": "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X)", "SERVER_NAME": "localhost",
        "SERVER_PORT": "80", "wsgi.url_scheme": "http",
    }  # fmt: skip
    application(environ, lambda status, headers: answered.append((status, dict(headers).get("Location", ""))))
    return answered[0]


def test_the_fast_path_answers_and_records(code, no_permits):
    throttling.reset_leases()
    assert [scan(code) for _ in range(3)] == [("302 Found", "https://example.com/menu")] * 3
    assert Scan.objects.count() == 3


def test_django_answers_and_records_too(client, code, no_permits):
    throttling.reset_leases()
    assert client.get(f"/q/{code.slug}", headers={"user-agent": "Mozilla/5.0 (iPhone)"}).status_code == 302
    assert Scan.objects.count() == 1
