"""Dividing a bill. All lock the session's row, so that of two phones that want the same dish one gets it."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from django.db import transaction
from django.db.models import Max
from django.utils.translation import gettext as _

from restaurant import events
from restaurant.billing import queries
from restaurant.billing.models import BillPart, Claim
from restaurant.billing.queries.chosen import Chosen, entries_chosen
from restaurant.errors import (
    DividedEqually,
    NothingLeft,
    PartsPaid,
    SessionEnded,
    TakenBySomebody,
    TooManyShares,
)
from restaurant.ordering.models import OrderItem, TableCall, TableSession
from restaurant.ordering.queries.sessions import session_of_staff
from restaurant.ordering.services import calls, sessions

By = BillPart.By


@dataclass(frozen=True, slots=True)
class NewPart:
    items: Sequence[Chosen]
    name: str = ""


def divide(
    *, table_number: int, session_id: str | None, by: str, count: int = 0, parts: Sequence[NewPart] = ()
) -> TableSession:
    """Divide the bill anew, and return its session. By items of which no part has any, it is one bill again.

    Raises TableUnknown, SessionUnknown, OrderUnknown, NothingLeft, TooManyShares, PartsPaid.
    """
    named = session_id or str(session_of_staff(table_number, None).pk)
    with transaction.atomic():
        session = sessions.lock(table_number=table_number, session_id=named).session
        _clear(session)
        items = queries.counted_items(session)
        if by == By.PEOPLE:
            _create(session, by, [_("%(part)d of %(all)d") % {"part": i + 1, "all": count} for i in range(count)])
        elif by == By.PHONES:
            phones = list(dict.fromkeys(item.order.phone_key for item in items if item.order.phone_key))
            made = _create(session, by, [_guest(i + 1) for i in range(len(phones))])
            for part, phone in zip(made, phones, strict=True):
                part.phone_key = phone
            BillPart.objects.bulk_update(made, ["phone_key"])
            _create_rest(session, by, position=len(phones))
        elif any(part.items for part in parts):
            names = [part.name or _guest(i + 1) for i, part in enumerate(parts)]
            made = _create(session, by, names)
            _claim(items, [(row, part.items) for row, part in zip(made, parts, strict=True)])
            _create_rest(session, by, position=len(made))
        events.floor_update()
    return session


def add(
    *, table_number: int, session_id: str, phone: str = "", name: str, items: Sequence[Chosen], method: str = ""
) -> TableSession:
    """Add a part of what nobody has paid or taken; that of the guest with this phone is made anew, of nothing it goes.

    With a `method` the guest calls somebody who takes the money. Raises TableUnknown, SessionUnknown, SessionEnded,
    OrderUnknown, NothingLeft, TakenBySomebody, DividedEqually, PartsPaid.
    """
    with transaction.atomic():
        session = sessions.lock(table_number=table_number, session_id=session_id).session
        if phone and session.ended_at:
            raise SessionEnded(_("Your table was closed. To pay, please ask a member of staff."))
        existing = list(session.parts.prefetch_related("claims", "payments"))
        own = next((part for part in existing if phone and part.made_by_phone == phone), None)
        if any(part.by == By.PEOPLE for part in existing):
            raise DividedEqually
        if own and _is_paid(own):
            raise PartsPaid
        if not existing and session.payments.filter(voided_at=None).exists():
            raise PartsPaid
        if own is not None:
            _delete([own])
            existing.remove(own)
        on_bill = queries.counted_items(session)
        if items:
            by = existing[0].by if existing else By.ITEMS
            if not existing:
                _create_rest(session, by)
            place = max((each.position for each in existing), default=0) + 1
            part = _create(session, by, [name or _guest(place)], first=place)[0]
            # Its orders are not in it by themselves: the guest has ticked what is.
            part.made_by_phone = phone
            part.save(update_fields=["made_by_phone"])
            _claim(on_bill, [(part, items)], others=existing, phone=phone)
            due = next((each.due for each in queries.bill_of(session).parts if each.part == part), None)
            if due and method:
                calls.call(
                    table_number=table_number,
                    session_id=session_id,
                    kind=TableCall.Kind.BILL,
                    part=part,
                    method=method,
                    amount=due,
                )
        elif not any(not each.is_rest for each in existing):
            _delete(existing)
        events.floor_update()
    return session


def join(session: TableSession, host: TableSession) -> None:
    """Give the parts of a session to the one that it joins; both are locked. Parts that nobody has paid go."""
    for each in (session, host):
        rows = list(each.parts.prefetch_related("payments"))
        if not any(_is_paid(part) for part in rows):
            # Whoever waits to pay one of them still waits.
            if TableCall.objects.filter(part__in=rows, done_at=None).exists():
                TableCall.objects.get_or_create(session=each, kind=TableCall.Kind.BILL, part=None, done_at=None)
            _delete(rows)
    if session.parts.exists():
        # Their numbers, which receipts have, stay apart from those of the host.
        first = 1 + (host.parts.aggregate(last=Max("position"))["last"] or 0)
        by = BillPart.objects.filter(session=host).values_list("by", flat=True).first()
        rest = host.parts.filter(is_rest=True).exists()
        for part in session.parts.all():
            part.session, part.by = host, by or By.ITEMS
            part.is_rest = part.is_rest and not rest
            part.position += first
            part.save(update_fields=["session", "by", "is_rest", "position"])


def _clear(session: TableSession) -> None:
    """Raises PartsPaid."""
    parts = list(session.parts.prefetch_related("payments"))
    if any(_is_paid(part) for part in parts):
        raise PartsPaid
    _delete(parts)


def _is_paid(part: BillPart) -> bool:
    return any(payment.voided_at is None for payment in part.payments.all())


def _delete(parts: Sequence[BillPart]) -> None:
    """Delete parts that nobody has paid. Voided payments, and receipts that were made out, are of the bill then."""
    for part in parts:
        part.payments.update(part=None)
        part.payers.update(part=None)
        part.delete()


def _create(session: TableSession, by: str, names: Sequence[str], *, first: int = 0) -> list[BillPart]:
    rows = [BillPart(session=session, by=by, position=first + i, name=name) for i, name in enumerate(names)]
    return BillPart.objects.bulk_create(rows)


def _create_rest(session: TableSession, by: str, *, position: int = 0) -> BillPart:
    return BillPart.objects.create(session=session, by=by, position=position, name=_("Rest"), is_rest=True)


def _guest(number: int) -> str:
    return _("Guest %(number)d") % {"number": number}


def _claim(
    on_bill: list[OrderItem],
    wanted: Sequence[tuple[BillPart, Sequence[Chosen]]],
    *,
    others: Sequence[BillPart] = (),
    phone: str = "",
) -> None:
    """Store what is in these parts, of which the `others` have nothing that somebody has claimed.

    Raises OrderUnknown, NothingLeft, TooManyShares, TakenBySomebody.
    """
    given: dict[Any, Fraction] = defaultdict(Fraction)
    claims = []
    for part, entries in wanted:
        for item, each in entries_chosen(on_bill, entries):
            claim = Claim(part=part, item=item)
            if each.share is not None:
                claim.numerator, claim.denominator = each.share.numerator, each.share.denominator
            else:
                claim.quantity = each.quantity or item.remaining
            left, who = _left_by(others, item, phone)
            if who and claim.fraction_of(item.remaining) > left:
                raise TakenBySomebody(name=item.local_name, who=who)
            if (each.quantity or 1) > item.remaining:
                raise NothingLeft(position=each.position)
            given[item.pk] += claim.fraction_of(item.remaining)
            if given[item.pk] > 1:
                raise TooManyShares(name=item.display_name)
            claims.append(claim)
    Claim.objects.bulk_create(claims)


def _left_by(parts: Sequence[BillPart], item: OrderItem, phone: str) -> tuple[Fraction, str]:
    """Return what is left of an entry for the guest with this phone, and in whose part the rest is."""
    left, who = Fraction(1), ""
    for part in parts:
        for claim in part.claims.all():
            if claim.item_id == item.pk:
                left, who = left - claim.fraction_of(item.remaining), part.name
        if part.phone_key and phone and part.phone_key == item.order.phone_key != phone:
            left, who = Fraction(0), part.name
    return left, who
