"""Measures the pages whose time depends on the number of rows."""

import csv
import math
import statistics
import time
from dataclasses import dataclass
from pathlib import Path

from django.conf import settings
from django.contrib.auth.models import User
from django.test import Client

from restaurant.models import Order

ROUNDS = 3
LIMITS = {"list": 100, "page": 200, "long": 500}  # milliseconds: a list, another page, a year's report
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
    with Path(__file__).with_name("pages.csv").open(encoding="utf-8", newline="") as file:
        return [(row["name"], row["path"].format(end=end), LIMITS[row["kind"]]) for row in csv.DictReader(file)]


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
