"""The dockets of an order: made in the transaction that tells the kitchen, printed by `print_tickets`."""

from collections.abc import Sequence
from datetime import datetime

from django.db.models import Q

from restaurant.models import Order, OrderItem, Printer, PrintJob


def make(order: Order, now: datetime) -> None:
    """A docket for each active printer that has something of the order. `orders.place` does the same in its SQL."""
    stations = {item.station_id for item in order.items.all()}
    PrintJob.objects.bulk_create(
        PrintJob(order=order, printer=printer, created_at=now) for printer in _printers_of(stations)
    )


def make_cancelled(order: Order, taken: Sequence[tuple[OrderItem, int]], now: datetime) -> None:
    """A slip for each active printer that has printed, or will print, what is now cancelled."""
    for printer in _printers_of({item.station_id for item, _quantity in taken}):
        if PrintJob.objects.filter(order=order, printer=printer, kind=PrintJob.Kind.ORDER).exists():
            parts = [
                {"position": item.position, "quantity": quantity}
                for item, quantity in taken
                if printer.station_id in (None, item.station_id)
            ]
            PrintJob.objects.create(
                order=order, printer=printer, kind=PrintJob.Kind.CANCELLED, cancelled_items=parts, created_at=now
            )


def _printers_of(stations: set[int | None]) -> list[Printer]:
    here = Q(station=None) | Q(station__in=stations - {None})
    return list(Printer.objects.filter(here, active=True))
