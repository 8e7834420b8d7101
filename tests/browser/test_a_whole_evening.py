"""One party's evening on four screens at once: two phones, the kitchen's display and the waiter's floor."""

import os
import re
from datetime import UTC, datetime

import pytest
import requests
from playwright.sync_api import Page, expect

from tests.browser import menu
from tests.browser.conftest import Windows
from tests.browser.kitchen import HIGH, Orders, open_display
from tests.servers import PATIENCE, Installation

pytestmark = pytest.mark.browser

TABLE, NEXT_TABLE = 801, 802


class Screens:
    """Four screens, and a fifth of the manager at the end."""

    def __init__(self, windows: Windows, installation: Installation) -> None:
        self.base, self.pictures = installation.base, os.environ.get("PICTURES")
        self.ada, self.ben = windows.phone(), windows.phone()
        Orders(installation).make_room()
        self.kitchen = open_display(windows, installation, **HIGH)
        self.floor = windows.phone()
        self.floor.goto(f"{self.base}/sign-in?next=/floor")
        self.floor.get_by_label("User name").fill("floor")
        self.floor.get_by_label("Password", exact=True).fill(installation.passwords["floor"])
        self.floor.get_by_role("main").get_by_role("button", name="Sign in").click()
        self.floor.wait_for_url("**/floor")
        self.manager = windows.open(storage_state={"cookies": [installation.cookie("manager")]})

    def picture(self, page: Page, name: str) -> None:
        """For whoever sets PICTURES to a folder."""
        if self.pictures:
            page.screenshot(path=f"{self.pictures}/{name}.png", full_page=True)


@pytest.fixture
def screens(windows, installation) -> Screens:
    headers = {"Authorization": f"Token {installation.token('manager')}"}
    for number in (TABLE, NEXT_TABLE):
        body = {"tableNumber": number, "section": "Evening"}
        made = requests.post(f"{installation.base}/tables", json=body, headers=headers, timeout=PATIENCE)
        assert made.status_code == 201, made.text
    return Screens(windows, installation)


def amount(text: str) -> float:
    """Of money on a page, such as €1,234.50."""
    return float(re.sub(r"[^0-9.]", "", text))


def test_from_the_first_order_to_the_days_report(screens, windows):
    ada, ben, kitchen, floor, base = screens.ada, screens.ben, screens.kitchen, screens.floor, screens.base
    began = datetime.now(UTC).date()  # the installation's TIME_ZONE is UTC

    # Two phones at one table order; the kitchen and the floor see it.
    for phone in (ada, ben):
        phone.goto(f"{base}/table/{TABLE}")
    first = menu.order(ada, "Nocellara Olives", "Nocellara Olives", "Chickpea Panisse")
    second = menu.order(ben, "Burrata & Charred Figs")
    for order in (first, second):
        expect(kitchen.locator(f'[data-order="{order}"]')).to_be_attached()
    tile = floor.locator(f"#tile-{TABLE}")
    expect(tile).to_contain_text("Ordered")
    screens.picture(ada, "1-order")
    screens.picture(floor, "2-floor")

    # One dish is cancelled by the waiter: the cook sees it struck through, the guest what it comes to now.
    floor.goto(f"{base}/floor/tables/{TABLE}")
    floor.locator(f"#order-{first}").get_by_role("link", name="Cancel dishes…").click()
    for _ in range(3):  # there are two
        floor.get_by_role("button", name="One Nocellara Olives more").click()
    expect(floor.locator("#quantity-0")).to_have_value("2")
    floor.get_by_role("button", name="One Nocellara Olives fewer").click()
    expect(floor.locator("#quantity-0")).to_have_value("1")
    expect(floor.get_by_role("radio", name="Only a part")).to_be_checked()
    floor.locator("[name=reason][value=sold_out]").check()
    screens.picture(floor, "3-cancel")
    floor.locator("#send").click()
    floor.wait_for_url(f"**/floor/tables/{TABLE}**")
    expect(ada.locator(".what-gone")).to_be_visible()
    expect(kitchen.locator(f'[data-order="{first}"] .item-cancelled').first).to_be_visible()
    screens.picture(kitchen, "4-kitchen")
    screens.picture(ada, "5-order-less-one")

    # A second round; the guest thinks better of it before the kitchen begins.
    ada.get_by_role("link", name="Order more").tap()
    third = menu.order(ada, "Quince Shrub")
    ada.locator("#cancel summary").tap()
    ada.get_by_role("button", name="Yes, cancel it").tap()
    expect(ada.get_by_role("heading", level=1)).to_contain_text("cancelled", ignore_case=True)
    ticket = kitchen.locator(f'[data-order="{third}"]')
    expect(ticket).to_contain_text("CANCELLED", ignore_case=True)
    ticket.get_by_role("button", name=re.compile("Acknowledge|Seen")).click()
    expect(ticket).to_have_count(0)

    # The waiter is called, comes, and moves the party to a better table.
    ben.get_by_role("button", name="Call the waiter").tap()
    floor.goto(f"{base}/floor")
    call = floor.locator("#calls .need-call", has_text=str(TABLE))
    expect(call).to_be_visible()
    screens.picture(floor, "6-called")
    call.get_by_role("button", name="Done").click()
    expect(call).to_have_count(0)
    floor.goto(f"{base}/floor/tables/{TABLE}")
    floor.locator("#move-open").click()
    screens.picture(floor, "7-move")
    floor.locator(f"#move-{NEXT_TABLE}").click()
    expect(floor.get_by_role("heading", level=1)).to_contain_text(str(NEXT_TABLE))
    expect(kitchen.locator(f'[data-order="{first}"]')).to_contain_text(str(NEXT_TABLE))
    ben.goto(f"{base}/table/{TABLE}")
    expect(ben).to_have_url(re.compile(f"/table/{NEXT_TABLE}"))

    # The kitchen cooks, the waiter carries.
    for order in (first, second):
        for status in ("preparing", "ready"):
            kitchen.locator(f'[data-order="{order}"] .ticket-next').click()
            expect(kitchen.locator(f'[data-order="{order}"]')).to_have_attribute("data-status", status)
    floor.goto(f"{base}/floor")
    expect(floor.locator("#ready")).to_contain_text(str(NEXT_TABLE))
    for order in (first, second):
        floor.locator(f"#ready-{order} button").click()
        expect(floor.locator(f"#ready-{order}")).to_have_count(0)

    # The bill: a part in cash, the rest by card with a tip.
    ben.goto(f"{base}/orders/{second}")
    ben.get_by_role("button", name="Ask to pay").tap()
    expect(floor.locator(f"#tile-{NEXT_TABLE}")).to_contain_text("Wants the bill")
    ben.get_by_role("link", name="See the bill").tap()
    total = amount(ben.locator(".bill-total .amount").inner_text())
    screens.picture(ben, "8-bill")
    floor.locator("#calls .need-call", has_text=str(NEXT_TABLE)).get_by_role("link", name="Open the bill").click()
    floor.locator("[name=method][value=cash]").check()
    floor.locator("#amount").fill("10")
    screens.picture(floor, "9-pay")
    floor.get_by_role("button", name="Take payment").click()
    expect(floor.locator("#pay-name")).to_contain_text("is due")
    expect(floor.locator(".bill-due .amount")).to_contain_text(f"{total - 10:.2f}")
    floor.locator("[name=method][value=card]").check()
    floor.locator("#tip").fill("2,50")
    floor.get_by_role("button", name="Take payment").click()
    expect(floor.locator("#pay-name")).to_have_text("This bill is paid")
    screens.picture(floor, "10-paid")

    # The table is closed, and the manager reads the day.
    floor.get_by_role("link", name="Close table").click()
    floor.get_by_role("button", name="Close table").click()
    expect(floor.get_by_role("heading", level=1)).to_contain_text("is closed")
    floor.goto(f"{base}/floor")
    expect(floor.locator(f"#tile-{NEXT_TABLE}")).to_contain_text("Free")
    address = f"{base}/reports/restaurant/day?date="
    dates = sorted({began.isoformat(), datetime.now(UTC).date().isoformat()})  # a day may have ended meanwhile
    days = [screens.manager.request.get(f"{address}{date}&format=json").json() for date in dates]
    assert {"cash", "card"} <= {each["method"] for day in days for each in day["payments"]}
    assert sum(day["tips"] for day in days) >= 2.5
    changes = [each for day in days for each in day["cancelled"]["changes"]]
    mine = [each for each in changes if each["tableNumber"] == NEXT_TABLE]
    assert {(each["by"], each["reason"]) for each in mine} == {("floor", "sold_out"), ("guest", "mistake")}
    assert NEXT_TABLE not in {each["tableNumber"] for day in days for each in day["openBills"]}
    written = ""
    for date in dates:
        screens.manager.goto(f"{address}{date}")
        written += screens.manager.locator("main").inner_text()
        screens.picture(screens.manager, f"11-day-{date}")
    assert "sold out" in written.lower()
    assert windows.complaints == []
