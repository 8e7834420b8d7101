"""Reading the kitchen's stations."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from restaurant.errors import StationUnknown
from restaurant.menu.models import Station
from restaurant.ordering.models import Order, OrderItem


@dataclass(frozen=True, slots=True)
class StationProgress:
    """How many items of an order a station is done with, of those that are not cancelled."""

    name: str
    done: int
    count: int


@dataclass(frozen=True, slots=True)
class StationOrder:
    """What a station has of an order. `others`: the other stations that have something of it, by name."""

    order: Order
    items: list[OrderItem]
    others: list[StationProgress]

    @property
    def entries(self) -> list[OrderItem]:
        """As `Order.entries`."""
        return self.items

    @property
    def done_at(self) -> datetime | None:
        """Since when the station is done with all of it that is not cancelled."""
        times = [item.done_at for item in self.items if item.remaining]
        return max(filter(None, times)) if times and None not in times else None


def stations() -> list[Station]:
    """By name."""
    return list(Station.objects.order_by("name"))


def station(slug: str) -> Station:
    """Raises StationUnknown."""
    found = Station.objects.filter(slug=slug).first()
    if found is None:
        raise StationUnknown
    return found


def of_station(orders: Iterable[Order], station: Station) -> list[StationOrder]:
    """What the station has of these orders, without those of which it has nothing."""
    found = []
    for order in orders:
        items = list(order.items.all())
        own = [item for item in items if item.station_id == station.pk]
        if own:
            found.append(StationOrder(order, own, _progress(items, but=station)))
    return found


def _progress(items: list[OrderItem], *, but: Station) -> list[StationProgress]:
    others: dict[str, list[OrderItem]] = {}
    for item in items:
        if item.station is not None and item.station_id != but.pk:
            others.setdefault(item.station.name, []).append(item)
    return [StationProgress(name, _pieces(own, done=True), _pieces(own)) for name, own in sorted(others.items())]


def _pieces(items: list[OrderItem], *, done: bool = False) -> int:
    return sum(item.remaining for item in items if item.done_at or not done)
