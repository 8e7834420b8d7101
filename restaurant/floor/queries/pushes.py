"""Reading what phones that are locked are to hear, every second: see `web.services.push`."""

from collections.abc import Iterator
from datetime import datetime
from functools import partial
from typing import Any
from uuid import UUID

from django.contrib.auth import get_user_model
from django.utils.translation import gettext as _

from restaurant.floor.queries.floor import current_floor
from restaurant.ordering.models import Order
from restaurant.staff import CLOSE_SESSION, WORK_KITCHEN
from web.push.models import Subscription
from web.services.push import TTL, Due


def over() -> list[UUID]:
    """Return the orders of which guests wait to hear that are cancelled, or have been brought."""
    done = Order.objects.filter(pk__in=_guests_orders(), status__in=(*Order.GONE, Order.Status.CANCELLED))
    return list(done.values_list("pk", flat=True))


def due(now: datetime) -> list[Due]:
    """Return what is not older than TTL: to whoever has the table, and then to all on the floor."""
    on_floor, in_kitchen = _subscribed(CLOSE_SESSION), _subscribed(WORK_KITCHEN)
    of_staff = _of_staff(on_floor, {name: pk for name, pk in in_kitchen.items() if name not in on_floor})
    dues = [*(of_staff if in_kitchen or on_floor else ()), *_of_guests()]
    return [each for each in dues if now < each.until]


def _of_staff(on_floor: dict[str, int], in_kitchen: dict[str, int]) -> Iterator[Due]:
    floor = current_floor(for_page=True)
    parts = floor.ready_parts
    waiting: list[tuple[str, Any, str, datetime]] = [
        *((call.kind, call, f"{call.pk}", call.created_at) for call in floor.calls),
        *(("held", order, f"{order.pk}", order.created_at) for order in floor.held),
        *(("ready", order, f"{order.pk}", order.ready_at or order.created_at) for order in floor.ready),
        *(("part", each, f"{each.order.pk} {each.station and each.station.pk}", each.since) for each in parts),
    ]
    for kind, row, subject, since in waiting:
        is_everybodys = row.is_escalated or not row.owner
        until = (row.everybodys_at if row.is_escalated else since) + TTL
        users = frozenset(pk for name, pk in on_floor.items() if row.is_for(name))
        stage, text = "all" if is_everybodys else "owner", partial(_text, kind, row.table.table_number)
        if not row.taken_by_name:
            yield Due(kind, subject, since, until, text, "/floor", stage, users)
    for each in floor.unseen:
        text, until = partial(_text, "unseen", each.table.table_number), each.since + TTL
        for url, there in (("/floor", on_floor), ("/kitchen", in_kitchen)):
            users = frozenset(there.values())
            yield Due("unseen", f"{each.order.pk}", each.since, until, text, url, url[1:], users)


def _text(kind: str, table: int) -> str:
    """Return a sentence that names neither people nor dishes."""
    return {
        "waiter": _("Table %(table)s calls"),
        "bill": _("Table %(table)s wants the bill"),
        "reward": _("Table %(table)s uses a reward"),
        "held": _("Table %(table)s: an order to approve"),
        "ready": _("Table %(table)s: an order to carry"),
        "part": _("Table %(table)s: something to carry"),
        "unseen": _("Table %(table)s: nobody in the kitchen has seen the order"),
    }[kind] % {"table": table}


def _of_guests() -> Iterator[Due]:
    for order in Order.objects.filter(pk__in=_guests_orders(), status=Order.Status.READY):
        since = order.ready_at or order.created_at
        url = f"/orders/{order.pk}"
        yield Due("order", f"{order.pk}", since, since + TTL, _text_for_guest, url, order=order.pk)


def _text_for_guest() -> str:
    return _("Your order is ready")


def _guests_orders() -> list[UUID]:
    return [order for order in Subscription.objects.values_list("order", flat=True) if order]


def _subscribed(permission: str) -> dict[str, int]:
    """Return the user names and ids of active staff who have it and a phone that hears of something."""
    users = get_user_model().objects.with_perm(permission, backend="web.authentication.StaffBackend")
    return dict(users.filter(pk__in=Subscription.objects.values("user")).values_list("username", "pk"))
