"""Today, and yesterday until the same time; or a period, and the one before."""

from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Any
from zoneinfo import ZoneInfo

from django.db.models import Count, F, QuerySet, Sum

from restaurant.billing.models import Payment
from restaurant.ordering.models import TableSession
from restaurant.ordering.queries import counted
from restaurant.reports.only import EVERY, Only
from web.quarter_hours import by_quarter_hour
from web.reporting import average, days
from web.windows import Period


@dataclass(frozen=True, slots=True)
class Figures:
    sessions: int
    orders: int
    revenue: Decimal

    @property
    def average_order(self) -> Decimal:
        return average(self.revenue, self.orders)


@dataclass(frozen=True, slots=True)
class Today:
    """`today`: or of a period."""

    today: Figures
    before: Figures

    @property
    def is_first(self) -> bool:
        """Whether there is something now, and was nothing at all before."""
        return bool(self.today.orders and not (self.before.orders or self.before.sessions))


def figures(since: datetime, until: datetime, only: Only = EVERY) -> Figures:
    """Both ends are included."""
    placed = counted.orders().filter(only.orders(), created_at__range=(since, until))
    sessions = TableSession.objects.filter(only.at_tables(), started_at__range=(since, until))
    totals = placed.aggregate(orders=Count("*"), revenue=Sum("total", default=Decimal("0.00")))
    return Figures(sessions=sessions.count(), **totals)


def sales(since: datetime, until: datetime) -> Decimal:
    """Both ends are included."""
    placed = counted.orders().filter(created_at__range=(since, until))
    amount: Decimal = placed.aggregate(amount=Sum("total", default=Decimal("0.00")))["amount"]
    return amount


@dataclass(frozen=True, slots=True)
class BestSeller:
    """A dish, how many portions of it were sold, and what they came to."""

    dish: str
    portions: int
    sales: Decimal


def best_sellers(since: datetime, until: datetime, *, most: int) -> list[BestSeller]:
    """The most portions first; both ends are included."""
    lines = counted.lines().filter(order__created_at__range=(since, until)).values(dish=F("menu_item__name"))
    sold = lines.annotate(portions=counted.PORTIONS, sales=counted.REVENUE).order_by("-portions", "dish")
    return [BestSeller(**each) for each in sold[:most]]


@dataclass(frozen=True, slots=True)
class Own:
    """What one member of staff did: orders taken for guests, and payments with their tips."""

    orders: int
    payments: int
    paid: Decimal
    tips: Decimal


def own(user: Any, since: datetime, until: datetime) -> Own:
    """Both ends are included."""
    taken = counted.orders().filter(created_at__range=(since, until), placed_by=user.get_username())
    payments = Payment.objects.filter(created_at__range=(since, until), taken_by=user, voided_at=None)
    nothing = Decimal("0.00")
    paid = payments.aggregate(
        payments=Count("pk"), paid=Sum("amount", default=nothing), tips=Sum("tip", default=nothing)
    )
    return Own(orders=taken.count(), **paid)


def by_staff(since: datetime, until: datetime) -> dict[str, tuple[int, Decimal]]:
    """By user name: orders taken for guests, and what was paid to them, without tips. Both ends are included."""
    placed: QuerySet[Any, Any] = counted.orders().filter(created_at__range=(since, until)).exclude(placed_by="")
    orders = dict(placed.order_by().values_list("placed_by").annotate(Count("pk")))
    payments: QuerySet[Any, Any] = Payment.objects.filter(created_at__range=(since, until), voided_at=None)
    taken = dict(payments.order_by().values_list("taken_by__username").annotate(Sum("amount")))
    return {name: (orders.get(name, 0), taken.get(name, Decimal("0.00"))) for name in {*orders, *taken} if name}


def sales_by_hour(since: datetime, until: datetime, zone: ZoneInfo) -> dict[int, Decimal]:
    """By the hour of the clocks of `zone`; hours without sales are left out. `until` is not in it."""
    placed = counted.orders().filter(created_at__gte=since, created_at__lt=until)
    sold: dict[int, Decimal] = {}
    for second, revenue in by_quarter_hour(placed, "created_at", revenue=Sum("total")):
        hour = datetime.fromtimestamp(second, zone).hour
        sold[hour] = sold.get(hour, Decimal(0)) + revenue
    return sold


def read(*, now: datetime, zone: ZoneInfo) -> Today:
    """Beside yesterday."""
    bounds = days(now, zone)
    return Today(today=figures(bounds.began, now), before=figures(bounds.before, bounds.until))


def in_period(period: Period) -> Today:
    return Today(*(figures(each.start, each.until) for each in (period.window, period.before)))
