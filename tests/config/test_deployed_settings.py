"""The settings of deploy/env.example: Django's own checks, HTTPS and its redirect."""

import os
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


@pytest.mark.slow
def test_djangos_checks_find_nothing_under_the_deployed_configuration(tmp_path):
    run = manage(*CHECK, DATA_DIR=str(tmp_path))
    assert (run.returncode, run.stdout, run.stderr) == (0, "System check identified no issues (0 silenced).\n", "")


@pytest.mark.slow
def test_djangos_checks_do_look_at_https(tmp_path):
    run = manage(*CHECK, DATA_DIR=str(tmp_path), SECURE_SSL_REDIRECT="false", SECURE_HSTS_SECONDS="0")
    assert run.returncode != 0
    assert ["security.W004" in run.stderr, "security.W008" in run.stderr] == [True, True]


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
    assert page.headers["Strict-Transport-Security"] == "max-age=31536000; includeSubDomains; preload"
    assert "Secure" in page.headers["Set-Cookie"]
