"""Reading the kitchen's stations."""

from collections.abc import Iterable
from dataclasses import dataclass

from restaurant.errors import StationUnknown
from restaurant.models import Order, OrderItem, Station


@dataclass(frozen=True, slots=True)
class StationOrder:
    """What a station has of an order. `others`: the names of the other stations that have something of it."""

    order: Order
    items: list[OrderItem]
    others: list[str]


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
        others = {item.station.name for item in items if item.station is not None and item.station_id != station.pk}
        if own:
            found.append(StationOrder(order, own, sorted(others)))
    return found
