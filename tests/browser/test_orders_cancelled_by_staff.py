"""The page on which staff cancel an order."""

import pytest
from playwright.sync_api import expect

pytestmark = pytest.mark.browser


def test_a_wrong_password_of_a_manager_is_sent_once_and_what_was_entered_stays(windows, installation, orders, state_of):
    orders.sit_down()
    order = orders.place()
    orders.move(order, "completed")
    page = windows.phone(storage_state=state_of("floor"))
    sent = []
    page.on("request", lambda request: sent.append(request.url) if request.method == "POST" else None)
    page.goto(f"{installation.base}/orders/{order}/cancel")
    page.get_by_role("radio", name="Mistake").check()
    page.get_by_label("User name").fill("manager")
    page.get_by_label("Password").fill("guessed")
    page.get_by_role("button", name="Cancel it").click()
    expect(page.locator("#unsure")).to_have_text("The manager's name or password is wrong.")
    expect(page.get_by_role("radio", name="Mistake")).to_be_checked()
    assert len(sent) == 1
    page.get_by_label("Password").fill(installation.passwords["manager"])
    page.get_by_role("button", name="Cancel it").click()
    page.wait_for_url(f"{installation.base}/floor")
    assert len(sent) == 2
