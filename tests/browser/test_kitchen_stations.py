"""Displays of stations: what each shows, ticking entries off, and what has sold out and a pause on every display."""

import re
from collections.abc import Iterator

import pytest
import requests
from playwright.sync_api import Page, expect

from tests.browser.accessible import check, violations
from tests.browser.kitchen import SOON, Orders, open_display, ticket

pytestmark = pytest.mark.browser

# With its day where that is not today's, as an hour from now is shown after eleven at night.
MOMENT = r"(\w{3},? )?\d\d:\d\d"

SEED = """
from restaurant.models import Category, MenuItem, Option, OptionGroup, ItemOptionGroup, Station
names = ["Bar", "Grill"]
stations = [Station.objects.get_or_create(name=name, slug=name.lower())[0] for name in names]
items = {}
for number, name in enumerate(("Negroni", "Ribeye")):
    item = MenuItem.objects.create(name=name, price="20.00", category=f"Of the {names[number]}",
                                   allergens={"nuts": "may_contain"} if number else {"nuts": "free"})
    Category.objects.filter(name=item.category).update(station=stations[number])
    items[name] = item
group = OptionGroup.objects.create(name="Doneness", min_choices=0, max_choices=1)
option = Option.objects.create(group=group, name="Medium rare", price="0.00")
ItemOptionGroup.objects.create(item=items["Ribeye"], group=group)
print(items["Negroni"].pk, items["Ribeye"].pk, option.pk)
"""


# Other files share the installation.
CLEAN = """
from restaurant.models import MenuItem, Station
Station.objects.filter(slug="grill").delete()
for item in MenuItem.objects.filter(category__startswith="Of the"):
    item.available = False
    item.save()
"""


class Stations(Orders):
    """Orders of a drink of the bar and two steaks of the grill."""

    def __init__(self, installation) -> None:
        super().__init__(installation)
        self.negroni, self.steak, self.rare = installation.shell(SEED).split()[-3:]

    def order(self, *items: str, allergies: tuple[str, ...] = ()) -> str:
        entries: list[dict] = [{"menuItemId": item, "quantity": 1} for item in items]
        for entry in entries:
            if entry["menuItemId"] == self.steak:
                entry |= {"quantity": 2, "options": [self.rare], "specialInstructions": "No salt"}
        body = {"sessionId": self.session, "items": entries, "allergies": list(allergies)}
        made = requests.post(f"{self.base}/table/{self.table}/order", json=body, timeout=10)
        assert made.ok, made.text
        return made.json()["orderId"]

    def status(self, order: str) -> str:
        return requests.get(f"{self.base}/orders/{order}", headers=self.headers, timeout=10).json()["status"]


@pytest.fixture(scope="module")
def orders(installation) -> Iterator[Stations]:
    made = Stations(installation)
    made.serve_all()
    yield made
    installation.shell(CLEAN)


@pytest.fixture
def displays(windows, installation, orders) -> dict[str, Page]:
    """All, the bar's and the grill's, with an order of both."""
    orders.serve_all()
    orders.sit_down()
    orders.order(orders.negroni, orders.steak)
    first = open_display(windows, installation)
    found = {"all": first}
    for slug in ("bar", "grill"):
        page = windows.open(storage_state=first.context.storage_state())
        page.goto(f"{installation.base}/kitchen/{slug}")
        page.wait_for_selector(".ticket")
        found[slug] = page
    return found


def line(page: Page, order: str, name: str):
    return ticket(page, order).get_by_role("button", name=re.compile(name))


def test_each_station_shows_its_own_entries_and_ticks_them_off(displays, orders, windows):
    everything, bar, grill = displays.values()
    steaks = orders.order(orders.steak)
    both = orders.order(orders.negroni, orders.steak, allergies=("nuts", "milk"))
    expect(ticket(grill, steaks)).to_be_visible(timeout=SOON)
    expect(ticket(bar, both)).to_be_visible(timeout=SOON)
    expect(ticket(bar, steaks)).to_have_count(0)
    expect(ticket(bar, both).locator(".item-name")).to_have_text(["Negroni"])
    expect(ticket(bar, both).locator(".ticket-also")).to_have_text("Also for Grill 0/2")
    expect(ticket(everything, both).locator(".item-station:visible")).to_have_text(["Bar", "Grill"])
    for name, entry in (("Bar", "Negroni"), ("Grill", "Ribeye")):
        heading = ticket(everything, both).locator(".item-station", has_text=name).bounding_box()
        dish = ticket(everything, both).locator(".item-name", has_text=entry).bounding_box()
        assert heading["y"] + heading["height"] <= dish["y"] + 1  # above, as a heading
    for page in (bar, grill, everything):
        band = ticket(page, both).locator(".ticket-allergy")
        expect(band).to_contain_text("ALLERGY: milk, nuts")
        assert band.bounding_box()["width"] >= 0.95 * ticket(page, both).bounding_box()["width"]
        expect(band).to_have_css("background-color", "rgb(255, 224, 0)")
    expect(ticket(bar, both).locator(".item-alert")).to_be_hidden()
    expect(ticket(grill, both).locator(".item-alert")).to_have_text("Contains or may contain nuts")
    expect(ticket(grill, both).locator(".item-option")).to_have_text("Medium rare")
    expect(ticket(grill, both).locator(".item-note-text")).to_have_text("“No salt”")

    line(bar, both, "Negroni").click()
    expect(ticket(bar, both).locator(".ticket-next")).to_have_text(re.compile("^Not done after all"))
    undo, start = ticket(bar, both).locator(".ticket-next"), ticket(grill, both).locator(".ticket-next")
    assert 44 <= undo.bounding_box()["height"] < start.bounding_box()["height"]  # rare, so the smaller one
    expect(bar.locator(f'#column-ready [data-order="{both}"] .ticket-also')).to_have_text("Waiting for Grill 0/2")
    expect(ticket(bar, both).locator(".ticket-time")).to_have_text(re.compile(r"^0:\d\d$"))  # how long it gets cold
    expect(ticket(bar, both).locator(".ticket-since")).to_have_text(re.compile(r"^\s*done\s\d\d:\d\d$"))
    expect(ticket(grill, both).locator(".ticket-also")).to_have_text("Also for Bar 1/1", timeout=SOON)
    for page in (everything, bar):
        expect(line(page, both, "Negroni")).to_have_attribute("aria-pressed", "true", timeout=SOON)
        expect(ticket(page, both).locator(".is-done .item-name")).to_have_css("text-decoration-line", "line-through")
        expect(ticket(page, both).locator(".is-done .item-quantity")).to_have_css("color", "rgb(255, 255, 255)")
    assert orders.status(both) == "pending"
    # Taken back, and done again on another display.
    ticket(bar, both).get_by_role("button", name="Not done after all").click()
    expect(bar.locator(f'#column-pending [data-order="{both}"]')).to_be_visible()
    expect(line(everything, both, "Negroni")).to_have_attribute("aria-pressed", "false", timeout=SOON)
    line(everything, both, "Negroni").click()
    expect(bar.locator(f'#column-ready [data-order="{both}"]')).to_be_visible(timeout=SOON)

    ticket(grill, both).get_by_role("button", name="Start").click()
    grill.wait_for_timeout(350)  # sooner it would be a double tap
    ticket(grill, both).get_by_role("button", name="All done").click()
    for page in (everything, bar, grill):
        expect(ticket(page, both)).to_have_attribute("data-status", "ready", timeout=SOON)
    expect(grill.locator(f'#column-ready [data-order="{both}"]')).to_be_visible()
    assert orders.status(both) == "ready"
    line(everything, both, "Ribeye").click()
    for page in (everything, grill):
        expect(ticket(page, both)).to_have_attribute("data-status", "preparing", timeout=SOON)
    expect(grill.locator(f'#column-pending [data-order="{both}"]')).to_be_visible()
    grill.reload()
    expect(grill.locator(f'#column-pending [data-order="{both}"]')).to_be_visible()
    assert violations(grill) == violations(everything) == []
    assert windows.complaints == []


def test_the_header_leads_from_station_to_station(displays):
    bar = displays["bar"]
    stations = bar.get_by_role("navigation", name="Stations")
    expect(stations.locator("[aria-current]")).to_have_text("Bar")
    stations.get_by_role("link", name="Grill").click()
    expect(bar.locator(".ticket .item-name")).to_have_text(["Ribeye"])
    expect(bar.locator("#connection-banner")).to_be_hidden()


def test_a_refused_tick_is_taken_back_and_says_why(displays, orders):
    everything = displays["all"]
    [order] = orders.by_status()["pending"]
    everything.route("**/done", lambda route: route.fulfill(status=409, json={"error": "It was served."}))
    line(everything, order, "Negroni").click()
    expect(ticket(everything, order).locator(".ticket-error")).to_have_text("Not saved: It was served.")
    expect(line(everything, order, "Negroni")).to_have_attribute("aria-pressed", "false")


def test_a_dish_is_sold_out_from_its_ticket_and_seen_everywhere(displays, orders, windows):
    everything, bar, _ = displays.values()
    before = int(everything.locator("#soldout-count").text_content() or 0)
    everything.get_by_role("button", name="Sold out or cancel…").click()
    dialog = everything.get_by_role("dialog", name=f"Table {orders.table}")
    dialog.get_by_role("button", name="Sold out… Ribeye").click()
    dialog.get_by_role("button", name="For an hour").locator("visible=true").click()
    expect(dialog.get_by_text(re.compile(rf"Sold out until {MOMENT}"))).to_be_visible()
    assert violations(everything) == []
    everything.keyboard.press("Escape")
    expect(bar.locator("#soldout-count")).to_have_text(str(before + 1), timeout=SOON)
    refused = requests.post(
        f"{orders.base}/table/{orders.table}/order",
        json={"sessionId": orders.session, "items": [{"menuItemId": orders.steak, "quantity": 1}]},
        timeout=10,
    )
    assert refused.status_code == 400
    waiter = windows.open(storage_state=everything.context.storage_state())
    waiter.goto(f"{orders.base}/floor")
    waiter.get_by_text(f"Sold out ({before + 1})").click()
    expect(waiter.get_by_role("button", name="Available again Ribeye")).to_be_visible()
    check(waiter)
    bar.locator("#soldout-button").click()
    bar.get_by_role("button", name="Available again Ribeye").click()
    expect(waiter.locator("#sold-out")).not_to_contain_text("Ribeye", timeout=SOON)
    bar.get_by_label("Mark a dish as sold out").fill("ribéye")
    expect(bar.get_by_role("button", name="Sold out… Ribeye")).to_be_visible()
    waiter.goto(f"{orders.base}/menu/availability")
    waiter.set_viewport_size({"width": 320, "height": 640})
    assert waiter.locator(".categories").bounding_box()["height"] < 60
    waiter.get_by_label("Find a dish").fill("nothing like it")
    expect(waiter.get_by_text("No such dish")).to_be_visible()
    waiter.get_by_role("button", name="Show all dishes").click()
    waiter.get_by_label("Find a dish").fill("ribeye")
    expect(waiter.get_by_text("1 dish", exact=True)).to_be_visible()
    expect(waiter.locator(".item:visible")).to_have_count(1)
    waiter.locator("summary:visible", has_text="Take off Ribeye").click()
    check(waiter)
    waiter.get_by_role("button", name="Until tomorrow").locator("visible=true").click()
    expect(waiter.locator(".off-item", has_text="Ribeye")).to_contain_text("Until tomorrow")
    waiter.locator(".item-off", has_text="Ribeye").get_by_role("button", name="Available again").click()
    expect(waiter.locator(".off-item, .item-off").filter(has_text="Ribeye")).to_have_count(0)


def test_a_pause_is_counted_down_on_every_display_and_the_floor(displays, windows, orders):
    everything, bar, _ = displays.values()
    waiter = windows.open(storage_state=everything.context.storage_state())
    waiter.goto(f"{orders.base}/floor")
    everything.get_by_role("button", name="Pause").click()
    everything.get_by_role("button", name="20 min").click()
    for page in (everything, bar):
        expect(page.locator("#pause-banner")).to_contain_text(
            re.compile(rf"Guests can't order until {MOMENT}"), timeout=SOON
        )
        expect(page.locator("#pause-left")).to_have_text(re.compile(r"^(19:\d\d|20:00) left$"))
    expect(waiter.locator("#paused")).to_contain_text("20 min left", timeout=SOON)
    bar.get_by_role("button", name="Resume now").click()
    for page in (everything, bar):
        expect(page.locator("#pause-banner")).to_be_hidden(timeout=SOON)
    expect(waiter.locator("#paused")).to_have_count(0, timeout=SOON)


def test_late_dockets_are_named(displays, orders):
    everything = displays["all"]
    late = [{"printer": "Bar", "count": 3, "since": "2026-03-09T19:04:00Z", "error": "off"}]

    def with_dockets(route):
        response = route.fetch()
        route.fulfill(response=response, json={**response.json(), "lateDockets": late})

    everything.route(re.compile(r"/kitchen\?times=true&recent=true$"), with_dockets)
    expect(everything.locator("#docket-banner")).to_have_text("Printer Bar: 3 dockets wait since 19:04", timeout=6000)


def test_ticking_off_works_without_javascript(displays, orders, windows):
    page = windows.open(storage_state=displays["all"].context.storage_state(), java_script_enabled=False)
    page.goto(f"{orders.base}/kitchen/grill")
    [order] = orders.by_status()["pending"]
    page.get_by_role("button", name="Done Ribeye").click()
    expect(page.get_by_role("button", name="Not done Ribeye")).to_be_visible()
    expect(displays["all"].locator(f'[data-order="{order}"] .is-done .item-name')).to_have_text("Ribeye", timeout=SOON)


def test_a_station_says_after_a_reload_how_far_the_others_are(displays, orders):
    bar, grill = displays["bar"], displays["grill"]
    [order] = orders.by_status()["pending"]
    line(bar, order, "Negroni").click()
    expect(ticket(grill, order).locator(".ticket-also")).to_have_text("Also for Bar 1/1", timeout=SOON)
    grill.reload()
    expect(ticket(grill, order).locator(".ticket-also")).to_have_text("Also for Bar 1/1")


def test_a_ticket_has_the_same_measures_at_its_station_as_among_all(displays, orders):
    [order] = orders.by_status()["pending"]
    measure = """(node) => ['.ticket-number', '.ticket-time', '.item-name', '.ticket-next'].map((part) => {
        const style = getComputedStyle(node.querySelector(part));
        return [style.fontSize, style.minHeight];
    }).concat([[node.offsetWidth, node.querySelector('.ticket-head').offsetHeight]])"""
    for page in (displays["all"], displays["grill"]):
        page.set_viewport_size({"width": 1280, "height": 800})
    displays["grill"].wait_for_timeout(300)
    # Of one ticket no column is wider than the others.
    widths = displays["all"].locator(".column").evaluate_all("(all) => all.map((each) => each.offsetWidth)")
    assert max(widths) - min(widths) <= 1
    assert ticket(displays["all"], order).evaluate(measure) == ticket(displays["grill"], order).evaluate(measure)
    # Also once it is done there, where it is as readable as before.
    grill = displays["grill"]
    before = ticket(grill, order).evaluate(measure)
    line(grill, order, "Ribeye").click()
    expect(grill.locator(f'#column-ready [data-order="{order}"]')).to_be_visible()
    grill.wait_for_timeout(300)
    changed = ticket(grill, order).evaluate(measure)
    assert changed[:3] + changed[4:] == before[:3] + before[4:]  # but for the button, which now takes it back
    expect(ticket(grill, order).locator(".ticket-head")).to_have_css("opacity", "1")


def test_a_ticket_names_who_ordered_by_the_first_name(displays, orders, installation):
    everything = displays["all"]
    [order] = orders.by_status()["pending"]
    users = "from django.contrib.auth import get_user_model; users = get_user_model().objects; "
    users += "from restaurant.models import Order; "
    installation.shell(f"{users} users.create(username='nora-k', first_name='Nora')")
    for user, name in (("nora-k", "Nora"), ("left-us", "left-us")):
        installation.shell(f"{users} Order.objects.filter(pk='{order}').update(placed_by='{user}')")
        everything.reload()
        expect(ticket(everything, order).locator(".ticket-by")).to_have_text(f"Ordered by {name}")
    installation.shell(f"{users} users.get(username='nora-k').delete()")
