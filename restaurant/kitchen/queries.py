"""Reading what the kitchen has to do, and what waits for its printers."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Count, Min, QuerySet

from restaurant.menu.models import Station
from restaurant.menu.queries import menu_state
from restaurant.ordering import queries as ordering_queries
from restaurant.ordering.models import Order, PrintJob
from restaurant.ordering.queries import StationOrder

LATE_AFTER = timedelta(seconds=30)


@dataclass(frozen=True, slots=True)
class LatePrinter:
    """`since`: when the oldest of its `count` late dockets was made; `error`: what is wrong with that one, if known."""

    printer: str
    count: int
    since: datetime
    error: str


@dataclass(frozen=True, slots=True)
class KitchenOrders:
    """`cancelled`: those that no cook has acknowledged. `earlier`: how many open orders of more than a day ago are left
    out. On a station's display orders are `StationOrder`s."""

    orders: Sequence[Order | StationOrder]
    cancelled: Sequence[Order | StationOrder]
    earlier: int = 0
    paused_until: datetime | None = None
    closed_until: datetime | None = None
    late_dockets: Sequence[LatePrinter] = ()


def served_orders(*, minutes: int, now: datetime, station: Station | None = None) -> KitchenOrders:
    served = ordering_queries.served_orders(minutes=minutes, now=now)
    return KitchenOrders(_of(served, station), [])


def open_orders(*, only_recent: bool, now: datetime, station: Station | None = None) -> KitchenOrders:
    state = menu_state()
    orders = ordering_queries.recent_open_orders(now) if only_recent else ordering_queries.open_orders()
    return KitchenOrders(
        orders=_of(orders, station),
        cancelled=_of(ordering_queries.cancelled_orders(now=now), station),
        earlier=ordering_queries.earlier_open_orders(now).count() if only_recent else 0,
        paused_until=state.pause_at(now),
        closed_until=state.opens_at(now),
        late_dockets=late_dockets(now),
    )


def _of(orders: QuerySet[Order], station: Station | None) -> Sequence[Order | StationOrder]:
    return ordering_queries.of_station(orders, station) if station else list(orders)


def late_jobs(now: datetime) -> QuerySet[PrintJob]:
    waiting = PrintJob.objects.filter(state=PrintJob.State.WAITING, printer__active=True).order_by()
    return waiting.filter(created_at__lt=now - LATE_AFTER)


def late_dockets(now: datetime) -> list[LatePrinter]:
    """Active printers with dockets that have waited too long, by name."""
    late = late_jobs(now)
    counts = list(late.values("printer_id", "printer__name").annotate(count=Count("pk"), since=Min("created_at")))
    if not counts:
        return []
    # The oldest of each is the one that is being tried.
    oldest = late.order_by("printer_id", "created_at", "pk").distinct("printer_id")
    errors = dict(oldest.values_list("printer_id", "error"))
    rows = [
        LatePrinter(each["printer__name"], each["count"], each["since"], errors.get(each["printer_id"], ""))
        for each in counts
    ]
    return sorted(rows, key=lambda row: row.printer)
