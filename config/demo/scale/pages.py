"""Measures the pages whose time depends on the number of rows."""

import statistics
import time
from dataclasses import dataclass

from django.conf import settings
from django.contrib.auth.models import User
from django.test import Client

from restaurant.models import Order
from web.long_lists import MAX_COUNTED

ROUNDS = 3
LIST, PAGE, LONG = 100, 200, 500  # limits in milliseconds: a list, another page, a year's report
_ROWS = 50  # of a page of orders or members


@dataclass(frozen=True, slots=True)
class Page:
    name: str
    path: str
    limit: int


@dataclass(frozen=True, slots=True)
class Measured:
    """`milliseconds` is the median of ROUNDS."""

    page: Page
    milliseconds: float
    bytes: int


def pages() -> list[Page]:
    end = _last_page(Order.objects.count())
    return [
        Page("orders", "/admin/restaurant/order/", LIST),
        Page("orders, last page", f"/admin/restaurant/order/?p={end}", LIST),
        Page("orders, oldest first", "/admin/restaurant/order/?o=1", LIST),
        Page("orders by items", "/admin/restaurant/order/?o=-4", LIST),
        Page("orders by total", "/admin/restaurant/order/?o=-5", LIST),
        Page("orders by status", "/admin/restaurant/order/?o=3", LIST),
        Page("orders of a table", "/admin/restaurant/order/?table=7", LIST),
        Page("orders that are ready", "/admin/restaurant/order/?status__exact=ready", LIST),
        Page("orders, search by table", "/admin/restaurant/order/?q=7", LIST),
        Page("orders, search by id", "/admin/restaurant/order/?q=7e3a", LIST),
        Page("table sessions", "/admin/restaurant/tablesession/", LIST),
        Page("members", "/admin/loyalty/member/", LIST),
        Page("members, last page", f"/admin/loyalty/member/?p={end}", LIST),
        Page("members by points", "/admin/loyalty/member/?o=-3", LIST),
        Page("members by name", "/admin/loyalty/member/?o=0", LIST),
        Page("members, platinum", "/admin/loyalty/member/?tier__exact=platinum", LIST),
        Page("members, search", "/admin/loyalty/member/?q=fitzgerald", LIST),
        Page("members, search for one", "/admin/loyalty/member/?q=murphy.4730", LIST),
        Page("members, search for nobody", "/admin/loyalty/member/?q=zzzz", LIST),
        Page("ledger", "/admin/loyalty/pointtransaction/", LIST),
        Page("ledger, search", "/admin/loyalty/pointtransaction/?q=fitzgerald", LIST),
        Page("redemptions", "/admin/loyalty/redemption/", LIST),
        Page("scans", "/admin/qrservice/scan/", LIST),
        Page("scans, a device of which there is none", "/admin/qrservice/scan/?device=ChromeOS", LIST),
        Page("QR codes", "/admin/qrservice/code/", LIST),
        Page("till, search", "/till?q=fitzgerald", LIST),
        Page("till, search for one", "/till?q=murphy.4730", LIST),
        Page("till, search for nobody", "/till?q=zzzz", LIST),
        Page("till, two letters", "/till?q=mu", LIST),
        Page("kitchen", "/kitchen", PAGE),
        Page("floor", "/floor", PAGE),
        Page("admin, start page", "/admin/", PAGE),
        Page("reports", "/reports", PAGE),
        Page("report: sales", "/reports/restaurant", PAGE),
        Page("report: the day", "/reports/restaurant/day", PAGE),
        Page("report: menu, 30 days", "/reports/restaurant/menu?days=30", PAGE),
        Page("report: menu, 365 days", "/reports/restaurant/menu?days=365", LONG),
        Page("report: peak hours, 30 days", "/reports/restaurant/peak-hours?days=30", PAGE),
        Page("report: peak hours, 365 days", "/reports/restaurant/peak-hours?days=365", LONG),
        Page("report: a table", "/reports/restaurant/tables/7", PAGE),
        Page("report: programme", "/reports/loyalty", PAGE),
        Page("report: segments", "/reports/loyalty/segments", LONG),
        Page("report: re-engagement", "/reports/loyalty/re-engagement", PAGE),
    ]


def _last_page(count: int) -> int:
    return max(1, -(-min(count, MAX_COUNTED) // _ROWS))


def measure() -> list[Measured]:
    """Measure as the owner, in this process, with everything that a request goes through but the server."""
    browser = Client(headers={"Accept": "text/html", "Host": settings.ALLOWED_HOSTS[0].lstrip(".")})
    owner = User.objects.filter(is_superuser=True, is_active=True).earliest("pk")
    browser.force_login(owner, backend=settings.AUTHENTICATION_BACKENDS[-1])
    browser.get("/admin/")  # loads templates
    return [_measure(browser, page) for page in pages()]


def _measure(browser: Client, page: Page) -> Measured:
    times, response = [], None
    for _ in range(ROUNDS):
        start = time.perf_counter()
        response = browser.get(page.path, follow=True)
        times.append(time.perf_counter() - start)
        if response.status_code != 200:
            raise RuntimeError(f"{page.path} has the status {response.status_code}.")
    return Measured(page, statistics.median(times) * 1000, len(response.content) if response else 0)


def table(measured: list[Measured]) -> str:
    """Return a line for each page, with a mark where it takes longer than its limit."""
    width = max(len(result.page.name) for result in measured)
    lines = [f"{'':<{width}}  {'ms':>7}  {'wanted':>7}  {'KB':>6}"]
    for result in measured:
        slow = "  slow" if result.milliseconds > result.page.limit else ""
        limit, kilobytes = f"< {result.page.limit}", result.bytes / 1000
        lines.append(f"{result.page.name:<{width}}  {result.milliseconds:>7,.0f}  {limit:>7}  {kilobytes:>6,.0f}{slow}")
    return "\n".join(lines)
