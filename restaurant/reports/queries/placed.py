"""How many orders were placed in a window, and for how much: sums of days that are over, and the orders of the rest.

See "Sums of days" in docs/behaviour/common.md.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from itertools import chain
from typing import Any

from django.db.models import Count, Q, QuerySet, Sum

from restaurant.menu.models import SalesOfQuarter
from restaurant.ordering.queries import counted
from restaurant.reports.queries import summed
from web.money import NOTHING
from web.quarter_hours import Epoch, by_quarter_hour
from web.sums_of_days import others
from web.windows import Window


@dataclass(frozen=True, slots=True)
class OrderSums:
    """A number of orders, and the sum of their totals."""

    orders: int
    revenue: Decimal

    def __add__(self, other: "OrderSums") -> "OrderSums":
        return OrderSums(self.orders + other.orders, self.revenue + other.revenue)


NO_ORDERS = OrderSums(0, NOTHING)


def by_quarter(window: Window) -> Iterator[tuple[int, int, Decimal]]:
    """A second since 1970 that lies in a quarter hour, its orders and their totals. It may come more than once."""
    days = summed.days(window)
    sums: QuerySet[Any, Any] = SalesOfQuarter.objects.filter(day__in=days)
    stored = sums.values_list(Epoch("quarter"), "orders", "revenue") if days else ()
    return chain(stored, of_orders(others(window, days, "created_at")))


def total(window: Window) -> OrderSums:
    days = summed.days(window)
    rest = counted.orders().filter(others(window, days, "created_at"))
    sums = OrderSums(**rest.aggregate(orders=Count("*"), revenue=Sum("total", default=NOTHING)))
    if not days:
        return sums
    stored = SalesOfQuarter.objects.filter(day__in=days)
    return sums + OrderSums(
        **stored.aggregate(orders=Sum("orders", default=0), revenue=Sum("revenue", default=NOTHING))
    )


def of_orders(times: Q) -> QuerySet[Any, Any]:
    return by_quarter_hour(counted.orders().filter(times), "created_at", orders=Count("*"), revenue=Sum("total"))
