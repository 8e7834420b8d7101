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
from restaurant.billing.queries import Tax
from restaurant.billing.queries.drawers import add_change
from restaurant.menu.models import OTHER
from restaurant.ordering.models import Order, OrderChange, TableSession
from restaurant.ordering.queries import counted
from restaurant.reports.queries.sales import NOTHING, Sales, sales, taken_off
from web.money import unit
from web.reporting import bounds_of
from web.windows import TICK, WEEK, calendar


@dataclass(frozen=True, slots=True)
class Paid:
    """The payments by one method."""

    method: str
    count: int
    amount: Decimal
    tips: Decimal


@dataclass(frozen=True, slots=True)
class CategorySales:
    """The sales of one category, as the menu has it now."""

    category: str
    portions: int
    gross: Decimal


@dataclass(frozen=True, slots=True)
class Voided:
    """Payments of the day that were taken back since, or what was refunded that day."""

    count: int
    amount: Decimal


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
    changes: dict[str, dict[str, Any]]
    taxes: list[Tax]
    untaxed: Decimal
    categories: list[CategorySales]
    payments: list[Paid]
    voided: Voided
    refunds: Voided | None
    cancellations: list[OrderChange]
    open_bills: list[Any]  # sessions with what is `due`
    placed_by: list[OrderTaker]

    @property
    def gross(self) -> Decimal:
        return self.ordered + sum((change["value"] for change in self.changes.values()), NOTHING)

    @property
    def paid(self) -> Decimal:
        return sum((payment.amount for payment in self.payments), NOTHING)

    @property
    def tips(self) -> Decimal:
        return sum((payment.tips for payment in self.payments), NOTHING)

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
    payments, voided = _payments(began, ended)
    return Day(
        date=day,
        began=began,
        ended=ended,
        sessions=sessions.count(),
        changes=changes,
        taxes=[Tax.of(rate, by_rate[rate], unit()) for rate in sorted(rate for rate in by_rate if rate is not None)],
        untaxed=by_rate.get(None, NOTHING),
        categories=categories,
        payments=payments,
        voided=voided,
        refunds=_refunds(began, ended),
        cancellations=_cancellations(began, ended),
        open_bills=_open_bills(sessions),
        placed_by=_placed_by(placed),
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
    users = get_user_model().objects.filter(username__in=names)
    return {user.get_username(): user.get_full_name() for user in users if user.get_full_name()}


def _sales(began: datetime, ended: datetime) -> tuple[dict[Decimal | None, Decimal], list[CategorySales]]:
    """Return sales by rate, the lowest first, and by category, what sold most first."""
    lines = counted.lines().filter(order__created_at__gte=began, order__created_at__lt=ended).order_by()
    grouped: QuerySet[Any, Any] = lines.values_list("vat_rate", "menu_item__category")
    sums = grouped.annotate(portions=counted.PORTIONS, gross=counted.REVENUE).order_by("vat_rate")
    rates: dict[Decimal | None, Decimal] = {}
    portions, gross = Counter[str](), dict[str, Decimal]()
    for rate, name, number, revenue in sums:
        category = name or OTHER
        rates[rate] = rates.get(rate, NOTHING) + revenue
        portions[category] += number
        gross[category] = gross.get(category, NOTHING) + revenue
    ranked = sorted(gross, key=lambda category: (-gross[category], category))
    return rates, [CategorySales(category, portions[category], gross[category]) for category in ranked]


def _changes(began: datetime, ended: datetime, by_rate: dict[Decimal | None, Decimal]) -> dict[str, Any]:
    """Return what changed bills that day and stands, by kind; the rates get it too."""
    changes: dict[str, Any] = {}
    for each in Adjustment.objects.filter(created_at__gte=began, created_at__lt=ended, voided_at=None):
        add_change(changes, each, 1, each.value)
        for text, amount in each.by_rate.items():
            rate = Decimal(text) if text else None
            by_rate[rate] = by_rate.get(rate, NOTHING) + Decimal(amount)
    return changes


def _refunds(began: datetime, ended: datetime) -> Voided | None:
    made = Refund.objects.filter(at__gte=began, at__lt=ended)
    sums = made.aggregate(number=Count("pk"), sum=Sum("amount", default=NOTHING))
    return Voided(sums["number"], sums["sum"]) if sums["number"] else None


def _payments(began: datetime, ended: datetime) -> tuple[list[Paid], Voided]:
    """Return the payments made then, for any session, in the order of the methods."""
    made = Payment.objects.filter(created_at__gte=began, created_at__lt=ended).order_by()
    by_method: QuerySet[Any, Any] = made.values("method")
    stands, voided = Q(voided_at=None), Q(voided_at__isnull=False)
    rows = by_method.annotate(
        count=Count("pk", filter=stands),
        paid=Sum("amount", filter=stands),
        tips=Sum("tip", filter=stands),
        voided=Count("pk", filter=voided),
        lost=Sum("amount", filter=voided, default=NOTHING),
    )
    sums = {row["method"]: row for row in rows}
    taken = [sums[method] for method in Payment.Method.values if method in sums and sums[method]["count"]]
    return (
        [Paid(row["method"], row["count"], row["paid"], row["tips"]) for row in taken],
        Voided(sum(row["voided"] for row in sums.values()), sum((row["lost"] for row in sums.values()), NOTHING)),
    )


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
