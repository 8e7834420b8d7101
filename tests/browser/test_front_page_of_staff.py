"""The front page of staff in a browser: what needs attention, for how long, and what is done about it there."""

import re
from datetime import UTC, datetime, timedelta

import pytest
from playwright.sync_api import expect

from tests.browser.kitchen import Orders

pytestmark = pytest.mark.browser


def test_a_calls_age_grows_by_the_servers_clock_and_it_is_answered_there(windows, installation, state_of):
    orders = Orders(installation)
    orders.answer_calls()
    orders.sit_down()
    orders.call("waiter")
    page = windows.phone(storage_state=state_of("floor"))
    page.clock.install(time=datetime.now(UTC) + timedelta(hours=3))  # a phone whose own clock is wrong
    page.goto(f"{installation.base}/")
    call = page.get_by_role("listitem").filter(has_text=re.compile(rf"Table {orders.table}\s*Calls the waiter"))
    age = call.get_by_role("time")
    expect(age).to_have_text("now")
    for later, words in (("05:10", "5 min"), ("01:00:00", "1 h 5 min")):
        page.clock.fast_forward(later)
        expect(age).to_have_text(words)
    call.get_by_role("button", name=f"Done Table {orders.table}").click()
    expect(page).to_have_url(f"{installation.base}/")
    expect(call).to_have_count(0)


def test_without_javascript_the_time_of_the_call_is_there(windows, installation, state_of):
    orders = Orders(installation)
    orders.sit_down()
    orders.call("bill")
    page = windows.phone(storage_state=state_of("floor"), java_script_enabled=False)
    page.goto(f"{installation.base}/")
    call = page.get_by_role("listitem").filter(has_text=re.compile(rf"Table {orders.table}\s*Wants the bill"))
    expect(call.get_by_role("time")).to_have_text(re.compile(r"^\d\d:\d\d$"))
    call.get_by_role("button", name="Done").click()
    expect(call).to_have_count(0)
