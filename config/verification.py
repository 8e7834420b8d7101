"""Whether the books are what the journal says. See "Verifying" in docs/fiscal.md.

What is compared with the journal are the rows themselves, both ways; sums are then computed from rows that agree.
"""

import json
from collections import defaultdict
from collections.abc import Iterator
from contextlib import suppress
from datetime import datetime
from decimal import Decimal, InvalidOperation
from itertools import islice
from typing import Any, NamedTuple

from django.db.models import Exists, F, OuterRef, QuerySet, Subquery, Sum, TextField
from django.db.models.functions import Cast, Coalesce

from loyalty.models import PointTransaction
from loyalty.rewards.queries.ledger import unbalanced_members
from restaurant.billing import queries
from restaurant.billing.queries import drawers
from restaurant.models import Adjustment, DrawerDay, DrawerMovement, Order, OrderItem, Payment, Refund, TableSession
from web.journal import JournalEntry, broken_links, canonical

BATCH = 1000
OPENING = "opening"


def findings() -> Iterator[str]:
    """Yield a sentence for every row that differs, is missing or was put in, the journal's own first."""
    yield from (f"Entry {number} of the journal {what}." for number, what in broken_links())
    opening = JournalEntry.objects.filter(kind=OPENING).order_by("pk").first()
    yield from _entries_without_rows()
    yield from _rows_without_entries(opening.at if opening else None)
    if opening:
        was, now = json.loads(opening.content), sums_before(opening.at)
        yield from _differences(f"What was before entry {opening.number} ({OPENING})", was, now)
    yield from _wrong_sums()


def sums_before(at: datetime) -> dict[str, Any]:
    """Return what never changes of the rows from before the journal, as the migration has written it."""
    items = OrderItem.objects.filter(order__created_at__lt=at, order__kept_at=None)
    return {
        "ordered": items.aggregate(sum=Sum(F("price") * F("quantity"), default=0))["sum"],
        "paid": Payment.objects.filter(created_at__lt=at).aggregate(sum=Sum("amount", default=0))["sum"],
        "points": PointTransaction.objects.filter(created_at__lt=at).aggregate(sum=Sum("points", default=0))["sum"],
    }


# --- from the journal to the books ----------------------------------------------------------------


class Book(NamedTuple):
    """The rows that entries of a kind are about, since when (empty: it has not happened), and what is said of them.

    Left out is what may change: the part of a voided payment, and what a discount comes to.
    """

    rows: QuerySet[Any]
    at: str
    said: str = "recorded"


BOOKS = {
    "order": Book(Order.objects.annotate(placed_at=Coalesce("kept_at", "created_at")), "placed_at"),
    "payment": Book(Payment.objects.all(), "created_at"),
    "payment_voided": Book(Payment.objects.all(), "voided_at"),
    "refund": Book(Refund.objects.all(), "at"),
    "adjustment": Book(Adjustment.objects.all(), "created_at"),
    "adjustment_voided": Book(Adjustment.objects.all(), "voided_at"),
    "drawer_movement": Book(DrawerMovement.objects.all(), "at"),
    "drawer_opened": Book(DrawerDay.objects.all(), "opened_at", "recorded_at_opening"),
    "drawer_closed": Book(DrawerDay.objects.all(), "closed_at"),
    **{
        kind: Book(PointTransaction.objects.filter(type=type), "created_at")
        for type, kind in PointTransaction.ENTRIES.items()
    },
}


def _entries_without_rows() -> Iterator[str]:
    moved = {
        entry.subject: json.loads(entry.content)["into"]
        for entry in JournalEntry.objects.filter(kind__in=["moved", "cards_merged"]).order_by("pk")
    }
    # Of an adjustment whose party has joined another one the last entry counts.
    latest = dict(JournalEntry.objects.filter(kind="adjustment_moved").order_by("pk").values_list("subject", "pk"))
    entries = JournalEntry.objects.order_by("number", "pk").iterator(chunk_size=BATCH)
    while batch := list(islice(entries, BATCH)):
        by_kind: dict[str, list[JournalEntry]] = defaultdict(list)
        for entry in batch:
            if entry.kind == "adjustment_moved" and latest[entry.subject] == entry.pk:
                by_kind["adjustment"].append(entry)
            elif entry.kind != "adjustment" or entry.subject not in latest:
                by_kind[entry.kind].append(entry)
        yield from _orders(by_kind.pop("order", []), moved)
        for kind, some in by_kind.items():
            if kind in BOOKS:
                yield from _compare(some, BOOKS[kind], moved)


def _compare(entries: list[JournalEntry], book: Book, moved: dict[str, str]) -> Iterator[str]:
    rows = {str(row.pk): row for row in book.rows.filter(pk__in=[entry.subject for entry in entries])}
    for entry in entries:
        row, name = rows.get(entry.subject), _name(entry)
        if row is None or getattr(row, book.at) is None:
            yield f"{name} is about something that is not in the books."
            continue
        said, found = json.loads(entry.content), getattr(row, book.said)
        for each in (said, found):
            # What is voided stays where it was when its party joins another.
            each |= {name: _present(str(each[name]), moved) for name in ("session", "member") if name in each}
        changing = {"value", "part"} if getattr(row, "voided_at", None) else {"value"}
        yield from _differences(name, *({key: each[key] for key in each.keys() - changing} for each in (said, found)))


def _orders(entries: list[JournalEntry], moved: dict[str, str]) -> Iterator[str]:
    """Compare orders with what was ordered, approved and cancelled."""
    ids = [entry.subject for entry in entries]
    orders = {str(order.pk): order for order in Order.objects.filter(pk__in=ids).prefetch_related("items", "changes")}
    changes: dict[str, dict[str, Any]] = defaultdict(dict)
    for change in JournalEntry.objects.filter(subject__in=ids, kind__startswith="order_").order_by("pk"):
        said = json.loads(change.content)
        changes[change.subject][str(said["change"])] = said | {"kind": change.kind}
    for entry in entries:
        order, name = orders.get(entry.subject), _name(entry)
        if order is None:
            yield f"{name} is about something that is not in the books."
            continue
        said, its_changes = json.loads(entry.content), changes[entry.subject]
        said["session"] = _present(moved.get(entry.subject, said["session"]), moved)
        yield from _differences(name, said, order.recorded(order.items.all()))
        in_books = {
            str(change.pk): change.recorded | {"kind": f"order_{change.kind}"} for change in order.changes.all()
        }
        yield from _differences(f"{name}, changed", its_changes, in_books)
        yield from _differences(name, _state(said, its_changes.values()), _state_of(order))


def _state(said: dict[str, Any], changes: Any) -> dict[str, Any]:
    """Return what is left of an order after these changes."""
    cancelled: dict[int, int] = defaultdict(int)
    for change in changes:
        for item in change["items"]:
            cancelled[item["position"]] += item["quantity"]
    left = [item["quantity"] - cancelled[item["position"]] for item in said["items"]]
    total = sum(Decimal(item["price"]) * quantity for item, quantity in zip(said["items"], left, strict=True))
    waits = said["held"] and not any(change["kind"] == "order_approved" for change in changes)
    return {"left": left, "total": total, "counts": any(left) and not waits}


def _state_of(order: Order) -> dict[str, Any]:
    return {"left": [item.remaining for item in order.items.all()], "total": order.total, "counts": order.is_counted}


def _present(session: str, moved: dict[str, str]) -> str:
    """Return the session in which a party is now, or the member who has a card."""
    while session in moved:
        session = moved[session]
    return session


def _name(entry: JournalEntry) -> str:
    return f"Entry {entry.number or 'without a number'} ({entry.kind} {entry.subject})"


def _differences(name: str, said: dict[Any, Any], found: dict[Any, Any]) -> Iterator[str]:
    there, here = (json.loads(canonical(values)) for values in (said, found))
    for key in sorted(there.keys() | here.keys()):
        if not _equal(there.get(key), here.get(key)):
            yield f"{name} says {key} {json.dumps(there.get(key))}, the books say {json.dumps(here.get(key))}."


def _equal(one: Any, other: Any) -> bool:
    """Compare JSON; amounts by their value: "12.5" is "12.50"."""
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(_equal, one, other))
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(_equal(one[key], other[key]) for key in one)
    if one != other and isinstance(one, str) and isinstance(other, str):
        with suppress(InvalidOperation):
            return Decimal(one) == Decimal(other)
    return bool(one == other)


# --- from the books to the journal ----------------------------------------------------------------


def _rows_without_entries(since: datetime | None) -> Iterator[str]:
    """Yield rows that nobody has entered; those from before the opening of the journal are left out."""
    for kind, (rows, at, _said) in BOOKS.items():
        entries = JournalEntry.objects.filter(kind=kind, subject=OuterRef("text"))
        happened = rows.filter(**{f"{at}__gte": since} if since else {f"{at}__isnull": False})
        missing = happened.annotate(text=Cast("pk", TextField())).filter(~Exists(entries)).order_by(at, "pk")
        for row in missing.iterator():
            yield f"{row._meta.verbose_name} {row.pk} of {getattr(row, at):%Y-%m-%d %H:%M} is not in the journal."


# --- sums -----------------------------------------------------------------------------------------


def _wrong_sums() -> Iterator[str]:
    """Compute bills and balances from rows that are what the journal says."""
    counted = Order.objects.filter(session=OuterRef("pk")).exclude(status__in=Order.UNCOUNTED).order_by()
    ordered = counted.values("session").annotate(sum=Sum("total")).values("sum")
    sessions = TableSession.objects.annotate(ordered=Coalesce(Subquery(ordered), Decimal(0)))
    for session in sessions.exclude(total_revenue=F("ordered")).order_by("started_at", "pk"):
        yield f"Session {session.pk} says that {session.total_revenue} was ordered, its orders say {session.ordered}."
    for changed in TableSession.objects.filter(Exists(Adjustment.objects.filter(session=OuterRef("pk")))):
        stored = {each.pk: each.value for each in queries.standing_adjustments(changed)}
        bill = queries.bill_of(changed)
        if (changed.adjusted or 0) != sum(bill.sums.amounts.values()) or stored != bill.sums.amounts:
            yield f"The bill of session {changed.pk} comes to {bill.total}, and is not stored as that."
    since: datetime | None = None
    for number, day in enumerate(DrawerDay.objects.exclude(number=None).order_by("number"), 1):
        if day.number != number:
            yield f"Z {number} is missing."
            break
        if not _adds_up(day, since or day.opened_at):
            yield f"Z {number} is not what its payments come to."
        since = day.closed_at
    for member in unbalanced_members():
        yield f"Member {member.pk} has {member.points_balance} points, the ledger says {member.ledger_balance}."


def _adds_up(day: DrawerDay, since: datetime) -> bool:
    """Compute what should be in the drawer, and what was paid by each method since the Z before."""
    paid: dict[str, Decimal] = defaultdict(Decimal)
    for at, sign in (("created_at", 1), ("voided_at", -1)):
        for payment in Payment.objects.filter(**{f"{at}__gt": since, f"{at}__lte": day.closed_at}):
            paid[payment.method] += sign * payment.amount
    said = {row["method"]: Decimal(row["amount"]) for row in day.figures["payments"]}
    is_paid = all(said.get(method, 0) == paid.get(method, 0) for method in said.keys() | paid.keys())
    return is_paid and drawers.cash(day)["expected"] == day.expected
