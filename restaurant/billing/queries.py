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
from restaurant.ordering.queries.sessions import NOTHING
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
    """The sum that is taxed at one rate, in percent. `gross` includes the tax."""

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
    """A session's orders and payments. What is held or cancelled is on no bill."""

    session: TableSession  # with its table
    lines: list[BillLine]
    taxes: list[Tax]
    payments: list[Payment]  # voided ones too, the oldest first
    total: Decimal

    @property
    def standing(self) -> list[Payment]:
        return [payment for payment in self.payments if payment.voided_at is None]

    @property
    def paid(self) -> Decimal:
        return sum((payment.amount for payment in self.standing), NOTHING)

    @property
    def due(self) -> Decimal:
        return max(self.total - self.paid, NOTHING)

    @property
    def overpaid(self) -> Decimal:
        """The amount that was paid for what was cancelled since."""
        return max(self.paid - self.total, NOTHING)

    @property
    def tips(self) -> Decimal:
        return sum((payment.tip for payment in self.standing), NOTHING)


def bill_of(session: TableSession) -> Bill:
    items = _counted_items(session)
    return Bill(
        session=session,
        lines=_lines(items),
        taxes=_taxes(items),
        payments=list(session.payments.order_by("created_at", "pk")),
        total=sum((item.total for item in items), NOTHING),
    )


def payment_events(payments: Iterable[Payment]) -> Iterator[Event]:
    """Yield the payments, and their voiding, for a timeline."""
    for payment in payments:
        yield Event(payment.created_at, "paid", payment, payment.taken_by_name)
        if payment.voided_at is not None:
            yield Event(payment.voided_at, "voided", payment, payment.voided_by_name)


def shares(amount: Decimal, people: int) -> list[tuple[int, Decimal]]:
    """Divide `amount`, and return how many people pay how much: each cent that is left over is paid by one of them."""
    cents, left_over = divmod(int(amount / CENT), people)
    divided = [(left_over, (cents + 1) * CENT), (people - left_over, cents * CENT)]
    return [(count, share) for count, share in divided if count]


def session_of_payment(payment_id: str) -> TableSession | None:
    """Return the session with its table; None for an unknown payment."""
    if not is_uuid(payment_id):
        return None
    return TableSession.objects.select_related("table").filter(payments__pk=payment_id).first()


def unpaid(sessions: QuerySet[TableSession]) -> QuerySet[Any, Any]:
    """Return those of the sessions with something left to pay, which `due` is."""
    return with_due(sessions).filter(due__gt=0)


def still_to_pay() -> tuple[int, Decimal]:
    """Return the number of bills that nobody has closed and that have something left to pay, and how much that is."""
    bills = unpaid(TableSession.objects.filter(ended_at=None))
    left = bills.aggregate(count=Count("pk"), sum=Sum("due", default=NOTHING))
    return left["count"], left["sum"]


def with_due(sessions: QuerySet[TableSession]) -> QuerySet[Any, Any]:
    """Annotate the sessions with what is left to pay: `due`."""
    orders = Order.objects.filter(session=OuterRef("pk")).exclude(status__in=Order.UNCOUNTED)
    payments = Payment.objects.filter(session=OuterRef("pk"), voided_at=None)
    return sessions.annotate(due=_sum_of(orders, "total") - _sum_of(payments, "amount"))


def _sum_of(rows: QuerySet[Any, Any], field: str) -> Coalesce:
    """Return the sum for each session, as a subquery."""
    sums = rows.order_by().values("session").annotate(sum=Sum(field)).values("sum")
    return Coalesce(Subquery(sums), NOTHING, output_field=DecimalField(max_digits=14, decimal_places=2))


def _counted_items(session: TableSession) -> list[OrderItem]:
    """Return the session's items in the order in which they were ordered, without those that are cancelled."""
    items = OrderItem.objects.filter(order__session=session).exclude(order__status__in=Order.UNCOUNTED)
    ordered = items.select_related("menu_item").order_by("order__created_at", "order_id", "position")
    return [item for item in ordered if item.remaining]


def _lines(items: list[OrderItem]) -> list[BillLine]:
    equal: dict[tuple[Any, ...], list[OrderItem]] = defaultdict(list)
    for item in items:
        equal[item.menu_item_id, item.price, *(option["id"] for option in item.options)].append(item)
    return [_line(group) for group in equal.values()]


def _line(items: list[OrderItem]) -> BillLine:
    first, rates = items[0], {item.vat_rate for item in items}
    return BillLine(
        first.menu_item_id,
        first.display_name,
        sum(item.remaining for item in items),
        first.price,
        first.options,
        vat_rate=first.vat_rate if len(rates) == 1 else None,
    )


def _taxes(items: list[OrderItem]) -> list[Tax]:
    """Return a tax for each rate, the lowest first. Items without a rate are in none."""
    gross: dict[Decimal, Decimal] = defaultdict(lambda: NOTHING)
    for item in items:
        if item.vat_rate is not None:
            gross[item.vat_rate] += item.total
    return [Tax(rate, gross[rate]) for rate in sorted(gross)]
