"""Measures the pages whose time depends on the number of rows."""

import math
import statistics
import time
from dataclasses import dataclass

from django.conf import settings
from django.contrib.auth.models import User
from django.test import Client

from restaurant.models import Order

ROUNDS = 3
LIST, PAGE, LONG = 100, 200, 500  # limits in milliseconds: a list, another page, a year's report
_ROWS = 50  # of a page of orders or members


@dataclass(frozen=True, slots=True)
class Measured:
    """A page with its limit. `milliseconds` is the median of ROUNDS."""

    name: str
    limit: int
    milliseconds: float
    bytes: int


def pages() -> list[tuple[str, str, int]]:
    """Return the name, the path and the limit of every page."""
    end = max(1, math.ceil(Order.objects.count() / _ROWS))
    return [
        ("orders", "/admin/restaurant/order/", LIST),
        ("orders, last page", f"/admin/restaurant/order/?p={end}", LIST),
        ("orders, oldest first", "/admin/restaurant/order/?o=2", LIST),
        ("orders by total", "/admin/restaurant/order/?o=-5", LIST),
        ("orders that are ready", "/admin/restaurant/order/?status__exact=ready", LIST),
        ("orders, search by table", "/admin/restaurant/order/?q=7", LIST),
        ("orders, search by id", "/admin/restaurant/order/?q=7e3a", LIST),
        ("table sessions", "/admin/restaurant/tablesession/", LIST),
        ("members", "/admin/loyalty/member/", LIST),
        ("members, last page", f"/admin/loyalty/member/?p={end}", LIST),
        ("members by points", "/admin/loyalty/member/?o=-5", LIST),
        ("members by name", "/admin/loyalty/member/?o=1", LIST),
        ("members, platinum", "/admin/loyalty/member/?tier__exact=platinum", LIST),
        ("members, search", "/admin/loyalty/member/?q=fitzgerald", LIST),
        ("members, search for one", "/admin/loyalty/member/?q=murphy.4730", LIST),
        ("members, search for nobody", "/admin/loyalty/member/?q=zzzz", LIST),
        ("ledger", "/admin/loyalty/pointtransaction/", LIST),
        ("ledger, search", "/admin/loyalty/pointtransaction/?q=fitzgerald", LIST),
        ("redemptions", "/admin/loyalty/redemption/", LIST),
        ("scans", "/admin/qrservice/scan/", LIST),
        ("scans, a device of which there is none", "/admin/qrservice/scan/?device=ChromeOS", LIST),
        ("QR codes", "/admin/qrservice/code/", LIST),
        ("till, search", "/till?q=fitzgerald", LIST),
        ("till, search for one", "/till?q=murphy.4730", LIST),
        ("till, search for nobody", "/till?q=zzzz", LIST),
        ("till, two letters", "/till?q=mu", LIST),
        ("kitchen", "/kitchen", PAGE),
        ("floor", "/floor", PAGE),
        ("admin, start page", "/admin/", PAGE),
        ("reports", "/reports", PAGE),
        ("report: sales", "/reports/restaurant", PAGE),
        ("report: the day", "/reports/restaurant/day", PAGE),
        ("report: menu, 30 days", "/reports/restaurant/menu?days=30", PAGE),
        ("report: menu, 365 days", "/reports/restaurant/menu?days=365", LONG),
        ("report: peak hours, 30 days", "/reports/restaurant/peak-hours?days=30", PAGE),
        ("report: peak hours, 365 days", "/reports/restaurant/peak-hours?days=365", LONG),
        ("report: a table", "/reports/restaurant/tables/7", PAGE),
        ("report: programme", "/reports/loyalty", PAGE),
        ("report: segments", "/reports/loyalty/segments", LONG),
        ("report: re-engagement", "/reports/loyalty/re-engagement", PAGE),
    ]


def measure() -> list[Measured]:
    """Measure as the owner, in this process, with everything that a request goes through but the server."""
    browser = Client(headers={"Accept": "text/html", "Host": settings.ALLOWED_HOSTS[0].lstrip(".")})
    owner = User.objects.filter(is_superuser=True, is_active=True).earliest("pk")
    browser.force_login(owner, backend=settings.AUTHENTICATION_BACKENDS[-1])
    browser.get("/admin/")  # loads templates
    return [_measure(browser, *page) for page in pages()]


def _measure(browser: Client, name: str, path: str, limit: int) -> Measured:
    times, length = [], 0
    for _ in range(ROUNDS):
        start = time.perf_counter()
        response = browser.get(path, follow=True)
        times.append(time.perf_counter() - start)
        length = len(response.content)
        if response.status_code != 200:
            raise RuntimeError(f"{path} has the status {response.status_code}.")
    return Measured(name, limit, statistics.median(times) * 1000, length)


def table(measured: list[Measured]) -> str:
    """Return a line for each page, with a mark where it takes longer than its limit."""
    width = max(len(page.name) for page in measured)
    lines = [f"{'':<{width}}  {'ms':>7}  {'wanted':>7}  {'KB':>6}"]
    for page in measured:
        slow = "  slow" if page.milliseconds > page.limit else ""
        limit, kilobytes = f"< {page.limit}", page.bytes / 1000
        lines.append(f"{page.name:<{width}}  {page.milliseconds:>7,.0f}  {limit:>7}  {kilobytes:>6,.0f}{slow}")
    return "\n".join(lines)
