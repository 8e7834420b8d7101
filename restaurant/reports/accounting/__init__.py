"""What happened on some days, as bookings between accounts. See "Sales reports" in docs/behaviour/restaurant.md.

Everything is booked on the day on which it happens: what is cancelled or voided on a later day changes that day.
"""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from decimal import Decimal
from typing import Any
from zoneinfo import ZoneInfo

from django.db.models import F, Q, QuerySet, Sum
from django.db.models.functions import Coalesce
from django.utils.text import capfirst

from restaurant.billing.models import Account, Adjustment, DrawerDay, DrawerMovement, Payment, Refund
from restaurant.billing.queries import takings
from restaurant.billing.queries.drawers import HELD_AT_MOST
from restaurant.billing.sums import Rate
from restaurant.ordering.models import Order, OrderChange, OrderItem
from web.money import NOTHING, MoneyField
from web.reporting import bounds_of

Kind = Account.Kind


@dataclass(frozen=True, slots=True)
class Booking:
    """An amount above zero from one account to another. `rate` is that of sales, discounts and service."""

    day: date
    debit: str
    credit: str
    rate: Rate
    amount: Decimal

    @property
    def sides(self) -> list[tuple[str, Decimal, Decimal]]:
        return [(self.debit, self.amount, NOTHING), (self.credit, NOTHING, self.amount)]


@dataclass(frozen=True, slots=True)
class Line:
    """What was booked on an account on a day. `number` is empty where nobody has chosen one."""

    day: date
    number: str
    name: str
    debit: Decimal
    credit: Decimal


class Accounts:
    """The accounts by kind and rate."""

    def __init__(self) -> None:
        self._chosen = {(account.kind, account.vat_rate): account for account in Account.objects.all()}

    def of(self, kind: str, rate: Rate) -> Account:
        """Return the account, or one without a number."""
        chosen = self._chosen.get((kind, rate)) or self._chosen.get((kind, None))
        return chosen or Account(kind=kind, number="")


def bookings(first: date, last: date, zone: ZoneInfo) -> list[Booking]:
    days = [first + timedelta(days=number) for number in range((last - first).days + 1)]
    return [booking for day in days for booking in _of_day(day, *bounds_of(day, zone))]


def lines(booked: list[Booking]) -> list[Line]:
    """Add them up by day and account."""
    accounts, sums = Accounts(), defaultdict[tuple[date, str, str], list[Decimal]](lambda: [NOTHING, NOTHING])
    for booking in booked:
        for kind, debit, credit in booking.sides:
            rate = booking.rate if kind in (Kind.REVENUE, Kind.DISCOUNTS, Kind.SERVICE) else None
            account = accounts.of(kind, rate)
            name = account.name or str(capfirst(account.get_kind_display())) + percent(rate)
            sides = sums[booking.day, account.number, name]
            sides[0], sides[1] = sides[0] + debit, sides[1] + credit
    return [Line(*key, *sums[key]) for key in sorted(sums)]


def percent(rate: Rate) -> str:
    return "" if rate is None else f" {rate.normalize():f}%"


def _of_day(day: date, began: datetime, ended: datetime) -> Iterator[Booking]:
    sums: dict[tuple[str, str, Rate], Decimal] = defaultdict(Decimal)
    for debit, credit, rate, amount in (*_sales(began, ended), *_money(began, ended)):
        sums[debit, credit, rate] += amount
    # In an order of its own: PostgreSQL groups in any.
    for (debit, credit, rate), amount in sorted(sums.items(), key=lambda each: (*each[0][:2], each[0][2] or 0)):
        if amount > 0:
            yield Booking(day, debit, credit, rate, amount)
        elif amount:
            yield Booking(day, credit, debit, rate, -amount)


def _sales(began: datetime, ended: datetime) -> Iterator[tuple[str, str, Rate, Decimal]]:
    """Yield what was ordered and cancelled, and what changed the bills, as debit, credit, rate and amount."""
    never = Q(order__status=Order.Status.HELD) | Q(order__was_held=True, order__approved_at=None)
    # As in a Z, from the moment at which staff approved it.
    ordered = OrderItem.objects.alias(at=Coalesce("order__approved_at", "order__created_at")).exclude(never)
    ordered = ordered.filter(order__created_at__gte=began - HELD_AT_MOST, at__gte=began, at__lt=ended)
    by_rate: QuerySet[Any, Any] = ordered.order_by().values_list("vat_rate")
    for rate, amount in by_rate.annotate(sum=Sum(F("price") * F("quantity"), output_field=MoneyField())):
        yield Kind.OPEN_BILLS, Kind.REVENUE, rate, amount
    # What was refused of an order was not in it when it was approved.
    refused = Q(kind=OrderChange.Kind.REFUSED, order__approved_at__gte=began, order__approved_at__lt=ended)
    cancelled = Q(kind=OrderChange.Kind.CANCELLED, at__gte=began, at__lt=ended)
    changes = OrderChange.objects.filter(cancelled | refused).prefetch_related("order__items")
    for rate, amount in takings.cancelled_at_rates(changes):
        yield Kind.OPEN_BILLS, Kind.REVENUE, rate, amount
    for at, sign in (("created_at", 1), ("voided_at", -1)):
        for adjustment in Adjustment.objects.filter(**{f"{at}__gte": began, f"{at}__lt": ended}):
            kind = Kind.SERVICE if adjustment.kind == Adjustment.Kind.SERVICE else Kind.DISCOUNTS
            for rate, amount in takings.at_rates(adjustment.by_rate):
                yield Kind.OPEN_BILLS, kind, rate, sign * amount


def _money(began: datetime, ended: datetime) -> Iterator[tuple[str, str, Rate, Decimal]]:
    for at, sign in (("created_at", 1), ("voided_at", -1)):
        paid = Payment.objects.filter(**{f"{at}__gte": began, f"{at}__lt": ended}).order_by()
        by_method: QuerySet[Any, Any] = paid.values_list("method")
        for method, amount, tips, rounding in by_method.annotate(Sum("amount"), Sum("tip"), Sum("rounding")):
            yield method, Kind.OPEN_BILLS, None, sign * amount
            yield method, Kind.TIPS, None, sign * tips
            yield method, Kind.DIFFERENCES, None, sign * rounding
    refunds = Refund.objects.filter(at__gte=began, at__lt=ended).order_by()
    by_method = refunds.values_list("payment__method")
    for method, amount, rounding in by_method.annotate(Sum("amount"), Sum("rounding")):
        yield Kind.OPEN_BILLS, method, None, amount
        yield Kind.DIFFERENCES, method, None, rounding
    for drawer_day in DrawerDay.objects.filter(closed_at__gte=began, closed_at__lt=ended):
        yield Kind.CASH, Kind.DIFFERENCES, None, drawer_day.difference or NOTHING
    for movement in DrawerMovement.objects.filter(at__gte=began, at__lt=ended):
        sign = 1 if movement.kind == DrawerMovement.Kind.IN else -1
        yield Kind.CASH, Kind.TRANSFERS, None, sign * movement.amount
