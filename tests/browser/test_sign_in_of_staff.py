"""The page on which staff sign in: what is typed as a password can be seen, on one's wish alone."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.accessible import check

pytestmark = pytest.mark.browser


@pytest.fixture
def page(windows) -> Page:
    page = windows.open(viewport={"width": 360, "height": 740})
    page.goto(f"{windows.base}/sign-in")
    page.get_by_label("Password").fill("not-the-one")
    return page


def test_the_password_is_shown_and_hidden_again_and_both_are_announced(page):
    field, button = page.get_by_label("Password"), page.get_by_role("button", name="Show the password")
    status = page.get_by_role("status")
    assert field.get_attribute("type") == "password"
    for shown, kind, said in ((True, "text", "The password is shown."), (False, "password", "The password is hidden.")):
        button.press("Enter")
        expect(page.get_by_role("button", name="Show the password", pressed=shown)).to_be_visible()
        assert field.get_attribute("type") == kind
        expect(status).to_have_text(said)
        check(page)
    assert field.input_value() == "not-the-one"
    assert page.url.endswith("/sign-in")  # nothing was sent


def test_it_is_sent_as_a_password_also_while_it_is_shown(page):
    page.get_by_label("User name").fill("manager")
    page.get_by_role("button", name="Show the password").click()
    page.evaluate("document.forms[0].addEventListener('submit', (event) => event.preventDefault())")
    page.get_by_role("button", name="Sign in").click()
    assert page.get_by_label("Password").get_attribute("type") == "password"


def test_it_is_hidden_before_the_page_is_left(page, windows):
    page.get_by_role("button", name="Show the password").click()
    page.evaluate("addEventListener('pagehide', () => sessionStorage.setItem('left', document.forms[0].password.type))")
    page.goto(f"{windows.base}/rewards")
    assert page.evaluate("sessionStorage.getItem('left')") == "password"


def test_without_javascript_there_is_no_button(windows):
    page = windows.open(java_script_enabled=False)
    page.goto(f"{windows.base}/sign-in")
    expect(page.get_by_role("button")).to_have_count(1)
    page.get_by_label("Password").fill("a")
    expect(page.get_by_role("link", name="Open your card")).to_be_visible()
