"""A day for the manager and the accountant. See "Sales reports" in docs/behaviour/restaurant.md."""

import uuid
from collections import Counter
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from decimal import Decimal
from typing import Any
from zoneinfo import ZoneInfo

from django.contrib.auth import get_user_model
from django.db.models import Count, F, Q, QuerySet, Sum

from restaurant.billing import queries as billing_queries
from restaurant.billing.models import Payment
from restaurant.billing.queries import Tax
from restaurant.menu.models import OTHER
from restaurant.ordering.models import Order, OrderChange, TableSession
from restaurant.ordering.queries import counted
from web.reporting import bounds_of
from web.windows import calendar

NOTHING = Decimal("0.00")
WEEK = timedelta(days=7)
GUEST = "guest"  # in JSON, whatever the language


@dataclass(frozen=True, slots=True)
class Paid:
    """By one method."""

    method: str
    count: int
    amount: Decimal
    tips: Decimal


@dataclass(frozen=True, slots=True)
class Sold:
    """Of one category, as the menu has it now."""

    category: str
    portions: int
    gross: Decimal


@dataclass(frozen=True, slots=True)
class Voided:
    """Payments of the day that were taken back since."""

    count: int
    amount: Decimal


@dataclass(frozen=True, slots=True)
class Cancellation:
    """Of an order or a part of it. `by`: a user name, or GUEST."""

    at: datetime
    order_id: uuid.UUID
    table_number: int
    by: str
    reason: str
    note: str
    amount: Decimal


@dataclass(frozen=True, slots=True)
class OpenBill:
    table_number: int
    session_id: uuid.UUID
    started_at: datetime
    due: Decimal
    url: str
    has_left: bool  # the party is gone, or sits there longer than a session lasts


@dataclass(frozen=True, slots=True)
class Taker:
    """A member of staff who placed orders for guests."""

    name: str
    orders: int
    gross: Decimal


@dataclass(frozen=True, slots=True)
class Day:
    """`untaxed`: what was sold without a rate. `began` and `ended` are the midnights; the latter is not in it."""

    date: date
    began: datetime
    ended: datetime
    sessions: int
    orders: int
    gross: Decimal
    taxes: list[Tax]
    untaxed: Decimal
    categories: list[Sold]
    payments: list[Paid]
    voided: Voided
    cancellations: list[Cancellation]
    open_bills: list[OpenBill]
    placed_by: list[Taker]

    @property
    def paid(self) -> Decimal:
        return sum((each.amount for each in self.payments), NOTHING)

    @property
    def tips(self) -> Decimal:
        return sum((each.tips for each in self.payments), NOTHING)

    @property
    def cancelled(self) -> Decimal:
        return sum((each.amount for each in self.cancellations), NOTHING)

    @property
    def due(self) -> Decimal:
        return sum((each.due for each in self.open_bills), NOTHING)


def read(*, day: date, zone: ZoneInfo) -> Day:
    """From midnight to midnight in `zone`. What is due is what is due now."""
    began, ended = bounds_of(day, zone)
    placed = counted.orders().filter(created_at__gte=began, created_at__lt=ended).order_by()
    sessions = TableSession.objects.filter(started_at__gte=began, started_at__lt=ended)
    by_rate, categories = _sold(began, ended)
    payments, voided = _payments(began, ended)
    return Day(
        date=day,
        began=began,
        ended=ended,
        sessions=sessions.count(),
        taxes=[Tax(rate, gross) for rate, gross in by_rate.items() if rate is not None],
        untaxed=by_rate.get(None, NOTHING),
        categories=categories,
        payments=payments,
        voided=voided,
        cancellations=_cancellations(began, ended),
        open_bills=_open_bills(sessions),
        placed_by=_placed_by(placed),
        **placed.aggregate(orders=Count("*"), gross=Sum("total", default=NOTHING)),
    )


@dataclass(frozen=True, slots=True)
class Sales:
    orders: int
    gross: Decimal
    sessions: int


def week_before(report: Day, *, now: datetime, zone: ZoneInfo) -> Sales:
    """The same weekday; of a day that is not over, until the same time. Only page and CSV show it."""
    day = report.date - WEEK
    window = calendar(day, day, now, zone).window
    until = min(window.until, now - WEEK)
    placed = counted.orders().filter(created_at__range=(window.start, until))
    sessions = TableSession.objects.filter(started_at__range=(window.start, until)).count()
    return Sales(sessions=sessions, **placed.aggregate(orders=Count("*"), gross=Sum("total", default=NOTHING)))


def full_names(report: Day) -> dict[str, str]:
    """Of the user names in it, as far as they are known. Only the page shows them."""
    names = {each.name for each in report.placed_by} | {each.by for each in report.cancellations if each.by != GUEST}
    users = get_user_model().objects.filter(username__in=names)
    return {user.get_username(): user.get_full_name() for user in users if user.get_full_name()}


def _sold(began: datetime, ended: datetime) -> tuple[dict[Decimal | None, Decimal], list[Sold]]:
    """By rate, the lowest first; and by category, what sold most first."""
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
    return rates, [Sold(each, portions[each], gross[each]) for each in ranked]


def _payments(began: datetime, ended: datetime) -> tuple[list[Paid], Voided]:
    """Of any session, by the time of the payment; in the order of the methods."""
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
    found = {row["method"]: row for row in rows}
    taken = [found[method] for method in Payment.Method.values if method in found and found[method]["count"]]
    return (
        [Paid(row["method"], row["count"], row["paid"], row["tips"]) for row in taken],
        Voided(sum(row["voided"] for row in found.values()), sum((row["lost"] for row in found.values()), NOTHING)),
    )


def _cancellations(began: datetime, ended: datetime) -> list[Cancellation]:
    """The oldest first. What was refused while it was held never counted, and is not among them."""
    changes = OrderChange.objects.filter(kind=OrderChange.Kind.CANCELLED, at__gte=began, at__lt=ended)
    return [
        Cancellation(
            at=each.at,
            order_id=each.order_id,
            table_number=each.order.table.table_number,
            by=each.user_name or GUEST,
            reason=each.reason,
            note=each.note,
            amount=each.amount,
        )
        for each in changes.select_related("order__table").order_by("at", "pk")
    ]


def _open_bills(sessions: QuerySet[TableSession]) -> list[OpenBill]:
    unpaid = billing_queries.unpaid(sessions).select_related("table").order_by("table__table_number", "started_at")
    return [
        OpenBill(each.table.table_number, each.pk, each.started_at, each.due, each.bill_url, not each.is_open)
        for each in unpaid
    ]


def open_bills(*, day: date, zone: ZoneInfo) -> list[OpenBill]:
    """Alone, for the overview."""
    began, ended = bounds_of(day, zone)
    return _open_bills(TableSession.objects.filter(started_at__gte=began, started_at__lt=ended))


def _placed_by(placed: QuerySet[Order]) -> list[Taker]:
    """Who sold most first."""
    by_staff: QuerySet[Any, Any] = placed.exclude(placed_by="").values(name=F("placed_by"))
    takers = by_staff.annotate(orders=Count("*"), gross=Sum("total")).order_by("-gross", "name")
    return [Taker(**row) for row in takers]
