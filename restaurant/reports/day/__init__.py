"""A day for the manager and the accountant. See "Sales reports" in docs/behaviour/restaurant.md."""

from collections import Counter
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime
from decimal import Decimal
from typing import Any
from zoneinfo import ZoneInfo

from django.contrib.auth import get_user_model
from django.db.models import Count, F, Q, QuerySet, Sum

from restaurant.billing import queries as billing_queries
from restaurant.billing.models import Adjustment, Payment, Refund
from restaurant.billing.queries import takings
from restaurant.billing.queries.takings import Figures
from restaurant.billing.sums import Rate, Tax
from restaurant.menu.models import OTHER
from restaurant.ordering.models import Order, OrderChange, TableSession
from restaurant.ordering.queries import counted
from restaurant.reports.day import response
from restaurant.reports.day.response import Waits
from restaurant.reports.queries.sales import NOTHING, Sales, sales, taken_off
from web.money import unit
from web.reporting import bounds_of
from web.windows import TICK, WEEK, calendar


@dataclass(frozen=True, slots=True)
class CategorySales:
    """The sales of one category, as the menu has it now."""

    category: str
    portions: int
    gross: Decimal


@dataclass(frozen=True, slots=True)
class OrderTaker:
    """A member of staff who placed orders for guests."""

    name: str
    orders: int
    gross: Decimal


@dataclass(frozen=True, slots=True)
class Day:
    """`untaxed`: what was sold without a rate. `began` and `ended`: the latter is not in it.

    `ordered` is before `changes`, what was taken off bills and added as service: `discounts`, `comps` and `service`, as
    far as there were some. Taxes, what is untaxed and `gross` are after them.
    `cancellations`: of orders or parts of them, with their orders and tables.
    """

    date: date
    began: datetime
    ended: datetime
    sessions: int
    orders: int
    ordered: Decimal
    changes: Figures
    taxes: list[Tax]
    untaxed: Decimal
    categories: list[CategorySales]
    payments: list[Figures]  # by method
    voided: Figures  # payments of the day that were taken back since
    refunds: Figures | None  # of that day
    cancellations: list[OrderChange]
    open_bills: list[Any]  # sessions with what is `due`
    placed_by: list[OrderTaker]
    response: dict[str, list[Waits]]

    @property
    def gross(self) -> Decimal:
        return self.ordered + sum((change["value"] for change in self.changes.values()), NOTHING)

    @property
    def paid(self) -> Decimal:
        return sum((paid["amount"] for paid in self.payments), NOTHING)

    @property
    def tips(self) -> Decimal:
        return sum((paid["tips"] for paid in self.payments), NOTHING)

    @property
    def cancelled(self) -> Decimal:
        return sum((change.amount for change in self.cancellations), NOTHING)

    @property
    def due(self) -> Decimal:
        return sum((bill.due for bill in self.open_bills), NOTHING)


def read(*, day: date, zone: ZoneInfo) -> Day:
    """Read the day in `zone`. What is due is what is due now."""
    began, ended = bounds_of(day, zone)
    placed = counted.orders().filter(created_at__gte=began, created_at__lt=ended).order_by()
    sessions = TableSession.objects.filter(started_at__gte=began, started_at__lt=ended)
    by_rate, categories = _sales(began, ended)
    changes = _changes(began, ended, by_rate)
    # For any session, whenever it began.
    made = Payment.objects.filter(created_at__gte=began, created_at__lt=ended)
    refunds = takings.count_and_value(Refund.objects.filter(at__gte=began, at__lt=ended))
    return Day(
        date=day,
        began=began,
        ended=ended,
        sessions=sessions.count(),
        changes=changes,
        taxes=takings.taxes(by_rate),
        untaxed=by_rate.get(None, NOTHING),
        categories=categories,
        payments=takings.by_method(made.filter(voided_at=None)),
        voided=takings.count_and_value(made.exclude(voided_at=None)),
        refunds=refunds if refunds["count"] else None,
        cancellations=_cancellations(began, ended),
        open_bills=_open_bills(sessions),
        placed_by=_placed_by(placed),
        response=response.read(began, ended),
        **placed.aggregate(orders=Count("*"), ordered=Sum("total", default=NOTHING)),
    )


def week_before(report: Day, *, now: datetime, zone: ZoneInfo) -> Sales:
    """Return the sales of the same weekday; of a day that is not over, until the same time. JSON lacks them."""
    window = calendar(report.date, report.date, now, zone).before
    began, ended = bounds_of(window.first, zone)
    window = replace(window, start=began, until=min(ended.astimezone(UTC) - TICK, now - WEEK))
    before = sales(window)
    return replace(before, revenue=before.revenue + taken_off(window))


def full_names(report: Day) -> dict[str, str]:
    """Return the full names of users in the report by user name, where known. Only the page shows them."""
    names = {taker.name for taker in report.placed_by} | {change.user_name for change in report.cancellations}
    names |= {waits.name for people in report.response.values() for waits in people}
    users = get_user_model().objects.filter(username__in=names)
    return {user.get_username(): user.get_full_name() for user in users if user.get_full_name()}


def _sales(began: datetime, ended: datetime) -> tuple[dict[Rate, Decimal], list[CategorySales]]:
    """Return sales by rate, the lowest first, and by category, what sold most first."""
    lines = counted.lines().filter(order__created_at__gte=began, order__created_at__lt=ended).order_by()
    grouped: QuerySet[Any, Any] = lines.values_list("vat_rate", "menu_item__category")
    sums = grouped.annotate(portions=counted.PORTIONS, gross=counted.REVENUE).order_by("vat_rate")
    rates: dict[Rate, Decimal] = {}
    portions, gross = Counter[str](), dict[str, Decimal]()
    for rate, name, number, revenue in sums:
        category = name or OTHER
        rates[rate] = rates.get(rate, NOTHING) + revenue
        portions[category] += number
        gross[category] = gross.get(category, NOTHING) + revenue
    ranked = sorted(gross, key=lambda category: (-gross[category], category))
    return rates, [CategorySales(category, portions[category], gross[category]) for category in ranked]


def _changes(began: datetime, ended: datetime, by_rate: dict[Rate, Decimal]) -> dict[str, Any]:
    """Return what changed bills that day and stands, by kind; the rates get it too."""
    changes: dict[str, Any] = {}
    for each in Adjustment.objects.filter(created_at__gte=began, created_at__lt=ended, voided_at=None):
        takings.add_change(changes, each, 1, each.value)
        for rate, amount in takings.at_rates(each.by_rate):
            by_rate[rate] = by_rate.get(rate, NOTHING) + amount
    return changes


def _cancellations(began: datetime, ended: datetime) -> list[OrderChange]:
    """Return the oldest first. What was refused while it was held never counted, and is not among them."""
    changes = OrderChange.objects.filter(kind=OrderChange.Kind.CANCELLED, at__gte=began, at__lt=ended)
    return list(changes.select_related("order__table").order_by("at", "pk"))


def _open_bills(sessions: QuerySet[TableSession]) -> list[Any]:
    unpaid = billing_queries.unpaid(sessions)
    return list(unpaid.select_related("table").order_by("table__table_number", "started_at"))


def open_bills(*, day: date, zone: ZoneInfo) -> list[Any]:
    """Return the open bills alone, for the overview."""
    began, ended = bounds_of(day, zone)
    return _open_bills(TableSession.objects.filter(started_at__gte=began, started_at__lt=ended))


def _placed_by(placed: QuerySet[Order]) -> list[OrderTaker]:
    """Return who took orders, and who sold most first."""
    by_staff: QuerySet[Any, Any] = placed.exclude(placed_by="").values(name=F("placed_by"))
    takers = by_staff.annotate(orders=Count("*"), gross=Sum("total")).order_by("-gross", "name")
    return [OrderTaker(**row) for row in takers]
