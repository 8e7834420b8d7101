"""The settings of deploy/env.example: Django's own checks, HTTPS and its redirect."""

import re

import pytest
from django.core.checks import WARNING, run_checks
from django.test import Client

from tests.deploy.shipped import settings_of

HSTS_RAISED = {
    "SECURE_HSTS_SECONDS": "31536000",
    "SECURE_HSTS_INCLUDE_SUBDOMAINS": "true",
    "SECURE_HSTS_PRELOAD": "true",
}
ABOUT_SAFETY = re.compile("(SECURE|SESSION_COOKIE|CSRF|ALLOWED|APP_BASE|TRUSTED|SECRET|DEBUG|X_FRAME)")


@pytest.fixture
def deploy(settings, tmp_path):
    """Work with what the example says of safety, and these variables."""

    def deploy(**own: str) -> None:
        for name, value in settings_of(DATA_DIR=str(tmp_path), **own).items():
            if ABOUT_SAFETY.match(name):
                setattr(settings, name, value)

    return deploy


def warnings(**options) -> list[str]:
    return sorted(check.id for check in run_checks(include_deployment_checks=True, **options) if check.level >= WARNING)


@pytest.mark.slow
@pytest.mark.django_db
def test_djangos_checks_find_only_what_waits_until_https_has_worked_for_days(deploy):
    deploy()
    assert warnings() == ["security.W005", "security.W021"]  # names below the host, and the lists that browsers ship
    deploy(**HSTS_RAISED)
    assert warnings(tags=["security"]) == []
    deploy(**HSTS_RAISED | {"SECURE_SSL_REDIRECT": "false", "SECURE_HSTS_SECONDS": "0"})
    assert warnings(tags=["security"]) == ["security.W004", "security.W008"]


@pytest.mark.django_db
def test_http_is_redirected_to_https_and_https_is_not_redirected(deploy):
    deploy()
    # As the proxy asks: for the public host, with the scheme that the guest used.
    browser = Client(headers={"host": "menu.example.com", "x-forwarded-for": "203.0.113.7"})
    redirected = browser.get("/sign-in", headers={"x-forwarded-proto": "http"})
    assert (redirected.status_code, redirected["Location"]) == (301, "https://menu.example.com/sign-in")
    page = browser.get("/sign-in", headers={"x-forwarded-proto": "https"})
    assert page.status_code == 200
    assert page["Strict-Transport-Security"] == "max-age=3600"
    assert all(cookie["secure"] for cookie in page.cookies.values())
    assert page.cookies
