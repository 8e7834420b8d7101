"""The settings of deploy/env.example: Django's own checks, HTTPS and its redirect."""

import os
import re
import subprocess
import sys

import pytest
import requests

from tests.deploy.shipped import environment
from tests.servers import ROOT, database_url, http_server

pytestmark = pytest.mark.django_db(transaction=True)
CHECK = ("check", "--deploy", "--fail-level", "WARNING")


def manage(*arguments: str, **own: str) -> subprocess.CompletedProcess:
    env = {"PATH": os.environ["PATH"], "DATABASE_URL": database_url()} | environment() | own
    command = [sys.executable, "manage.py", *arguments]
    return subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True, check=False)


HSTS_RAISED = {
    "SECURE_HSTS_SECONDS": "31536000",
    "SECURE_HSTS_INCLUDE_SUBDOMAINS": "true",
    "SECURE_HSTS_PRELOAD": "true",
}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("own", "found"),
    [
        ({}, ["security.W005", "security.W021"]),  # names below the host, and the lists that browsers ship
        (HSTS_RAISED, []),
        (
            HSTS_RAISED | {"SECURE_SSL_REDIRECT": "false", "SECURE_HSTS_SECONDS": "0"},
            ["security.W004", "security.W008"],
        ),
    ],
)
def test_djangos_checks_find_only_what_waits_until_https_has_worked_for_days(tmp_path, own, found):
    run = manage(*CHECK, DATA_DIR=str(tmp_path), **own)
    assert (sorted(re.findall(r"security\.W\d+", run.stderr)), run.returncode == 0) == (found, not found)


@pytest.fixture(scope="module")
def served(django_db_setup, django_db_blocker):
    with django_db_blocker.unblock(), http_server(**environment() | {"APP_BASE_URL": "https://testserver"}) as port:
        yield port


def ask(port: int, proto: str, path: str = "/sign-in") -> requests.Response:
    """As the proxy asks: for the public host, with the scheme that the guest used."""
    headers = {"Host": "testserver", "X-Forwarded-Proto": proto, "X-Forwarded-For": "203.0.113.7"}
    return requests.get(f"http://127.0.0.1:{port}{path}", headers=headers, allow_redirects=False, timeout=10)


def test_http_is_redirected_to_https_and_https_is_not_redirected(served):
    redirected = ask(served, "http")
    assert (redirected.status_code, redirected.headers["Location"]) == (301, "https://testserver/sign-in")
    page = ask(served, "https")
    assert page.status_code == 200
    assert page.headers["Strict-Transport-Security"] == "max-age=3600"
    assert "Secure" in page.headers["Set-Cookie"]
