"""The days whose orders are summed up, and are as they were then."""

from datetime import date, datetime

from django.db.models import Q

from restaurant.models import OrderChange, SalesDay
from web.sums_of_days import LATENESS, day_of, whole_days
from web.windows import Window


def days(window: Window) -> list[date]:
    """Whole days of the window whose sums are right."""
    whole = whole_days(window)
    rows = SalesDay.objects.filter(day__range=whole).order_by("day") if whole else SalesDay.objects.none()
    summed = dict(rows.values_list("day", "summed_at"))
    if not summed:
        return []
    changed = changed_days(min(summed.values()), window.within("order__created_at"))
    return [day for day in summed if day not in changed]


def changed_days(since: datetime, orders: Q) -> set[date]:
    """Those of `orders` that were changed since then. What is changed is always written down as an OrderChange."""
    changes = OrderChange.objects.filter(orders, at__gte=since - LATENESS)
    return {day_of(at) for at in changes.values_list("order__created_at", flat=True)}
