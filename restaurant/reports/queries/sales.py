"""What was sold in a window, and which of the staff sold it."""

from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from django.db.models import Count, F, QuerySet, Sum

from restaurant.billing.models import Adjustment, Payment
from restaurant.ordering.models import TableSession
from restaurant.ordering.queries import counted
from restaurant.reports.order_filter import ALL_ORDERS, OrderFilter
from web.money import NOTHING
from web.reporting import average
from web.windows import Compared, Period, Window


@dataclass(frozen=True, slots=True)
class Sales:
    """`sessions`: table sessions that began in the window."""

    sessions: int
    orders: int
    revenue: Decimal

    @property
    def average_order(self) -> Decimal:
        return average(self.revenue, self.orders)


def sales(window: Window, order_filter: OrderFilter = ALL_ORDERS) -> Sales:
    orders = counted.orders().filter(window.within("created_at"), order_filter.of_orders())
    sessions = TableSession.objects.filter(window.within("started_at"), order_filter.of_sessions())
    sums = orders.aggregate(orders=Count("*"), revenue=Sum("total", default=NOTHING))
    return Sales(sessions=sessions.count(), **sums)


def taken_off(window: Window) -> Decimal:
    """Return what discounts, service and the like of the window make of the sales, mostly below 0."""
    made = Adjustment.objects.filter(window.within("created_at"), voided_at=None)
    total: Decimal = made.aggregate(total=Sum("value", default=NOTHING))["total"]
    return total


def compared_sales(period: Period) -> Compared[Sales]:
    return Compared(sales(period.window), sales(period.before))


def are_first(compared: Compared[Sales]) -> bool:
    """Return whether something was sold, and nothing at all in the period before."""
    return bool(compared.now.orders and not (compared.before.orders or compared.before.sessions))


@dataclass(frozen=True, slots=True)
class BestSeller:
    dish: str
    portions: int
    sales: Decimal


def best_sellers(window: Window, *, most: int) -> list[BestSeller]:
    """Return the dishes of which the most portions were sold, at most `most` of them."""
    lines = counted.lines().filter(window.within("order__created_at")).values(dish=F("menu_item__name"))
    dishes = lines.annotate(portions=counted.PORTIONS, sales=counted.REVENUE).order_by("-portions", "dish")
    return [BestSeller(**dish) for dish in dishes[:most]]


@dataclass(frozen=True, slots=True)
class StaffWork:
    """The number of orders that one of the staff took for guests, and the payments they took with their tips."""

    orders: int = 0
    paid: Decimal = NOTHING
    tips: Decimal = NOTHING


def work_by_staff(window: Window) -> dict[str, StaffWork]:
    """Return the work of those who did any, by user name."""
    placed: QuerySet[Any, Any] = counted.orders().filter(window.within("created_at")).exclude(placed_by="")
    orders = dict(placed.order_by().values_list("placed_by").annotate(Count("pk")))
    payments: QuerySet[Any, Any] = Payment.objects.filter(window.within("created_at"), voided_at=None)
    by_name = payments.exclude(taken_by=None).order_by().values_list("taken_by__username")
    sums = {name: paid for name, *paid in by_name.annotate(Sum("amount"), Sum("tip"))}
    return {name: StaffWork(orders.get(name, 0), *sums.get(name, ())) for name in orders | sums}
