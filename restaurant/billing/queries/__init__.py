"""Reading bills."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from typing import Any

from django.db.models import Count, Exists, ExpressionWrapper, F, OuterRef, Q, QuerySet, Subquery, Sum
from django.db.models.functions import Coalesce
from django.urls import reverse
from django.utils import timezone

from restaurant.billing import sums
from restaurant.billing.models import AdjustedItem, Adjustment, BillPart, Payment, Refund
from restaurant.billing.sums import Sums, Tax
from restaurant.errors import PartUnknown
from restaurant.ordering.models import Order, OrderItem, TableSession
from restaurant.ordering.queries.sessions import NOTHING
from restaurant.ordering.queries.timeline import Event
from web.fields import is_uuid
from web.money import MoneyField, unit
from web.reporting import bounds_of, local_zone

LATELY = timedelta(days=7)


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
class Part:
    """What one of the guests pays."""

    part: BillPart
    sums: Sums
    lines: list["PartLine"]
    adjustments: list["PartAdjustment"]
    paid: Decimal
    due: Decimal


@dataclass(frozen=True, slots=True)
class PartAdjustment:
    """A part's share of what changes the bill."""

    adjustment: Adjustment
    amount: Decimal


@dataclass(frozen=True, slots=True)
class PartLine:
    """A part's share of an entry: a third of a bottle is `1/3`."""

    item: OrderItem
    share: Fraction  # of what is left of the entry
    total: Decimal  # before adjustments that are listed

    @property
    def quantity(self) -> Fraction:
        return self.share * self.item.remaining

    @property
    def name(self) -> str:
        return self.item.display_name

    @property
    def options(self) -> list[dict[str, Any]]:
        return self.item.options

    @property
    def price(self) -> Decimal:
        return self.item.price

    @property
    def vat_rate(self) -> Decimal | None:
        return self.item.vat_rate


@dataclass(frozen=True, slots=True)
class Bill:
    """A session's orders, what changes the bill, and payments. What is held or cancelled is on no bill."""

    session: TableSession  # with its table
    items: list[OrderItem]  # in the order in which they were ordered, with their orders
    lines: list[BillLine]
    adjustments: list[Adjustment]  # that stand, the oldest first; `value` is up to date
    sums: Sums
    payments: list[Payment]  # voided ones too, the oldest first
    refunds: list[Refund]
    parts: list[Part]

    @property
    def total(self) -> Decimal:
        return self.sums.total

    @property
    def subtotal(self) -> Decimal:
        """The amount before adjustments."""
        return self.sums.subtotal

    @property
    def taxes(self) -> list[Tax]:
        return self.sums.taxes

    @property
    def standing(self) -> list[Payment]:
        return [payment for payment in self.payments if payment.voided_at is None]

    @property
    def refunded(self) -> Decimal:
        return sum((refund.amount for refund in self.refunds), NOTHING)

    @property
    def paid(self) -> Decimal:
        return sum((payment.amount for payment in self.standing), NOTHING) - self.refunded

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

    @property
    def receipt_url(self) -> str:
        return f"{reverse('receipt', args=[self.session.table.table_number])}?sessionId={self.session.pk}"

    def part(self, part_id: str) -> Part:
        """Raises PartUnknown."""
        part = next((part for part in self.parts if str(part.part.pk) == part_id.lower()), None)
        if part is None:
            raise PartUnknown
        return part


def bill_of(session: TableSession) -> Bill:
    items = counted_items(session)
    adjustments = standing_adjustments(session) if session.adjusted is not None else []
    entries, changes = entries_of(items), changes_of(adjustments)
    payments = list(session.payments.select_related("part").prefetch_related("refunds").order_by("created_at", "pk"))
    refunds = [refund for payment in payments for refund in payment.refunds.all()]
    summed = sums.sums_of(entries, changes, unit=unit())
    for adjustment in adjustments:
        adjustment.value = summed.amounts[adjustment.pk]
    bill = Bill(
        session=session,
        items=items,
        lines=_lines(items),
        adjustments=adjustments,
        sums=summed,
        payments=payments,
        refunds=sorted(refunds, key=lambda refund: (refund.at, refund.pk)),
        parts=[],
    )
    return replace(bill, parts=_parts(bill))


def standing_adjustments(session: TableSession) -> list[Adjustment]:
    """Return what changes the session's bill, the oldest first."""
    stands = session.adjustments.filter(voided_at=None).prefetch_related("items")
    return list(stands.order_by("created_at", "pk"))


def entries_of(items: Iterable[OrderItem]) -> list[sums.Entry]:
    return [sums.Entry(item.pk, item.price, item.remaining, item.vat_rate) for item in items]


def changes_of(adjustments: Iterable[Adjustment]) -> list[sums.Change]:
    return [
        sums.Change(
            key=adjustment.pk,
            kind=adjustment.kind,
            percent=adjustment.percent,
            amount=adjustment.amount,
            quantities={adjusted.item_id: adjusted.quantity for adjusted in adjustment.items.all()} or None,
            rate=adjustment.vat_rate,
        )
        for adjustment in adjustments
    ]


def claims_of(parts: Sequence[BillPart], items: Iterable[OrderItem]) -> dict[Any, dict[Any, Fraction]]:
    """Return for each part the fraction of each entry that is in it; those of one entry add up to one.

    The parts have their claims. What nobody has claimed is in the part of its phone, else in the rest.
    """
    if parts[0].by == BillPart.By.PEOPLE:
        share = Fraction(1, len(parts))
        return {part.pk: {item.pk: share for item in items} for part in parts}
    claimed = {(part.pk, claim.item_id): claim for part in parts for claim in part.claims.all()}
    of_phone = {part.phone_key: part.pk for part in parts if part.phone_key}
    rest = next((part.pk for part in parts if part.is_rest), parts[-1].pk)
    fractions: dict[Any, dict[Any, Fraction]] = {part.pk: {} for part in parts}
    for item in items:
        left = Fraction(1)
        for part in parts:
            claim = claimed.get((part.pk, item.pk))
            if claim is not None and left:
                share = min(claim.fraction_of(item.remaining), left)
                fractions[part.pk][item.pk] = share
                left -= share
        if left:
            home = of_phone.get(item.order.phone_key or "", rest)
            fractions[home][item.pk] = fractions[home].get(item.pk, Fraction(0)) + left
    return fractions


def _parts(bill: Bill) -> list[Part]:
    parts = list(bill.session.parts.prefetch_related("claims"))
    if not parts:
        return []
    fractions = claims_of(parts, bill.items)
    divided = sums.divide(entries_of(bill.items), changes_of(bill.adjustments), fractions, unit=unit())
    paid: dict[Any, Decimal] = defaultdict(lambda: NOTHING)
    for payment in bill.standing:
        paid[payment.part_id] += payment.amount
    part_of = {payment.pk: payment.part_id for payment in bill.payments}
    for refund in bill.refunds:
        paid[part_of[refund.payment_id]] -= refund.amount
    due = sums.credited(bill.due, {part.pk: (divided[part.pk].total, paid[part.pk]) for part in parts}, unit=unit())
    return [
        Part(
            part=part,
            sums=divided[part.pk],
            lines=[
                PartLine(item, fractions[part.pk][item.pk], divided[part.pk].gross[item.pk])
                for item in bill.items
                if fractions[part.pk].get(item.pk)
            ],
            adjustments=[PartAdjustment(each, divided[part.pk].amounts[each.pk]) for each in bill.adjustments],
            paid=paid[part.pk],
            due=due[part.pk],
        )
        for part in parts
        # What has nothing in it is no part.
        if divided[part.pk].total or paid[part.pk] or (fractions[part.pk] and not part.is_rest)
    ]


def payment_events(payments: Iterable[Payment]) -> Iterator[Event]:
    """Yield the payments, and their voiding, for a timeline."""
    for payment in payments:
        yield Event(payment.created_at, "paid", payment, payment.taken_by_name)
        if payment.voided_at is not None:
            yield Event(payment.voided_at, "voided", payment, payment.voided_by_name)


def shares(amount: Decimal, people: int) -> list[tuple[int, Decimal]]:
    """Divide `amount`, and return how many people pay how much: each cent that is left over is paid by one of them."""
    counts: dict[Decimal, int] = defaultdict(int)
    for share in sums.in_equal_parts(amount, people, unit=unit()):
        counts[share] += 1
    return [(count, share) for share, count in counts.items()]


def session_with(**of: str) -> TableSession | None:
    """Return the session with this payment or adjustment, and its table; None for an unknown one."""
    if not all(map(is_uuid, of.values())):
        return None
    return TableSession.objects.select_related("table").filter(**of).first()


def unpaid(sessions: QuerySet[TableSession]) -> QuerySet[Any, Any]:
    """Return those of the sessions with something left to pay, which `due` is."""
    return with_due(sessions).filter(due__gt=0)


def still_to_pay() -> tuple[int, Decimal]:
    """Return the number of bills that nobody has closed and that have something left to pay, and how much that is."""
    bills = unpaid(TableSession.objects.filter(ended_at=None))
    left = bills.aggregate(count=Count("pk"), sum=Sum("due", default=NOTHING))
    return left["count"], left["sum"]


def find_bills(text: str, day: date | None, amount: Decimal | None) -> QuerySet[Any, Any]:
    """Return sessions with a bill, open ones and then the latest first, as `with_due` annotates them.

    `text` is the number of a table or of a bill, `amount` what the bill comes to or somebody has paid. Without a number
    and a day they are those of the last days, and what is open.
    """
    bills = with_due(TableSession.objects.with_orders().select_related("table"))
    if text:
        number = int(text) if re.fullmatch("[0-9]{1,9}", text, re.ASCII) else -1
        bills = bills.filter(Q(table__table_number=number) | Q(bill_number=number))
    if day:
        began, ended = bounds_of(day, local_zone())
        is_begun, is_ended = (Q((f"{name}__gte", began), (f"{name}__lt", ended)) for name in ("started_at", "ended_at"))
        bills = bills.filter(is_begun | is_ended)
    elif not text:
        bills = bills.filter(Q(ended_at=None) | Q(started_at__gt=timezone.now() - LATELY))
    if amount is not None:
        paid = Payment.objects.filter(Q(amount=amount) | Q(amount=amount - F("tip")), session=OuterRef("pk"))
        bills = bills.filter(Q(total=amount) | Exists(paid))
    return bills.order_by(F("ended_at").desc(nulls_first=True), "-started_at", "pk")


def with_due(sessions: QuerySet[TableSession]) -> QuerySet[Any, Any]:
    """Annotate the sessions with what their bills come to and what is left to pay: `total` and `due`."""
    orders = Order.objects.filter(session=OuterRef("pk")).exclude(status__in=Order.UNCOUNTED)
    payments = Payment.objects.filter(session=OuterRef("pk"), voided_at=None)
    refunds = Refund.objects.filter(session=OuterRef("pk"))
    paid = _sum_of(payments, "amount") - _sum_of(refunds, "amount")
    ordered = _sum_of(orders, "total") + Coalesce(F("adjusted"), NOTHING, output_field=MoneyField())
    total = ExpressionWrapper(ordered, output_field=MoneyField())
    return sessions.annotate(total=total, due=ExpressionWrapper(ordered - paid, output_field=MoneyField()))


def _sum_of(rows: QuerySet[Any, Any], field: str) -> Coalesce:
    """Return the sum for each session, as a subquery."""
    sums = rows.order_by().values("session").annotate(sum=Sum(field)).values("sum")
    return Coalesce(Subquery(sums), NOTHING, output_field=MoneyField())


def counted_items(session: TableSession) -> list[OrderItem]:
    """Return the session's items in the order in which they were ordered, without those that are cancelled."""
    items = OrderItem.objects.filter(order__session=session).exclude(order__status__in=Order.UNCOUNTED)
    ordered = items.select_related("menu_item", "order").order_by("order__created_at", "order_id", "position")
    return [item for item in ordered if item.remaining]


def reward_on_bill(session: TableSession, value: Any) -> tuple[Decimal | None, OrderItem | None]:
    """Return what a reward of this value gives on the bill: a percentage, or an entry of its dish that is paid for.

    The dish has the id `menu_item_id`, else the name `item`; of several entries it is the dearest.
    """
    value = value if isinstance(value, dict) else {}
    percent = _percentage(value.get("discount_percent"))
    if percent:
        return percent, None
    free: dict[Any, int] = defaultdict(int)
    for adjusted in AdjustedItem.objects.filter(adjustment__session=session, adjustment__voided_at=None):
        free[adjusted.item_id] += adjusted.quantity if adjusted.adjustment.kind == Adjustment.Kind.COMP else 0
    dish, name = str(value.get("menu_item_id") or ""), str(value.get("item") or "").strip().casefold()
    for item in sorted(counted_items(session), key=lambda item: -item.price):
        is_it = str(item.menu_item_id) == dish.lower() if dish else item.display_name.strip().casefold() == name
        if is_it and item.remaining > free[item.pk]:
            return None, item
    return None, None


def _percentage(value: Any) -> Decimal | None:
    """Return None for what is no percentage: values of rewards are JSON that somebody wrote."""
    try:
        percent = Decimal(str(value)).quantize(Decimal("0.01"))
    except InvalidOperation:
        return None
    return percent if 0 < percent <= 100 else None


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
