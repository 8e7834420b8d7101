"""What the tests of the kitchen display share: orders placed and moved over HTTP, and what a display shows."""

import itertools
import json
import re
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime, timedelta

import requests
from playwright.sync_api import Error, Locator, Page, TimeoutError, expect

from tests.servers import PATIENCE, Installation

NOTE = (
    "My daughter has a severe allergy to peanuts: please use a clean pan and clean knives, and tell us if that can't "
    "be done. The fish without its skin, the sauce beside it, and if you can, bring it together with the soup of my "
    "husband, who eats slowly. No coriander, no chilli, and the meat in small pieces for the child. "
)
NOTE = (NOTE * 2)[:499] + "!"

LIVE = re.compile(r"Updated \d s ago")

# Counts the tones that a page sounds, in `tones`.
COUNT_TONES = """
    window.tones = 0;
    const create = AudioContext.prototype.createOscillator;
    AudioContext.prototype.createOscillator = function () { window.tones += 1; return create.call(this); };
"""

WALL = {"width": 1920, "height": 1080}
TABLET = {"width": 1280, "height": 800}
UPRIGHT = {"width": 768, "height": 1024}

# Buttons that are shown and are not whole: cut off, or something else is over an edge of them.
CROSSED = """[...document.querySelectorAll('.ticket-next, .ticket-menu, .more')].filter((button) => {
    const box = button.getBoundingClientRect();
    const list = button.closest('.tickets') ?? button.closest('.column');
    if (getComputedStyle(button).visibility === 'hidden' || !box.height) return false;
    const page = list.getBoundingClientRect();
    if (box.left >= page.right - 4 || box.right <= page.left + 4) return false; // on another page
    const isHit = (x, y) => button.contains(document.elementFromPoint(x, y));
    const [middle, half] = [box.left + box.width / 2, box.top + box.height / 2];
    const bottom = button.matches('.ticket-menu') ? half : box.bottom - 4;
    const edges = [[middle, box.top + 4], [middle, bottom], [box.left + 6, half], [box.right - 6, half]];
    return !edges.every((edge) => isHit(...edge));
}).map((button) => button.outerHTML + JSON.stringify(button.getBoundingClientRect()))"""
SMALLEST = """(parts) => Math.min(
    ...[...document.querySelectorAll(parts)].map((part) => parseFloat(getComputedStyle(part).fontSize)))"""

_numbers = itertools.count(701)

# Resolved once the tickets have been where they are for some frames.
SETTLED = """() => new Promise((done) => {
    let last, same = 0;
    const look = () => {
        const parts = [...document.querySelectorAll('.ticket, .more, .ticket-rest')];
        const now = JSON.stringify(parts.map((each) => each.getBoundingClientRect()));
        same = now === last ? same + 1 : 0;
        last = now;
        if (same < 4) requestAnimationFrame(look); else done();
    };
    look();
})"""

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
        response = requests.post(f"{self.base}{path}", json=body, headers=self.headers, timeout=PATIENCE)
        assert response.ok, response.text
        return response.json()

    def sit_down(self) -> None:
        """At a table of their own, so that no other test finds these orders at its table."""
        self.table = next(_numbers)
        self._post("/tables", {"tableNumber": self.table, "section": "Kitchen tests"})
        found = requests.get(f"{self.base}/table/{self.table}", timeout=PATIENCE).json()
        self.session = found["session"]["id"]
        self.dishes = [dish for category in found["menu"].values() for dish in category]

    def place(self, items: int = 1, quantity: int = 1, note: str = "", note_on: int = 0) -> str:
        """One order of so many dishes."""
        entries = [entry_of(dish, quantity) for dish in self.dishes[:items]]
        entries[note_on]["specialInstructions"] = note
        response = requests.post(
            f"{self.base}/table/{self.table}/order",
            json={"sessionId": self.session, "items": entries},
            timeout=PATIENCE,
        )
        assert response.ok, response.text
        return response.json()["orderId"]

    def call(self, kind: str) -> None:
        """The guests call for the waiter, or for the bill."""
        body = {"sessionId": self.session, "kind": kind}
        response = requests.post(f"{self.base}/table/{self.table}/calls", json=body, timeout=PATIENCE)
        assert response.ok, response.text

    def place_many(self, count: int) -> list[str]:
        return [self.place(items=1 + number % 3) for number in range(count)]

    def move(self, order: str, status: str) -> None:
        self._post(f"/orders/{order}/status", {"status": status})

    def cancel(self, order: str, **body) -> None:
        self._post(f"/orders/{order}/cancel", {"reason": "mistake", **body})

    def all_open(self) -> list[dict]:
        return requests.get(f"{self.base}/kitchen", headers=self.headers, timeout=PATIENCE).json()["orders"]

    def by_status(self) -> dict[str, list[str]]:
        """The ids, oldest first, as a display has to show them."""
        columns: dict[str, list[str]] = {"pending": [], "preparing": [], "ready": []}
        for order in self.all_open():
            columns[order["status"]].append(order["orderId"])
        return columns

    def serve_all(self, but: tuple[str, ...] = ()) -> None:
        """Leave nothing on the displays, cancelled tickets of other tests included."""
        shown = requests.get(f"{self.base}/kitchen", headers=self.headers, timeout=PATIENCE).json()
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


def venue_time(seconds: str = "") -> re.Pattern[str]:
    """Now, a minute ago or a minute from now: the installation's TIME_ZONE is UTC."""
    now = datetime.now(UTC)
    times = {f"{now + timedelta(minutes=each):%H:%M}" for each in (-1, 0, 1)}
    return re.compile(rf"\b({'|'.join(times)}){seconds}\b")


# A display with room for what other tests have left in the kitchen: a ticket that is cut off shows no buttons.
HIGH = {"viewport": {"width": 1280, "height": 4000}}

_signed_in: dict[str, dict] = {}  # addresses of installations, and the cookies of their staff


def open_display(
    windows,
    installation: Installation,
    *,
    password: str = "",
    prepare: Callable[[Page], object] = lambda page: None,
    **options,
) -> Page:
    """A kitchen display with at least one ticket; `prepare` is called before it is loaded.

    Only the first one goes through the sign-in page. An installation that uses the database of another needs the
    password of that one's staff.
    """
    base = installation.base
    if base not in _signed_in:
        page = windows.kitchen(installation, password or installation.passwords["floor"], **options)
        _signed_in[base] = page.context.storage_state()
        page.close()
    page = windows.open(storage_state=_signed_in[base], **options)
    prepare(page)
    page.goto(f"{base}/kitchen")
    expect(page.locator(".ticket").first).to_be_attached()
    expect(page.locator("#connection-text")).to_have_text(LIVE)
    return page


def start_clock(page: Page) -> None:
    """Before it is loaded: the page's time passes, and can be stopped later."""
    page.clock.install(time=datetime.now(UTC))


def stop_clock(page: Page) -> None:
    """Stop the clock of a page that was opened with `start_clock`: from here on time passes by `page.clock` alone.

    The clock jumps to the moment at which it stops. It jumps by as little as the machine allows, because a display that
    misses some seconds takes its connection for lost.
    """
    for ahead in (0.2, 1, 3):  # seconds
        with suppress(Error):  # that moment has passed
            page.clock.pause_at(page.evaluate("Date.now()") / 1000 + ahead)
            return
    raise TimeoutError("The machine is too busy to stop a page's clock.")


def open_stopped(page: Page) -> None:
    """The clock of a page that is to be loaded stands from the beginning."""
    start_clock(page)
    stop_clock(page)


def settle(page: Page, orders: Orders, screen: dict[str, int]) -> None:
    """Until the display shows all orders on a screen of this size, and has fitted them to it."""
    page.set_viewport_size(screen)
    wait_until_shown(page, orders.by_status())
    page.evaluate(SETTLED)


def ticket(page: Page, order: str) -> Locator:
    return page.locator(f'.ticket[data-order="{order}"]')


def shown(page: Page) -> dict[str, list[str]]:
    return page.evaluate(SHOWN)


def wait_until_shown(page: Page, columns: dict[str, list[str]]) -> None:
    """Until the display shows exactly these, each once, in this order."""
    script = f"(wanted) => JSON.stringify({SHOWN}) === wanted"
    try:
        arg = json.dumps(columns, separators=(",", ":"))
        page.wait_for_function(script, arg=arg, timeout=PATIENCE * 1000, polling=100)
    except TimeoutError:
        assert shown(page) == columns  # says what differs
        raise
