"""A guest with a nut allergy orders a steak: on the phone, on the grill's and the bar's displays, and on the docket."""

import re

import pytest
import requests
from playwright.sync_api import Page, expect

from tests.browser import menu
from tests.browser.conftest import Windows
from tests.browser.kitchen import HIGH, Orders, open_display
from tests.restaurant.kitchen.fake_printer import FakePrinter
from tests.servers import PATIENCE, Installation

pytestmark = pytest.mark.browser

TABLE = 811
CHOICES = ("Medium", "Rosemary potatoes", "Grilled greens")


@pytest.fixture
def table(installation) -> str:
    """The address of a table of its own."""
    headers = {"Authorization": f"Token {installation.token('manager')}"}
    body = {"tableNumber": TABLE, "section": "Garden"}
    assert requests.post(f"{installation.base}/tables", json=body, headers=headers, timeout=PATIENCE).status_code == 201
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
    phone.get_by_text("Allergies").tap()
    phone.get_by_label("nuts", exact=True).tap()
    phone.get_by_role("button", name="Show the menu").tap()
    expect(phone.locator("#filter")).to_contain_text("Without nuts")
    apart = phone.get_by_role("list", name=re.compile("set apart for you", re.IGNORECASE)).get_by_role("listitem")
    for name, why in (
        ("Beetroot Carpaccio", "Contains nuts"),
        ("Burrata & Charred Figs", "May contain nuts"),
        ("Fig Leaf Negroni", "ot declared"),
    ):
        expect(apart.filter(has_text=name)).to_contain_text(why)
    expect(apart.filter(has_text="Flat Iron Steak")).to_have_count(0)
    # What is set apart is looked at, and added on its own page alone.
    tart, sheet = apart.filter(has_text="Burnt Fig Tart"), phone.get_by_role("dialog")
    tart.get_by_role("link", name="View Burnt Fig Tart").tap()
    expect(sheet.get_by_text("You asked for a menu without nuts.")).to_be_visible()
    sheet.get_by_role("button", name="Add anyway").tap()
    expect(phone.locator("#cart-count")).to_have_text("1 item")

    phone.get_by_role("link", name="Flat Iron Steak").first.tap()
    romesco = sheet.get_by_role("checkbox", name=re.compile("Romesco sauce"))
    expect(romesco).to_have_accessible_name(re.compile("contains nuts", re.IGNORECASE))
    for choice in CHOICES:
        sheet.get_by_text(choice, exact=True).tap()
    add = sheet.locator(".dish-add")
    expect(add).to_contain_text("€32.50")
    add.tap()
    expect(sheet).to_be_hidden()
    menu.add(phone, "Bergamot Highball")
    expect(phone.locator("#cart-count")).to_have_text("3 items")
    menu.open_cart(phone)
    expect(phone.locator("#cart")).to_contain_text("Medium")
    expect(phone.get_by_role("group", name="We tell the kitchen")).to_contain_text("no nuts")
    return menu.place_order(phone)


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
        expect(ticket).to_be_attached()
        expect(ticket.locator(".ticket-allergy")).to_have_text(re.compile(r"ALLERGY:?\s*NUTS", re.IGNORECASE))
        shown[name] = ticket.inner_text()
    assert "Flat Iron Steak" in shown["grill"]
    assert "Bergamot" not in shown["grill"]
    for choice in CHOICES:
        assert choice in shown["grill"]
    assert "Bergamot Highball" in shown["bar"]
    assert "Steak" not in shown["bar"]

    docket = "\n".join(printer.wait_for(1))
    lines = [line.strip() for line in docket.splitlines()]
    assert any(line == "ALLERGY: NUTS" for line in lines), docket
    assert f"TABLE {TABLE}" in docket.upper()
    steak = next(number for number, line in enumerate(lines) if "Flat Iron Steak" in line)
    assert lines[steak].startswith("1 x")
    assert tuple(line.lstrip("- +·") for line in lines[steak + 1 : steak + 4]) == CHOICES
    assert "Bergamot" not in docket
    assert not windows.complaints
