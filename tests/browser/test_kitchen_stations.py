"""Displays of stations: what each shows, ticking entries off, and what has sold out and a pause on every display."""

import re
from collections.abc import Iterator

import pytest
import requests
from playwright.sync_api import Locator, Page, expect

from tests.browser.kitchen import HIGH, Orders, open_display, open_stopped, start_clock, ticket
from tests.servers import PATIENCE

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
from tests.servers import PATIENCE
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
        made = requests.post(f"{self.base}/table/{self.table}/order", json=body, timeout=PATIENCE)
        assert made.ok, made.text
        return made.json()["orderId"]

    def status(self, order: str) -> str:
        return requests.get(f"{self.base}/orders/{order}", headers=self.headers, timeout=PATIENCE).json()["status"]


@pytest.fixture(scope="module")
def orders(installation) -> Iterator[Stations]:
    made = Stations(installation)
    made.serve_all()
    yield made
    installation.shell(CLEAN)


@pytest.fixture
def displays(windows, installation, orders) -> dict[str, Page]:
    """All, the bar's, and the grill's, whose clock stands: it learns by the socket alone. With an order of both."""
    orders.serve_all()
    orders.sit_down()
    orders.order(orders.negroni, orders.steak)
    first = open_display(windows, installation, **HIGH)
    found = {"all": first}
    for slug, prepare in (("bar", start_clock), ("grill", open_stopped)):
        found[slug] = windows.tab(first.context)
        prepare(found[slug])
        found[slug].goto(f"{installation.base}/kitchen/{slug}")
        expect(found[slug].locator(".ticket").first).to_be_attached()
    return found


def line(page: Page, order: str, name: str) -> Locator:
    return ticket(page, order).get_by_role("button", name=re.compile(name))


def test_each_station_shows_its_own_entries_and_ticks_them_off(displays, orders, windows):
    everything, bar, grill = displays.values()
    steaks = orders.order(orders.steak)
    both = orders.order(orders.negroni, orders.steak, allergies=("nuts", "milk"))
    expect(ticket(grill, steaks)).to_be_attached()
    expect(ticket(bar, both)).to_be_attached()
    expect(ticket(bar, steaks)).to_have_count(0)
    expect(ticket(bar, both).locator(".item-name")).to_have_text(["Negroni"])
    expect(ticket(bar, both).locator(".ticket-also")).to_have_text("Also for Grill 0/2")
    entries = ticket(everything, both).get_by_role("listitem")
    for entry, station, name in zip(entries.all(), ("Bar", "Grill"), ("Negroni", "Ribeye"), strict=True):
        expect(entry).to_contain_text(re.compile(rf"^\s*{station}.*{name}", re.DOTALL))
    for page in (bar, grill, everything):
        expect(ticket(page, both).locator(".ticket-allergy")).to_contain_text("ALLERGY: milk, nuts")
    expect(ticket(bar, both).locator(".item-alert")).to_be_hidden()
    expect(ticket(grill, both).locator(".item-alert")).to_have_text("Contains or may contain nuts")
    expect(ticket(grill, both).locator(".item-option")).to_have_text("Medium rare")
    expect(ticket(grill, both).locator(".item-note-text")).to_have_text("“No salt”")

    line(bar, both, "Negroni").click()
    expect(ticket(bar, both).locator(".ticket-next")).to_have_text(re.compile("^Not done after all"))
    expect(bar.locator(f'#column-ready [data-order="{both}"] .ticket-also')).to_have_text("Waiting for Grill 0/2")
    expect(ticket(bar, both).locator(".ticket-time")).to_have_text(re.compile(r"^0:\d\d$"))  # how long it gets cold
    expect(ticket(bar, both).locator(".ticket-since")).to_have_text(re.compile(r"^\s*done\s\d\d:\d\d$"))
    expect(ticket(grill, both).locator(".ticket-also")).to_have_text("Also for Bar 1/1")
    for page in (everything, bar):
        expect(line(page, both, "Negroni")).to_have_attribute("aria-pressed", "true")
        expect(ticket(page, both).locator(".is-done .item-name")).to_have_css("text-decoration-line", "line-through")
    assert orders.status(both) == "pending"
    # Taken back, and done again on another display.
    ticket(bar, both).get_by_role("button", name="Not done after all").click()
    expect(bar.locator(f'#column-pending [data-order="{both}"]')).to_be_visible()
    expect(line(everything, both, "Negroni")).to_have_attribute("aria-pressed", "false")
    line(everything, both, "Negroni").click()
    expect(bar.locator(f'#column-ready [data-order="{both}"]')).to_be_visible()

    ticket(grill, both).get_by_role("button", name="Start").click()
    grill.clock.fast_forward(500)  # sooner it would be a double tap
    ticket(grill, both).get_by_role("button", name="All done").click()
    for page in (everything, bar, grill):
        expect(ticket(page, both)).to_have_attribute("data-status", "ready")
    expect(grill.locator(f'#column-ready [data-order="{both}"]')).to_be_visible()
    assert orders.status(both) == "ready"
    line(everything, both, "Ribeye").click()
    for page in (everything, grill):
        expect(ticket(page, both)).to_have_attribute("data-status", "preparing")
    expect(grill.locator(f'#column-pending [data-order="{both}"]')).to_be_visible()
    grill.reload()
    expect(grill.locator(f'#column-pending [data-order="{both}"]')).to_be_visible()
    expect(ticket(grill, both).locator(".ticket-also")).to_have_text("Also for Bar 1/1")
    assert windows.complaints == []


def test_a_display_says_what_is_refused_which_dockets_are_late_and_who_ordered(displays, orders, installation):
    everything, bar, _ = displays.values()
    stations = bar.get_by_role("navigation", name="Stations")
    expect(stations.locator("[aria-current]")).to_have_text("Bar")
    stations.get_by_role("link", name="Grill").click()
    expect(bar.locator(".ticket .item-name")).to_have_text(["Ribeye"])
    expect(bar.locator("#connection-banner")).to_be_hidden()

    [order] = orders.by_status()["pending"]
    everything.route("**/done", lambda route: route.fulfill(status=409, json={"error": "It was served."}))
    line(everything, order, "Negroni").click()
    expect(ticket(everything, order).locator(".ticket-error")).to_have_text("Not saved: It was served.")
    expect(line(everything, order, "Negroni")).to_have_attribute("aria-pressed", "false")

    late = [{"printer": "Bar", "count": 3, "since": "2026-03-09T19:04:00Z", "error": "off"}]

    def with_dockets(route):
        response = route.fetch()
        route.fulfill(response=response, json={**response.json(), "lateDockets": late})

    everything.route(re.compile(r"/kitchen\?times=true&recent=true$"), with_dockets)
    users = "from django.contrib.auth import get_user_model; users = get_user_model().objects; "
    users += "from restaurant.models import Order; "
    installation.shell(f"{users} users.create(username='nora-k', first_name='Nora')")
    try:
        for user, name in (("nora-k", "Nora"), ("left-us", "left-us")):
            installation.shell(f"{users} Order.objects.filter(pk='{order}').update(placed_by='{user}')")
            everything.reload()
            expect(ticket(everything, order).locator(".ticket-by")).to_have_text(f"Ordered by {name}")
    finally:
        installation.shell(f"{users} users.get(username='nora-k').delete()")
    expect(everything.locator("#docket-banner")).to_have_text("Printer Bar: 3 dockets wait since 19:04")


def test_what_has_sold_out_and_a_pause_are_on_every_display_and_the_floor(displays, orders, windows):
    everything, _, grill = displays.values()
    [order] = orders.by_status()["pending"]
    before = int(everything.locator("#soldout-count").text_content() or 0)
    everything.get_by_role("button", name="Sold out or cancel…").click()
    dialog = everything.get_by_role("dialog", name=f"Table {orders.table}")
    cancel = dialog.get_by_role("link", name="Cancel the order, or a part of it…")
    expect(cancel).to_have_attribute("href", f"/orders/{order}/cancel?next=/kitchen")
    dialog.get_by_role("button", name="Sold out… Ribeye").click()
    dialog.get_by_role("button", name="For an hour").locator("visible=true").click()
    expect(dialog.get_by_text(re.compile(rf"Sold out until {MOMENT}"))).to_be_visible()
    everything.keyboard.press("Escape")
    expect(grill.locator("#soldout-count")).to_have_text(str(before + 1))
    waiter = windows.tab(everything.context)
    open_stopped(waiter)
    waiter.goto(f"{orders.base}/floor")
    waiter.get_by_text(f"Sold out ({before + 1})").click()
    waiter.clock.run_for(100)  # nothing is read while a finger is down
    expect(waiter.get_by_role("button", name="Available again Ribeye")).to_be_visible()
    grill.locator("#soldout-button").click()
    grill.get_by_role("button", name="Available again Ribeye").click()
    expect(waiter.locator("#sold-out")).not_to_contain_text("Ribeye")
    grill.get_by_label("Mark a dish as sold out").fill("ribéye")
    expect(grill.get_by_role("button", name="Sold out… Ribeye")).to_be_visible()
    grill.locator("#soldout").get_by_role("button", name="Close").click()

    everything.get_by_role("button", name="Pause").click()
    everything.get_by_role("button", name="20 min").click()
    for page in (everything, grill):
        expect(page.locator("#pause-banner")).to_contain_text(re.compile(rf"Guests can't order until {MOMENT}"))
        expect(page.locator("#pause-left")).to_have_text(re.compile(r"^(1[89]:\d\d|20:00) left$"))
    expect(waiter.locator("#paused")).to_contain_text(re.compile(r"\d+ min left"))  # by a clock that stands
    grill.get_by_role("button", name="Resume now").click()
    for page in (everything, grill):
        expect(page.locator("#pause-banner")).to_be_hidden()
    expect(waiter.locator("#paused")).to_have_count(0)
