"""A manager's app for the second step of signing in, from adding it to losing the phone, without a finding by axe."""

import time
from base64 import b32decode
from urllib.parse import parse_qs, urlsplit

import pytest
from django_otp.oath import TOTP
from playwright.sync_api import Page, expect

from tests.browser.accessible import check
from tests.browser.walk import PHONE, RULES, TOO_LOW

pytestmark = pytest.mark.browser

PASSWORD = "harbour lights at dusk"
MAKE = f"""
from django.contrib.auth.models import Group, User
user = User.objects.create_user("noa", password={PASSWORD!r})
user.groups.add(Group.objects.get(name="Managers"))
"""


def sign_in(page: Page, base: str) -> None:
    page.goto(f"{base}/sign-in")
    page.get_by_label("User name").fill("noa")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()


def look(page: Page) -> None:
    check(page, rules=RULES)
    assert page.evaluate(TOO_LOW, 44) == []


def test_a_manager_adds_an_app_signs_in_with_it_and_with_a_recovery_code_and_removes_it(installation, windows):
    installation.shell(MAKE)
    page = windows.open(viewport={"width": PHONE, "height": 740})
    sign_in(page, windows.base)
    page.goto(f"{windows.base}/account")
    page.get_by_role("link", name="Add an authenticator app").click()
    look(page)
    address = page.get_by_role("link", name="Open the app").get_attribute("href")
    totp = TOTP(b32decode(parse_qs(urlsplit(address).query)["secret"][0]))
    page.get_by_label("Name").fill("My phone")
    page.get_by_label("Your password").fill(PASSWORD)
    page.get_by_label("Code from the app").fill(f"{totp.token():06}")
    page.get_by_role("button", name="Add").click()
    expect(page.get_by_role("heading", name="Your recovery codes")).to_be_visible()
    look(page)
    recovery = page.get_by_role("main").get_by_role("listitem").first.inner_text()
    page.get_by_role("link", name="I have written them down").click()
    page.context.clear_cookies()
    sign_in(page, windows.base)
    expect(page.get_by_role("heading", name="Second step")).to_be_visible()
    page.get_by_label("Code from the app").fill("000000")
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("alert")).to_have_text("This code is wrong, or was used before.")
    look(page)
    totp.time = time.time() + 30  # the present one may be that which was used to add it
    page.get_by_label("Code from the app").fill(f"{totp.token():06}")
    page.get_by_role("button", name="Sign in").click()
    page.wait_for_url(lambda url: "sign-in" not in url)
    page.context.clear_cookies()
    sign_in(page, windows.base)
    page.get_by_label("Code from the app").fill(recovery)
    page.get_by_role("button", name="Sign in").click()
    page.wait_for_url(lambda url: "sign-in" not in url)
    page.goto(f"{windows.base}/account")
    page.get_by_text("Remove").first.click()
    look(page)
    page.get_by_label("Your password").fill(PASSWORD)
    page.get_by_role("button", name="Remove").click()
    expect(page.get_by_role("status")).to_have_text("Removed.")
    look(page)
    assert windows.complaints == []
