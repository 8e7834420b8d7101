"""Reading bills."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from copy import copy
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from typing import Any

from django.db.models import Count, Exists, ExpressionWrapper, F, OuterRef, Q, QuerySet, Subquery, Sum
from django.db.models.functions import Coalesce
from django.urls import reverse
from django.utils import timezone

from restaurant.billing import sums
from restaurant.billing.models import AdjustedItem, Adjustment, BillPart, Payer, Payment, Refund
from restaurant.billing.sums import Sums
from restaurant.errors import PartUnknown, SessionUnknown
from restaurant.ordering.models import Order, OrderItem, TableSession
from restaurant.ordering.queries.sessions import NOTHING
from restaurant.ordering.queries.timeline import Event
from web.fields import is_uuid
from web.money import MoneyField, unit
from web.reporting import bounds_of, local_zone

LATELY = timedelta(days=7)


@dataclass(frozen=True, slots=True)
class Line:
    """Equal entries of all orders: the same item with the same options at the same price. Of a part: its share of one.

    A third of a bottle is `1/3`.
    """

    item: OrderItem  # the first of them
    quantity: int | Fraction
    total: Decimal  # before adjustments that are listed
    vat_rate: Decimal | None  # None also where these entries were ordered at different rates

    @property
    def share(self) -> Fraction:
        """The part's share of what is left of the entry."""
        return Fraction(self.quantity) / self.item.remaining


@dataclass(frozen=True, slots=True, kw_only=True)
class Bill:
    """A session's orders, what changes the bill, and payments; or a part of that, which one of the guests pays.

    It is the same on pages, on paper and in mails. What is held or cancelled is on no bill.
    """

    session: TableSession  # with its table
    items: list[OrderItem]  # in the order in which they were ordered, with their orders
    lines: list[Line]
    adjustments: list[Adjustment]  # that stand, the oldest first; `value` is up to date
    sums: Sums
    payments: list[Payment]  # voided ones too, the oldest first; those that name no part are not in one
    parts: list["Part"] = field(default_factory=list)
    part: BillPart | None = None
    whole: "Bill | None" = None  # of which it is a part
    payer: Payer | None = None  # to whom a receipt is made out

    @property
    def total(self) -> Decimal:
        return self.sums.total

    @property
    def standing(self) -> list[Payment]:
        return [payment for payment in self.payments if payment.voided_at is None]

    @property
    def refunds(self) -> list[Refund]:
        refunds = [refund for payment in self.payments for refund in payment.refunds.all()]
        return sorted(refunds, key=lambda refund: (refund.at, refund.pk))

    @property
    def paid(self) -> Decimal:
        refunded = sum((refund.amount for refund in self.refunds), NOTHING)
        return sum((payment.amount for payment in self.standing), NOTHING) - refunded

    @property
    def due(self) -> Decimal:
        return max(self.total - self.paid, NOTHING)

    @property
    def is_paid(self) -> bool:
        return bool(self.paid) and not self.due

    @property
    def overpaid(self) -> Decimal:
        """The amount that was paid for what was cancelled since."""
        return max(self.paid - self.total, NOTHING)

    @property
    def tips(self) -> Decimal:
        return sum((payment.tip for payment in self.standing), NOTHING)

    @property
    def number(self) -> str:
        """`12`, of a part `12-2`; empty where the bill has none yet, because nobody has printed or paid it."""
        number = self.session.bill_number
        return f"{number}-{self.part.position + 1}" if number and self.part else str(number or "")

    @property
    def receipt_url(self) -> str:
        page = f"{reverse('receipt', args=[self.session.table.table_number])}?sessionId={self.session.pk}"
        return f"{page}&partId={self.part.pk}" if self.part else page


@dataclass(frozen=True, slots=True, kw_only=True)
class Part(Bill):
    """What one of the guests pays."""

    part: BillPart
    whole: Bill
    left: Decimal = NOTHING

    @property
    def due(self) -> Decimal:
        return self.left


def bill_of(session: TableSession) -> Bill:
    items = counted_items(session)
    adjustments = standing_adjustments(session) if session.adjusted is not None else []
    payments = session.payments.select_related("part").prefetch_related("refunds").order_by("created_at", "pk")
    summed = sums_with(items, adjustments)
    bill = Bill(
        session=session,
        items=items,
        lines=_lines(items),
        adjustments=_with_values(adjustments, summed),
        sums=summed,
        payments=list(payments),
    )
    bill.parts.extend(_parts(bill))
    return bill


def part_of(session: TableSession, part_id: str | None) -> Bill:
    """Return this part of the session's bill; without an id the bill. Raises PartUnknown."""
    bill = bill_of(session)
    if not part_id:
        return bill
    part = next((part for part in bill.parts if str(part.part.pk) == part_id.lower()), None)
    if part is None:
        raise PartUnknown
    return part


def receipt_of(session: TableSession, part_id: str | None = None) -> Bill:
    """Return the bill, or this part of it, with the payer it is made out to. Raises PartUnknown."""
    bill = part_of(session, part_id)
    payers = Payer.objects.filter(session=session, part=bill.part)
    return replace(bill, payer=payers.order_by("at", "pk").last())


def language_of(sheet: Bill) -> str:
    """Return the language in which a guest of the bill has ordered last; empty where it is the venue's."""
    return next((item.order.language for item in reversed(sheet.items) if not item.order.placed_by), "")


def standing_adjustments(session: TableSession) -> list[Adjustment]:
    """Return what changes the session's bill, the oldest first."""
    stands = session.adjustments.filter(voided_at=None).prefetch_related("items")
    return list(stands.order_by("created_at", "pk"))


def sums_with(items: Iterable[OrderItem], adjustments: Iterable[Adjustment]) -> Sums:
    return sums.sums_of(entries_of(items), changes_of(adjustments), unit=unit())


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


def _parts(bill: Bill) -> Iterator[Part]:
    parts = list(bill.session.parts.prefetch_related("claims"))
    if not parts:
        return
    fractions = claims_of(parts, bill.items)
    divided = sums.divide(entries_of(bill.items), changes_of(bill.adjustments), fractions, unit=unit())
    found = []
    for part in parts:
        own, summed = fractions[part.pk], divided[part.pk]
        items = [item for item in bill.items if own.get(item.pk)]
        found.append(
            Part(
                session=bill.session,
                items=items,
                lines=[
                    Line(item, own[item.pk] * item.remaining, summed.gross[item.pk], item.vat_rate) for item in items
                ],
                adjustments=_with_values(bill.adjustments, summed),
                sums=summed,
                payments=[payment for payment in bill.payments if payment.part_id == part.pk],
                part=part,
                whole=bill,
            )
        )
    due = sums.credited(bill.due, [(each.total, each.paid) for each in found], unit=unit())
    for each, left in zip(found, due, strict=True):
        # What has nothing in it is no part.
        if each.total or each.paid or (each.items and not each.part.is_rest):
            yield replace(each, left=left)


def _with_values(adjustments: Iterable[Adjustment], summed: Sums) -> list[Adjustment]:
    """Return copies that have as their `value` what they make of this bill or part."""
    copies = [copy(adjustment) for adjustment in adjustments]
    for each in copies:
        each.value = summed.amounts[each.pk]
    return copies


def payment_events(payments: Iterable[Payment]) -> Iterator[Event]:
    """Yield the payments, and their voiding, for a timeline."""
    for payment in payments:
        yield Event(payment.created_at, "paid", payment, payment.taken_by_name)
        if payment.voided_at is not None:
            yield Event(payment.voided_at, "voided", payment, payment.voided_by_name)


def shares(amount: Decimal, people: int) -> list[tuple[int, Decimal]]:
    """Divide `amount`, and return how many people pay how much: each cent that is left over is paid by one of them."""
    counts = Counter(sums.in_equal_parts(amount, people, unit=unit()))
    return [(count, share) for share, count in counts.items()]


def session_of(payment_id: str = "", adjustment_id: str = "") -> TableSession:
    """Return the session with this payment or adjustment, and its table. Raises SessionUnknown."""
    of = Q(payments=payment_id) if payment_id else Q(adjustments=adjustment_id)
    is_id = is_uuid(payment_id or adjustment_id)
    session = TableSession.objects.select_related("table").filter(of).first() if is_id else None
    if session is None:
        raise SessionUnknown
    return session


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


def _lines(items: list[OrderItem]) -> list[Line]:
    equal: dict[tuple[Any, ...], list[OrderItem]] = defaultdict(list)
    for item in items:
        equal[item.menu_item_id, item.price, *(option["id"] for option in item.options)].append(item)
    lines = []
    for first, *others in equal.values():
        quantity = first.remaining + sum(item.remaining for item in others)
        is_one_rate = all(item.vat_rate == first.vat_rate for item in others)
        lines.append(Line(first, quantity, first.price * quantity, first.vat_rate if is_one_rate else None))
    return lines
