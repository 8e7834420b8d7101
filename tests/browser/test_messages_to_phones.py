"""Phones hear of calls and orders while they are locked, from the page that turns it on to the service worker.

Chromium without a head has neither a push service nor permission to notify, whatever is granted. So these three are
stubs: `PushManager`, with the keys of a phone of the tests; `Notification.permission`; and showing a notification. The
service worker, the installation that sends, and what goes over the wire are real.
"""

import json
from collections.abc import Iterator

import pytest
from playwright.sync_api import CDPSession, Page, expect

from tests.browser import accessible
from tests.browser.conftest import Windows
from tests.config.pushing.push_service import Phone, PushService
from tests.servers import Installation

pytestmark = pytest.mark.browser

STUBS = """
const made = { endpoint: %(endpoint)s, unsubscribe: async () => true, toJSON: () => (%(subscription)s) };
Object.defineProperty(Notification, "permission", { get: () => window.permission ?? "granted" });
Notification.requestPermission = async () => Notification.permission;
PushManager.prototype.subscribe = async () => { localStorage.subscribed = "yes"; return made; };
PushManager.prototype.getSubscription = async () => (localStorage.subscribed ? made : null);
"""
FLOOR = """
from django.contrib.auth.models import Group, User
User.objects.create_user("ana").groups.add(Group.objects.get(name="Floor"))
"""
ORDER = """
from decimal import Decimal
from restaurant.models import MenuItem, Order, OrderItem, TableSession
from restaurant.tables.services import tables
session = TableSession.objects.create(table=tables.create(table_number=7, section=""))
order = Order.objects.create(table=session.table, session=session, total=5)
soup = MenuItem.objects.create(name="Soup", price=Decimal(5), category="Soups")
OrderItem.objects.create(order=order, menu_item=soup, name="Soup", price=Decimal(5))
print(order.pk)
"""


@pytest.fixture(scope="module")
def service() -> Iterator[PushService]:
    made = PushService()
    yield made
    made.close()


@pytest.fixture(scope="module")
def house(tmp_path_factory, used, service) -> Iterator[Installation]:
    """An installation of its own, which sends to the tests' push service."""
    own = {"PUSH_HOSTS": service.origin}
    made = Installation(tmp_path_factory.mktemp("push") / "d", options=(), environment=own).copy_data(used).start()
    try:
        assert made.process.poll() is None, made.output
        made.shell(FLOOR)
        yield made
    finally:
        made.end()


@pytest.fixture
def windows(chromium, house) -> Iterator[Windows]:
    opened = Windows(chromium, house.base)
    yield opened
    for context in opened.contexts:
        context.close()


def stub(page: Page, phone: Phone) -> None:
    values = {"endpoint": json.dumps(phone.endpoint), "subscription": json.dumps(phone.subscription)}
    page.add_init_script(STUBS % values)


def deliver(page: Page, devtools: CDPSession, phone: Phone, base: str) -> dict:
    """Have the browser deliver the phone's latest message, and return what its service worker shows."""
    (worker,) = page.context.service_workers
    worker.evaluate("""() => {
        self.shown = new Promise((resolve) => {
            registration.showNotification = async (title, options) => resolve({ title, ...options });
        });
    }""")
    registrations: list[str] = []
    devtools.on(
        "ServiceWorker.workerRegistrationUpdated",
        lambda event: registrations.extend(each["registrationId"] for each in event["registrations"]),
    )
    devtools.send("ServiceWorker.enable")
    while not registrations:
        page.wait_for_timeout(20)
    message = {"origin": base, "registrationId": registrations[0], "data": json.dumps(phone.messages[-1])}
    devtools.send("ServiceWorker.deliverPushMessage", message)
    return worker.evaluate("() => self.shown")


def test_staff_turn_it_on_try_it_and_turn_it_off(house, windows, service):
    phone = Phone(service)
    page = windows.phone(storage_state={"cookies": [house.cookie("ana")]})
    stub(page, phone)
    page.goto(f"{house.base}/account")
    page.get_by_role("button", name="Turn on").tap()
    expect(page.get_by_text("Turned on for this phone.")).to_be_visible()
    page.get_by_role("button", name="Try it").tap()
    expect(page.get_by_text("A message is on its way.")).to_be_visible()
    accessible.check(page)
    service.wait_for(1)
    shown = deliver(page, page.context.new_cdp_session(page), phone, house.base)
    assert shown["title"] == "It works: calls reach this phone."
    assert (shown["data"], shown["renotify"]) == ("/account", True)
    page.reload()
    page.get_by_role("button", name="Turn off").tap()
    expect(page.get_by_role("button", name="Turn on")).to_be_visible()
    assert windows.complaints == []


def test_the_page_says_why_it_can_not(house, windows, service):
    said = {
        "window.permission = 'denied'": "Notifications of this site are blocked.",
        "delete window.PushManager": "This browser can't do it.",
        "Object.defineProperty(window, 'isSecureContext', { value: false })": "It works over HTTPS alone",
    }
    for script, words in said.items():
        page = windows.phone(storage_state={"cookies": [house.cookie("ana")]})
        stub(page, Phone(service))
        page.add_init_script(script)
        page.goto(f"{house.base}/account")
        expect(page.get_by_text(words)).to_be_visible()
        expect(page.get_by_role("button", name="Turn on")).to_be_hidden()
    iphone = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Version/18.0 Safari/604.1"
    page = windows.phone(storage_state={"cookies": [house.cookie("ana")]}, user_agent=iphone)
    page.add_init_script("delete window.PushManager")
    page.goto(f"{house.base}/account")
    expect(page.get_by_text("Add to Home Screen")).to_be_visible()


def test_a_guest_is_told_when_the_order_is_ready_where_the_browser_can(house, windows, service):
    order, phone = house.shell(ORDER), Phone(service)
    other = windows.phone()
    other.goto(f"{house.base}/orders/{order}")  # which allows no notifications
    page = windows.phone()
    stub(page, phone)
    page.goto(f"{house.base}/orders/{order}")
    page.get_by_role("button", name="Tell me when it is ready").tap()
    expect(page.get_by_text("This phone tells you when it is ready")).to_be_visible()
    accessible.check(page)
    expect(other.get_by_role("button", name="Tell me when it is ready")).to_be_hidden()
    before = len(service.received)
    ready = f"order_steps.set_status(order_id='{order}', status='ready')"
    house.shell(f"from restaurant.ordering.services import order_steps\n{ready}")
    service.wait_for(before + 1)
    shown = deliver(page, page.context.new_cdp_session(page), phone, house.base)
    assert (shown["title"], shown["data"]) == ("Your order is ready", f"/orders/{order}")
    expect(page.get_by_text("This phone tells you when it is ready")).to_be_hidden()
    assert windows.complaints == []
