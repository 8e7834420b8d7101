"""Hundreds of orders, cancellations, payments and voids at one table, eight at a time: the sums hold."""

import random
from contextlib import suppress
from decimal import Decimal

import pytest
from django.contrib.auth.models import User
from django.db.models import F, Sum

from restaurant.billing.queries import bill_of
from restaurant.billing.services import payments
from restaurant.models import Order, OrderChange, OrderingRules, OrderItem, Payment, TableSession
from restaurant.ordering.services import order_changes, order_steps, orders
from restaurant.ordering.services.cart import Entry
from tests.at_once import at_once
from tests.conftest import make_item, make_table, make_user
from web.errors import DomainError

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

    def pay(self, chance: random.Random) -> None:
        amount = Decimal(chance.randint(1, 2000)) / 100
        taken = payments.take(
            table_number=7, session_id=str(self.session.pk), method="cash", amount=amount, user=self.user
        )
        self.payments.append(str(taken.pk))

    def void(self, chance: random.Random) -> None:
        payments.void(payment_id=chance.choice(self.payments), user_name="manager")

    def act(self, seed: int, operations: int) -> None:
        chance = random.Random(seed)
        acts = (
            self.place,
            self.place,
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


def play(operations: int) -> None:
    OrderingRules.objects.create(approval_above=Decimal("40"))
    party = Party()
    at_once([lambda seed=seed: party.act(seed, operations) for seed in range(THREADS)])

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
    assert session.total_revenue == bill.total == ordered
    assert session.total_orders == counted.count()
    paid = Payment.objects.filter(voided_at=None).aggregate(total=Sum("amount", default=NOTHING))["total"]
    assert bill.paid == paid
    assert bill.paid + bill.due - bill.overpaid == bill.total
    # What was refused while an order was held is neither placed nor cancelled.
    refused_then_approved = OrderChange.objects.filter(kind="refused", order__approved_at__isnull=False).aggregate(
        total=Sum("amount", default=NOTHING)
    )["total"]
    assert placed - refused_then_approved - cancelled == ordered
    assert min(counted.count(), Payment.objects.count(), OrderChange.objects.count()) > operations / 40
    assert Order.objects.filter(was_held=True).exists()
