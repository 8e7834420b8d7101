"""The page on which staff sign in: what is typed as a password can be seen, on one's wish alone."""

import pytest
from playwright.sync_api import Page, expect

pytestmark = pytest.mark.browser


@pytest.fixture
def page(windows) -> Page:
    page = windows.open(viewport={"width": 360, "height": 740})
    page.goto(f"{windows.base}/sign-in")
    page.get_by_label("Password").fill("not-the-one")
    return page


def test_the_password_is_shown_and_hidden_again_and_both_are_announced(page, windows):
    field, button = page.get_by_label("Password"), page.get_by_role("button", name="Show the password")
    status = page.get_by_role("status")
    expect(field).to_have_attribute("type", "password")
    for shown, kind, said in ((True, "text", "The password is shown."), (False, "password", "The password is hidden.")):
        button.press("Enter")
        expect(page.get_by_role("button", name="Show the password", pressed=shown)).to_be_visible()
        expect(field).to_have_attribute("type", kind)
        expect(status).to_have_text(said)
    expect(field).to_have_value("not-the-one")
    assert page.url.endswith("/sign-in")  # nothing was sent
    plain = windows.open(java_script_enabled=False)
    plain.goto(page.url)
    expect(plain.get_by_role("button")).to_have_count(1)
    expect(plain.get_by_role("link", name="Open your card")).to_be_visible()


def test_it_is_sent_as_a_password_also_while_it_is_shown_and_hidden_before_the_page_is_left(page, windows):
    page.get_by_label("User name").fill("manager")
    button = page.get_by_role("button", name="Show the password")
    button.click()
    page.evaluate("document.forms[0].addEventListener('submit', (event) => event.preventDefault())")
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_label("Password")).to_have_attribute("type", "password")
    button.click()
    expect(page.get_by_label("Password")).to_have_attribute("type", "text")
    page.evaluate("addEventListener('pagehide', () => sessionStorage.setItem('left', document.forms[0].password.type))")
    page.goto(f"{windows.base}/rewards")
    assert page.evaluate("sessionStorage.getItem('left')") == "password"
