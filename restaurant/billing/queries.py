"""Reading bills."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal
from typing import Any

from django.db.models import Count, DecimalField, OuterRef, QuerySet, Subquery, Sum
from django.db.models.functions import Coalesce

from restaurant.billing.models import Payment
from restaurant.ordering.models import Order, OrderItem, TableSession
from restaurant.ordering.queries import NOTHING
from restaurant.ordering.queries.timeline import Event
from web.fields import CENT, is_uuid


@dataclass(frozen=True, slots=True)
class BillLine:
    """Equal entries of all orders: the same item with the same options at the same price."""

    menu_item_id: Any
    name: str
    quantity: int
    price: Decimal
    options: list[dict[str, Any]]  # as `OrderItem.options`
    vat_rate: Decimal | None = None  # None also where these entries were ordered at different rates

    @property
    def total(self) -> Decimal:
        return self.price * self.quantity


@dataclass(frozen=True, slots=True)
class Tax:
    """What is taxed at one rate, in percent: `gross` includes the tax."""

    rate: Decimal
    gross: Decimal

    @property
    def tax(self) -> Decimal:
        return (self.gross * self.rate / (100 + self.rate)).quantize(CENT, ROUND_HALF_UP)

    @property
    def net(self) -> Decimal:
        return self.gross - self.tax


@dataclass(frozen=True, slots=True)
class Bill:
    """What a session has ordered, without what is held or cancelled, and what of it is paid."""

    session: TableSession  # with its table
    lines: list[BillLine]
    taxes: list[Tax]
    payments: list[Payment]  # voided ones too, the oldest first
    total: Decimal

    @property
    def paid(self) -> Decimal:
        return sum((each.amount for each in self.payments if each.voided_at is None), NOTHING)

    @property
    def due(self) -> Decimal:
        return max(self.total - self.paid, NOTHING)

    @property
    def overpaid(self) -> Decimal:
        """Paid, and cancelled since."""
        return max(self.paid - self.total, NOTHING)

    @property
    def tips(self) -> Decimal:
        return sum((each.tip for each in self.payments if each.voided_at is None), NOTHING)


def bill(session: TableSession) -> Bill:
    items = counted_items(session)
    return Bill(
        session=session,
        lines=_lines(items),
        taxes=taxes(items),
        payments=list(session.payments.order_by("created_at", "pk")),
        total=sum((item.total for item in items), NOTHING),
    )


def sums_of(sessions: set[Any]) -> dict[Any, tuple[Decimal, Decimal]]:
    """What the sessions with these ids have ordered, and what of it is paid: by two statements."""
    orders = Order.objects.filter(session__in=sessions).exclude(status__in=Order.UNCOUNTED)
    payments = Payment.objects.filter(session__in=sessions, voided_at=None)
    totals = dict(orders.order_by().values_list("session").annotate(Sum("total")))
    paid = dict(payments.order_by().values_list("session").annotate(Sum("amount")))
    return {each: (totals.get(each, NOTHING), paid.get(each, NOTHING)) for each in sessions}


def payment_events(payments: Iterable[Payment]) -> Iterator[Event]:
    """Yield the payments, and their voiding, for a timeline."""
    for payment in payments:
        yield Event(payment.created_at, "paid", payment, payment.taken_by_name)
        if payment.voided_at is not None:
            yield Event(payment.voided_at, "voided", payment, payment.voided_by_name)


def shares(amount: Decimal, people: int) -> list[tuple[int, Decimal]]:
    """`amount` divided by people, as how many pay how much: the cents that are left over go to the first of them."""
    cents = int(amount / CENT)
    less, more = cents // people, cents % people
    parts = [(more, (less + 1) * CENT), (people - more, less * CENT)]
    return [(count, share) for count, share in parts if count]


def session_of_payment(payment_id: str) -> TableSession | None:
    """With its table."""
    if not is_uuid(payment_id):
        return None
    return TableSession.objects.select_related("table").filter(payments__pk=payment_id).first()


def unpaid(sessions: QuerySet[TableSession]) -> QuerySet[Any, Any]:
    """Those of these sessions with something left to pay: `due`."""
    return with_due(sessions).filter(due__gt=0)


def still_to_pay() -> tuple[int, Decimal]:
    """How many bills that nobody has closed have something left to pay, and how much of all together."""
    left = unpaid(TableSession.objects.filter(ended_at=None))
    found = left.aggregate(bills=Count("pk"), sum=Sum("due", default=NOTHING))
    return found["bills"], found["sum"]


def with_due(sessions: QuerySet[TableSession]) -> QuerySet[Any, Any]:
    """The sessions, each with what is left to pay: `due`."""
    orders = Order.objects.filter(session=OuterRef("pk")).exclude(status__in=Order.UNCOUNTED)
    payments = Payment.objects.filter(session=OuterRef("pk"), voided_at=None)
    due = _sum_of(orders, "total") - _sum_of(payments, "amount")
    return sessions.annotate(due=due)


def _sum_of(rows: QuerySet[Any, Any], field: str) -> Coalesce:
    """Of each session, as a subquery."""
    sums = rows.order_by().values("session").annotate(sum=Sum(field)).values("sum")
    return Coalesce(Subquery(sums), NOTHING, output_field=DecimalField(max_digits=14, decimal_places=2))


def counted_items(session: TableSession) -> list[OrderItem]:
    """In the order in which they were ordered, without those that are cancelled."""
    items = OrderItem.objects.filter(order__session=session).exclude(order__status__in=Order.UNCOUNTED)
    ordered = items.select_related("menu_item").order_by("order__created_at", "order_id", "position")
    return [item for item in ordered if item.remaining]


def _lines(items: list[OrderItem]) -> list[BillLine]:
    quantities: dict[tuple[Any, ...], int] = defaultdict(int)
    first: dict[tuple[Any, ...], OrderItem] = {}
    rates: dict[tuple[Any, ...], Decimal | None] = {}
    for item in items:
        key = item.menu_item_id, item.price, *(option["id"] for option in item.options)
        quantities[key] += item.remaining
        first.setdefault(key, item)
        rates[key] = item.vat_rate if rates.get(key, item.vat_rate) == item.vat_rate else None
    return [
        BillLine(item.menu_item_id, item.display_name, quantities[key], item.price, item.options, rates[key])
        for key, item in first.items()
    ]


def taxes(items: list[OrderItem]) -> list[Tax]:
    """One for each rate, the lowest first. Items without a rate are in none."""
    gross: dict[Decimal, Decimal] = defaultdict(lambda: NOTHING)
    for item in items:
        if item.vat_rate is not None:
            gross[item.vat_rate] += item.total
    return [Tax(rate, gross[rate]) for rate in sorted(gross)]
