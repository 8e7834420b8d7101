"""A manager adds a waiter on a phone, who chooses a password of their own."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Windows

pytestmark = pytest.mark.browser

LONG = "Benedetta Maria Grazia Montanari-Castellucci della Rovere"


def opened(windows: Windows, username: str, password: str, **options) -> Page:
    page = windows.open(viewport={"width": 360, "height": 740}, reduced_motion="reduce", **options)
    page.goto(f"{windows.base}/sign-in?next=/staff")
    page.fill("[name=username]", username)
    page.fill("[name=password]", password)
    page.get_by_role("button", name="Sign in").click()
    return page


def fill(page: Page, name: str, username: str) -> None:
    if not page.get_by_label("Name", exact=True).is_visible():
        page.get_by_text("Add somebody").click()
    page.get_by_label("Name", exact=True).fill(name)
    page.get_by_label("User name").fill(username)
    page.get_by_role("checkbox", name="Floor Kitchen, tables, orders").check()
    page.get_by_role("button", name="Add", exact=True).click()


def test_a_waiter_is_added_chooses_a_password_and_leaves(windows, installation):
    page = opened(windows, "manager", installation.passwords["manager"])
    fill(page, LONG, "benedetta")
    page.get_by_role("link", name="Done").click()
    expect(page.get_by_label("Name", exact=True)).to_be_hidden()
    fill(page, "Dora Maar", "BENEDETTA")
    expect(page.get_by_role("alert")).to_contain_text("Somebody has this user name already")
    page.get_by_label("User name").fill("dora")
    page.get_by_role("button", name="Add", exact=True).click()
    password = page.get_by_label("Password").input_value()
    assert re.fullmatch("[a-z2-9]{4}(-[a-z2-9]{4}){2}", password)
    page.get_by_role("button", name="Copy the password").click()
    expect(page.get_by_role("button", name="Copied")).to_be_visible()
    page.get_by_role("link", name="Done").click()
    choose_password(windows, password)
    end_access_and_return(page)


def choose_password(windows: Windows, password: str) -> None:
    phone = opened(windows, "dora", password, java_script_enabled=False)
    expect(phone.get_by_role("heading", name="Choose a password")).to_be_visible()
    for again in ("harbour", "harbour lights"):
        phone.get_by_label("New password", exact=True).fill("harbour lights")
        phone.get_by_label("New password again").fill(again)
        phone.get_by_role("button", name="Save").click()
    expect(phone.get_by_role("heading")).to_have_text("You don't have access to this page")


def end_access_and_return(page: Page) -> None:
    person = page.locator(".person", has_text="Dora Maar")
    person.locator("summary").click()
    person.get_by_role("button", name="End access").click()
    expect(page.get_by_role("status")).to_have_text("Saved: Dora Maar.")
    person.get_by_role("button", name="Let in again").click()
    person.locator("summary").click()
    person.get_by_role("checkbox", name="Floor").uncheck()
    person.get_by_role("checkbox", name="Manager").check()
    person.get_by_role("button", name="Save").click()
    expect(person.locator(".group")).to_have_text("Manager")
