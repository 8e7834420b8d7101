"""Changing what a bill comes to: discounts, what is on the house, service. All lock the session's row first."""

from collections.abc import Sequence
from decimal import Decimal
from typing import Any

from django.db import transaction
from django.utils import timezone

from restaurant import events, staff
from restaurant.billing import queries, sums
from restaurant.billing.models import AdjustedItem, Adjustment
from restaurant.billing.queries.chosen import Chosen, entries_chosen
from restaurant.billing.services.locks import locked
from restaurant.errors import (
    AdjustmentUnknown,
    MoreThanAllowed,
    MoreThanThere,
    NothingLeft,
    OnTheHouseAlready,
)
from restaurant.ordering.models import Order, OrderItem, TableSession
from restaurant.ordering.queries.sessions import NOTHING, session_of_staff
from restaurant.ordering.services import sessions
from restaurant.rules import OrderingRules
from web import journal
from web.idempotency import Key, columns_of, earlier_of
from web.money import rounded, unit

Kind = Adjustment.Kind


def adjust(
    *,
    table_number: int,
    session_id: str | None,
    kind: str,
    percent: Decimal | None = None,
    amount: Decimal | None = None,
    items: Sequence[Chosen] = (),
    reason: str,
    note: str = "",
    user: Any,
    key: Key | None = None,
    reward: str = "",
    redemption_code: str = "",
) -> Adjustment:
    """Store what changes the bill, and return it with its `value`. A repeat with the same key returns the first one.

    With a `redemption_code` anybody may: the guest has paid for it with points. Raises TableUnknown, SessionUnknown,
    OrderUnknown, NothingLeft, OnTheHouseAlready, MoreThanThere, MoreThanAllowed, KeyReused.
    """
    named = session_id or str(session_of_staff(table_number, None).pk)
    with transaction.atomic():
        session = sessions.lock(table_number=table_number, session_id=named).session
        earlier = earlier_of(Adjustment.objects.filter(made_in=named), key)
        if earlier is not None:
            return earlier
        on_bill = queries.counted_items(session)
        adjustment = Adjustment.objects.create(
            session=session,
            kind=kind,
            percent=percent,
            amount=amount,
            vat_rate=OrderingRules.current().service_vat_rate if kind == Kind.SERVICE else None,
            reason=reason,
            note=note,
            reward=reward,
            redemption_code=redemption_code,
            made_by=user,
            made_by_name=user.get_username() if user else "",
            made_in=named,
            **columns_of(key),
        )
        AdjustedItem.objects.bulk_create(
            AdjustedItem(adjustment=adjustment, item_id=item_id, quantity=quantity)
            for item_id, quantity in _quantities(on_bill, items).items()
        )
        if not redemption_code:
            _require_permission(adjustment, on_bill, user)
        follow(session=session)
        adjustment.refresh_from_db(fields=["value", "by_rate"])
        adjustment.session = session
        _record(adjustment, "adjustment", adjustment.made_by_name)
        events.floor_update()
    return adjustment


def void(*, adjustment_id: str, user: Any, note: str = "") -> Adjustment:
    """Take back what changed a bill; again changes nothing. Raises AdjustmentUnknown, MoreThanAllowed."""
    with transaction.atomic():
        adjustment: Adjustment = locked(Adjustment, adjustment_id, AdjustmentUnknown)
        if adjustment.voided_at is None:
            if not adjustment.is_automatic and adjustment.kind != Kind.SERVICE and not adjustment.redemption_code:
                items = queries.counted_items(adjustment.session)
                _require_permission(adjustment, items, user, is_new=False)
            void_locked(adjustment, by=user.get_username(), note=note)
    return adjustment


def void_reward(*, code: str, by: str) -> None:
    """Take back what a reward's code took off a bill; nothing where it took off nothing."""
    standing = Adjustment.objects.filter(redemption_code=code, voided_at=None).first()
    if standing is not None:
        with transaction.atomic():
            standing = locked(Adjustment, standing.pk, AdjustmentUnknown)
            if standing.voided_at is None:
                void_locked(standing, by=by)


def void_locked(adjustment: Adjustment, *, by: str, note: str = "") -> None:
    """Take it back. Its session is locked."""
    _mark_voided(adjustment, by=by, note=note)
    follow(session=adjustment.session)
    events.floor_update()


def _mark_voided(adjustment: Adjustment, *, by: str, note: str = "") -> None:
    adjustment.voided_at, adjustment.voided_by_name, adjustment.void_note = timezone.now(), by, note
    adjustment.save(update_fields=["voided_at", "voided_by_name", "void_note"])
    _record(adjustment, "adjustment_voided", by)


def follow(*, session: TableSession, **_of_signal: Any) -> None:
    """Bring what the adjustments of a locked session come to up to date with its orders and its guests."""
    _charge_large_party(session)
    standing = queries.standing_adjustments(session)
    if not standing and session.adjusted is None:
        return
    items = queries.counted_items(session)
    summed = queries.sums_with(items, standing)
    changed = []
    for adjustment in standing:
        value, rates = summed.amounts[adjustment.pk], summed.amounts_at[adjustment.pk]
        texts = {str(rate or ""): str(amount) for rate, amount in rates.items() if amount}
        if (adjustment.value, adjustment.by_rate) != (value, texts):
            adjustment.value, adjustment.by_rate = value, texts
            changed.append(adjustment)
    Adjustment.objects.bulk_update(changed, ["value", "by_rate"])
    _spread_over_orders(items, summed)
    session.adjusted = sum(summed.amounts.values(), NOTHING) if standing else None
    TableSession.objects.filter(pk=session.pk).update(adjusted=session.adjusted)


def _spread_over_orders(items: Sequence[OrderItem], summed: sums.Sums) -> None:
    """Note on each order what was taken off it, for its points."""
    orders = {item.order_id: item.order for item in items}
    taken_off = dict.fromkeys(orders, NOTHING)
    for item in items:
        taken_off[item.order_id] += summed.lines[item.pk] - summed.gross[item.pk]
    changed = [order for pk, order in orders.items() if order.taken_off != taken_off[pk]]
    for order in changed:
        order.taken_off = taken_off[order.pk]
    Order.objects.bulk_update(changed, ["taken_off"])


def join(session: TableSession, host: TableSession) -> None:
    """Give the adjustments of a session to the one that it joins; both are locked. Percents of it become amounts."""
    for adjustment in queries.standing_adjustments(session):
        if adjustment.is_automatic:
            void_locked(adjustment, by="")
            continue
        if adjustment.percent is not None and not adjustment.items.all():
            adjustment.percent, adjustment.amount = None, abs(adjustment.value) or unit()
        adjustment.session = host
        adjustment.save(update_fields=["session", "percent", "amount"])
        _record(adjustment, "adjustment_moved", "")
    if session.adjusted is not None:
        session.adjusted = None
        TableSession.objects.filter(pk=session.pk).update(adjusted=None)


def _charge_large_party(session: TableSession) -> None:
    """Add the service of large parties, or take it off when they are large no more. What staff voided stays so."""
    charged = session.adjustments.filter(is_automatic=True).order_by("created_at").last()
    rules = OrderingRules.current()
    percent, least = rules.service_percent, rules.service_from_covers
    is_large = bool(percent and least and (session.covers or 0) >= least)
    if is_large and charged is None:
        charged = Adjustment.objects.create(
            session=session,
            kind=Kind.SERVICE,
            percent=percent,
            vat_rate=rules.service_vat_rate,
            reason=Adjustment.Reason.OTHER,
            is_automatic=True,
        )
        _record(charged, "adjustment", "")
    elif charged is not None and charged.voided_at is None and not is_large:
        _mark_voided(charged, by="")


def _quantities(on_bill: list[OrderItem], chosen: Sequence[Chosen]) -> dict[Any, int]:
    """Return how many of each entry. Raises OrderUnknown, NothingLeft."""
    quantities: dict[Any, int] = {}
    for item, each in entries_chosen(on_bill, chosen):
        if item.pk in quantities or (each.quantity or 1) > item.remaining:
            raise NothingLeft(position=each.position)
        quantities[item.pk] = each.quantity or item.remaining
    return quantities


def _require_permission(adjustment: Adjustment, on_bill: list[OrderItem], user: Any, *, is_new: bool = True) -> None:
    """Raises MoreThanAllowed above what this user may give, alone and together; MoreThanThere, OnTheHouseAlready."""
    others = [each for each in queries.standing_adjustments(adjustment.session) if each != adjustment]
    before, after = (queries.sums_with(on_bill, some) for some in (others, [*others, adjustment]))
    value = abs(after.amounts[adjustment.pk])
    quantities = {adjusted.item_id: adjusted.quantity for adjusted in adjustment.items.all()}
    of_items = sum((item.price * quantities.get(item.pk, 0) for item in on_bill), NOTHING)
    if is_new and adjustment.kind == Kind.COMP and value < of_items:
        raise OnTheHouseAlready
    if is_new and adjustment.kind == Kind.DISCOUNT and adjustment.amount and value < adjustment.amount:
        raise MoreThanThere(left=value)
    if user.has_perm(staff.ADJUST_BILL):
        return
    limit = OrderingRules.current().discount_up_to or NOTHING
    base = of_items if quantities else before.subtotal
    own = [each for each in others if each.made_by_id == user.pk and not each.redemption_code]
    together = value + sum((abs(before.amounts[each.pk]) for each in own), NOTHING)
    if (
        (adjustment.kind == Kind.COMP and limit < 100)
        or value > rounded(base * limit / 100)
        or together > rounded(before.subtotal * limit / 100)
    ):
        raise MoreThanAllowed(limit=limit)


def _record(adjustment: Adjustment, kind: str, by: str) -> None:
    journal.write(kind, adjustment.pk, by=by, value=adjustment.value, **adjustment.recorded)
