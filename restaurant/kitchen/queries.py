"""Reading the orders on kitchen displays, and the dockets that wait for printers."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Count, Min, QuerySet
from django.utils import timezone

from restaurant.menu.models import Station
from restaurant.menu.queries import menu_state
from restaurant.ordering.models import Order, Printer, PrintJob
from restaurant.ordering.queries import orders as order_queries
from restaurant.ordering.queries.stations import StationOrder, of_station

LATE_AFTER = timedelta(seconds=30)


@dataclass(frozen=True, slots=True)
class LatePrinter:
    """A printer with `count` late dockets: `since` is when the oldest was made, `error` what is wrong with that one."""

    printer: str
    count: int
    since: datetime
    error: str


@dataclass(frozen=True, slots=True)
class KitchenOrders:
    """The orders of a display; of a station's display they are `StationOrder`s.

    `cancelled` are those that no cook has acknowledged, `earlier` counts open orders of more than a day ago that are
    left out.
    """

    orders: Sequence[Order | StationOrder]
    cancelled: Sequence[Order | StationOrder]
    earlier: int = 0
    paused_until: datetime | None = None
    closed_until: datetime | None = None
    station_paused_until: datetime | None = None
    late_dockets: Sequence[LatePrinter] = ()


def served_orders(*, minutes: int, station: Station | None) -> KitchenOrders:
    """Orders that left the kitchen in the last minutes, the latest first."""
    since = timezone.now() - timedelta(minutes=minutes)
    left = order_queries.orders_with_items().filter(status__in=(Order.Status.SERVED, Order.Status.COMPLETED))
    return KitchenOrders(_of(left.filter(served_at__gt=since).order_by("-served_at", "-pk"), station), [])


def open_orders(*, only_recent: bool, station: Station | None) -> KitchenOrders:
    state, now = menu_state(), timezone.now()
    orders = order_queries.open_orders()
    if only_recent:
        orders = orders.filter(created_at__gt=now - order_queries.RECENT)
    return KitchenOrders(
        orders=_of(orders, station),
        cancelled=_of(order_queries.cancelled_orders(now=now), station),
        earlier=order_queries.earlier_open_orders(now).count() if only_recent else 0,
        paused_until=state.pause_at(now),
        closed_until=state.opens_at(now),
        station_paused_until=station.paused_until if station and (station.paused_until or now) > now else None,
        late_dockets=late_dockets(now, kinds=[Printer.Kind.KITCHEN]),
    )


def _of(orders: QuerySet[Order], station: Station | None) -> Sequence[Order | StationOrder]:
    return of_station(orders, station) if station else list(orders)


def late_jobs(now: datetime) -> QuerySet[PrintJob]:
    waiting = PrintJob.objects.filter(state=PrintJob.State.WAITING, printer__active=True).order_by()
    return waiting.filter(created_at__lt=now - LATE_AFTER).exclude(kind=PrintJob.Kind.PULSE)


def late_dockets(now: datetime, kinds: Sequence[str] = Printer.Kind.values) -> list[LatePrinter]:
    """Active printers of these kinds with dockets that have waited too long, by name."""
    late = late_jobs(now).filter(printer__kind__in=kinds)
    counted = late.values("printer_id", "printer__name").annotate(count=Count("pk"), since=Min("created_at"))
    rows = list(counted.order_by("printer__name").values_list("printer_id", "printer__name", "count", "since"))
    if not rows:
        return []
    # The oldest of each is the one that is being tried.
    oldest = late.order_by("printer_id", "created_at", "pk").distinct("printer_id")
    errors = dict(oldest.values_list("printer_id", "error"))
    return [LatePrinter(name, count, since, errors.get(pk, "")) for pk, name, count, since in rows]
