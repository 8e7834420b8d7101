"""What lies in a cash drawer, and what the house has sold since the last Z. See "Cash drawers" in
docs/behaviour/restaurant.md.
"""

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any

from django.db.models import Case, Count, F, Q, QuerySet, Sum, When
from django.db.models.functions import Coalesce
from django.utils import timezone

from restaurant.billing.models import Adjustment, CashDrawer, DrawerDay, DrawerMovement, Payment, Refund
from restaurant.billing.queries import takings
from restaurant.billing.queries.takings import Figures
from restaurant.billing.sums import Rate
from restaurant.errors import DrawerUnknown
from restaurant.ordering.models import OrderChange
from restaurant.ordering.queries import counted
from restaurant.rules import OrderingRules
from web import journal
from web.money import NOTHING, unit

Correction = tuple[str, datetime, Decimal, Any]  # its kind, when it was counted, how much, and the id of what it is of
CASH = Payment.Method.CASH
HELD_AT_MOST = timedelta(days=30)  # an order that waits for approval


@dataclass(frozen=True, slots=True)
class Drawer:
    """A drawer, its open day with the X, and its latest Zs, the last one first."""

    drawer: CashDrawer
    day: DrawerDay | None
    figures: Figures = field(default_factory=dict)
    movements: list[DrawerMovement] = field(default_factory=list)
    zs: list[DrawerDay] = field(default_factory=list)


def drawers() -> list[Drawer]:
    """Return those that are in use, or open."""
    open_days = {day.drawer_id: day for day in DrawerDay.objects.filter(closed_at=None)}
    rows = CashDrawer.objects.filter(Q(active=True) | Q(pk__in=open_days))
    return [Drawer(row, open_days.get(row.pk), zs=list(_zs(row)[:1])) for row in rows]


def drawer(drawer_id: int) -> Drawer:
    """Raises DrawerUnknown."""
    row = CashDrawer.objects.filter(pk=drawer_id).first()
    if row is None:
        raise DrawerUnknown
    day = row.days.filter(closed_at=None).first()
    return Drawer(row, day, x(day) if day else {}, list(day.movements.all()) if day else [], list(_zs(row)[:30]))


def _zs(row: CashDrawer) -> QuerySet[DrawerDay]:
    return row.days.exclude(number=None).order_by("-number")


def z(drawer_id: int, number: int) -> DrawerDay:
    """Raises DrawerUnknown."""
    day = DrawerDay.objects.select_related("drawer").filter(drawer=drawer_id, number=number).first()
    if day is None:
        raise DrawerUnknown
    return day


def x(day: DrawerDay) -> Figures:
    """Return the figures until now: this drawer's cash, and what the house took by other methods since the last Z.

    Where drawers are counted blind they leave out what says how much cash there should be.
    """
    is_blind, now = OrderingRules.current().counts_blind, timezone.now()
    others = [row for row in _payments(last_z_at() or day.opened_at, now) if row["method"] != CASH]
    held = cash(day)
    own = {"method": CASH.value, "count": held["count"], "amount": held["amount"], "tips": held["tips"]}
    shown = {name: held[name] for name in ("float", "in", "out", "drop")} if is_blind else held
    payments = [own, *others] if held["count"] and not is_blind else others
    return {"since": day.opened_at, "until": now, "payments": payments, "cash": shown}


def cash(day: DrawerDay) -> Figures:
    """Return what has happened to the cash of a drawer since it was opened, and what should be in it."""
    stands, received = Q(voided_at=None), F("amount") + F("rounding") + F("tip")
    # Before those that are called as a column is.
    paid = day.payments.aggregate(
        received=Sum(received, default=NOTHING),
        change=Sum(F("tendered") - received, default=NOTHING),
        count=Count("pk", filter=stands),
        amount=Sum("amount", filter=stands, default=NOTHING),
        tips=Sum("tip", filter=stands, default=NOTHING),
        rounding=Sum("rounding", filter=stands, default=NOTHING),
    )
    moved = dict(day.movements.order_by().values_list("kind").annotate(Sum("amount")))
    figures = {
        "float": day.float,
        **paid,
        "voided": day.voided.aggregate(sum=Sum(received, default=NOTHING))["sum"],
        "refunds": day.refunds.aggregate(sum=Sum(F("amount") + F("rounding"), default=NOTHING))["sum"],
        **{kind: moved.get(kind, NOTHING) for kind in ("in", "out", "drop")},
    }
    added = figures["float"] + figures["received"] + figures["in"]
    taken = sum(figures[name] for name in ("voided", "refunds", "out", "drop"))
    figures["expected"] = added - taken
    return {name: value if name == "count" else value.quantize(unit()) for name, value in figures.items()}


def last_z_at() -> datetime | None:
    latest = DrawerDay.objects.exclude(number=None).order_by("-number").first()
    return latest.closed_at if latest else None


def figures(since: datetime, until: datetime, adjustments: Iterable[Adjustment]) -> Figures:
    """Return what the house has sold and taken after `since`, up to `until`, as a Z has it.

    What was changed of the time before counts here too, and `corrections` name the Z that it belongs to.
    """
    orders = counted.orders().alias(counts_from=Coalesce("approved_at", "created_at")).filter(
        _within("counts_from", since, until), created_at__gt=since - HELD_AT_MOST
    )  # fmt: skip
    by_rate: dict[Rate, Decimal] = defaultdict(Decimal)
    lines: QuerySet[Any, Any] = counted.lines().filter(order__in=orders).order_by().values_list("vat_rate")
    by_rate.update(lines.annotate(gross=counted.REVENUE))
    cancelled = OrderChange.objects.filter(_within("at", since, until), kind=OrderChange.Kind.CANCELLED)
    late = cancelled.annotate(counts_from=Coalesce("order__approved_at", "order__created_at")).filter(
        counts_from__lte=since
    )  # fmt: skip
    late = late.select_related("order").prefetch_related("order__items")
    for rate, amount in takings.cancelled_at_rates(late):
        by_rate[rate] += amount
    changes, late_changes = _changes(adjustments, by_rate)
    payments = _payments(since, until)
    voided = Payment.objects.filter(_within("voided_at", since, until))
    refunds = Refund.objects.filter(_within("at", since, until)).select_related("payment")
    corrections = [
        *(("cancellation", each.counts_from, -each.amount, each.order_id) for each in late),
        *late_changes,
        *(("void", each.created_at, -each.amount, each.pk) for each in voided.filter(created_at__lte=since)),
        *(
            ("refund", each.payment.created_at, -each.amount, each.payment_id)
            for each in refunds.filter(payment__created_at__lte=since)
        ),
    ]
    sealed = journal.latest()
    return {
        "since": since,
        "until": until,
        "orders": orders.count(),
        "gross": sum(by_rate.values(), NOTHING),
        "taxes": [
            {"rate": tax.rate, "net": tax.net, "tax": tax.tax, "gross": tax.gross} for tax in takings.taxes(by_rate)
        ],
        "untaxed": by_rate.get(None, NOTHING),
        "cancelled": takings.count_and_value(cancelled),
        **changes,
        "payments": payments,
        "tips": sum((row["tips"] for row in payments), NOTHING),
        "voided": takings.count_and_value(voided),
        "refunds": takings.count_and_value(refunds),
        "corrections": _named(corrections),
        **({"journal": {"number": sealed.number, "hash": sealed.hash}} if sealed else {}),
    }


def uncounted() -> QuerySet[Adjustment]:
    """Return what changed a bill in another way than the Zs so far have it."""
    stands = Q(voided_at=None) & ~Q(by_rate=F("counted_by_rate"))
    return Adjustment.objects.filter(stands | (Q(voided_at__isnull=False) & ~Q(counted_by_rate={})))


def _within(name: str, since: datetime, until: datetime) -> Q:
    return Q(**{f"{name}__gt": since, f"{name}__lte": until})


def _payments(since: datetime, until: datetime) -> list[Figures]:
    """Return the payments by method that stand, less those of the time before that were voided."""
    made = Q(_within("created_at", since, until), voided_at=None)
    late = Q(_within("voided_at", since, until), created_at__lte=since)
    sign = Case(When(late, then=-1), default=1)
    rows = takings.by_method(Payment.objects.filter(made | late), sign)
    return [row for row in rows if row["count"] or row["amount"] or row["tips"]]


def _changes(adjustments: Iterable[Adjustment], by_rate: dict[Rate, Decimal]) -> tuple[Figures, list[Correction]]:
    """Return discounts and the like that no Z has yet, or that differ from what one has; the rates get it too."""
    sums: Figures = {}
    corrections: list[Correction] = []
    for each in adjustments:
        stands = each.voided_at is None
        difference = NOTHING
        for rates, sign in ((each.by_rate if stands else {}, 1), (each.counted_by_rate, -1)):
            for rate, amount in takings.at_rates(rates):
                by_rate[rate] += sign * amount
                difference += sign * amount
        takings.add_change(sums, each, stands - bool(each.counted_by_rate), difference)
        if each.counted_by_rate:
            corrections.append(("adjustment", each.created_at, difference, each.pk))
    return sums, corrections


def _named(corrections: list[Correction]) -> list[Figures]:
    """Name the Z that has each: by its number, None before the first one."""
    zs = list(DrawerDay.objects.exclude(number=None).order_by("number")) if corrections else []
    ends: list[Any] = [day.closed_at for day in zs]
    named = []
    for kind, at, amount, subject in corrections:
        is_in_one = bool(zs) and at > zs[0].opened_at
        z = zs[bisect_left(ends, at)].number if is_in_one else None
        named.append({"z": z, "kind": kind, "amount": amount, "of": str(subject)})
    return named
