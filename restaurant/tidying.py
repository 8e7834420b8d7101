"""Carts, sessions and print jobs that nobody needs any more. See "Tidying" in docs/behaviour/common.md."""

from datetime import date, datetime, timedelta

from django.db.models import Exists, OuterRef, Q

from restaurant.ordering.models import CartLine, Order, PrintJob, TableSession
from restaurant.reports.services import sales
from web import tidying

KEPT = timedelta(days=1)
PRINT_JOBS_KEPT = timedelta(days=7)


def tidy(*, now: datetime, sums_since: date | None = None) -> dict[str, int]:
    """Delete them; how many, by name. Days since `sums_since` are summed up again."""
    old = now - KEPT
    carts = CartLine.objects.filter(Q(session__ended_at__isnull=False) | Q(session__started_at__lt=old))
    orders = Order.objects.filter(session=OuterRef("pk"))
    empty = TableSession.objects.filter(~Exists(orders), started_at__lt=old)
    printed = PrintJob.objects.filter(created_at__lt=now - PRINT_JOBS_KEPT)
    return {
        "days summed up for reports": sales.sum_up(now=now, again_since=sums_since),
        "entries of carts": tidying.delete(carts),
        "sessions without orders": tidying.delete(empty),
        "print jobs": tidying.delete(printed),
    }
