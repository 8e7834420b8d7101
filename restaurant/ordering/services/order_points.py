"""Points for orders: the card that collects them, and collecting when the session is closed.

See "Points from the table" in docs/behaviour/restaurant.md.
"""

import logging
from collections.abc import Iterable

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from loyalty import gateway as loyalty
from loyalty.gateway import Card
from restaurant import events
from restaurant.errors import CollectedElsewhere, NothingToCollect
from restaurant.ordering.models import Order, TableSession
from restaurant.ordering.queries.points import collectable_orders, orders_to_collect

log = logging.getLogger(__name__)


def collect(session: TableSession) -> None:
    """Have the points of an ended session's orders awarded. Raises nothing: failures are left to `collect_all`."""
    try:
        _collect(Order.objects.to_be_collected().filter(session=session).order_by("created_at", "pk"))
    except Exception:  # whatever loyalty raises: the table is closed all the same
        log.exception("The points of a closed table can't be collected yet")


def settle(*, session_id: str, collector: str) -> list[str]:
    """Have the points awarded that this card collects in the session, whether that has ended or not.

    Returns the orders' ids, those settled before too. Raises NothingToCollect.
    """
    orders = Order.objects.filter(session__pk=session_id, collector=collector).exclude(status__in=Order.UNCOUNTED)
    _collect(orders.filter(collected_at=None).order_by("created_at", "pk"))
    settled = [str(pk) for pk in orders.exclude(collected_at=None).values_list("pk", flat=True)]
    if not settled:
        raise NothingToCollect(_("This card collects no points at that table."))
    return settled


def collect_all() -> tuple[int, int]:
    """Settle the points of every ended session, and of orders cancelled since.

    Returns the numbers of orders that were settled and that failed.
    """
    settled, failed = _collect(orders_to_collect())
    cancelled = [take_back(order) for order in Order.objects.to_be_taken_back().order_by("created_at", "pk")]
    return settled + sum(cancelled), failed + cancelled.count(False)


def _collect(orders: Iterable[Order]) -> tuple[int, int]:
    to_settle = list(orders) if loyalty.collects_at_tables() else []
    settled = sum(_settle(order) for order in to_settle)
    return settled, len(to_settle) - settled


def _settle(order: Order) -> bool:
    """False if it failed. Several processes may settle it: loyalty awards once, and all note the same."""
    try:
        points = _points(order)
        with transaction.atomic():
            unsettled = Order.objects.filter(pk=order.pk, collected_at=None)
            if unsettled.update(collected_at=timezone.now(), points_collected=points):
                events.order_update(order.pk, for_kitchen=False)
    except Exception:  # whatever loyalty raises: the other orders are collected all the same
        log.exception("The points of an order can't be collected yet")
        return False
    cancelled = Order.objects.to_be_taken_back().filter(pk=order.pk).exists()  # while this was under way
    return take_back(order) if cancelled else True


def _points(order: Order) -> int | None:
    """Award the order's points; None where it is cancelled."""
    if order.status == Order.Status.CANCELLED:
        loyalty.take_back(order.collector, str(order.pk))  # awarded by a process that was ended before it noted that
        return None
    return loyalty.award(order.collector, str(order.pk), order.earns_on) if order.earns_on else 0


def take_back(order: Order) -> bool:
    """Have the points of a cancelled order taken back. False if that failed, which is left to `collect_all`."""
    if not loyalty.collects_at_tables():
        return False
    try:
        loyalty.take_back(order.collector, str(order.pk))
        with transaction.atomic():
            if Order.objects.to_be_taken_back().filter(pk=order.pk).update(points_collected=None):
                events.order_update(order.pk, for_kitchen=False)
    except Exception:  # whatever loyalty raises: the order is cancelled all the same
        log.exception("The points of a cancelled order can't be taken back yet")
        return False
    return True


def merge_cards(*, gone: str, kept: str) -> None:
    """Let one card collect what another one did."""
    Order.objects.filter(collector=gone).update(collector=kept)


def assign(*, order: Order, card: Card, others: bool = False) -> None:
    """Let the card collect the points of an order that a phone has placed, also after its session has ended.

    With `others`, it also collects those of the phone's other orders of the session that no card collects. An order
    that has a collector keeps it. Raises NothingToCollect, CollectedElsewhere.
    """
    if order.collector not in ("", card.reference):
        raise CollectedElsewhere
    orders = collectable_orders(order)
    (orders if others else orders.filter(pk=order.pk)).update(collector=card.reference)
    # Read after the update is committed: whoever closes the session meanwhile sees the collector, or this the end.
    order = Order.objects.select_related("session").get(pk=order.pk)
    if not order.collector:
        raise NothingToCollect
    if order.collector != card.reference:
        raise CollectedElsewhere
    if order.session.ended_at:
        collect(order.session)
