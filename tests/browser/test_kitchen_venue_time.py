"""The kitchen display shows the venue's time, whatever time zone the device is set to."""

import re
from datetime import UTC, datetime, timedelta

import pytest
from playwright.sync_api import Page, expect

from tests.browser.kitchen import HIGH, Orders, open_display

pytestmark = pytest.mark.browser


@pytest.fixture
def display(windows, installation) -> Page:
    orders = Orders(installation)
    orders.sit_down()
    orders.serve_all(but=(orders.place(),))
    return open_display(windows, installation, timezone_id="Asia/Tokyo", **HIGH)


def venue_time(seconds: str = "") -> re.Pattern[str]:
    """Now or a minute ago: the installation's TIME_ZONE is UTC."""
    now = datetime.now(UTC)
    times = {f"{moment:%H:%M}" for moment in (now, now - timedelta(minutes=1), now + timedelta(minutes=1))}
    return re.compile(rf"\b({'|'.join(times)}){seconds}\b")


def test_the_device_is_set_to_another_zone(display):
    assert display.evaluate("new Date().getTimezoneOffset()") == -9 * 60


def test_the_clock_shows_the_time_of_the_venue(display):
    expect(display.locator("#clock")).to_have_text(venue_time())


def test_recall_shows_when_an_order_left_in_the_time_of_the_venue(display):
    ticket = display.locator("#column-pending .ticket").last
    order = ticket.get_attribute("data-order")
    for _ in range(3):
        expect(display.locator(f'[data-order="{order}"] .ticket-next')).to_have_attribute("aria-disabled", "false")
        display.locator(f'[data-order="{order}"] .ticket-next').click()
        display.wait_for_timeout(400)
    display.get_by_role("button", name="Recall").click()
    expect(display.locator(".recalled-when").first).to_have_text(venue_time())


def test_an_outage_is_dated_in_the_time_of_the_venue(display):
    display.context.set_offline(True)
    expect(display.locator("#banner-headline")).to_have_text(venue_time(r":\d\d"), timeout=12_000)
