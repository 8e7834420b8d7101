"""The front page of staff in a browser: what needs attention, for how long, and what is done about it there."""

import re
from datetime import UTC, datetime, timedelta

import pytest
import requests
from playwright.sync_api import expect

from tests.browser.accessible import check, overflow
from tests.browser.kitchen import Orders

pytestmark = pytest.mark.browser


def test_a_call_is_answered_there_and_its_age_grows(windows, installation, state_of):
    orders = Orders(installation)
    orders.answer_calls()
    orders.sit_down()
    body = {"sessionId": orders.session, "kind": "waiter"}
    assert requests.post(f"{orders.base}/table/{orders.table}/calls", json=body, timeout=10).ok
    page = windows.phone(storage_state=state_of("floor"))
    page.clock.install()
    page.goto(f"{installation.base}/")
    call = page.locator(".start-needs li", has_text=re.compile(rf"Table {orders.table}\s*Calls the waiter"))
    expect(call.locator("time")).to_have_text("now")
    page.clock.fast_forward("05:10")
    expect(call.locator("time")).to_have_text("5 min")
    page.clock.fast_forward("01:00:00")
    expect(call.locator("time")).to_have_text("1 h 5 min")
    check(page)
    page.set_viewport_size({"width": 320, "height": 700})
    assert overflow(page) <= 0
    call.get_by_role("button", name=f"Done Table {orders.table}").click()
    expect(page).to_have_url(f"{installation.base}/")
    expect(call).to_have_count(0)


def test_ages_are_told_by_the_servers_clock(windows, installation, state_of):
    orders = Orders(installation)
    orders.sit_down()
    body = {"sessionId": orders.session, "kind": "waiter"}
    assert requests.post(f"{orders.base}/table/{orders.table}/calls", json=body, timeout=10).ok
    page = windows.phone(storage_state=state_of("floor"))
    page.clock.install(time=datetime.now(UTC) + timedelta(hours=3))
    page.goto(f"{installation.base}/")
    call = page.locator(".start-needs li", has_text=re.compile(rf"Table {orders.table}\s*Calls the waiter"))
    age = call.locator("time")
    expect(age).to_have_text("now")
    page.clock.fast_forward("05:10")
    expect(age).to_have_text("5 min")


def test_without_javascript_the_time_of_the_call_is_there(windows, installation, state_of):
    orders = Orders(installation)
    orders.sit_down()
    body = {"sessionId": orders.session, "kind": "bill"}
    assert requests.post(f"{orders.base}/table/{orders.table}/calls", json=body, timeout=10).ok
    page = windows.phone(storage_state=state_of("floor"), java_script_enabled=False)
    page.goto(f"{installation.base}/")
    call = page.locator(".start-needs li", has_text=re.compile(rf"Table {orders.table}\s*Wants the bill"))
    expect(call.locator("time")).to_have_text(re.compile(r"^\d\d:\d\d$"))
    call.get_by_role("button", name="Done").click()
    expect(call).to_have_count(0)
