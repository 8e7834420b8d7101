"""Entries of orders that are chosen on a bill."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction

from restaurant.errors import NothingLeft, OrderUnknown
from restaurant.ordering.models import OrderItem


@dataclass(frozen=True, slots=True)
class Chosen:
    """An entry of an order: so many of it, or a fraction; neither: all that is left."""

    order_id: str
    position: int
    quantity: int | None = None
    share: Fraction | None = None


def entries_chosen(on_bill: Iterable[OrderItem], chosen: Iterable[Chosen]) -> Iterator[tuple[OrderItem, Chosen]]:
    """Yield the entries of the bill that are chosen. Raises OrderUnknown, NothingLeft."""
    places = {(str(item.order_id), item.position): item for item in on_bill}
    orders = {order_id for order_id, _position in places}
    for each in chosen:
        item = places.get((each.order_id, each.position))
        if each.order_id not in orders:
            raise OrderUnknown
        if item is None:
            raise NothingLeft(position=each.position)
        yield item, each
