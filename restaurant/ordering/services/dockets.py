"""What printers have to print: dockets, made in the transaction that tells the kitchen, and papers of the till.

`print_tickets` prints it.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext as _

from restaurant import events
from restaurant.ordering.models import Order, OrderItem, Printer, PrintJob, TableMove

JOBS_KEPT = timedelta(days=6)  # a day less than `restaurant.tidying` keeps them


def make(order: Order, now: datetime) -> None:
    """Make a docket for each active printer that has a dish of the order. `orders.place` does the same in its SQL."""
    stations = {item.station_id for item in order.items.all()}
    PrintJob.objects.bulk_create(
        PrintJob(order=order, printer=printer, created_at=now) for printer in _printers_of(stations)
    )


def withdraw(order: Order) -> None:
    """Drop its dockets that have not begun to be printed. Their rows are locked, so that none begins meanwhile."""
    waiting = order.print_jobs.filter(kind=PrintJob.Kind.ORDER, state=PrintJob.State.WAITING, attempts=0)
    waiting.update(state=PrintJob.State.DROPPED, error=_("Cancelled before it was printed."))


def make_cancelled(order: Order, taken: Sequence[tuple[OrderItem, int]], now: datetime) -> None:
    """Make a slip for each active printer that has printed, or will print, what is now cancelled."""
    for printer in _printers_of({item.station_id for item, _quantity in taken}):
        dockets = PrintJob.objects.filter(order=order, printer=printer, kind=PrintJob.Kind.ORDER)
        if dockets.exclude(state=PrintJob.State.DROPPED, attempts=0).exists():
            parts = [
                {"position": item.position, "quantity": quantity}
                for item, quantity in taken
                if printer.station_id in (None, item.station_id)
            ]
            PrintJob.objects.create(
                order=order, printer=printer, kind=PrintJob.Kind.CANCELLED, cancelled_items=parts, created_at=now
            )


def make_fired(order: Order, fired: Sequence[OrderItem], now: datetime) -> None:
    """Make a docket of a course for each active printer that has a dish of it. `now` is when it was fired."""
    PrintJob.objects.bulk_create(
        PrintJob(order=order, printer=printer, kind=PrintJob.Kind.COURSE, created_at=now)
        for printer in _printers_of({item.station_id for item in fired})
    )


def make_moved(move: TableMove, orders: Sequence[Order], now: datetime) -> None:
    """Make a slip for each active printer that has printed, or will print, one of these orders of the party.

    A docket that waits still prints the new table, so its slip is dropped with it (`printing.jobs.following`). That
    docket can be on its way at this moment, and a slip has to outlive what is on paper: it is of an order that was
    sent, if there is one, else of the one that is sent next.
    """
    dockets = PrintJob.objects.filter(kind=PrintJob.Kind.ORDER, order__in=orders, printer__active=True)
    slips: dict[int, PrintJob] = {}
    for docket in dockets.exclude(state=PrintJob.State.DROPPED).order_by("created_at", "pk"):
        slip = PrintJob(
            order_id=docket.order_id, printer_id=docket.printer_id, kind=PrintJob.Kind.MOVED, move=move, created_at=now
        )
        if docket.attempts:
            slips[docket.printer_id] = slip
        slips.setdefault(docket.printer_id, slip)
    PrintJob.objects.bulk_create(slips.values())


def _printers_of(stations: set[int | None]) -> list[Printer]:
    of_kitchen = Printer.objects.filter(kind=Printer.Kind.KITCHEN, active=True)
    return list(of_kitchen.filter(Q(station=None) | Q(station__in=stations - {None})))


def print_paper(printer: Printer, kind: PrintJob.Kind, lines: list[Any], subject: str, since: datetime | None) -> None:
    """Print lines, of which the last says when: as a copy if the same has been printed of the subject before.

    What the subject is since so long that its jobs may be tidied away is a copy, too.
    """
    earlier = PrintJob.objects.filter(kind=kind, subject=subject).exclude(state=PrintJob.State.DROPPED, attempts=0)
    is_old = since is not None and since < timezone.now() - JOBS_KEPT
    is_copy = is_old or any(job.lines[:-1] == [list(line) for line in lines[:-1]] for job in earlier)
    with transaction.atomic():
        PrintJob.objects.create(printer=printer, kind=kind, lines=lines, subject=subject, is_copy=is_copy)
        events.floor_update()


def send_pulse(printer: Printer) -> None:
    """Open the drawer at this printer. To be called in a transaction."""
    PrintJob.objects.create(printer=printer, kind=PrintJob.Kind.PULSE)
    events.floor_update()
