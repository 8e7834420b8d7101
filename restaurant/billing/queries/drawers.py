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

from django.db.models import Count, F, Q, QuerySet, Sum
from django.db.models.functions import Coalesce
from django.utils import timezone

from restaurant.billing.models import Adjustment, CashDrawer, DrawerDay, DrawerMovement, Payment, Refund
from restaurant.billing.sums import Tax
from restaurant.errors import DrawerUnknown
from restaurant.ordering.models import Order, OrderChange, OrderItem
from restaurant.ordering.queries import counted
from restaurant.rules import OrderingRules
from web.journal import JournalEntry
from web.money import NOTHING, unit

Figures = dict[str, Any]  # as JSON has them
CASH = Payment.Method.CASH
TAKEN_OFF = {"discount": "discounts", "comp": "comps", "service": "service"}
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
    others = [row for row in _payments(last_z_at() or day.opened_at, now)[0] if row["method"] != CASH]
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
    by_rate: dict[Decimal | None, Decimal] = defaultdict(Decimal)
    lines: QuerySet[Any, Any] = counted.lines().filter(order__in=orders).order_by().values_list("vat_rate")
    by_rate.update(lines.annotate(gross=counted.REVENUE))
    cancelled, late_cancellations = _cancellations(since, until, by_rate)
    changes, late_changes = _changes(adjustments, by_rate)
    payments, late_voids = _payments(since, until)
    voided = Payment.objects.filter(_within("voided_at", since, until))
    refunds = Refund.objects.filter(_within("at", since, until))
    sealed = JournalEntry.objects.exclude(number=None).order_by("-number").first()
    taxes = [Tax.of(rate, by_rate[rate], unit()) for rate in sorted(rate for rate in by_rate if rate is not None)]
    return {
        "since": since,
        "until": until,
        "orders": orders.count(),
        "gross": sum(by_rate.values(), NOTHING),
        "taxes": [{"rate": tax.rate, "net": tax.net, "tax": tax.tax, "gross": tax.gross} for tax in taxes],
        "untaxed": by_rate.get(None, NOTHING),
        "cancelled": cancelled,
        **changes,
        "payments": payments,
        "tips": sum((row["tips"] for row in payments), NOTHING),
        "voided": voided.aggregate(count=Count("pk"), value=Sum("amount", default=NOTHING)),
        "refunds": refunds.aggregate(count=Count("pk"), value=Sum("amount", default=NOTHING)),
        "corrections": _named([*late_cancellations, *late_changes, *late_voids, *_late_refunds(refunds, since)]),
        **({"journal": {"number": sealed.number, "hash": sealed.hash}} if sealed else {}),
    }


def uncounted() -> QuerySet[Adjustment]:
    """Return what changed a bill in another way than the Zs so far have it."""
    stands = Q(voided_at=None) & ~Q(by_rate=F("counted_by_rate"))
    return Adjustment.objects.filter(stands | (Q(voided_at__isnull=False) & ~Q(counted_by_rate={})))


def _within(name: str, since: datetime, until: datetime) -> Q:
    return Q(**{f"{name}__gt": since, f"{name}__lte": until})


def _cancellations(
    since: datetime, until: datetime, by_rate: dict[Decimal | None, Decimal]
) -> tuple[Figures, list[Figures]]:
    """Return count and value, and what was sold before; that is taken off the rates."""
    changes = OrderChange.objects.filter(_within("at", since, until), kind=OrderChange.Kind.CANCELLED)
    rows = list(changes.select_related("order"))
    late = [row for row in rows if _counts_from(row.order) <= since]
    items = OrderItem.objects.filter(order__in=[row.order_id for row in late])
    places = {(item.order_id, item.position): item for item in items}
    for row in late:
        for part in row.items:
            item = places[row.order_id, part["position"]]
            by_rate[item.vat_rate] -= item.price * part["quantity"]
    value = sum((row.amount for row in rows), NOTHING)
    corrections = [_correction("cancellation", _counts_from(row.order), -row.amount, row.order_id) for row in late]
    return {"count": len(rows), "value": value}, corrections


def _counts_from(order: Order) -> datetime:
    return order.approved_at or order.created_at


def _changes(
    adjustments: Iterable[Adjustment], by_rate: dict[Decimal | None, Decimal]
) -> tuple[Figures, list[Figures]]:
    """Return discounts and the like that no Z has yet, or that differ from what one has; the rates get it too."""
    sums: Figures = {}
    corrections = []
    for each in adjustments:
        stands = each.voided_at is None
        difference = NOTHING
        for rates, sign in ((each.by_rate if stands else {}, 1), (each.counted_by_rate, -1)):
            for rate, amount in rates.items():
                by_rate[Decimal(rate) if rate else None] += sign * Decimal(amount)
                difference += sign * Decimal(amount)
        add_change(sums, each, stands - bool(each.counted_by_rate), difference)
        if each.counted_by_rate:
            corrections.append(_correction("adjustment", each.created_at, difference, each.pk))
    return sums, corrections


def add_change(sums: Figures, adjustment: Adjustment, count: int, value: Decimal) -> None:
    """Add a discount or the like to `discounts`, `comps` or `service`: count, value, and value by reason."""
    empty = {"count": 0, "value": NOTHING, "byReason": {}}
    of_kind = sums.setdefault(TAKEN_OFF[adjustment.kind], empty)
    of_kind["count"] += count
    of_kind["value"] += value
    reasons = of_kind["byReason"]
    reasons[adjustment.reason] = reasons.get(adjustment.reason, NOTHING) + value


def _payments(since: datetime, until: datetime) -> tuple[list[Figures], list[Figures]]:
    """Return the payments by method that stand, less those of the time before that were voided, and these."""
    made = Payment.objects.filter(_within("created_at", since, until), voided_at=None)
    late = list(Payment.objects.filter(_within("voided_at", since, until), created_at__lte=since))
    sums: dict[str, Figures] = {
        method: {"method": method, "count": 0, "amount": NOTHING, "tips": NOTHING} for method in _METHODS
    }
    grouped: QuerySet[Any, Any] = made.order_by().values("method")
    for row in grouped.annotate(count=Count("pk"), amount=Sum("amount"), tips=Sum("tip")):
        sums[row["method"]] = row
    for payment in late:
        row = sums[payment.method]
        row |= {"count": row["count"] - 1, "amount": row["amount"] - payment.amount, "tips": row["tips"] - payment.tip}
    used = [row for row in sums.values() if row["count"] or row["amount"] or row["tips"]]
    return used, [_correction("void", payment.created_at, -payment.amount, payment.pk) for payment in late]


_METHODS: list[str] = Payment.Method.values


def _late_refunds(refunds: QuerySet[Refund], since: datetime) -> list[Figures]:
    late = refunds.filter(payment__created_at__lte=since).select_related("payment")
    return [_correction("refund", refund.payment.created_at, -refund.amount, refund.payment_id) for refund in late]


def _correction(kind: str, belongs_to: datetime, amount: Decimal, subject: Any) -> Figures:
    return {"kind": kind, "at": belongs_to, "amount": amount, "of": str(subject)}


def _named(corrections: list[Figures]) -> list[Figures]:
    """Put in place of each time the number of the Z that has it; None before the first one."""
    zs = list(DrawerDay.objects.exclude(number=None).order_by("number")) if corrections else []
    ends = [day.closed_at for day in zs]
    named = []
    for correction in corrections:
        at = correction.pop("at")
        is_in_one = bool(zs) and at > zs[0].opened_at
        named.append({"z": zs[bisect_left(ends, at)].number if is_in_one else None, **correction})
    return named
