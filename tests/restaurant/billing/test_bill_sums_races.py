"""Hundreds of orders, discounts, parts, payments and refunds at one table, eight at a time: the sums hold."""

import random
from collections import deque
from contextlib import suppress
from decimal import Decimal
from fractions import Fraction
from functools import partial
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db.models import F, Sum

from config.verification import findings
from restaurant.billing.queries import bill_of, with_due
from restaurant.billing.queries.chosen import Chosen
from restaurant.billing.services import adjustments, parts, payments
from restaurant.models import (
    Adjustment,
    Order,
    OrderChange,
    OrderingRules,
    OrderItem,
    Payment,
    Refund,
    TableSession,
)
from restaurant.ordering.services import order_changes, order_steps, orders
from restaurant.ordering.services.cart import Entry
from tests.at_once import at_once
from tests.conftest import make_item, make_table, make_user
from web.errors import DomainError
from web.services import sealing

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.race]

THREADS = 8
OPERATIONS = 640  # check_bill_sums.py has more
NOTHING = Decimal("0.00")


class Party:
    """One session, and what can happen to it."""

    def __init__(self) -> None:
        self.session = TableSession.objects.create(table=make_table(7))
        self.items = [str(make_item(name, price).pk) for name, price in (("Soup", "9.50"), ("Bread", "4.25"))]
        self.user: User = make_user("Managers")
        self.orders: list[str] = []
        self.payments: list[str] = []
        self.adjustments: list[str] = []

    def place(self, chance: random.Random) -> None:
        entries = [Entry(item, chance.randint(1, 4)) for item in self.items[: chance.randint(1, 2)]]
        placed = orders.place(table_number=7, session_id=str(self.session.pk), entries=entries)
        self.orders.append(str(placed.order.pk))

    def cancel(self, chance: random.Random) -> None:
        order_changes.cancel(order_id=chance.choice(self.orders), user=self.user, reason="mistake")

    def cancel_a_part(self, chance: random.Random) -> None:
        part = order_changes.Part(position=0, quantity=1)
        order_changes.cancel(order_id=chance.choice(self.orders), user=self.user, reason="sold_out", parts=[part])

    def approve(self, chance: random.Random) -> None:
        order_changes.approve(order_id=chance.choice(self.orders), user=self.user)

    def move_on(self, chance: random.Random) -> None:
        status = chance.choice(("preparing", "ready", "served"))
        order_steps.set_status(order_id=chance.choice(self.orders), status=status)

    def adjust(self, chance: random.Random) -> None:
        kind = chance.choice(("discount", "comp", "service"))
        values: dict[str, Any] = {}
        if kind == "comp" or (kind == "discount" and chance.random() < 0.5):
            values["items"] = [Chosen(chance.choice(self.orders), 0, 1)]
        if kind != "comp":
            name, most = chance.choice((("percent", 2000), ("amount", 500)))
            values[name] = Decimal(chance.randint(1, most)) / 100
        made = adjustments.adjust(
            table_number=7, session_id=str(self.session.pk), kind=kind, reason="other", user=self.user, **values
        )
        self.adjustments.append(str(made.pk))

    def void_adjustment(self, chance: random.Random) -> None:
        adjustments.void(adjustment_id=chance.choice(self.adjustments), user=self.user)

    def divide(self, chance: random.Random) -> None:
        values: dict[str, Any] = chance.choice(({"by": "people", "count": 3}, {"by": "phones"}, {"by": "items"}))
        if values["by"] == "items":
            wanted = Chosen(chance.choice(self.orders), 0, share=Fraction(1, chance.randint(1, 3)))
            values["parts"] = [parts.NewPart([wanted])]
        parts.divide(table_number=7, session_id=str(self.session.pk), **values)

    def pay(self, chance: random.Random) -> None:
        amount = Decimal(chance.randint(1, 2000)) / 100
        divided = list(self.session.parts.values_list("pk", flat=True))
        taken = payments.take(
            table_number=7,
            session_id=str(self.session.pk),
            method="cash",
            amount=amount,
            part_id=str(chance.choice(divided)) if divided and chance.random() < 0.5 else None,
            user=self.user,
        )
        self.payments.append(str(taken.pk))

    def refund(self, chance: random.Random) -> None:
        amount = Decimal(chance.randint(1, 300)) / 100
        payments.refund(payment_id=chance.choice(self.payments), amount=amount, reason="other", user=self.user)

    def void(self, chance: random.Random) -> None:
        payments.void(payment_id=chance.choice(self.payments), user_name="manager")

    def act(self, seed: int, operations: int) -> None:
        chance = random.Random(seed)
        acts = (
            self.place,
            self.place,
            self.place,
            self.adjust,
            self.void_adjustment,
            self.divide,
            self.refund,
            self.cancel,
            self.cancel_a_part,
            self.approve,
            self.move_on,
            self.pay,
            self.void,
        )
        for _ in range(operations // THREADS):
            with suppress(DomainError, IndexError):  # refused, or there is nothing yet
                chance.choice(acts)(chance)


def test_the_sums_hold_whatever_happens_at_once(transactional_db):
    play(OPERATIONS)


def play(operations: int, *, seed: int = 0) -> None:
    OrderingRules.objects.create(approval_above=Decimal("40"))
    party = Party()
    sealer = partial(deque, (sealing.seal() for _ in range(operations // 10)), 0)
    at_once([sealer, *(lambda seed=seed + i: party.act(seed, operations) for i in range(THREADS))])

    session = TableSession.objects.get()
    bill = bill_of(session)
    counted = Order.objects.exclude(status__in=Order.UNCOUNTED)
    ordered = OrderItem.objects.filter(order__in=counted.order_by()).aggregate(
        total=Sum(F("price") * (F("quantity") - F("cancelled_quantity")), default=NOTHING)
    )["total"]
    placed = OrderItem.objects.exclude(order__was_held=True, order__approved_at=None).aggregate(
        total=Sum(F("price") * F("quantity"), default=NOTHING)
    )["total"]
    cancelled = OrderChange.objects.filter(kind="cancelled").aggregate(total=Sum("amount", default=NOTHING))["total"]
    assert session.total_revenue == bill.sums.subtotal == ordered
    standing = Adjustment.objects.filter(voided_at=None)
    assert sum((each.value for each in standing), NOTHING) == (session.adjusted or NOTHING)
    assert bill.total == ordered + (session.adjusted or NOTHING) >= 0
    assert with_due(TableSession.objects.all()).get().due == bill.total - bill.paid
    if bill.parts:
        assert sum(part.sums.total for part in bill.parts) == bill.total
        assert sum(part.due for part in bill.parts) == bill.due
    assert all(sum(map(Decimal, each.by_rate.values())) == each.value for each in standing)
    assert session.total_orders == counted.count()
    paid = Payment.objects.filter(voided_at=None).aggregate(total=Sum("amount", default=NOTHING))["total"]
    refunded = Refund.objects.aggregate(total=Sum("amount", default=NOTHING))["total"]
    assert bill.paid == paid - refunded
    assert bill.paid + bill.due - bill.overpaid == bill.total
    # What was refused while an order was held is neither placed nor cancelled.
    refused_then_approved = OrderChange.objects.filter(kind="refused", order__approved_at__isnull=False).aggregate(
        total=Sum("amount", default=NOTHING)
    )["total"]
    assert placed - refused_then_approved - cancelled == ordered
    # How many of each are not refused depends on which thread comes first.
    assert all(rows.exists() for rows in (counted, *(m.objects for m in (Payment, OrderChange, Adjustment, Refund))))
    assert Order.objects.filter(was_held=True).exists()
    sealing.seal()
    assert list(findings()) == []
