"""A guest with a nut allergy orders a steak: on the phone, on the grill's and the bar's displays, and on the docket."""

import re

import pytest
import requests
from playwright.sync_api import Page, expect

from tests.browser.conftest import Windows
from tests.browser.kitchen import HIGH, Orders, open_display
from tests.restaurant.fake_printer import FakePrinter
from tests.servers import Installation

pytestmark = pytest.mark.browser

TABLE = 811
SOON = 5_000  # milliseconds


@pytest.fixture
def table(installation) -> str:
    """The address of a table of its own."""
    headers = {"Authorization": f"Token {installation.token('manager')}"}
    body = {"tableNumber": TABLE, "section": "Allergies"}
    assert requests.post(f"{installation.base}/tables", json=body, headers=headers, timeout=10).status_code == 201
    return f"{installation.base}/table/{TABLE}"


@pytest.fixture
def printer(installation):
    """The grill's, for as long as the test runs."""
    fake = FakePrinter()
    installation.shell(
        "from restaurant.models import Printer, Station\n"
        "station = Station.objects.get(slug='grill')\n"
        f"Printer.objects.create(name='Grill', host='127.0.0.1', port={fake.port}, station=station)"
    )
    yield fake
    installation.shell("from restaurant.models import Printer\nPrinter.objects.update(active=False)")
    fake.off()


def order_a_steak(phone: Page, table: str) -> str:
    """By a phone that goes without nuts; the order's id."""
    phone.goto(table)
    phone.locator("#filter summary").tap()
    phone.get_by_label("nuts", exact=True).tap()
    phone.get_by_role("button", name="Show the menu").tap()
    expect(phone.locator(".filter-on")).to_contain_text("Without nuts")
    apart = phone.locator(".item-apart")
    expect(apart.filter(has_text="Beetroot Carpaccio")).to_contain_text("Contains nuts")
    expect(apart.filter(has_text="Burrata & Charred Figs")).to_contain_text("May contain nuts")
    expect(apart.filter(has_text="Fig Leaf Negroni")).to_contain_text(re.compile("not declared", re.IGNORECASE))
    expect(apart.filter(has_text="Flat Iron Steak")).to_have_count(0)

    phone.get_by_role("link", name="Flat Iron Steak").first.tap()
    sheet = phone.locator("#sheet")
    romesco = sheet.locator(".choice").filter(has_text="Romesco sauce")
    expect(romesco).to_contain_text(re.compile("contains nuts", re.IGNORECASE))
    for choice in ("Medium", "Rosemary potatoes", "Grilled greens"):
        sheet.locator(".choice").filter(has=phone.get_by_text(choice, exact=True)).tap()
    add = sheet.locator(".dish-add")
    expect(add).to_contain_text("€32.50")
    add.tap()
    expect(sheet).to_be_hidden()
    phone.get_by_role("button", name=re.compile("Bergamot Highball")).tap()
    expect(phone.locator("#cart-count")).to_have_text(re.compile("^2 items"))

    phone.locator("#cart-bar").tap()
    expect(phone.locator("#cart")).to_contain_text("Medium")
    expect(phone.locator(".told")).to_contain_text("no nuts")
    phone.get_by_role("button", name="Place order").tap()
    phone.wait_for_url("**/orders/*")
    return phone.url.rpartition("/")[2]


def test_each_station_gets_its_part_and_the_warning(windows: Windows, installation: Installation, table, printer):
    Orders(installation).make_room()
    phone, grill, bar = windows.phone(), open_display(windows, installation, **HIGH), windows.open(**HIGH)
    grill.goto(f"{installation.base}/kitchen/grill")
    bar.context.add_cookies(grill.context.cookies())
    bar.goto(f"{installation.base}/kitchen/bar")
    for display in (grill, bar):
        expect(display.locator("#connection-banner")).to_be_hidden()

    order = order_a_steak(phone, table)

    shown = {}
    for name, display in (("grill", grill), ("bar", bar)):
        ticket = display.locator(f'[data-order="{order}"]')
        expect(ticket).to_be_attached(timeout=SOON)
        expect(ticket.locator(".ticket-allergy")).to_have_text(re.compile(r"ALLERGY:?\s*NUTS", re.IGNORECASE))
        shown[name] = ticket.inner_text()
    assert "Flat Iron Steak" in shown["grill"]
    assert "Bergamot" not in shown["grill"]
    for choice in ("Medium", "Rosemary potatoes", "Grilled greens"):
        assert choice in shown["grill"]
    assert "Bergamot Highball" in shown["bar"]
    assert "Steak" not in shown["bar"]

    docket = "\n".join(printer.wait_for(1))
    lines = [line.strip() for line in docket.splitlines()]
    assert any(line == "ALLERGY: NUTS" for line in lines), docket
    assert f"TABLE {TABLE}" in docket.upper()
    steak = next(number for number, line in enumerate(lines) if "Flat Iron Steak" in line)
    assert lines[steak].startswith("1 x")
    assert [line.lstrip("- +·") for line in lines[steak + 1 : steak + 4]] == [
        "Medium", "Rosemary potatoes", "Grilled greens",
    ]  # fmt: skip
    assert "Bergamot" not in docket
    assert not windows.complaints
