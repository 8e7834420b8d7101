"""Reading what waits for the kitchen's printers."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Count, Min, QuerySet

from restaurant.ordering.models import PrintJob

LATE_AFTER = timedelta(seconds=30)


@dataclass(frozen=True, slots=True)
class LatePrinter:
    """`since`: when the oldest of its `count` late dockets was made; `error`: what is wrong with that one, if known."""

    printer: str
    count: int
    since: datetime
    error: str


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
