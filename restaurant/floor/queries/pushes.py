"""Reading of what phones that are locked are to hear, every second: see `web.services.push`."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from django.contrib.auth import get_user_model
from django.db.models import Exists, OuterRef
from django.utils import timezone
from django.utils.translation import gettext as _

from restaurant.floor.models import TableOwner
from restaurant.ordering.models import Order, OrderItem, TableCall
from restaurant.ordering.queries.orders import orders_with_items, unseen_entries
from restaurant.ordering.queries.stations import IS_DONE, ready_parts
from restaurant.rules import OrderingRules
from restaurant.staff import CLOSE_SESSION, WORK_KITCHEN
from restaurant.tables.models import Table
from web import venue
from web.push.models import Subscription
from web.reporting import bounds_of
from web.services.push import TTL, Due


@dataclass(frozen=True, slots=True)
class _Waiting:
    """Something at a table that nobody has taken."""

    kind: str
    subject: str
    table: Table
    since: datetime


def due(now: datetime) -> list[Due]:
    """Return what subscribed staff and guests are to hear now."""
    return [*_of_tables(now), *_of_kitchen(now), *_of_guests(now)]


def over() -> list[UUID]:
    """Return the orders of which guests wait to hear that are cancelled, or have been brought."""
    done = Order.objects.filter(pk__in=_guests_orders(), status__in=(*Order.GONE, Order.Status.CANCELLED))
    return list(done.values_list("pk", flat=True))


def _of_tables(now: datetime) -> Iterator[Due]:
    """What belongs to whoever has the table, and then to all on the floor."""
    everybody = _subscribed(CLOSE_SESSION)
    if not everybody:
        return
    patience = timedelta(seconds=OrderingRules.current().escalate_after)
    owners = _owners(now)
    for each in _waiting(now - TTL - patience):
        owner = owners.get(each.table.pk)
        everybodys_at = each.since + patience if owner else each.since
        is_own = now < everybodys_at
        until = everybodys_at if is_own else everybodys_at + TTL
        users, stage = (everybody & {owner}, "owner") if is_own else (everybody, "all")
        text = _text(each.kind) % {"table": each.table.table_number}
        if now < until:
            yield Due(each.kind, each.subject, each.since, until, text, "/floor", stage, frozenset(users))


def _waiting(after: datetime) -> Iterator[_Waiting]:
    calls = TableCall.objects.filter(done_at=None, taken_at=None, created_at__gt=after)
    for call in calls.select_related("session__table"):
        yield _Waiting(call.kind, str(call.pk), call.table, call.created_at)
    for order in Order.objects.to_be_approved().filter(taken_at=None, created_at__gt=after).select_related("table"):
        yield _Waiting("held", str(order.pk), order.table, order.created_at)
    ready = Order.objects.filter(status=Order.Status.READY, taken_at=None, ready_at__gt=after)
    for order in ready.select_related("table"):
        yield _Waiting("ready", str(order.pk), order.table, order.ready_at or after)
    done = OrderItem.objects.filter(IS_DONE, order=OuterRef("pk"), done_at__gt=after)
    for part in ready_parts(orders_with_items().filter(Exists(done), status__in=Order.COOKING, taken_at=None)):
        yield _Waiting("part", f"{part.order.pk} {part.station.pk if part.station else 0}", part.table, part.since)


def _text(kind: str) -> str:
    return {
        "waiter": _("Table %(table)s calls"),
        "bill": _("Table %(table)s wants the bill"),
        "reward": _("Table %(table)s uses a reward"),
        "held": _("Table %(table)s: an order to approve"),
        "ready": _("Table %(table)s: an order to carry"),
        "part": _("Table %(table)s: something to carry"),
        "unseen": _("Table %(table)s: nobody in the kitchen has seen the order"),
    }[kind]


def _of_kitchen(now: datetime) -> Iterator[Due]:
    """Orders that no display has drawn, for floor and kitchen."""
    on_floor = _subscribed(CLOSE_SESSION)
    users = {"/floor": on_floor, "/kitchen": _subscribed(WORK_KITCHEN) - on_floor}
    if not any(users.values()):
        return
    unseen = unseen_entries(now).filter(asked_at__gt=now - TTL).select_related("order__table")
    first = {entry.order_id: entry for entry in unseen.order_by("-asked_at", "-pk")}
    for order_id, entry in first.items():
        text = _text("unseen") % {"table": entry.order.table.table_number}
        for url, ids in users.items():
            yield Due("unseen", str(order_id), entry.asked_at, entry.asked_at + TTL, text, url, url[1:], frozenset(ids))


def _of_guests(now: datetime) -> Iterator[Due]:
    ready = Order.objects.filter(pk__in=_guests_orders(), status=Order.Status.READY, ready_at__gt=now - TTL)
    for order in ready:
        since = order.ready_at or now
        text, url = _("Your order is ready"), f"/orders/{order.pk}"
        yield Due("order", str(order.pk), since, since + TTL, text, url, order=order.pk)


def _guests_orders() -> list[UUID]:
    return [order for order in Subscription.objects.values_list("order", flat=True) if order]


def _subscribed(permission: str) -> set[int]:
    """Return the ids of active staff who have it and a phone that hears of something."""
    users = get_user_model().objects.with_perm(permission, backend="web.authentication.StaffBackend")
    return set(users.filter(pk__in=Subscription.objects.values("user")).values_list("pk", flat=True))


def _owners(now: datetime) -> dict[UUID, int]:
    """Return by table who has had it since the venue's day began."""
    began, _ended = bounds_of(venue.day_of(now), timezone.get_current_timezone())
    return dict(TableOwner.objects.filter(since__gte=began, user__is_active=True).values_list("table", "user"))
