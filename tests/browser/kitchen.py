"""What the tests of the kitchen display share: orders placed and moved over HTTP, and what a display shows."""

import itertools
import json
import re
from datetime import timedelta

import requests
from playwright.sync_api import Locator, Page, TimeoutError, expect

from tests.browser.conftest import Windows
from tests.servers import Installation

NOTE = (
    "My daughter has a severe allergy to peanuts: please use a clean pan and clean knives, and tell us if that can't "
    "be done. The fish without its skin, the sauce beside it, and if you can, bring it together with the soup of my "
    "husband, who eats slowly. No coriander, no chilli, and the meat in small pieces for the child. "
)
NOTE = (NOTE * 2)[:499] + "!"

LIVE = re.compile(r"Updated \d s ago")

SOON = 3_500  # milliseconds, on a busy machine; after 4,000 a page without its socket would have asked by itself

_numbers = itertools.count(701)

SHOWN = """Object.fromEntries([...document.querySelectorAll('.column')].map((column) => [
    column.dataset.status, [...column.querySelectorAll('.ticket')].map((ticket) => ticket.dataset.order),
]))"""


def entry_of(dish: dict, quantity: int) -> dict:
    """With as many options as the dish needs."""
    chosen = [choice["id"] for group in dish.get("options", ()) for choice in group["choices"][: group["min"]]]
    return {"menuItemId": dish["id"], "quantity": quantity, "options": chosen}


class Orders:
    """The guests' orders, and the staff's list of the open ones, of one installation."""

    def __init__(self, installation: Installation) -> None:
        self.installation, self.base = installation, installation.base
        self.headers = {"Authorization": f"Token {installation.token('floor')}"}
        self.table, self.session, self.dishes = 0, "", []

    def _post(self, path: str, body: dict) -> dict:
        response = requests.post(f"{self.base}{path}", json=body, headers=self.headers, timeout=10)
        assert response.ok, response.text
        return response.json()

    def sit_down(self) -> None:
        """At a table of their own, so that no other test finds these orders at its table."""
        self.table = next(_numbers)
        self._post("/tables", {"tableNumber": self.table, "section": "Kitchen tests"})
        found = requests.get(f"{self.base}/table/{self.table}", timeout=10).json()
        self.session = found["session"]["id"]
        self.dishes = [dish for category in found["menu"].values() for dish in category]

    def place(self, items: int = 1, quantity: int = 1, note: str = "", note_on: int = 0) -> str:
        """One order of so many dishes."""
        entries = [entry_of(dish, quantity) for dish in self.dishes[:items]]
        entries[note_on]["specialInstructions"] = note
        response = requests.post(
            f"{self.base}/table/{self.table}/order", json={"sessionId": self.session, "items": entries}, timeout=10
        )
        assert response.ok, response.text
        return response.json()["orderId"]

    def place_many(self, count: int) -> list[str]:
        return [self.place(items=1 + number % 3) for number in range(count)]

    def move(self, order: str, status: str) -> None:
        self._post(f"/orders/{order}/status", {"status": status})

    def all_open(self) -> list[dict]:
        return requests.get(f"{self.base}/kitchen", headers=self.headers, timeout=10).json()["orders"]

    def by_status(self) -> dict[str, list[str]]:
        """The ids, oldest first, as a display has to show them."""
        columns: dict[str, list[str]] = {"pending": [], "preparing": [], "ready": []}
        for order in self.all_open():
            columns[order["status"]].append(order["orderId"])
        return columns

    def serve_all(self, but: tuple[str, ...] = ()) -> None:
        """Leave nothing on the displays, cancelled tickets of other tests included."""
        shown = requests.get(f"{self.base}/kitchen", headers=self.headers, timeout=10).json()
        for order in shown.get("cancelled", []):
            self._post(f"/orders/{order['orderId']}/acknowledge", {})
        for order in shown["orders"]:
            if order["orderId"] not in but:
                self.move(order["orderId"], "served")

    def answer_calls(self) -> None:
        """Leave no call of other tests: the header names only the tables that wait longest."""
        self.installation.shell(
            "from django.utils import timezone\n"
            "from restaurant.models import TableCall\n"
            "TableCall.objects.filter(done_at=None).update(done_at=timezone.now())"
        )

    def make_room(self) -> None:
        """Leave one order on the displays: a ticket that is cut off by others has no buttons to press."""
        self.serve_all(but=tuple(order["orderId"] for order in self.all_open()[:1]))

    def make_older(self, ages: dict[str, timedelta]) -> None:
        lines = ["from datetime import timedelta", "from django.db.models import F"]
        lines.append("from restaurant.models import Order")
        for order, age in ages.items():
            change = f"created_at=F('created_at') - timedelta(seconds={age.total_seconds()})"
            lines.append(f"Order.objects.filter(pk={order!r}).update({change})")
        self.installation.shell("\n".join(lines))


# A display with room for what other tests have left in the kitchen: a ticket that is cut off shows no buttons.
HIGH = {"viewport": {"width": 1280, "height": 4000}}

_signed_in: dict[str, dict] = {}  # addresses of installations, and the cookies of their staff


def open_display(windows: Windows, installation: Installation, *, password: str = "", **options) -> Page:
    """A kitchen display with at least one ticket. Only the first one goes through the sign-in page.

    An installation that uses the database of another needs the password of that one's staff.
    """
    cookies = _signed_in.get(installation.base)
    if cookies is None:
        page = windows.kitchen(installation, password or installation.passwords["floor"], **options)
        _signed_in[installation.base] = page.context.storage_state()
    else:
        page = windows.open(storage_state=cookies, **options)
        page.goto(f"{installation.base}/kitchen")
        page.wait_for_selector(".ticket")
    expect(page.locator("#connection-text")).to_have_text(LIVE)
    return page


def ticket(page: Page, order: str) -> Locator:
    return page.locator(f'.ticket[data-order="{order}"]')


def shown(page: Page) -> dict[str, list[str]]:
    return page.evaluate(SHOWN)


def wait_until_shown(page: Page, columns: dict[str, list[str]], seconds: float = 8) -> None:
    """Until the display shows exactly these, each once, in this order."""
    script = f"(wanted) => JSON.stringify({SHOWN}) === wanted"
    try:
        arg = json.dumps(columns, separators=(",", ":"))
        page.wait_for_function(script, arg=arg, timeout=seconds * 1000, polling=100)
    except TimeoutError:
        assert shown(page) == columns  # says what differs
        raise
