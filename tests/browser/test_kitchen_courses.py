"""Tickets that nobody has seen, that come first, and that wait for their course, on a display and the floor."""

from collections.abc import Iterator
from datetime import timedelta

import pytest
import requests
from playwright.sync_api import Page, expect

from tests.browser.kitchen import HIGH, Orders, open_display, shown, ticket
from tests.servers import PATIENCE, wait_for

pytestmark = pytest.mark.browser

SEED = """
from restaurant.models import Category, MenuItem
for number, name in enumerate(("Consommé", "Fillet"), start=1):
    item = MenuItem.objects.create(name=name, price="20.00", category=f"Course {number}")
    Category.objects.filter(name=item.category).update(course=number)
    print(item.pk)
"""
# Other files share the installation.
CLEAN = """
from restaurant.models import MenuItem
for item in MenuItem.objects.filter(category__startswith="Course "):
    item.available = False
    item.save()
"""


@pytest.fixture(scope="module")
def orders(installation) -> Iterator[Orders]:
    made = Orders(installation)
    made.serve_all()
    yield made
    made.serve_all()


@pytest.fixture
def display(windows, installation, orders) -> Page:
    orders.sit_down()
    orders.place()
    return open_display(windows, installation, **HIGH)


def test_what_no_display_has_drawn_is_an_alarm_until_one_has(windows, installation, orders, display):
    def unseen() -> list[str]:
        floor = requests.get(f"{orders.base}/floor", headers=orders.headers, timeout=PATIENCE).json()
        return [ticket["orderId"] for ticket in floor.get("unseen", [])]

    drawn = orders.place()
    expect(ticket(display, drawn)).to_be_attached()
    orders.make_older({drawn: timedelta(seconds=31)})
    wait_for(lambda: drawn not in unseen(), "the display to say what it has drawn")
    display.close()
    missed = orders.place()
    orders.make_older({missed: timedelta(seconds=31)})
    assert unseen() == [missed]
    floor = windows.open(storage_state=display.context.storage_state())
    floor.goto(f"{installation.base}/floor")
    alarm = floor.get_by_role("listitem").filter(has_text=f"has not seen table {orders.table}'s order")
    expect(alarm).to_be_visible()
    windows.tab(floor.context).goto(f"{installation.base}/kitchen")
    expect(alarm).to_be_hidden()


def test_a_ticket_goes_to_the_front_and_back(orders, display):
    last = orders.place()
    expect(ticket(display, last)).to_be_attached()
    ticket(display, last).locator(".ticket-menu").click()
    display.get_by_role("button", name="To the front", exact=True).click()
    expect(display.locator("#column-pending .ticket").first).to_have_attribute("data-order", last)
    expect(ticket(display, last)).to_contain_text("First")
    wait_for(lambda: orders.by_status()["pending"][0] == last, "the server's order of the tickets")
    ticket(display, last).locator(".ticket-menu").click()
    display.get_by_role("button", name="Back in line", exact=True).click()
    display.get_by_role("button", name=f"Undo: table {orders.table} to the front").click()
    expect(display.locator("#column-pending .ticket").first).to_have_attribute("data-order", last)
    wait_for(lambda: orders.by_status()["pending"][0] == last, "the server's order of the tickets")


def test_a_later_course_waits_on_the_ticket_and_is_new_when_it_is_fired(installation, orders, display):
    orders.dishes = [{"id": item} for item in installation.shell(SEED).split()[-2:]]
    order = orders.place(items=2)
    installation.shell(CLEAN)
    fillet = ticket(display, order).locator(".item", has_text="Fillet")
    expect(fillet).to_contain_text("after course 1")
    ticket(display, order).get_by_role("button", name="Start").click()
    ticket(display, order).get_by_role("button", name="All done").click()
    expect(ticket(display, order).locator(".ticket-next")).to_contain_text("Waits for the next course")
    assert shown(display)["preparing"] == [order]
    wait_for(lambda: [each["status"] for each in orders.all_open()].count("preparing") == 1, "the order")
    body = {"course": 2}
    path = f"{orders.base}/table/{orders.table}/fire"
    assert requests.post(path, json=body, headers=orders.headers, timeout=PATIENCE).json() == {"fired": 1}
    expect(fillet).not_to_contain_text("after course")
    expect(ticket(display, order)).to_contain_text("New")
    ticket(display, order).get_by_role("button", name="Mark ready").click()
    wait_for(lambda: order in orders.by_status()["ready"], "the order to be ready")
