"""Reading the kitchen's stations."""

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Q

from restaurant.errors import StationUnknown
from restaurant.menu.models import Station
from restaurant.ordering.models import Order, OrderItem
from restaurant.ordering.models.orders import Waits
from restaurant.tables.models import Table


@dataclass(frozen=True, slots=True)
class StationProgress:
    """The number of items of an order that a station has, and is done with, without those that are cancelled."""

    name: str
    done: int
    count: int


@dataclass(frozen=True, slots=True)
class StationOrder:
    """The entries of an order that are for a station. `others` are the other stations with some of it, by name."""

    order: Order
    entries: list[OrderItem]
    others: list[StationProgress]

    @property
    def done_at(self) -> datetime | None:
        """The time since when the station is done with all that is neither cancelled nor waits; None until then."""
        times = [item.done_at for item in self.entries if item.remaining and not item.waits]
        return max(filter(None, times)) if times and None not in times else None


@dataclass
class ReadyPart(Waits):
    """The entries of a station that are done, and not carried, of an order of which others are not done.

    Without a station: what belongs to none, of an order of which other courses wait.
    """

    order: Order
    station: Station | None
    entries: list[OrderItem]
    since: datetime

    def __post_init__(self) -> None:
        self.taken_by_name = self.order.taken_by_name

    @property
    def table(self) -> Table:
        return self.order.table

    @property
    def dishes(self) -> str:
        return ", ".join(f"{item.remaining} {item.display_name}" for item in self.entries)


# Of the entries of an order that may be a `ReadyPart`.
IS_DONE = Q(done_at__isnull=False, served_at=None)


def ready_parts(orders: Iterable[Order]) -> list[ReadyPart]:
    """Return the parts of these orders, the one that is ready longest first."""
    parts = []
    for order in orders:
        by_station: defaultdict[Station | None, list[OrderItem]] = defaultdict(list)
        has_courses = any(item.waits for item in order.items.all())
        for item in order.items.all() if order.is_cooking else ():
            if (item.station is not None or has_courses) and item.remaining and not item.waits:
                by_station[item.station].append(item)
        for station, entries in by_station.items():
            since = StationOrder(order, entries, []).done_at
            to_carry = [item for item in entries if not item.served_at]
            if since and to_carry:
                parts.append(ReadyPart(order, station, to_carry, since))
    return sorted(parts, key=lambda part: part.since)


def all_stations() -> list[Station]:
    """The kitchen's stations, by name."""
    return list(Station.objects.order_by("name"))


def station_at(slug: str) -> Station:
    """The station whose display is at `/kitchen/{slug}`. Raises StationUnknown."""
    station = Station.objects.filter(slug=slug).first()
    if station is None:
        raise StationUnknown
    return station


def of_station(orders: Iterable[Order], station: Station) -> list[StationOrder]:
    """The station's share of these orders, without orders of which it has nothing to make.

    What belongs to no station is in every share, so that somebody makes it.
    """
    shares = []
    for order in orders:
        own = [item for item in order.items.all() if item.station_id in (station.pk, None)]
        if own:
            shares.append(StationOrder(order, own, _progress_elsewhere(order, station)))
    return shares


def _progress_elsewhere(order: Order, station: Station) -> list[StationProgress]:
    done: Counter[str] = Counter()
    count: Counter[str] = Counter()
    for item in order.items.all():
        if item.station is not None and item.station_id != station.pk:
            count[item.station.name] += item.remaining
            done[item.station.name] += item.remaining if item.done_at else 0
    return [StationProgress(name, done[name], count[name]) for name in sorted(count)]
