"""A second machine of the same restaurant, on the database of the first."""

import shutil

import pytest
from playwright.sync_api import expect

from tests.browser.kitchen import HIGH, Orders, open_display, ticket
from tests.servers import Installation

pytestmark = pytest.mark.browser


def test_an_order_taken_on_one_machine_is_on_the_displays_of_both(installation, windows, tmp_path):
    second = Installation(tmp_path / "second", options=(), environment={"DATABASE_URL": installation.database_url()})
    # Compressing these takes most of a first start.
    shutil.copytree(installation.data_dir / "static", second.data_dir / "static")
    second.start()
    try:
        orders = Orders(installation)
        orders.make_room()
        orders.sit_down()
        here = open_display(windows, installation, **HIGH)
        there = open_display(windows, second, password=installation.passwords["floor"], **HIGH)
        order = orders.place()
        for kitchen in (here, there):
            expect(ticket(kitchen, order)).to_be_visible()
        ticket(there, order).locator(".ticket-next").click()
        expect(ticket(here, order)).to_have_attribute("data-status", "preparing")
    finally:
        second.stop()
