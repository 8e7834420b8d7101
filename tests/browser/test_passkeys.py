"""A passkey for the second step of signing in, with Chromium's virtual authenticator."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.accessible import check
from tests.browser.conftest import Windows
from tests.browser.test_second_step import MAKE, PASSWORD, sign_in
from tests.browser.walk import RULES
from tests.servers import Installation, free_port

pytestmark = pytest.mark.browser

AUTHENTICATOR = {
    "protocol": "ctap2",
    "transport": "internal",
    "hasResidentKey": True,
    "hasUserVerification": True,
    "isUserVerified": True,
    "automaticPresenceSimulation": True,
}


@pytest.fixture
def local(chromium, tmp_path, used):
    """An installation whose address browsers trust without HTTPS, and that they know by a name."""
    port = free_port()
    own = {"APP_BASE_URL": f"http://localhost:{port}"}
    made = Installation(tmp_path / "d", host="localhost", port=port, environment=own).copy_data(used).start()
    assert made.process.poll() is None, made.output
    opened = Windows(chromium, made.base)
    yield made, opened
    for context in opened.contexts:
        context.close()
    made.end()


def authenticator(page: Page) -> str:
    session = page.context.new_cdp_session(page)
    session.send("WebAuthn.enable")
    added = session.send("WebAuthn.addVirtualAuthenticator", {"options": AUTHENTICATOR})
    return added["authenticatorId"]


def test_a_passkey_is_made_signs_in_and_is_removed_and_another_device_is_refused(local):
    installation, windows = local
    installation.shell(MAKE)
    page = windows.open()
    authenticator(page)
    sign_in(page, windows.base)
    page.goto(f"{windows.base}/account")
    page.get_by_role("link", name="Add a passkey").click()
    check(page, rules=RULES)
    page.get_by_label("Name").fill("This laptop")
    page.get_by_label("Your password").fill("wrong")
    page.get_by_role("button", name="Make the passkey").click()
    expect(page.get_by_role("alert")).to_have_text("The password is wrong.")
    page.get_by_label("Your password").fill(PASSWORD)
    page.get_by_role("button", name="Make the passkey").click()
    expect(page.get_by_role("heading", name="Your recovery codes")).to_be_visible()
    page.context.clear_cookies()
    sign_in(page, windows.base)
    expect(page.get_by_role("heading", name="Second step")).to_be_visible()
    check(page, rules=RULES)
    page.get_by_role("button", name="Use a passkey").click()
    page.wait_for_url(lambda url: "sign-in" not in url)

    other = windows.open()
    authenticator(other)
    sign_in(other, windows.base)
    other.get_by_role("button", name="Use a passkey").click()
    expect(other.get_by_role("alert")).to_have_text("That didn't work. Please try again.")
    elsewhere = windows.open()
    sign_in(elsewhere, windows.base.replace("localhost", "127.0.0.1"))
    expect(elsewhere.get_by_role("link", name=windows.base)).to_be_visible()

    page.goto(f"{windows.base}/account")
    expect(page.get_by_role("strong")).to_be_visible()
    page.get_by_text("Remove").first.click()
    page.get_by_label("Your password").fill(PASSWORD)
    page.get_by_role("button", name="Remove").click()
    expect(page.get_by_role("status")).to_have_text("Removed.")
    page.context.clear_cookies()
    sign_in(page, windows.base)
    page.wait_for_url(lambda url: "sign-in" not in url)
    assert windows.complaints == []
