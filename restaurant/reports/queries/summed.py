"""The days whose orders are summed up, and are as they were then."""

from datetime import date, datetime

from restaurant.menu.models import SalesDay
from restaurant.ordering.models import OrderChange
from web import sums_of_days
from web.windows import Window


def days(window: Window) -> list[date]:
    """Return whole days of the window whose sums are right."""
    return sums_of_days.right_days(SalesDay.objects.all(), window, changed_days)


def changed_days(since: datetime, window: Window | None) -> set[date]:
    """Return days of which an order was changed since then. Every change is written down as an OrderChange."""
    changes = OrderChange.objects.filter(at__gte=since - sums_of_days.LATENESS)
    if window:
        changes = changes.filter(window.within("order__created_at"))
    return {sums_of_days.day_of(at) for at in changes.values_list("order__created_at", flat=True)}
